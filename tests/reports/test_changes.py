"""What differs between two records."""

from __future__ import annotations

import pytest

from fedcheck.invariants.verdict import Verdict
from fedcheck.reports.changes import changes
from fedcheck.reports.record import RunRecord, Suite
from fedcheck.reports.sample import sample_clause, sample_record

GROUPS = ("broke", "mended", "lost", "other")


def record(*verdicts: Verdict | None, **header: object) -> RunRecord:
    """Return a record of clauses ``C/0`` …; ``None`` leaves one out."""
    clauses = [
        sample_clause(verdict, clause=f"C/{n}", invariant="C")
        for n, verdict in enumerate(verdicts)
        if verdict is not None
    ]
    return sample_record(clauses, **header)


@pytest.mark.parametrize(
    ("before", "after", "group"),
    [
        (Verdict.PASS, Verdict.FAIL, "broke"),
        (None, Verdict.FAIL, "broke"),
        (Verdict.WAIVED, Verdict.FAIL, "broke"),
        (Verdict.FAIL, Verdict.PASS, "mended"),
        (Verdict.CRASH, Verdict.PASS, "mended"),
        (Verdict.CRASH, Verdict.NOT_CLAIMED, "other"),
        (Verdict.FAIL, Verdict.WAIVED, "other"),
        (Verdict.FAIL, None, "lost"),
        (Verdict.PASS, None, "lost"),
        (Verdict.PASS, Verdict.NOT_EXERCISED, "broke"),
        (Verdict.FAIL, Verdict.CRASH, "other"),
        (Verdict.PASS, Verdict.NOT_CLAIMED, "lost"),
        (None, Verdict.PASS, "other"),
    ],
)
def test_change_of_a_clause(before: Verdict | None, after: Verdict | None, group: str) -> None:
    """Only a pass mends; a clause that nobody judges any more does not."""
    told = changes(record(before, Verdict.PASS), record(after, Verdict.PASS))
    found = {name: [x.clause for x in getattr(told, name)] for name in GROUPS}

    assert {name: [] for name in GROUPS} | {group: ["C/0"]} == found


def test_nothing_changed() -> None:
    """What is red in both is counted."""
    told = changes(record(Verdict.FAIL, Verdict.PASS), record(Verdict.FAIL, Verdict.PASS))

    assert (True, 1, ()) == (told.none, told.still_red, told.setting)


def test_change_of_the_setting_is_told() -> None:
    """Another suite may explain another verdict."""
    suite = Suite(name="fedcheck", version="0.2.0", digest="ef" * 32)
    told = changes(record(Verdict.PASS), record(Verdict.PASS, suite=suite, seed=8))

    assert ["suite", "digest of the suite", "seed"] == [change.what for change in told.setting]
