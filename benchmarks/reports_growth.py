"""Does a report grow with its record, and not faster? Time and memory of each format, alone.

Each format is rendered in a process of its own from a file with a record of 10,000 and of 100,000
rows, clauses and counterexamples together, one counterexample for each clause. Times are CPU time
without reading the record, memory is the peak of the process, reading included (Linux). Before the
memory stands how many times as long the largest record took as the smallest one; 10 is linear.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from _measure import cpu_seconds, goal, peak_memory
from msgspec.structs import replace

from fedcheck.invariants.vocabulary.verdict import Verdict
from fedcheck.reports.formats.registry import FORMATS, pieces
from fedcheck.reports.record.model import RunRecord
from fedcheck.reports.record.reader import read_record
from fedcheck.reports.record.sample import sample_clause, sample_counterexample, sample_record
from fedcheck.reports.record.writer import write_record

ROWS = (10_000, 100_000)
ASIDE = ("pdf",)
"""Prints 500 rows of each table at most, by a program for paper."""

MEMORY = 300.0


def long_record(rows: int) -> RunRecord:
    """Return a record with so many clauses and counterexamples together."""
    examples, clauses = [], []
    for number in range(rows // 2):
        invariant = f"C-LONG-{number // 5}"
        name = f"{invariant}/clause-{number}"
        example = replace(sample_counterexample(name), id=f"ce-{number}")
        examples.append(example)
        clauses.append(
            sample_clause(Verdict.FAIL, examples=[example], clause=name, invariant=invariant)
        )
    return sample_record(clauses, examples=examples)


def main() -> None:
    """Measure every format, or the one that is named, and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=list(ROWS))
    parser.add_argument("--format", choices=list(FORMATS), nargs="+")
    parser.add_argument("--one", choices=[*FORMATS, "none"], help=argparse.SUPPRESS)
    parser.add_argument("--record", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        _alone(options.one, options.record)
        return
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, f"{rows}.ndjson") for rows in options.rows]
        for path, rows in zip(files, options.rows, strict=True):
            write_record(path, long_record(rows))
        for name in options.format or [name for name in FORMATS if name not in ASIDE]:
            told = [_measured(name, path) for path in files]
            times = "  ".join(f"{seconds:6.2f} s" for seconds, _ in told)
            growth = told[-1][0] / max(told[0][0], 0.01)
            print(f"{name:16} {times}  {growth:4.1f} times  {goal(told[-1][1], MEMORY, ' MB')}")
        told = [_measured("none", path) for path in files]
        times = "  ".join(f"{seconds:6.2f} s" for seconds, _ in told)
        print(f"{'reading alone':16} {times}  {goal(told[-1][1], MEMORY, ' MB')}")


def _measured(name: str, path: Path) -> tuple[float, float]:
    done = subprocess.run(
        [sys.executable, __file__, "--one", name, "--record", str(path)],
        capture_output=True,
        text=True,
        check=True,
    )
    seconds, peak = map(float, done.stdout.split())
    return seconds, peak


def _written(name: str, record: RunRecord) -> None:
    """Write a report as the commands do: what was written is held no more."""
    with tempfile.TemporaryFile() as file:
        file.writelines(pieces(name, record))


def _alone(name: str, path: Path) -> None:
    if name == "none":
        seconds = cpu_seconds(lambda: read_record(path))
    else:
        record = read_record(path)
        seconds = cpu_seconds(lambda: _written(name, record))
    print(seconds, peak_memory())


if __name__ == "__main__":
    main()
