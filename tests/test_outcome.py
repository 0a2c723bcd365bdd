"""What the verdicts come to: exit codes and counts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fedcheck.invariants.vocabulary.verdict import Verdict
from fedcheck.reports.record.model import ClauseResult
from fedcheck.reports.record.outcome import counts, exit_code, nothing_exercised, summarise
from fedcheck.reports.record.sample import sample_clause

SHOULD = {"level": "SHOULD"}
UNSCORED = {"required": False}


@pytest.mark.parametrize(
    ("expected", "clauses", "deviations"),
    [
        (0, [sample_clause(Verdict.PASS)], ()),
        (0, [sample_clause(Verdict.PASS), sample_clause(Verdict.NOT_CLAIMED)], ()),
        (0, [sample_clause(Verdict.PASS), sample_clause(Verdict.WAIVED)], ()),
        (1, [sample_clause(Verdict.PASS), sample_clause(Verdict.FAIL)], ()),
        (1, [sample_clause(Verdict.CRASH), sample_clause(Verdict.FLAKY)], ()),
        (3, [sample_clause(Verdict.PASS), sample_clause(Verdict.CRASH)], ("window",)),
        (3, [sample_clause(Verdict.PASS), sample_clause(Verdict.TIMEOUT)], ()),
        (3, [sample_clause(Verdict.PASS), sample_clause(Verdict.ERROR)], ()),
        (3, [sample_clause(Verdict.PASS), sample_clause(Verdict.NOT_EXERCISED)], ()),
        (3, [], ()),
        (3, [sample_clause(Verdict.NOT_CLAIMED)], ()),
        (3, [sample_clause(Verdict.NOT_CLAIMED), sample_clause(Verdict.PASS, **SHOULD)], ()),
        (1, [sample_clause(Verdict.PASS)], ("window",)),
        (0, [sample_clause(Verdict.PASS), sample_clause(Verdict.FAIL, **SHOULD)], ()),
        (0, [sample_clause(Verdict.PASS), sample_clause(Verdict.CRASH, **UNSCORED)], ()),
        (3, [sample_clause(Verdict.FAIL, **SHOULD)], ()),
        (3, [sample_clause(Verdict.PASS, **UNSCORED)], ()),
    ],
)
def test_exit_codes(
    expected: int, clauses: list[ClauseResult], deviations: tuple[str, ...]
) -> None:
    """Violations go before what could not be judged; only required MUST clauses decide."""
    assert expected == exit_code(clauses, deviations)


@pytest.mark.parametrize("verdict", [Verdict.PASS, Verdict.NOT_CLAIMED, Verdict.CRASH])
def test_a_capability_that_must_be_claimed_is_a_violation(verdict: Verdict) -> None:
    """Whatever else there is: what the kernel is for, it does not even claim."""
    assert 1 == exit_code([sample_clause(verdict)], unclaimed=("narrator",))


def test_a_judged_waiver_counts_as_exercised_and_not_as_passed() -> None:
    """A waiver changes the gate, never what was seen."""
    clauses = [
        sample_clause(Verdict.WAIVED),
        sample_clause(Verdict.PASS),
        sample_clause(Verdict.NOT_CLAIMED),
        sample_clause(Verdict.PASS, clause="C-SAMPLE/new", **UNSCORED),
    ]
    numbers = counts(clauses)
    assert (3, 2, 1) == (numbers.required, numbers.exercised, numbers.passed)
    assert {"waived": 1, "pass": 1, "not_claimed": 1} == numbers.verdicts
    assert {"pass": 1} == numbers.advisory


@given(st.lists(st.tuples(st.sampled_from(Verdict), st.booleans(), st.booleans())))
def test_the_population_adds_up(drawn: list[tuple[Verdict, bool, bool]]) -> None:
    """Every clause is counted once, passed <= exercised <= required, and 0 means something."""
    clauses = [
        sample_clause(verdict, required=required, level="MUST" if must else "SHOULD")
        for verdict, required, must in drawn
    ]
    code = exit_code(clauses)
    summary = summarise(clauses, exit_code=code, finished="2026-01-01T00:00:00Z")
    assert summary.required == sum(summary.verdicts.values())
    assert len(clauses) == sum(summary.verdicts.values()) + sum(summary.advisory.values())
    assert summary.passed <= summary.exercised <= summary.required
    if code == 0:
        assert not nothing_exercised(clauses)
        assert not any(clause.red for clause in clauses)
