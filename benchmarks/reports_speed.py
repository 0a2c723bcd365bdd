"""How long all report formats together take on a large record, and how much memory.

The record has 200 clauses and 10,000 rows of evidence. By default most rows are classes of input
with their counts, beside 1,700 counterexamples and 100 incidents; with ``--worst`` every row is
a line of the record, nearly all of them counterexamples with their traces. Times are CPU time,
memory is the peak of this process, the record included (Linux).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from _measure import cpu_seconds, goal, peak_memory
from msgspec.structs import replace

from fedcheck.invariants.vocabulary.errors import UsageError
from fedcheck.invariants.vocabulary.verdict import Verdict
from fedcheck.reports.formats.registry import FORMATS, render
from fedcheck.reports.record.model import ClauseResult, Counterexample, RunRecord
from fedcheck.reports.record.sample import (
    sample_clause,
    sample_counterexample,
    sample_incident,
    sample_record,
)

CLAUSES, ROWS, INCIDENTS, CLASSES = 200, 10_000, 100, 40
ASIDE = ("pdf",)
"""Formats that are made from another one by a program for paper; measured on request."""


def _examples(clause: str, number: int) -> Iterator[Counterexample]:
    example = sample_counterexample(clause)
    for place in range(number):
        kind = f"kind of difference {place}"
        violation = replace(example.violation, kind=kind)
        name = f"ce-{clause}-{place}"
        yield replace(example, id=name, kind=kind, violation=violation)


def large_record(classes: int = CLASSES) -> RunRecord:
    """Return a record with ``CLAUSES`` clauses and ``ROWS`` rows of evidence.

    So many rows of each clause are classes of input; the others are lines of the record.
    """
    left = ROWS - CLAUSES * classes - (INCIDENTS if classes else INCIDENTS + CLAUSES)
    each = left // CLAUSES
    clauses: list[ClauseResult] = []
    examples: list[Counterexample] = []
    for number in range(CLAUSES):
        invariant = f"C-LARGE-{number // 5}"
        name = f"{invariant}/clause-{number}"
        own = list(_examples(name, each))
        examples += own
        clauses.append(
            sample_clause(
                Verdict.FAIL,
                examples=own,
                clause=name,
                invariant=invariant,
                sources=(f"page {number // 20}, section {number // 10}",),
                partitions={f"class {place}": 7 for place in range(classes)},
            )
        )
    incidents = [sample_incident(invariant=f"C-LARGE-{n % 40}") for n in range(INCIDENTS)]
    return sample_record(clauses, examples=examples, incidents=incidents)


def _measured(name: str, record: RunRecord, folder: Path | None) -> float:
    rendered: list[bytes] = []
    try:
        seconds = cpu_seconds(lambda: rendered.append(render(name, record)))
    except UsageError as error:
        print(f"{name:16} {error}")
        return 0.0
    print(f"{name:16} {seconds:6.2f} s  {len(rendered[0]) / 1e6:6.2f} MB")
    if folder:
        (folder / f"{name}{FORMATS[name].suffix}").write_bytes(rendered[0])
    return seconds


def main() -> None:
    """Measure every format once, then say what they come to together."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pdf", action="store_true", help="measure pdf as well (minutes)")
    parser.add_argument("--worst", action="store_true", help="every row is a line of the record")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="write the reports into DIR")
    options = parser.parse_args()
    record = large_record(0 if options.worst else CLASSES)
    told = f"{len(record.counterexamples):,} counterexamples, {len(record.incidents):,} incidents"
    print(f"{len(record.clauses)} clauses, {ROWS:,} rows of evidence, among them {told}")
    names = [name for name in FORMATS if options.pdf or name not in ASIDE]
    seconds = {name: _measured(name, record, options.keep) for name in names}
    print(f"together     {goal(sum(t for n, t in seconds.items() if n not in ASIDE), 3, ' s')}")
    print(f"peak memory  {goal(peak_memory(), 200, ' MB')}")


if __name__ == "__main__":
    main()
