"""Findings as SARIF 2.1.0, for code scanning and editors.

Suppressed findings stay in it as suppressions, and no fingerprint holds a line number, so
that a finding keeps its history while the code around it moves.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ..wording.sarif_parts import FINGERPRINT, SCHEMA
from .findings import Finding, Fix, LintReport, RuleText, Severity, Span
from .shared import SDK, Sources, every_rule, unicode_only, uri, whole

_LEVEL: dict[Severity, str] = {"error": "error", "warning": "warning", "info": "note"}
_PROBLEM: dict[Severity, str] = {
    "error": "error",
    "warning": "warning",
    "info": "recommendation",
}
_PRECISION: dict[Severity, str] = {"error": "very-high", "warning": "high", "info": "medium"}


def render(report: LintReport, _sources: Sources) -> str:
    """Return a report as SARIF; ASCII only."""
    rules = every_rule(report)
    files = _files(report.findings)
    run = {
        "tool": {"driver": _driver(report, list(rules.values()))},
        "invocations": [_invocation(report)],
        "artifacts": [{"location": {"uri": uri(path)}} for path in files],
        "results": [_Result(finding, list(rules), files).document() for finding in report.findings],
        "automationDetails": {"id": "fedcheck/lint/"},
        "columnKind": "unicodeCodePoints",
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _files(findings: Sequence[Finding]) -> list[str]:
    named = {finding.path for finding in findings}
    named |= {step.path for finding in findings for step in finding.chain}
    return sorted(named)


def _driver(report: LintReport, rules: Sequence[RuleText]) -> dict[str, Any]:
    return {
        "name": "fedcheck",
        "version": report.version,
        "properties": {SDK: report.sdk},
        "rules": [_rule(rule) for rule in rules],
    }


def _rule(rule: RuleText) -> dict[str, Any]:
    page = _text(rule.markdown or rule.summary)
    tags = ["imperal", *([_text(rule.invariant)] if rule.invariant else [])]
    return {
        "id": _text(rule.code),
        "name": _text(rule.name),
        "shortDescription": {"text": _text(rule.summary)},
        "fullDescription": {"text": _text(rule.summary)},
        "help": {"text": page, "markdown": page},
        "defaultConfiguration": {"level": _LEVEL[rule.severity]},
        "properties": {
            "tags": tags,
            "precision": _PRECISION[rule.severity],
            "problem.severity": _PROBLEM[rule.severity],
        },
    }


def _invocation(report: LintReport) -> dict[str, Any]:
    notes = [{"level": "error", "message": {"text": _message(note)}} for note in report.notes]
    return {
        "executionSuccessful": report.exit_code in {0, 1},
        "exitCode": report.exit_code,
        "toolExecutionNotifications": notes,
    }


class _Result:
    """One finding as a result."""

    def __init__(self, finding: Finding, codes: list[str], files: list[str]) -> None:
        self._finding = finding
        self._codes = codes
        self._files = files

    def document(self) -> dict[str, Any]:
        finding = self._finding
        result: dict[str, Any] = {
            "ruleId": _text(finding.code),
            "ruleIndex": self._codes.index(finding.code),
            "level": _LEVEL[finding.severity],
            "message": {"text": _message(whole(finding))},
            "locations": [self._location(finding.path, finding.span)],
        }
        if finding.fingerprint:
            result["partialFingerprints"] = {FINGERPRINT: _text(finding.fingerprint)}
        if finding.chain:
            result["codeFlows"] = [{"threadFlows": [{"locations": self._flow()}]}]
        if finding.chain or finding.also:
            result["relatedLocations"] = self._related()
        if finding.fix is not None:
            result["fixes"] = [self._fix(finding.fix)]
        if finding.sdk:
            result["properties"] = {SDK: finding.sdk}
        if finding.suppressed:
            result["suppressions"] = [_suppression(finding)]
        return result

    def _location(self, path: str, span: Span, note: str = "") -> dict[str, Any]:
        location: dict[str, Any] = {
            "physicalLocation": {
                "artifactLocation": self._artifact(path),
                "region": _region(span),
            }
        }
        if note:
            location["message"] = {"text": _message(note)}
        return location

    def _artifact(self, path: str) -> dict[str, Any]:
        return {"uri": uri(path), "index": self._files.index(path)}

    def _flow(self) -> list[dict[str, Any]]:
        finding = self._finding
        steps = [(step.path, step.span, step.note) for step in finding.chain]
        here = (finding.path, finding.span, finding.message)
        if not steps or (steps[-1][0], steps[-1][1]) != here[:2]:
            steps.append(here)
        return [{"location": self._location(*step)} for step in steps]

    def _related(self) -> list[dict[str, Any]]:
        finding = self._finding
        places = [(step.path, step.span, step.note) for step in finding.chain]
        places += [(finding.path, span, "the same here") for span in finding.also]
        return [
            {"id": number, **self._location(*place)} for number, place in enumerate(places, start=1)
        ]

    def _fix(self, fix: Fix) -> dict[str, Any]:
        replacements = [
            {
                "deletedRegion": _region(edit.span),
                "insertedContent": {"text": unicode_only(edit.replacement)},
            }
            for edit in fix.edits
        ]
        artifact = self._artifact(self._finding.path)
        return {
            "description": {"text": _message(f"{fix.title} ({fix.safety})")},
            "artifactChanges": [{"artifactLocation": artifact, "replacements": replacements}],
        }


def _region(span: Span) -> dict[str, int]:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


def _suppression(finding: Finding) -> dict[str, Any]:
    in_source = finding.suppressed in {"inline", "file"}
    return {
        "kind": "inSource" if in_source else "external",
        "status": "accepted",
        "justification": _text(finding.justification),
        "properties": {"by": finding.suppressed},
    }


def _message(text: str) -> str:
    """Plain text of a message: nothing in it is a link, which SARIF writes ``[text](target)``."""
    return _text(text).replace("](", "] (")


def _text(text: str) -> str:
    visible = "".join(c if c.isprintable() or c == "\n" else _escape(c) for c in text)
    return unicode_only(visible)


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
