"""Compare the linter with findings that people judged by hand.

    python benchmarks/lint_truth.py CHECKOUTS JUDGED [--sdk VERSION] [--errors]

CHECKOUTS holds one folder for each repository and commit, ``NAME@COMMIT`` (the commit may be
cut). JUDGED is a file of JSON lines with repo, commit, file, line, rule, verdict (``violation``
or ``ok``), confidence. A judged violation counts as reported if a finding of the same family of
rules covers the line; a line judged ``ok`` must have none. Every error that nobody judged is
listed with ``--errors``: read it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

from fedcheck.lint.engine.engine import CheckResult, Target, check
from fedcheck.lint.files.walking import python_files
from fedcheck.lint.sdk.releases import versions
from fedcheck.reports.lint.findings import Finding

FAMILIES = {
    "fact-ledger": {"FED101"},
    "skeleton-write": {"FED102"},
    "ctx-skeleton-data": {"FED103"},
    "ctx-binding": {"FED105", "FED106", "FED108"},
    "cache-bad-kwarg": {"FED108"},
    "cache-get-without-model": {"FED108"},
    "skeleton-read-outside-handler": {"FED104", "FED201"},
    "skeleton-shape": {"FED210", "FED211", "FED212", "FED213", "FED214"},
    "skeleton-alert-unpaired": {"FED220"},
    "skeleton-handler-declared-as-tool": {"FED221"},
    "cache-key": {"FED301"},
    "cache-ttl": {"FED302"},
    "cache-non-pydantic": {"FED303"},
    "cache-model-unregistered": {"FED303", "FED304"},
    "action-result-data": {"FED108", "FED401", "FED402", "FED403", "FED404"},
}


def checkout(folder: Path, row: dict[str, Any]) -> Path | None:
    """Return the folder of a judged row's repository and commit.

    Another commit of the repository serves if the named one does not hold the file.
    """
    name = row["repo"].split("/")[-1]
    roots = sorted(folder.glob(f"{name}@*"))
    exact = [path for path in roots if row["commit"].startswith(path.name.split("@")[1])]
    others = [path for path in roots if (path / row["file"]).is_file()]
    if exact and (exact[0] / row["file"]).is_file():
        return exact[0]
    return next(iter([*others, *exact]), None)


@cache
def linted(root: Path, sdk: str) -> CheckResult:
    """Lint a checkout as a user would."""
    return check([root], Target(sdk=sdk))


@cache
def linted_part(root: Path, sdk: str) -> CheckResult:
    """Lint a folder that is left out by default, as if somebody had named it."""
    return check([root], Target(sdk=sdk, all_files=True))


def matching(root: Path, row: dict[str, Any], sdk: str) -> list[Finding]:
    """Return the findings of the row's family that cover its line."""
    path = root / row["file"]
    result = linted(root, sdk)
    if row["verdict"] == "violation" and path not in set(python_files(root)):
        result = linted_part(path.parent, sdk)
    codes = FAMILIES[row["rule"]]
    return [
        item
        for item in result.findings
        if Path(item.path) == path
        and item.code in codes
        and item.span.line <= row["line"] <= item.span.end_line
    ]


def main() -> int:
    """Print what is missed and what is wrong; 0 if neither."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkouts", type=Path)
    parser.add_argument("judged", type=Path)
    parser.add_argument("--sdk", default=versions()[-1])
    parser.add_argument("--errors", action="store_true", help="list the errors that nobody judged")
    options = parser.parse_args()
    rows = [json.loads(line) for line in options.judged.read_text().splitlines() if line.strip()]
    counts: Counter[str] = Counter()
    judged: set[tuple[str, str]] = set()
    for row in rows:
        root = checkout(options.checkouts, row)
        outcome = "no checkout"
        if root is not None and not (root / row["file"]).is_file():
            outcome = "the checkout has no such file"
        elif root is not None:
            found = matching(root, row, options.sdk)
            judged.update((item.path, item.fingerprint) for item in found)
            outcome = _outcome(row, found)
        counts[f"{row['verdict']}/{row['confidence']}: {outcome}"] += 1
        if outcome != "right":
            print(
                f"{outcome}: {row['confidence']} {row['rule']} {root}/{row['file']}:{row['line']}"
            )
            print(f"    {row['why']}")
    for name, count in sorted(counts.items()):
        print(f"{count:4d}  {name}")
    further = _further_errors(options.checkouts, options.sdk, judged)
    print(f"{len(further)} further errors")
    for item in further if options.errors else []:
        print(f"{item.path}:{item.span.line}: {item.code} {item.message}")
    bad = [name for name in counts if "high: missed" in name or "wrong" in name]
    return 1 if bad else 0


def _outcome(row: dict[str, Any], found: list[Finding]) -> str:
    if row["verdict"] == "violation":
        return "right" if found else "missed"
    return "wrong" if found else "right"


def _further_errors(folder: Path, sdk: str, judged: set[tuple[str, str]]) -> list[Finding]:
    return [
        item
        for root in sorted(path for path in folder.iterdir() if path.is_dir())
        for item in linted(root, sdk).findings
        if item.severity == "error" and (item.path, item.fingerprint) not in judged
    ]


if __name__ == "__main__":
    sys.exit(main())
