"""What a report shows on a console."""

from __future__ import annotations

from io import StringIO

from rich.console import Console

from fedcheck.reports.formats.text import render_summary
from fedcheck.reports.record.model import RunRecord


def on_console(record: RunRecord, **options: object) -> str:
    """Return what a console with some options would show."""
    output = StringIO()
    render_summary(record, Console(file=output, **options))  # type: ignore[arg-type]
    return output.getvalue()
