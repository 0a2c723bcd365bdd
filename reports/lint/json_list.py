"""Findings as a JSON list, one flat object each."""

from __future__ import annotations

import json
from typing import Any, cast

import msgspec

from .findings import ChainStep, Finding, Fix, LintReport, Severity, Span
from .shared import Sources, unicode_only


class JsonFinding(msgspec.Struct, frozen=True, kw_only=True):
    """One finding; see ``Finding`` for what the fields mean.

    Lines and columns count from 1, columns in characters.
    """

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    code: str
    rule: str
    severity: Severity
    message: str
    advice: str
    invariant: str
    fingerprint: str
    chain: tuple[ChainStep, ...]
    fix: Fix | None
    suppressed: str
    justification: str
    sdk: str
    also: tuple[Span, ...]


def render(report: LintReport, _sources: Sources) -> str:
    """Return the findings as a JSON list; the suppressed ones say how they were suppressed."""
    rows = [_cleaned(msgspec.to_builtins(_flat(finding))) for finding in report.findings]
    return json.dumps(rows, indent=2) + "\n"


def lint_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of the list."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "fedcheck lint --format json",
        **msgspec.json.schema(list[JsonFinding]),
    }


def _flat(finding: Finding) -> JsonFinding:
    span = finding.span
    return JsonFinding(
        path=finding.path,
        line=span.line,
        column=span.column,
        end_line=span.end_line,
        end_column=span.end_column,
        code=finding.code,
        rule=finding.rule,
        severity=finding.severity,
        message=finding.message,
        advice=finding.advice,
        invariant=finding.invariant,
        fingerprint=finding.fingerprint,
        chain=finding.chain,
        fix=finding.fix,
        suppressed=finding.suppressed,
        justification=finding.justification,
        sdk=finding.sdk,
        also=finding.also,
    )


def _cleaned(value: object) -> object:
    if isinstance(value, str):
        return unicode_only(value)
    if isinstance(value, dict):
        entries = cast("dict[str, object]", value)
        return {key: _cleaned(item) for key, item in entries.items()}
    if isinstance(value, list | tuple):
        return [_cleaned(item) for item in cast("list[object]", value)]
    return value
