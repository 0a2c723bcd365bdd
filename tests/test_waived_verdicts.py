"""What a waiver does to verdicts: it bears one breach, and nothing that it does not name."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from fedcheck.conformance.driving.tally import ClauseTally
from fedcheck.conformance.running.verdicts import Evidence, clause_result, folded
from fedcheck.conformance.waivers.applying import JudgedWaiver
from fedcheck.invariants.catalog import catalog
from fedcheck.invariants.vocabulary.verdict import Verdict
from fedcheck.reports.record.model import ClauseResult, WaiverResult
from fedcheck.reports.record.outcome import exit_code
from fedcheck.reports.record.sample import sample_clause, sample_counterexample, sample_incident

RESTING = next(x for x in catalog() if x.rests_on)
INVARIANT = RESTING
CLAUSE = INVARIANT.clauses[0]


def waiver(kind: str = "unsafe key stored", state: str = "applied") -> JudgedWaiver:
    """A waiver of a kind of difference."""
    result = WaiverResult(
        id="W-1",
        clause=f"{INVARIANT.id}/{CLAUSE.name}",
        fingerprint=kind,
        reason="r",
        requested_by="a",
        approved_by="b",
        ticket="T-1",
        expires="2999-01-01",
        state=state,  # type: ignore[arg-type]
    )
    return JudgedWaiver(result)


def result(**changes: object) -> ClauseResult:
    """What a run says of a broken clause of which nothing else is known."""
    fields: dict[str, object] = {
        "tally": ClauseTally(),
        "counterexamples": [sample_counterexample(f"{INVARIANT.id}/{CLAUSE.name}")],
        "incidents": [],
        "skipped": [],
        "complete": True,
        "required": True,
        "seconds": 0.0,
        "waivers": [waiver()],
    }
    evidence = Evidence(**{**fields, **changes})  # type: ignore[arg-type]
    capabilities = INVARIANT.capabilities | CLAUSE.capabilities
    return clause_result(INVARIANT, CLAUSE, evidence, capabilities)


def test_a_breach_that_keeps_classes_of_input_from_being_seen_is_borne() -> None:
    """The bug itself may be why there is nothing to compare."""
    found = result()

    assert (Verdict.FAIL, Verdict.WAIVED, "W-1") == (found.verdict, found.effective, found.waiver)
    assert "waived by W-1 until 2999-01-01 (T-1)" in found.reason
    assert found.missing_partitions


@pytest.mark.parametrize("kind", ["crash", "timeout", "error"])
def test_a_breakdown_beside_a_waived_breach_stays_red(kind: str) -> None:
    """It may be a second bug."""
    found = result(incidents=[sample_incident(kind=kind)])

    assert (Verdict.FAIL, Verdict(kind), "") == (found.verdict, found.effective, found.waiver)


def test_another_kind_of_difference_stays_red() -> None:
    """The waiver names one."""
    found = result(waivers=[waiver("something else")])

    assert (Verdict.FAIL, Verdict.FAIL, "") == (found.verdict, found.effective, found.waiver)


@pytest.mark.parametrize(
    ("cause", "effective"),
    [(Verdict.WAIVED, Verdict.WAIVED), (Verdict.FAIL, Verdict.NOT_EXERCISED)],
)
def test_a_clause_that_rests_on_a_waived_one_counts_as_it_does(
    cause: Verdict, effective: Verdict
) -> None:
    """Its raw verdict stays: nothing was compared."""
    broken = sample_clause(Verdict.FAIL, clause=RESTING.rests_on[0], effective=cause, waiver="W-1")
    empty = sample_clause(Verdict.NOT_EXERCISED, clause=f"{RESTING.id}/{CLAUSE.name}")
    clauses = {x.clause: (RESTING, CLAUSE) for x in (broken, empty)}
    _, told = folded([broken, empty], clauses)

    assert (Verdict.NOT_EXERCISED, effective) == (told.verdict, told.effective)
    assert RESTING.rests_on[0] in told.reason


def test_a_waiver_that_cannot_be_applied_fails_a_green_run() -> None:
    """It does not turn a run that was not judged into a violation."""
    green, lost = sample_clause(Verdict.PASS), sample_clause(Verdict.CRASH)
    for state in ("expired", "stale", "unmatched", "self-approved"):
        unfit = [waiver(state=state).result]
        assert 1 == exit_code([green], (), unfit)
        assert 3 == exit_code([green, lost], (), unfit)
    assert 0 == exit_code([green], (), [waiver().result])
    assert 0 == exit_code([replace(sample_clause(Verdict.WAIVED), verdict=Verdict.FAIL)], (), [])
