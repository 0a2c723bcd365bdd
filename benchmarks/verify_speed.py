"""How long `fedcheck verify` takes on a bundle of about 100 MB, against `sha256sum` on it.

The bundle is a real one, signed: a record with thousands of counterexamples, its reports, and
one file for each counterexample. Times are CPU time of the whole command, its start included.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from _measure import FEDCHECK, best_of, cpu_seconds_of, goal
from msgspec.structs import replace
from reports_speed import large_record

from fedcheck.reports.record.model import RunRecord
from fedcheck.reports.record.writer import write_record

GOAL = 3.0
ROUNDS = 3
TIMES = 4
"""How often the evidence of the large record is taken, to come to about 100 MB."""


def very_large_record() -> RunRecord:
    """Return the large record with several times its counterexamples."""
    record = large_record()
    examples = [
        replace(example, id=f"{example.id}-{number}")
        for number in range(TIMES)
        for example in record.counterexamples
    ]
    clauses = [
        replace(
            result,
            counterexamples=tuple(
                f"{name}-{number}" for number in range(TIMES) for name in result.counterexamples
            ),
        )
        for result in record.clauses
    ]
    return replace(record, clauses=tuple(clauses), counterexamples=tuple(examples))


def main() -> None:
    """Measure both and say how they compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", type=Path, metavar="DIR", help="leave the bundle in DIR")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or Path(scratch)
        record, key, bundle = folder / "record.ndjson", folder / "key", folder / "evidence.zip"
        write_record(record, very_large_record())
        cpu_seconds_of([*FEDCHECK, "keygen", str(key)])
        pack = ["bundle", str(record), "-o", str(bundle), "--key", f"{key}.key"]
        cpu_seconds_of(["sh", "-c", '"$@" || [ $? = 2 ]', "sh", *FEDCHECK, *pack])
        print(f"bundle of {bundle.stat().st_size / 1e6:,.0f} MB")
        verify = [*FEDCHECK, "verify", str(bundle), "--key", f"{key}.pub"]
        ours = best_of(ROUNDS, lambda: cpu_seconds_of(verify))
        theirs = best_of(ROUNDS, lambda: cpu_seconds_of(["sha256sum", str(bundle)]))
    print(f"fedcheck verify {ours:.2f} s, sha256sum {theirs:.2f} s")
    print(f"verify against sha256sum: {goal(ours / theirs, GOAL, ' times')}")


if __name__ == "__main__":
    main()
