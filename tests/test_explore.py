"""Exploration: one seed draws the same scenarios, wherever and however often it runs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import strategies as st

from fedcheck.conformance.driving.explore import derived_seed, explore
from fedcheck.invariants.catalog import catalog, find
from fedcheck.invariants.scenarios.agents import greetings
from fedcheck.invariants.vocabulary.codec import to_json
from fedcheck.invariants.vocabulary.parameters import DOCUMENTED, Parameters
from fedcheck.invariants.vocabulary.scenario import Scenario, Turn

LEDGER = "I-DISPATCH-RESULT-DATA-PLUMBED"
_IDS = sorted(
    {each.strategy: each.id for each in catalog() if each.strategy is not greetings}.values()
)
"""One invariant for each strategy that draws; many share theirs.

``greetings`` is one short scenario, and told to be: turns of a real agent are slow.
"""

_DRAW = """
import hashlib, sys
{first}
from fedcheck.conformance.driving.explore import explore
from fedcheck.invariants.catalog import find
from fedcheck.invariants.vocabulary.codec import to_json
from fedcheck.invariants.vocabulary.parameters import Parameters

digest = hashlib.sha256()
for name in ({ids}):
    explore(
        find(name).strategy(Parameters()),
        lambda scenario: digest.update(to_json(scenario).encode()),
        examples=25,
        seed=7,
    )
print(digest.hexdigest())
"""

_ODD_MODULE = f"NUMBERS = {tuple(7919 * n + 13 for n in range(500))}\nTEXT = 'odd constant'\n"


def drawn(name: str, *, examples: int = 25, seed: int = 7) -> list[str]:
    """The scenarios that one invariant's strategy gives."""
    found: list[str] = []
    explore(
        find(name).strategy(DOCUMENTED),
        lambda scenario: found.append(to_json(scenario)),
        examples=examples,
        seed=seed,
    )
    return found


def digest(folder: Path, *, first: str = "", **environment: str) -> str:
    """Draw in a process of its own; return the digest of everything that was drawn."""
    ids = ", ".join(map(repr, _IDS))
    plain = {key: value for key, value in os.environ.items() if key != "CI"}
    done = subprocess.run(
        [sys.executable, "-c", _DRAW.format(first=first, ids=ids)],
        cwd=folder,
        env={**plain, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return done.stdout.strip()


def test_a_seed_draws_the_same_anywhere(tmp_path: Path) -> None:
    """Loaded modules, their odd constants, `CI` and the hash seed change nothing; no file is left.

    What is drawn must not depend on the kernel under test, which is a loaded module, too.
    """
    quiet, odd = tmp_path / "quiet", tmp_path / "odd"
    quiet.mkdir()
    odd.mkdir()
    (odd / "odd_kernel.py").write_text(_ODD_MODULE)

    digests = {
        digest(quiet, PYTHONHASHSEED="1"),
        digest(odd, first="import odd_kernel", PYTHONHASHSEED="2"),
        digest(quiet, first="import json.tool, difflib, sqlite3", CI="true"),
    }

    assert 1 == len(digests)
    assert [] == list(quiet.iterdir())
    assert {"odd_kernel.py", "__pycache__"} >= {path.name for path in odd.iterdir()}


@pytest.mark.parametrize("name", _IDS)
def test_a_seed_draws_the_same_again(name: str) -> None:
    """And another one draws something else."""
    assert drawn(name) == drawn(name)
    assert drawn(name) != drawn(name, seed=8)


@pytest.mark.parametrize("name", _IDS)
def test_drawn_scenarios_differ(name: str) -> None:
    """Drawing the same scenario again and again would explore nothing."""
    found = drawn(name, examples=40)

    assert len(set(found)) > 20


def test_a_hypothesis_profile_of_the_user_changes_nothing() -> None:
    """Neither do settings that are in force where the suite is called."""
    from hypothesis import settings

    before = drawn(LEDGER)
    settings.register_profile("odd", max_examples=3, derandomize=True, stateful_step_count=2)
    current = settings.get_current_profile_name()
    settings.load_profile("odd")
    try:
        assert before == drawn(LEDGER)
    finally:
        settings.load_profile(current)


@pytest.mark.parametrize("examples", [0, 1, 17])
def test_no_more_is_drawn_than_was_asked_for(examples: int) -> None:
    """Zero examples mean none."""
    assert examples >= len(drawn(LEDGER, examples=examples))
    assert bool(examples) == bool(drawn(LEDGER, examples=examples))


def test_a_strategy_that_runs_dry_ends_by_itself() -> None:
    """Two possible scenarios are drawn at most twice."""
    two = st.sampled_from([Scenario(id=name, steps=(Turn(message=name),)) for name in "ab"])
    found: list[str] = []
    explore(two, lambda scenario: found.append(scenario.id), examples=50, seed=1)

    assert {"a", "b"} == set(found)
    assert len(found) < 50


def test_an_interrupt_ends_the_exploration_at_once() -> None:
    """Ctrl-C is no failing example."""
    found: list[str] = []

    def attempt(scenario: Scenario) -> None:
        found.append(to_json(scenario))
        if len(found) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        explore(find(LEDGER).strategy(DOCUMENTED), attempt, examples=50, seed=1)

    assert 3 == len(found)


def test_parts_of_a_run_have_seeds_of_their_own() -> None:
    """One invariant more or less does not change what the others draw."""
    seeds = {derived_seed(seed, name) for seed in range(20) for name in _IDS}

    assert 20 * len(_IDS) == len(seeds)
    assert derived_seed(3, LEDGER) == derived_seed(3, LEDGER)


def test_the_model_alone_decides_what_is_drawn() -> None:
    """A declared window makes conversations longer; it never depends on an answer."""
    lengths: dict[int, int] = {}
    for window in (2, 12):
        found: list[int] = []
        explore(
            find(LEDGER).strategy(Parameters(window=window)),
            lambda scenario, found=found: found.append(len(scenario.steps)),
            examples=40,
            seed=1,
        )
        lengths[window] = max(found)

    assert lengths[2] <= 2 + 4
    assert lengths[12] > lengths[2]
