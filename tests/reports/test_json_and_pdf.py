"""The record as one JSON document, and on paper."""

from __future__ import annotations

import json
import os
from importlib.util import find_spec
from typing import Any

import pytest

from fedcheck.invariants.vocabulary.errors import UsageError
from fedcheck.reports.formats.json_report import json_report
from fedcheck.reports.formats.registry import render
from fedcheck.reports.html import pdf
from fedcheck.reports.record.model import RunRecord
from fedcheck.reports.record.sample import failing_record

from .whole import HOSTILE, whole_record


def test_json_holds_everything() -> None:
    """All parts of the record, and what it came to."""
    told: dict[str, Any] = json.loads(json_report(whole_record()))

    assert {"format", "outcome", "coverage", *RunRecord.__struct_fields__} == set(told)
    assert ("fedcheck-report/1", "not conformant") == (told["format"], told["outcome"])
    assert told["coverage"].startswith("3 of 8 required clauses judged, ")
    assert "whole" == told["header"]["kernel"]["kernel"]
    assert len(told["clauses"]) == told["summary"]["required"] + 1


def test_json_is_ascii_and_the_same_each_time() -> None:
    """Half characters and escapes survive as escapes."""
    text = json_report(whole_record(HOSTILE))

    assert text.isascii()
    assert text == json_report(whole_record(HOSTILE))
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
