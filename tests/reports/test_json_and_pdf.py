"""The record as one JSON document, and on paper."""

from __future__ import annotations

import json
import os
import re
import zlib
from importlib.util import find_spec
from typing import Any

import pytest

from fedcheck.invariants.vocabulary.errors import UsageError
from fedcheck.invariants.vocabulary.verdict import Verdict
from fedcheck.reports.formats.json_report import json_report
from fedcheck.reports.formats.registry import render
from fedcheck.reports.html import pdf
from fedcheck.reports.html.page import picture_styles
from fedcheck.reports.html.report import html_report
from fedcheck.reports.html.results import ROWS
from fedcheck.reports.record.model import RunRecord
from fedcheck.reports.record.sample import failing_record, sample_clause, sample_record

from .whole import HOSTILE, whole_record


def test_json_holds_everything() -> None:
    """All parts of the record, and what it came to."""
    told: dict[str, Any] = json.loads("".join(json_report(whole_record())))

    assert {"format", "outcome", "coverage", *RunRecord.__struct_fields__} == set(told)
    assert ("fedcheck-report/1", "not conformant") == (told["format"], told["outcome"])
    assert told["coverage"].startswith("3 of 8 required clauses judged, ")
    assert "whole" == told["header"]["kernel"]["kernel"]
    assert len(told["clauses"]) == told["summary"]["required"] + 1


def test_json_is_ascii_and_the_same_each_time() -> None:
    """Half characters and escapes survive as escapes."""
    text = "".join(json_report(whole_record(HOSTILE)))

    assert text.isascii()
    assert text == "".join(json_report(whole_record(HOSTILE)))
    assert HOSTILE in json.loads(text)["clauses"][0]["sentence"]


def test_missing_pdf_library_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is missing, and what to do."""

    def missing(_: str) -> Any:
        raise OSError("cannot load library 'libpango'")

    monkeypatch.setattr(pdf, "import_module", missing)

    with pytest.raises(UsageError, match=r"libpango.*fedcheck\[pdf\].*print the HTML report"):
        pdf.pdf_report(failing_record())


@pytest.mark.skipif(find_spec("weasyprint") is None, reason="the extra pdf is not installed")
def test_pdf_is_the_same_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """And is a PDF that asks for nothing; neither the clock nor the environment is in it."""
    first = render("pdf", failing_record())
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    monkeypatch.setattr("time.time", lambda: 1e9)
    second = render("pdf", failing_record())

    assert first.startswith(b"%PDF-")
    assert first == second
    assert "86400" == os.environ["SOURCE_DATE_EPOCH"]


def colours(document: bytes, page: int = 0) -> set[tuple[int, int, int]]:
    """Return the colours of one page of a PDF, as it is seen."""
    pypdfium2 = pytest.importorskip("pypdfium2")
    picture = pypdfium2.PdfDocument(document)[page].render(scale=2, rev_byteorder=True)
    data, width = bytes(picture.buffer), picture.n_channels
    rows = (
        data[start : start + picture.width * width]
        for start in range(0, picture.stride * picture.height, picture.stride)
    )
    return {(row[x], row[x + 1], row[x + 2]) for row in rows for x in range(0, len(row), width)}


@pytest.mark.skipif(find_spec("weasyprint") is None, reason="the extra pdf is not installed")
def test_the_plots_of_a_pdf_have_their_colours() -> None:
    """What passed is green, what failed or was not exercised red, the rest amber; none is black."""
    green, red, amber = (0x17, 0x69, 0x3A), (0xA8, 0x21, 0x1B), (0x7A, 0x52, 0x00)
    for clauses, expected in (
        ([Verdict.PASS, Verdict.FAIL], {green, red}),
        ([Verdict.NOT_EXERCISED], {red}),
        ([Verdict.NOT_CLAIMED, Verdict.WAIVED], {amber}),
    ):
        page = html_report(sample_record(map(sample_clause, clauses)))
        bars = re.findall(r'<svg class="plot share".*?</svg>', page, re.DOTALL)[:3]
        seen = pictured("".join(bars))

        assert 3 == len(bars)
        assert expected == {green, red, amber} & seen
        assert (0, 0, 0) not in seen


def pictured(bars: str) -> set[tuple[int, int, int]]:
    """Return the colours of pictures on paper."""
    page = f"<style>@page {{ size: 700px 90px; margin: 0 }}</style>{pdf.with_styles(bars)}"
    return colours(pytest.importorskip("weasyprint").HTML(string=page).write_pdf())


def test_the_styles_of_pictures_have_no_variables() -> None:
    """What makes the PDF knows none inside of pictures."""
    assert "svg .good { fill: #17693a; }" in picture_styles()
    assert "var(--" not in picture_styles()


@pytest.mark.skipif(find_spec("weasyprint") is None, reason="the extra pdf is not installed")
def test_a_pdf_has_tags() -> None:
    """A screen reader is told what is a heading, a list and a table."""
    document = render("pdf", failing_record())
    streams = re.findall(rb"/FlateDecode.*?stream\n(.*?)\nendstream", document, re.DOTALL)
    told = document + b"".join(zlib.decompressobj().decompress(each) for each in streams)

    assert b"/StructTreeRoot" in told
    assert b"/Marked true" in told


def test_a_long_record_is_left_to_the_html_report() -> None:
    """On paper stand at most so many rows of a table; red clauses stand before others."""
    clauses = [
        sample_clause(Verdict.PASS, clause=f"C-SAMPLE/{n}", partitions={}) for n in range(ROWS + 7)
    ]
    clauses.append(sample_clause(Verdict.FAIL, clause="C-SAMPLE/broken"))
    paper = html_report(sample_record(clauses), on_paper=True)

    assert ROWS == paper.count('<div class="clause')
    assert 'id="c-C-SAMPLE_2f_broken"' in paper
    assert "And 8 clauses more" in paper
    assert "rows are not printed" in paper
