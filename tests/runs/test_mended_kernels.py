"""A counterexample tells whoever mends the kernel that it is mended: it can be kept."""

from __future__ import annotations

from itertools import chain

import pytest

from fedcheck.conformance.adapters.in_process import InProcessAdapter
from fedcheck.conformance.counterexamples.documents import CounterexampleFile, of_record
from fedcheck.conformance.counterexamples.mended import seen_kept
from fedcheck.conformance.counterexamples.replay import Outcome, replay
from fedcheck.conformance.counterexamples.shrinking import shrink
from fedcheck.conformance.driving.drive import FreshIds
from fedcheck.conformance.driving.plan import plan_run
from fedcheck.conformance.driving.session import Session
from fedcheck.conformance.running.suite import run_suite
from fedcheck.conformance.settings.options import RunOptions
from fedcheck.fixtures.mutants import MUTANTS
from fedcheck.invariants.catalog import catalog, clauses
from fedcheck.invariants.vocabulary.scenario import CacheGet, CacheSet, Scenario
from fedcheck.reports.record.model import RunRecord

from .watched import UNSAFE, Careless, Quiet

UNSEEN = "C-CACHE-INVISIBLE/unseen-by-classifier"


def _judged(name: str) -> RunRecord:
    mutant = MUTANTS[name]
    options = RunOptions(kernel=f"mutant:{name}", select=tuple(sorted(mutant.trips)), examples=0)
    return run_suite(options, Quiet())


def _on_reference(example: CounterexampleFile, reference: str = "reference") -> Outcome:
    with plan_run(RunOptions(kernel=reference)) as plan:
        return replay(plan.session, example, clauses(catalog()), repetitions=1).outcome


@pytest.mark.parametrize(
    "name",
    [
        "cache-in-prompt",
        "store-of-called-extension-in-prompt",
        "headings-replies-without-bullets",
        "size-escaped-twice",
        "agent-call-of-its-own",
    ],
)
def test_what_a_run_made_small_can_be_kept(name: str) -> None:
    """A kernel that keeps every promise is judged on it, and passes."""
    record = _judged(name)
    reference = "agent-reference" if name.startswith("agent-") else "reference"

    assert record.counterexamples
    assert {""} == {each.unreduced for each in record.counterexamples}
    assert {Outcome.FIXED} == {_on_reference(each, reference) for each in of_record(record)}


def test_what_shrink_made_small_can_be_kept() -> None:
    """Although a scenario in which nothing is to be kept would show the failure too."""
    options = RunOptions(kernel="mutant:cache-in-prompt", select=(UNSEEN,), examples=0, reduce=0)
    (found,) = of_record(run_suite(options, Quiet()))
    with plan_run(options) as plan:
        shrunk = shrink(plan, found)

    assert shrunk.minimal
    assert len(shrunk.example.scenario.steps) < len(found.scenario.steps)
    assert Outcome.FIXED is _on_reference(shrunk.example)


def test_where_the_reference_cannot_stand_in_every_scenario_will_do() -> None:
    """It is asked first whether it keeps the clause in the scenario that is to be made small."""
    both, broken = _keys("mail", "m."), _keys("m.")
    adapter = InProcessAdapter("toy", Careless)
    session = Session(adapter, adapter.describe(), clauses(catalog()), FreshIds("n"))

    with seen_kept(session, both, UNSAFE) as can_be_kept:
        assert (True, False) == (can_be_kept(both), can_be_kept(broken))
    with seen_kept(session, broken, UNSAFE) as can_be_kept:
        assert (True, True) == (can_be_kept(both), can_be_kept(broken))


def _keys(*keys: str) -> Scenario:
    """Set and get each of these keys."""
    steps = [
        (CacheSet(key=key, value_json="{}", ttl_seconds=60), CacheGet(key=key)) for key in keys
    ]
    return Scenario(id="keys", steps=tuple(chain.from_iterable(steps)))
