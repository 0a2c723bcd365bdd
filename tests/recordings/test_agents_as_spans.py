"""Broken agents are found by the spans of their own runs, and conforming ones are not blamed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import pytest

from fedcheck.conformance.driving.drive import runnable
from fedcheck.conformance.recordings.auditing import Audited
from fedcheck.conformance.recordings.mapping import Mapping as Places
from fedcheck.fixtures.agent.agent import ReferenceAgent
from fedcheck.fixtures.catches import known_catches
from fedcheck.fixtures.mutants import MUTANTS
from fedcheck.fixtures.styles import STYLES
from fedcheck.invariants.catalog import own_invariants
from fedcheck.invariants.recorded import unshown, unshown_clauses
from fedcheck.invariants.rows import fixed_scenarios
from fedcheck.invariants.vocabulary.parameters import Parameters
from fedcheck.invariants.vocabulary.scenario import Scenario
from fedcheck.invariants.vocabulary.trace import KernelDescription

from .instrumented import CONVENTIONS, Convention, Instrumented
from .made import ROOT, audited

_ROWS_OF_STYLES = 40


def _agents(kernels: Mapping[str, object]) -> dict[str, type[ReferenceAgent]]:
    return {
        name: kernel
        for name, kernel in kernels.items()
        if isinstance(kernel, type) and issubclass(kernel, ReferenceAgent)
    }


BROKEN = _agents({name: mutant.kernel for name, mutant in MUTANTS.items()})
CONFORMING = {
    "agent-reference": ReferenceAgent,
    **_agents({name: style.kernel for name, style in STYLES.items()}),
}

LOST = "a call without its result"
UNKNOWN = "gap"
RESTART, WINDOW = "C-AGENT-RESTART/continues-after-restart", "C-AGENT-RECALL/within-window"
"""No span tells of a restart: what is forgotten by it was in the window that is declared."""

UNDECLARED = "undeclared whether failed turns are kept"

NOT_CARRIED = {
    "C-AGENT-ARGUMENTS/arguments-unchanged": {LOST: {"agent-arguments-of-neighbour"}},
    "C-AGENT-INVENTION/no-call-unasked": {UNKNOWN: {"agent-call-of-its-own"}},
    "C-AGENT-INVENTION/no-result-without-a-run": {
        LOST: {
            "agent-last-result-instead",
            "agent-neighbours-result-instead",
            "agent-writes-by-memory",
        },
    },
    "C-AGENT-ONCE/every-call-runs": {
        LOST: {
            "agent-equal-calls-once",
            "agent-first-of-parallel-runs",
            "agent-prototypes-left-out",
            "agent-second-step-refused",
            "agent-writes-by-memory",
        },
    },
    "C-AGENT-PAIRING/no-orphan": {UNKNOWN: {"agent-ids-of-results-lost"}},
    "C-AGENT-RECALL/executed-not-forgotten": {
        UNDECLARED: {
            "agent-failed-turn-forgotten",
            "agent-failed-turn-told-in-words",
            "agent-failed-turn-words-alone",
        },
    },
}
"""Clause → why spans do not show it broken → the agents that break it so.

