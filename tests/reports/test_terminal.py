"""Ids stay whole on a terminal of 80 columns, and lines stay whole in a pipe."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import pytest

from fedcheck.conformance.commands.group import cli
from fedcheck.invariants.catalog import catalog
from fedcheck.invariants.vocabulary.trace import KernelDescription
from fedcheck.invariants.vocabulary.verdict import Verdict
from fedcheck.lint.engine.ignores.meta_rules import every_rule
from fedcheck.reports.console.terminal import rows, say
from fedcheck.reports.formats.text import text_report
from fedcheck.reports.record.sample import sample_clause, sample_record
from fedcheck.reports.record.writer import write_record


class Terminal(io.StringIO):
    """Standard output that is a terminal, or not."""

    def __init__(self, *, shown: bool) -> None:
        super().__init__()
        self.shown = shown

    def isatty(self) -> bool:
        return self.shown


@pytest.mark.parametrize("width", [80, 60])
def test_no_word_of_a_line_is_broken(width: int) -> None:
    """Rows end between words; further ones stand further in; an id of any length is whole."""
    line = f"    non-ascii-within-cap-accepted (SHOULD): {'some-hyphenated-word ' * 9}{'x' * 99}"
    told = rows(line, width)
    assert line.split() == " ".join(told).split()
    assert {"    ", "      "} == {row[: len(row) - len(row.lstrip())] for row in told}
    assert [] == [row for row in told[:-1] if len(row) > width]


@pytest.mark.parametrize(("shown", "expected"), [(True, 2), (False, 1)])
def test_only_a_terminal_gets_rows(
    monkeypatch: pytest.MonkeyPatch, shown: bool, expected: int
) -> None:
    """What a program reads is one line."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys, "stdout", Terminal(shown=shown))
    say("word " * 20)
    assert expected == sys.stdout.getvalue().count("\n")  # type: ignore[attr-defined]


RULES = {f"{rule.name}:" for rule in every_rule() if rule.default}
CLAUSES = {f"{each.id}/{each.clauses[0].name}" for each in catalog()}
KERNEL = "a-kernel-with-a-name-that-fills-half-of-the-row"


@pytest.mark.parametrize(
    ("words", "ids", "width"),
    [
        (["rule", "list"], RULES, 80),
        (["traceability"], CLAUSES, 80),
        (["history", "{folder}"], {KERNEL}, 80),
        (["history", "{folder}"], {KERNEL}, 60),
    ],
)
def test_a_list_fits_the_terminal(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, words: list[str], ids: set[str], width: int
) -> None:
    """Rows are no longer than it is wide, and no id is broken."""
    kernel = KernelDescription(kernel=KERNEL, version="7")
    write_record(tmp_path / "r.ndjson", sample_record(kernel=kernel))
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setattr(sys, "stdout", Terminal(shown=True))
    cli.main([word.format(folder=tmp_path) for word in words], standalone_mode=False)
    told = sys.stdout.getvalue()  # type: ignore[attr-defined]
    assert set() == ids - set(re.split(r"[\s,]+|\. ", told))
    assert width >= max(map(len, told.splitlines()))


def test_the_summary_breaks_no_id_of_the_catalog() -> None:
    """Beside the widest verdict, and where nothing of an invariant is claimed."""
    unclaimed, unseen = Verdict.NOT_CLAIMED, Verdict.NOT_EXERCISED
    results = [
        sample_clause(verdict, clause=f"{invariant.id}/{clause.name}", invariant=invariant.id)
        for verdict, invariant in zip([unclaimed, unseen] * 99, catalog(), strict=False)
        for clause in invariant.clauses
    ]
    lines = text_report(sample_record(results)).splitlines()
    shown = {line.split()[0] for line in lines if line.strip()}
    whole = {result.invariant for result in results}
    whole |= {result.name for result in results if result.verdict is unseen}
    assert set() == whole - shown
