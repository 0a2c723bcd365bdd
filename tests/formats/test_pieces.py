"""Reports are written piece by piece, so that one on a long run is never held whole."""

from __future__ import annotations

from weakref import ref

import pytest
from msgspec.structs import replace

from fedcheck.invariants.vocabulary.verdict import Verdict
from fedcheck.reports.formats.registry import FORMATS, pieces
from fedcheck.reports.record.model import Counterexample, RunRecord
from fedcheck.reports.record.on_demand import OnDemand
from fedcheck.reports.record.sample import sample_clause, sample_counterexample, sample_record

LONG = ("html", "json", "text", "junit", "junit-rich", "sarif", "gitlab", "ctrf", "tap", "oscal")


def long_record() -> RunRecord:
    """Return a record with 600 invariants, each with a clause that fails."""
    names = [f"C-LONG-{number}/clause" for number in range(600)]
    examples = [replace(sample_counterexample(name), id=f"ce-{name}") for name in names]
    clauses = [
        sample_clause(
            Verdict.FAIL, examples=[x], clause=x.clause, invariant=x.clause.partition("/")[0]
        )
        for x in examples
    ]
    return sample_record(clauses, examples=examples)


@pytest.mark.parametrize("name", LONG)
def test_no_piece_is_a_large_part_of_the_report(name: str) -> None:
    """What grows with the rows of a record is taken row by row."""
    sizes = [len(piece) for piece in pieces(name, long_record())]
    assert max(sizes) < sum(sizes) / 10


@pytest.mark.parametrize("name", ["oscal-plan", "oscal-component", "oscal-catalog"])
def test_other_documents_come_in_pieces_too(name: str) -> None:
    """One for each of the controls, at least."""
    assert sum(1 for _ in pieces(name, long_record())) > 600


@pytest.mark.parametrize("name", sorted({*FORMATS} - {"pdf"}))
def test_no_report_holds_many_counterexamples(name: str) -> None:
    """Those of a record that was read are made when they are asked for, and let go."""
    record = long_record()
    seen: list[ref[Counterexample]] = []
    alive = most = 0

    def look_up(place: int) -> Counterexample:
        nonlocal alive, most
        made = replace(record.counterexamples[place])
        seen.append(ref(made, gone))
        alive += 1
        most = max(most, alive)
        return made

    def gone(_: object) -> None:
        nonlocal alive
        alive -= 1

    read = replace(record, counterexamples=OnDemand(look_up, range(len(record.counterexamples))))
    assert b"".join(pieces(name, record)) == b"".join(pieces(name, read))
    assert most <= 20
    assert 0 == alive