A call that did not run, and one whose span was lost, look alike; so do a message of the agent's
own and one of a call that was not recorded.
"""

A_FEW = (
    "agent-arguments-without-nothing",
    "agent-arguments-shown-empty",
    "agent-cut-arguments-closed",
    "agent-messages-of-tools-spliced",
    "agent-results-as-repr-later",
    "agent-retried-calls-twice",
    "agent-session-ids-folded",
    "agent-window-one-less",
    "agent-writes-by-memory",
)


def _audited(
    kernel: type[ReferenceAgent],
    scenarios: Iterable[Scenario],
    convention: Convention,
    folder: Path,
) -> Audited:
    """Audit what an instrumentation writes of some runs, with the window that is declared."""
    instrumented = Instrumented(convention)
    for scenario in scenarios:
        instrumented.run(kernel(), scenario)
    path = folder / f"{convention.name}.jsonl"
    path.write_text("\n".join(instrumented.lines), encoding="ascii")
    told = kernel().describe()
    window = "all" if told.parameters.agent_turns is None else told.parameters.agent_turns
    places = Places(window=window if "agent_recall" in told.capabilities else "")
    found = audited(path, mapping=places)
    assert {} == found.judged.errors
    return found


@cache
def _scenarios(parameters: Parameters, capabilities: frozenset[str]) -> dict[str, Scenario]:
    own = own_invariants()
    return {x.id: x for i in own for x in fixed_scenarios(i, own, parameters, capabilities)}


def _known(told: KernelDescription) -> dict[str, Scenario]:
    return _scenarios(told.parameters, frozenset(told.capabilities))


def _reason(clause: str, found: Audited) -> set[str]:
    """Why a clause is not judged: spans never show it, or these do not."""
    never = unshown(clause)
    return {never} if never else {*found.judged.tallies[clause].reasons}


def _why_not(clause: str, name: str) -> str:
    """Why spans do not show that an agent breaks a clause; empty if they are to."""
    named = NOT_CARRIED.get(clause, {}).items()
    return unshown(clause) or next((reason for reason, agents in named if name in agents), "")


def _is_found_or_named(name: str, convention: Convention, folder: Path) -> None:
    """Each clause that an agent breaks is found broken, or named with the reason; no other is."""
    kernel, mutant, catches = BROKEN[name], MUTANTS[name], known_catches()[name]
    known = _known(kernel().describe())
    found = _audited(
        kernel, [known[x] for x in dict.fromkeys(catches.values())], convention, folder
    )
    broken = {clause for clause, tally in found.judged.tallies.items() if tally.kinds}
    missed = catches.keys() - broken
    expected = {clause: {why} for clause in catches if (why := _why_not(clause, name))}
    alone = {clause for clause in broken if clause.startswith("C-RECORDED-")}
    if RESTART in catches:
        alone.add(WINDOW)

    assert expected == {clause: _reason(clause, found) for clause in missed}
    assert set() == broken - alone - mutant.trips - mutant.also - catches.keys()


@pytest.mark.slow
@pytest.mark.parametrize("convention", CONVENTIONS, ids=lambda x: x.name)
@pytest.mark.parametrize("name", sorted(BROKEN))
def test_every_broken_agent_is_found_by_its_spans(
    name: str, convention: Convention, tmp_path: Path
) -> None:
    """Clause by clause, in the scenarios known to show it; what spans do not carry is named."""
    _is_found_or_named(name, convention, tmp_path)


@pytest.mark.parametrize("name", A_FEW)
def test_broken_agents_are_found_by_their_spans(name: str, tmp_path: Path) -> None:
    """A few: arguments, cut answers, roles, two runs, a window, and what is not carried."""
    _is_found_or_named(name, CONVENTIONS[0], tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("convention", CONVENTIONS, ids=lambda x: x.name)
@pytest.mark.parametrize("name", sorted(CONFORMING))
def test_no_conforming_agent_is_blamed_for_its_spans(
    name: str, convention: Convention, tmp_path: Path
) -> None:
    """However it tells its history, and whatever it forgets as it declares."""
    assert {} == _blamed(name, convention, _ROWS_OF_STYLES, tmp_path)


@pytest.mark.parametrize("name", ["agent-window-of-two", "agent-failed-turns-dropped"])
def test_what_is_forgotten_as_declared_blames_nobody(name: str, tmp_path: Path) -> None:
    """A window, and what becomes of a turn that failed, are a runtime's own."""
    assert {} == _blamed(name, CONVENTIONS[0], 10, tmp_path)


def _blamed(name: str, convention: Convention, rows: int, folder: Path) -> dict[str, object]:
    kernel = CONFORMING[name]
    told = kernel().describe()
    runs = [each for each in _known(told).values() if runnable(told, each) is None]
    some = [*runs[:: max(1, len(runs) // rows)], *(x for x in runs if "fault" in x.id)][: 2 * rows]
    found = _audited(kernel, some, convention, folder)
    return {
        clause: dict(tally.kinds) for clause, tally in found.judged.tallies.items() if tally.kinds
    }


def test_without_a_declared_window_a_forgotten_turn_is_not_judgeable(tmp_path: Path) -> None:
    """An agent that forgets at once may have declared that it does."""
    kernel, clause = BROKEN["agent-forgets-at-once"], "C-AGENT-RECALL/within-window"
    scenario = _known(kernel().describe())[known_catches()["agent-forgets-at-once"][clause]]
    instrumented = Instrumented(CONVENTIONS[0])
    instrumented.run(kernel(), scenario)
    path = tmp_path / "spans.jsonl"
    path.write_text("\n".join(instrumented.lines), encoding="ascii")
    tally = audited(path).judged.tallies[clause]

    assert ({}, {"an undeclared window": 1}) == (tally.kinds, tally.reasons)
    assert {"forgotten"} == {
        *audited(path, mapping=Places(window="all")).judged.tallies[clause].kinds
    }


def test_the_guide_names_what_spans_do_not_show() -> None:
    """Each clause with its reason, in the words of the product."""
    guide = " ".join((ROOT / "docs" / "audit.md").read_text(encoding="utf-8").split())
    rows = {
        f"| {', '.join(f'`{clause}`' for clause in clauses)} | {reason} |"
        for reason, clauses in unshown_clauses().items()
    }

    assert set() == {row for row in rows if row not in guide}
