"""What a report without any finding says. It imports next to nothing, and takes no report."""

from __future__ import annotations

from ...invariants.vocabulary.text import counted
from ..console.escape import printable

EMPTY = {"concise": "", "json": "[]\n", "gitlab": "[]\n"}
"""Format → its text when nothing at all was found, for those that say no more."""
FAIL_ON = ("error", "warning", "info", "never")
"""The choices of ``--fail-on``; without findings each of them means the same."""


def linted(files: int, sdk: str) -> str:
    """Return what was linted against what: ``12 Python files, SDK 6.3.7``."""
    return f"{counted(files, 'Python file')}, SDK {printable(sdk)}"


def nothing_found(what: str, hidden: str = "", partly: str = "") -> str:
    """Return the line that says that there are no findings.

    Args:
        what: see ``linted``.
        hidden: what was suppressed, after a semicolon.
        partly: what was not linted, after a semicolon.
    """
    return f"No findings ({what}{hidden}){partly}."
