"""Findings as rdjson, the format of reviewdog; columns are UTF-8 bytes there."""

from __future__ import annotations

import json
from typing import Any

from .findings import Finding, LintReport, Severity, Span
from .shared import Sources, active, source_line, unicode_only, with_chain

_SEVERITY: dict[Severity, str] = {"error": "ERROR", "warning": "WARNING", "info": "INFO"}


def render(report: LintReport, sources: Sources) -> str:
    """Return the findings as one DiagnosticResult."""
    result = {
        "source": {"name": "fedcheck"},
        "diagnostics": [_diagnostic(finding, sources) for finding in active(report)],
    }
    return json.dumps(result, indent=2) + "\n"


def _diagnostic(finding: Finding, sources: Sources) -> dict[str, Any]:
    document: dict[str, Any] = {
        "message": unicode_only(with_chain(finding)),
        "location": _location(finding.path, finding.span, sources),
        "severity": _SEVERITY[finding.severity],
        "code": {"value": finding.code},
    }
    if finding.chain:
        document["related_locations"] = [
            {
                "message": unicode_only(step.note),
                "location": _location(step.path, step.span, sources),
            }
            for step in finding.chain
        ]
    if finding.fix is not None:
        document["suggestions"] = [
            {
                "range": _range(finding.path, edit.span, sources),
                "text": unicode_only(edit.replacement),
            }
            for edit in finding.fix.edits
        ]
    return document


def _location(path: str, span: Span, sources: Sources) -> dict[str, Any]:
    return {"path": unicode_only(path), "range": _range(path, span, sources)}


def _range(path: str, span: Span, sources: Sources) -> dict[str, Any]:
    return {
        "start": _position(path, span.line, span.column, sources),
        "end": _position(path, span.end_line, span.end_column, sources),
    }


def _position(path: str, line: int, column: int, sources: Sources) -> dict[str, int]:
    text = source_line(sources, path, line)
    if text is not None:
        column = len(text[: column - 1].encode("utf-8", "surrogatepass")) + 1
    return {"line": line, "column": column}
