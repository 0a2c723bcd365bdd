"""What is kept while a scenario is reduced."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from itertools import chain, repeat

import pytest

from fedcheck.conformance.adapters.in_process import InProcessAdapter
from fedcheck.conformance.counterexamples.shrinking import NothingFails, shrink
from fedcheck.conformance.driving.plan import Plan, plan_run
from fedcheck.conformance.settings.options import RunOptions
from fedcheck.invariants.vocabulary.errors import UsageError
from fedcheck.invariants.vocabulary.scenario import Advance, Scenario

from .toy_caches import UNSAFE, Careless, Dotted, Strict, counterexample, scenario

LENGTH = "I-CACHE-KEY-SAFETY/key-length-capped"


@contextmanager
def planned(kernel: object, monkeypatch: pytest.MonkeyPatch) -> Generator[Plan]:
    """Reach a kernel class."""
    adapter = InProcessAdapter("toy", kernel)
    monkeypatch.setattr(
        "fedcheck.conformance.driving.plan.open_kernel", lambda *_args, **_options: adapter
    )
    with plan_run(RunOptions(kernel="toy")) as plan:
        yield plan


def long_key() -> Scenario:
    """One key too long, one with a dot."""
    return Scenario(id="two", steps=(*scenario("m" * 200).steps, *scenario("m.").steps))


def test_the_clause_of_the_file_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Although the scenario breaks another one too."""
    with planned(Careless, monkeypatch) as plan:
        shrunk = shrink(plan, counterexample(scenario=long_key()))

    assert (UNSAFE, "dot stored") == (shrunk.example.clause, shrunk.example.kind)
    assert shrunk.minimal
    assert shrunk.runs > 0


def test_a_clause_can_be_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    """And must be, where several are broken and the file names none."""
    flow = counterexample(scenario=long_key(), clause="", kind="")
    with planned(Careless, monkeypatch) as plan:
        with pytest.raises(UsageError, match=f"--clause.*{LENGTH}.*{UNSAFE}"):
            shrink(plan, flow)
        assert LENGTH == shrink(plan, flow, clause=LENGTH).example.clause


def test_the_budget_bounds_the_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is found by then is smaller or the same, and said not to be minimal."""
    with planned(Dotted, monkeypatch) as plan:
        shrunk = shrink(plan, counterexample(scenario=long_key()), budget=3)

    assert not shrunk.minimal
    assert 3 == shrunk.runs


def test_a_failure_that_comes_and_goes_is_not_reduced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reducing would follow chance."""
    shows: Iterator[bool] = repeat(True)

    def sometimes() -> Strict:
        return Dotted() if next(shows) else Strict()

    sometimes.capabilities = ("cache",)  # type: ignore[attr-defined]
    with planned(sometimes, monkeypatch) as plan:
        shows = chain([True, True, False], repeat(True))
        with pytest.raises(NothingFails, match="does not show in every run"):
            shrink(plan, counterexample())


@pytest.mark.parametrize(
    "steps", [(), (Advance(seconds=1),)], ids=["no step", "a step that is not claimed"]
)
def test_what_cannot_fail_is_refused(
    steps: tuple[Advance], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the reason."""
    with planned(Dotted, monkeypatch) as plan, pytest.raises(NothingFails):
        shrink(plan, counterexample(scenario=Scenario(id="s", steps=steps)))
