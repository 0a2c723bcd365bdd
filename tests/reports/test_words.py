"""The sentence at the head of every report claims no more than the run showed."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from fedcheck.invariants.vocabulary.verdict import Verdict
from fedcheck.reports.record.model import RunRecord
from fedcheck.reports.record.sample import sample_clause, sample_record
from fedcheck.reports.record.verdict_words import outcome


def run(*verdicts: Verdict, whole: bool = True) -> RunRecord:
    """Return a record of clauses with these verdicts; unless it is whole, one was left out."""
    record = sample_record([sample_clause(x, clause=f"C-SAMPLE/{x.value}") for x in verdicts])
    excluded = {} if whole else record.header.excluded
    return replace(record, header=replace(record.header, excluded=excluded))


@pytest.mark.parametrize(
    ("record", "said"),
    [
        (run(Verdict.PASS), "keeps the requirement set"),
        (run(Verdict.PASS, whole=False), "keeps the selected part of the requirement set"),
        (run(Verdict.PASS, Verdict.NOT_CLAIMED), "keeps what it claims of the requirement set"),
        (run(Verdict.PASS, Verdict.FAIL), "does not keep the requirement set"),
        (run(Verdict.CRASH), "could not be judged whole against the requirement set"),
    ],
)
def test_what_is_claimed(record: RunRecord, said: str) -> None:
    """A part is called a part, and a kernel that claims little has not kept everything."""
    kernel, name = record.header.kernel, record.header.requirement_set.name

    assert outcome(record).sentence.startswith(f"{kernel.kernel} {kernel.version} {said} {name}: ")


def test_what_is_waived_is_not_kept() -> None:
    """It stands in the sentence, beside what passed and what is not claimed."""
    record = run(Verdict.PASS, Verdict.WAIVED, Verdict.NOT_CLAIMED)
    name = record.header.requirement_set.name

    assert outcome(record).sentence.endswith(
        f" keeps what it claims of the requirement set {name}, but for what is waived: "
        "2 of 3 required clauses judged, 1 not claimed; 1 passed, 1 waived."
    )
