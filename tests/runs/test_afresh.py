"""A kernel in which state outlives a scenario: what a counterexample shows, it shows alone."""

from __future__ import annotations

from typing import Any

import pytest

from fedcheck.conformance.adapters.in_process import InProcessAdapter
from fedcheck.conformance.counterexamples.afresh import Afresh
from fedcheck.conformance.counterexamples.documents import of_record
from fedcheck.conformance.counterexamples.replay import Outcome, replay
from fedcheck.conformance.counterexamples.shrinking import NothingFails, shrink
from fedcheck.conformance.driving import plan
from fedcheck.conformance.driving.drive import FreshIds
from fedcheck.conformance.driving.plan import plan_run
from fedcheck.conformance.driving.session import Session
from fedcheck.conformance.settings.options import RunOptions
from fedcheck.invariants.catalog import catalog, clauses
from fedcheck.invariants.vocabulary.scenario import CacheDelete, CacheGet, CacheSet, Scenario
from fedcheck.invariants.vocabulary.trace import CacheOutcome
from fedcheck.reports.record.model import RunRecord

from .watched import Run, Watched

PER_USER = "C-CACHE-ISOLATION/per-user"


class Lasting:
    """Keeps its cache for as long as it lives, and has no user in the keys."""

    def __init__(self) -> None:
        self.entries: dict[tuple[str, ...], str] = {}

    def describe(self) -> dict[str, Any]:
        return {"kernel": "lasting", "version": "1", "capabilities": ["cache"]}

    def run(self, scenario: Scenario) -> list[CacheOutcome]:
        return [self.take(number, step) for number, step in enumerate(scenario.steps)]

    def take(self, number: int, step: object) -> CacheOutcome:
        if isinstance(step, CacheSet):
            self.entries.setdefault(self.place(step), step.value_json)
            return CacheOutcome(step=number, outcome="accepted")
        assert isinstance(step, CacheGet | CacheDelete)
        if isinstance(step, CacheDelete):
            self.entries.pop(self.place(step), None)
            return CacheOutcome(step=number, outcome="accepted")
        text = self.entries.get(self.place(step))
        return CacheOutcome(step=number, outcome="miss" if text is None else "hit", value_json=text)

    def place(self, step: CacheSet | CacheGet | CacheDelete) -> tuple[str, ...]:
        return step.app, step.key


class Mended(Lasting):
    """Has the user in the keys, too."""

    def place(self, step: CacheSet | CacheGet | CacheDelete) -> tuple[str, ...]:
        return step.user, step.app, step.key


def _session(kernel: object) -> Session:
    adapter = InProcessAdapter("lasting", kernel)
    return Session(adapter, adapter.describe(), clauses(catalog()), FreshIds("n"))


def _replayed(record: RunRecord, kernel: object) -> dict[str, Outcome]:
    session, known = _session(kernel), clauses(catalog())
    return {each.id: replay(session, each, known).outcome for each in of_record(record)}


def test_no_counterexample_is_taken_for_mended_on_the_kernel_that_it_is_of(run: Run) -> None:
    """In a kernel that was just started, the other user's entry has to be in the scenario."""
    record = run(Lasting, "C-CACHE-ISOLATION", "C-CACHE-LASTING")
    outcomes = _replayed(record, Lasting)

    assert Outcome.FIXED not in outcomes.values()
    for each in record.counterexamples:
        wanted = Outcome.CANNOT_JUDGE if each.unreduced == "earlier" else Outcome.STILL_FAILS
        assert wanted is outcomes[each.id]
    (example,) = [each for each in record.counterexamples if each.clause == PER_USER]
    assert (5, 5) == (example.reproduced, example.attempts)
    assert 2 == len({step.user for step in example.scenario.steps})
    assert Outcome.FIXED is _replayed(record, Mended)[example.id]


@pytest.mark.parametrize(("kernel", "broken"), [(Lasting, {PER_USER}), (Mended, set[str]())])
def test_what_earlier_scenarios_left_is_blamed_on_nobody(
    run: Run, kernel: object, broken: set[str]
) -> None:
    """A kernel without the user in its keys gives no value of the user's other extension."""
    record = run(kernel, "C-CACHE-ISOLATION/per-user", "C-CACHE-ISOLATION/per-extension")

    assert broken == {each.clause for each in record.counterexamples}


def test_what_shows_only_after_others_is_told(run: Run) -> None:
    """It is not run as if it could show alone, neither by the run nor by those who replay it."""
    record = run(Lasting, "C-CACHE-LASTING")
    told = [each for each in record.counterexamples if each.unreduced == "earlier"]

    assert told
    assert {0} == {each.reproduced for each in told}
    assert {each.id for each in told} == {
        each.id for each in of_record(record) if each.after_others
    }


def test_shrink_refuses_what_does_not_show_alone(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would be made small with what earlier scenarios have left."""
    record = run(Lasting, "C-CACHE-LASTING")
    lasting = next(each for each in of_record(record) if each.after_others)
    used = Watched(Lasting, lambda _: None)
    monkeypatch.setattr(plan, "open_kernel", lambda *_args, **_options: used)
    with plan_run(RunOptions(kernel="watched", select=("C-CACHE-LASTING",))) as planned:
        for invariant in planned.invariants:
            for scenario in planned.fixed_scenarios(invariant):
                planned.session.trace(scenario)
        with pytest.raises(NothingFails):
            shrink(planned, lasting)


def test_a_kernel_that_is_not_ours_to_start_is_told_of(run: Run) -> None:
    """An object cannot be made anew; neither can a server."""
    (example, *_) = of_record(run(Lasting, PER_USER))
    told = replay(_session(Mended()), example, clauses(catalog()))

    assert Outcome.FIXED is told.outcome
    assert "could not be started afresh" in told.reason


@pytest.mark.parametrize(
    ("alone", "kept"),
    [("abcd", "d"), ("abc", "c"), ("ab", "b"), ("a", "a")],
)
def test_the_smallest_that_shows_alone_is_kept(alone: str, kept: str) -> None:
    """Each is smaller than the one before; the first one is known to show alone."""
    afresh = Afresh(_session(Lasting))

    assert kept == afresh.last("abcd", lambda each: each in alone)
    assert (alone != "abcd") == afresh.outlives


def test_where_nothing_can_be_started_any_more_the_first_is_kept_if_state_outlives() -> None:
    """A kernel of which nothing like that is known keeps its smallest."""
    afresh = Afresh(_session(Lasting), seconds=0)

    assert "b" == afresh.last("ab", lambda _: False)
    afresh.outlives = True
    assert "a" == afresh.last("ab", lambda _: True)
