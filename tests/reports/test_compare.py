"""Kernels beside each other: one table, each verdict with its evidence, in three formats."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from fedcheck.invariants.vocabulary.verdict import Verdict
from fedcheck.reports.commands.compare import command
from fedcheck.reports.html.compare_page import compare_page
from fedcheck.reports.record.model import RunRecord
from fedcheck.reports.record.sample import (
    KERNEL,
    failing_record,
    sample_clause,
    sample_record,
)
from fedcheck.reports.record.side_by_side import SideBySide, side_by_side
from fedcheck.reports.record.writer import write_record
from fedcheck.reports.wording.side_by_side_text import side_by_side_markdown

from .whole import HOSTILE, whole_record


def called(name: str, record: RunRecord) -> RunRecord:
    """Return the record as one of a kernel with another name."""
    return replace(record, header=replace(record.header, kernel=replace(KERNEL, kernel=name)))


def table() -> SideBySide:
    """Return three kernels: one fails, one keeps, one does not judge a clause."""
    keeps = sample_record(
        [
            sample_clause(Verdict.PASS, clause="C-SAMPLE/fail"),
            sample_clause(Verdict.PASS, clause="C-SAMPLE/pass"),
        ]
    )
    less = sample_record([sample_clause(Verdict.PASS, clause="C-SAMPLE/pass", level="SHOULD")])
    records = [called("a", failing_record()), called("b", keeps), called("c", less)]
    return side_by_side(records, ["a.ndjson", "b.ndjson", "c.ndjson"])


def test_one_row_for_each_clause_and_one_column_for_each_record() -> None:
    """A clause that a record does not judge has no verdict there; rows that differ are marked."""
    told = table()
    words = {row.clause: [cell and cell.verdict for cell in row.cells] for row in told.rows}

    assert ["a 1.2.3", "b 1.2.3", "c 1.2.3"] == [column.label for column in told.columns]
    assert {
        "C-SAMPLE/fail": ["fail", "pass", None],
        "C-SAMPLE/pass": ["pass", "pass", "pass"],
    } == words
    assert [True, False] == [row.differs for row in told.rows]


@pytest.mark.parametrize(
    "records", [None, [whole_record(HOSTILE), whole_record()]], ids=["plain", "hostile"]
)
def test_each_cell_of_the_page_leads_to_its_evidence(records: list[RunRecord] | None) -> None:
    """Inside the page, without a script, whatever kernels call themselves."""
    told = table() if records is None else side_by_side(records, ["<x>.ndjson", "b"])
    page = compare_page(told)
    targets = set(re.findall(r'id="(e-\d+-\d+)"', page))
    judged = sum(cell is not None for row in told.rows for cell in row.cells)

    assert targets == set(re.findall(r'href="#(e-\d+-\d+)"', page))
    assert judged == len(targets)
    assert [] == [x for x in ("<script", "<img", "<x>", "\u202e", "\x1b") if x in page]
    assert page == compare_page(told)


def test_each_cell_of_the_markdown_leads_to_its_evidence() -> None:
    """To a line that tells what was expected and got."""
    text = side_by_side_markdown(table())

    assert set(re.findall(r"\(#(e-\d+-\d+)\)", text)) == set(re.findall(r'id="(e-\d+-\d+)"', text))
    assert "expected the key is refused, got accepted" in text
    assert "| [**fail**](#e-0-0) | [pass](#e-0-1) | not judged |" in text


def test_markdown_holds_no_markup_of_a_kernel() -> None:
    """Neither in the table nor below it."""
    records = [whole_record(HOSTILE), whole_record()]
    text = side_by_side_markdown(side_by_side(records, ["|x|", "`y`"]))

    assert "<script" not in re.sub(r"`+[^`]*`+", "", text)
    assert "\x1b" not in text


def test_records_that_were_asked_otherwise_are_told_so() -> None:
    """Another seed or suite is another question."""
    other = failing_record()
    told = side_by_side(
        [failing_record(), replace(other, header=replace(other.header, seed=8))], ["a", "b"]
    )

    assert ("the seed is not the same in all records",) == told.notes


@pytest.mark.parametrize("form", ["markdown", "json", "html"])
def test_the_command_writes_each_format(tmp_path: Path, form: str) -> None:
    """To standard output, or to a file that is none of the records."""
    paths = [str(tmp_path / f"{name}.ndjson") for name in "ab"]
    for path in paths:
        write_record(path, failing_record())
    done = CliRunner().invoke(command, [*paths, "--format", form])
    CliRunner().invoke(command, [*paths, "--format", form, "-o", str(tmp_path / "out")])

    assert 0 == done.exit_code, done.output
    assert done.output == (tmp_path / "out").read_text("utf-8")
    if form == "json":
        assert "fedcheck-compare/1" == json.loads(done.output)["format"]
