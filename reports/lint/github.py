"""Findings as workflow commands of GitHub Actions, which shows them beside the code."""

from __future__ import annotations

from collections.abc import Sequence

from ...invariants.vocabulary.text import counted
from ..console.escape import printable
from .findings import Finding, LintReport, Severity
from .shared import (
    Sources,
    active,
    below,
    defused,
    every_rule,
    place,
    severities,
    unicode_only,
    with_chain,
    worst_first,
)

_COMMAND: dict[Severity, str] = {"error": "error", "warning": "warning", "info": "notice"}
_AS_TEXT = {ord(mark): f"&#{ord(mark)};" for mark in "&\\`*_{}[]()<>#+-.!|~@"}
_SHOWN_PER_LEVEL = 10
"""Annotations of one level that GitHub shows for a step."""


def render(report: LintReport, _sources: Sources) -> str:
    """Return one command a finding, the worst first: GitHub drops what is beyond its limit.

    What could not be linted has no line, so it is told without a file.
    """
    found = worst_first(active(report))
    lines = [_annotation(finding) for finding in found]
    if len(found) > _SHOWN_PER_LEVEL:
        lines.append(
            f"{severities(found)}; GitHub shows {_SHOWN_PER_LEVEL} annotations of each level per "
            "step, the job summary lists all"
        )
    lines += [f"::error title=not linted::{_data(note)}" for note in report.notes]
    return "".join(f"{line}\n" for line in lines)


def job_summary(report: LintReport) -> str:
    """Return Markdown for the summary of the job: all findings, and what could not be linted."""
    found = worst_first(active(report))
    problems = counted(len(report.notes), "problem")
    partly = f"; not everything was linted: {problems}" if report.notes else ""
    total = severities(found) if found else f"No findings in {counted(report.files, 'file')}"
    broken = [f"- not linted: {_cell(note)}" for note in report.notes]
    parts = ["### fedcheck lint", f"{total}{partly}.", "\n".join(broken), _table(report, found)]
    return "".join(f"{part}\n\n" for part in parts if part)[:-1]


def _table(report: LintReport, found: Sequence[Finding]) -> str:
    if not found:
        return ""
    rows = [
        f"| {finding.severity} | {_cell(finding.code)} | {_cell(place(finding.path, finding.span))}"
        f" | {_cell(finding.message)}{_below(finding)} |"
        for finding in found
    ]
    rules = every_rule(report)
    used = sorted({finding.code for finding in found})
    about = ["", *(f"- {_cell(code)}: {_cell(rules[code].summary)}" for code in used)]
    return "\n".join(["| severity | rule | where | what |", "|---|---|---|---|", *rows, *about])


def _below(finding: Finding) -> str:
    return "".join(f"<br>{_cell(line)}" for line in below(finding))


def _annotation(finding: Finding) -> str:
    span = finding.span
    properties = {
        "file": finding.path,
        "line": str(span.line),
        "endLine": str(span.end_line),
        "title": f"{finding.code} {finding.rule}",
    }
    if span.line == span.end_line:
        properties |= {"col": str(span.column), "endColumn": str(span.end_column)}
    listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{_COMMAND[finding.severity]} {listed}::{_data(with_chain(finding))}"


def _data(text: str) -> str:
    escaped = unicode_only(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return defused(printable(escaped, limit=None))


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _cell(text: str) -> str:
    """Return text that is nothing but text in a Markdown table."""
    return printable(text).translate(_AS_TEXT)
