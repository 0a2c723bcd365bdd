"""A report that cannot be written never costs the run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from .escape import printable
from .record import RunRecord


def safely(what: str, action: Callable[[], None]) -> str | None:
    """Do ``action``; return ``None``, or one line that says why ``what`` failed."""
    try:
        action()
    except Exception as error:  # noqa: BLE001  whatever a writer does wrong, the verdicts stand
        why = printable(f"{type(error).__name__}: {error}")
        return f"{what} could not be written ({why}); the verdicts and the record are not affected"
    return None


def write_report(
    writer: Callable[[RunRecord], str], path: str | Path, record: RunRecord
) -> str | None:
    """Render a record into a file; return ``None``, or one line that says why it failed.

    Never raises. What is half rendered is not written.
    """

    def action() -> None:
        Path(path).write_text(writer(record), encoding="utf-8", newline="\n")

    return safely(printable(str(path)), action)
