"""Failures that share a cause are told under one of them."""

from __future__ import annotations

from fedcheck.conformance.counterexamples.causes import with_causes
from fedcheck.conformance.driving.plan import plan_run
from fedcheck.conformance.running.suite import run_suite
from fedcheck.conformance.settings.options import RunOptions
from fedcheck.fixtures.mutants import MUTANTS
from fedcheck.reports.formats.text import text_report
from fedcheck.reports.record.model import RunRecord

from .watched import Quiet, Run

_PAYLOAD = "I-DISPATCH-RESULT-DATA-PLUMBED/payload-is-data"
_VALUE = "C-LEDGER-ANY-DATA/value-as-it-is"
_ORDER = "C-TURN-ORDER/narrated-last"

_NUMBERS = MUTANTS["booleans-as-numbers"].kernel
_EARLY = MUTANTS["narrator-before-results"].kernel


class BothWrong(_EARLY):
    """Narrates too early, and writes booleans as numbers."""

    ledger_part = _NUMBERS.ledger_part


def _causes(record: RunRecord) -> dict[str, str]:
    """The clause of each failure, and the clause of the failure that it shares its cause with."""
    clauses = {each.id: each.clause for each in record.counterexamples} | {"": ""}
    return {each.clause: clauses[each.cause] for each in record.counterexamples}


def test_two_clauses_that_one_change_mends_have_one_cause(run: Run) -> None:
    """Data without a boolean mends both; the report tells one scenario."""
    observer = Quiet()
    record = run(_NUMBERS, _PAYLOAD, _VALUE, examples=0, observer=observer)

    assert "looking for common causes" == observer.stages[-1]
    assert {40} == {most for _, most in observer.compared.values()}
    (shared,) = (each for each in record.counterexamples if each.cause)
    assert sorted([_PAYLOAD, _VALUE]) == sorted(_causes(record))
    assert "2 failures have 1 cause" in text_report(record)
    assert f"It has the cause of {shared.cause}" in text_report(record)


def test_what_always_fails_is_no_cause_of_anything_else(run: Run) -> None:
    """It shows in every scenario, but no change of one mends it."""
    record = run(BothWrong, _PAYLOAD, _ORDER, examples=0)

    assert {_PAYLOAD: "", _ORDER: ""} == _causes(record)


def test_a_required_failure_is_not_told_under_one_that_decides_nothing() -> None:
    """Whatever shows in more scenarios: of two with one cause, the required one is told whole."""
    options = RunOptions(kernel="mutant:booleans-as-numbers", select=(_PAYLOAD, _VALUE), examples=0)
    found = run_suite(options, Quiet()).counterexamples
    with plan_run(options) as plan:
        told = {
            required: {
                each.clause
                for each in with_causes(plan.session, found, {required})
                if not each.cause
            }
            for required in (_PAYLOAD, _VALUE)
        }

    assert {_PAYLOAD: {_PAYLOAD}, _VALUE: {_PAYLOAD, _VALUE}} == told
