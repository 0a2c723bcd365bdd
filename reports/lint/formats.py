"""The formats in which findings are written, and what happens when one of them fails."""

from __future__ import annotations

import importlib
from collections.abc import Callable

from ..console.escape import printable
from .findings import LintReport
from .shared import Sources, defused, place

FORMATS = {
    "text": "text:render",
    "concise": "text:render_concise",
    "json": "json_list:render",
    "sarif": "sarif:render",
    "github": "github:render",
    "gitlab": "gitlab:render",
    "rdjson": "rdjson:render",
    "junit": "junit:render",
}
"""Name → module and function."""

Renderer = Callable[[LintReport, Sources], str]


def renderer(name: str) -> Renderer:
    """Return the function that renders a format of ``FORMATS``."""
    module, _, function = FORMATS[name].partition(":")
    return getattr(importlib.import_module(f".{module}", __package__), function)


def render_safely(render: Renderer, report: LintReport, sources: Sources) -> tuple[str, str]:
    """Render a report; if that fails, render it as plain lines.

    Returns:
        The text, and why it is not what was asked for; empty if it is.
    """
    try:
        return render(report, sources), ""
    except Exception as error:  # noqa: BLE001  whatever a renderer does wrong, the findings stand
        why = printable(f"{type(error).__name__}: {error}")
        problem = f"the format could not be written ({why}); the findings follow as plain lines"
        return plain_lines(report), problem


def plain_lines(report: LintReport) -> str:
    """Return one escaped line a finding; uses nothing that could fail."""
    return "".join(
        f"{place(f.path, f.span)}: {f.severity} {defused(printable(f.code))} "
        f"{defused(printable(f.message))}\n"
        for f in report.findings
        if not f.suppressed
    )
