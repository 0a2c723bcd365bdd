"""The HTML report on paper: a PDF, made by WeasyPrint (the extra ``pdf``)."""

from __future__ import annotations

import os
import re
from collections.abc import Generator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from ...invariants.vocabulary.errors import UsageError
from ..lint.findings import LintReport
from ..record.ids import milliseconds
from ..record.model import RunRecord
from ..record.record_parts import UtcTime
from .page import picture_styles
from .report import html_report


def pdf_report(
    record: RunRecord, *, since: RunRecord | None = None, lint: LintReport | None = None
) -> bytes:
    """Return a record as a PDF, the same bytes for the same arguments.

    What a screen folds away is printed open, with tags that a screen reader follows. Of a table
    with more than ``ROWS`` rows, the rest is left to the HTML report.

    Raises:
        UsageError: WeasyPrint, or a library that it needs, is not installed.
    """
    page = with_styles(html_report(record, since=since, lint=lint, on_paper=True))
    document = _weasyprint().HTML(string=page, url_fetcher=_no_request)
    identifier = record.header.run_id.encode("utf-8", "backslashreplace")
    with _source_date(record.header.started):
        return document.write_pdf(pdf_identifier=identifier, pdf_tags=True)


def with_styles(page: str) -> str:
    """Return a page in which each picture has its styles in itself: see ``picture_styles``."""
    return re.sub(
        r"<svg [^>]*>", lambda found: f"{found[0]}<style>{picture_styles()}</style>", page
    )


@contextmanager
def _source_date(moment: UtcTime) -> Generator[None, None, None]:
    """Where HarfBuzz's subsetter is missing, fonts are cut by one that writes the time into them.

    It takes the time from the variable that reproducible-builds.org specifies.
    """
    name = "SOURCE_DATE_EPOCH"
    before = os.environ.get(name)
    os.environ[name] = str(milliseconds(moment) // 1000)
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before


def _weasyprint() -> Any:
    try:
        return import_module("weasyprint")
    except (ImportError, OSError) as error:  # OSError: the library Pango is missing
        raise UsageError(
            f"The format pdf needs WeasyPrint and Pango ({error}); "
            "install fedcheck[pdf] and the system's Pango, or print the HTML report"
        ) from None


def _no_request(address: str, *_: object, **__: object) -> Any:
    if address == "data:,":
        return {"string": b"", "mime_type": "image/x-icon"}
    raise ValueError(f"a report asks for nothing, this one for {address}")
