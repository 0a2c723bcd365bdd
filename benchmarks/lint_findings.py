"""List what the linter finds in real extensions, and compare two such lists.

    python benchmarks/lint_findings.py CHECKOUTS... [-o FILE] [--sdk VERSION] [-j PROCESSES]
    python benchmarks/lint_findings.py --compare OLD NEW

Every folder directly below CHECKOUTS is linted alone, as a user would lint it, against the SDK
that it declares or against that of --sdk. A line is one finding: its file below CHECKOUTS, line,
rule and severity, with tabs between them. What could not be linted stands there too, as a ``note``
of rule ``-``, so that a rule which breaks off in a file does not pass for one that finds nothing;
the reason goes to stderr. Ignore comments do not count. A list made before a change and one made
after it say what the change does to code that was not written for it: read every line that went
or came.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

from fedcheck import FedcheckError
from fedcheck.lint.engine.engine import CheckResult, Target, check
from fedcheck.lint.sdk.targets import asked_for, newest, target_of


class Row(NamedTuple):
    """One line of a list."""

    path: str
    line: int
    code: str
    severity: str

    def __str__(self) -> str:
        """Return the line as it stands in the file."""
        return "\t".join(map(str, self))


def read(text: str, origin: str) -> Counter[Row]:
    """Return the rows of a list and how often each stands in it.

    Raises:
        FedcheckError: a line is none of such a list.
    """
    rows: Counter[Row] = Counter()
    for number, line in enumerate(text.split("\n"), 1):
        match line.split("\t"):
            case [path, place, code, severity] if place.isdecimal():
                rows[Row(path, int(place), code, severity)] += 1
            case [""]:
                pass
            case _:
                raise FedcheckError(
                    f"{origin}:{number}: {line!r} is not path, line, rule, severity"
                )
    return rows


def compare(old: Counter[Row], new: Counter[Row]) -> list[str]:
    """Return what went (-) and came (+), then how much of it by rule and severity."""
    signed = [(row, "-") for row in (old - new).elements()]
    signed += [(row, "+") for row in (new - old).elements()]
    sums = Counter((row.code, row.severity, sign) for row, sign in signed)
    kinds = sorted({(code, severity) for code, severity, _ in sums})
    return [
        *(f"{sign} {row}" for row, sign in sorted(signed)),
        *(
            f"{code} {kind}: -{sums[code, kind, '-']} +{sums[code, kind, '+']}"
            for code, kind in kinds
        ),
    ]


def trees(folders: Iterable[Path]) -> list[Path]:
    """Return every folder directly below some folders.

    Raises:
        FedcheckError: there is none below one of them.
    """
    found: list[Path] = []
    for folder in folders:
        below = (
            sorted(path for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []
        )
        if not below:
            raise FedcheckError(f"{folder}: no folder is below it; name one that holds checkouts")
        found += below
    return found


def linted(root: Path, sdk: str) -> tuple[list[Row], tuple[str, ...]]:
    """Return the rows of one tree, and why some of its files were not linted."""
    result = check([root], Target(sdk=newest(), sdk_of=target_of(sdk)))
    return list(_rows(result, root.parent)), result.notes


def _rows(result: CheckResult, folder: Path) -> Iterator[Row]:
    for item in result.findings:
        yield Row(_below(folder, item.path), item.span.line, item.code, item.severity)
    for note in result.notes:
        yield Row(_below(folder, note.partition(":")[0]), 0, "-", "note")


def _below(folder: Path, name: str) -> str:
    return Path(os.path.relpath(name, folder)).as_posix()


def collect(roots: Sequence[Path], sdk: str, processes: int) -> list[Row]:
    """Return the rows of all trees, sorted; say on stderr what was not linted."""
    work = partial(linted, sdk=sdk)
    if processes > 1:
        with ProcessPoolExecutor(processes) as pool:
            found = list(pool.map(work, roots))
    else:
        found = [work(root) for root in roots]
    for note in (note for _, notes in found for note in notes):
        print(note, file=sys.stderr)
    rows = sorted(row for own, _ in found for row in own)
    print(f"{len(roots)} trees, {len(rows)} lines", file=sys.stderr)
    return rows


def main() -> int:
    """Write or compare; 0 if there is no difference, 2 on wrong usage."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkouts", type=Path, nargs="*", help="folders that hold extensions")
    parser.add_argument("-o", "--output", type=Path, help="file for the list instead of stdout")
    parser.add_argument("--sdk", default="", help="lint everything against this version")
    parser.add_argument("-j", "--processes", type=int, default=1, help="trees at the same time")
    parser.add_argument("--compare", type=Path, nargs=2, metavar=("OLD", "NEW"))
    options = parser.parse_args()
    if bool(options.compare) == bool(options.checkouts):
        parser.error("give either folders with checkouts or --compare OLD NEW")
    try:
        return _compared(*options.compare) if options.compare else _written(options)
    except (FedcheckError, OSError, UnicodeDecodeError) as error:
        parser.error(str(error))


def _compared(old: Path, new: Path) -> int:
    before, after = (read(path.read_text("utf-8"), str(path)) for path in (old, new))
    lines = compare(before, after)
    print("\n".join(lines) if lines else f"equal: {before.total()} lines")
    return 1 if lines else 0


def _written(options: argparse.Namespace) -> int:
    sdk = asked_for(options.sdk, "--sdk") if options.sdk else ""
    rows = collect(trees(options.checkouts), sdk, options.processes)
    text = "".join(f"{row}\n" for row in rows)
    if options.output is None:
        sys.stdout.write(text)
    else:
        options.output.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
