"""Reads what the linter wrote, so that an auditor sees it beside the kernel's verdicts."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast
from urllib.parse import unquote

from ...invariants.vocabulary.codec import convert, parse_json
from ...invariants.vocabulary.errors import DocumentError
from ...invariants.vocabulary.json_values import is_object
from ..console.escape import printable
from ..console.files import reading
from .findings import ChainStep, Finding, LintReport, RuleText, Severity, Span
from .shared import SDK

_SEVERITIES: dict[str, Severity] = {"error": "error", "warning": "warning", "note": "info"}
_ORIGINS = frozenset({"inline", "file", "config", "baseline"})
_NOT_OURS = "give a file that `fedcheck lint --format sarif` or `--format json` wrote"


def read_lint(path: str | Path) -> LintReport:
    """Read a report of the linter. Errors as ``parse_lint``; also if it cannot be read."""
    where = printable(str(path))
    with reading(path, _NOT_OURS, error=DocumentError):
        return parse_lint(Path(path).read_bytes(), where)


def parse_lint(data: bytes, where: str) -> LintReport:
    """Read a report of the linter: SARIF, which also names the rules that were on, or JSON.

    Raises:
        DocumentError: it is neither, or of another program.
    """
    value = parse_json(data, where)
    if isinstance(value, list):
        rows = cast("list[Any]", value)
        findings = tuple(_of_row(row, f"{where}: [{n}]") for n, row in enumerate(rows))
        return LintReport(version="", sdk="", findings=findings)
    try:
        return _of_sarif(value)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        why = printable(f"{type(error).__name__}: {error}", limit=120)
        raise DocumentError(f"{where}: is no SARIF of fedcheck ({why}); {_NOT_OURS}") from None


def _of_row(row: Any, where: str) -> Finding:
    if not is_object(row):
        raise DocumentError(f"{where}: is no finding; {_NOT_OURS}")
    span = {name: row.get(name) for name in ("line", "column", "end_line", "end_column")}
    return convert({**row, "span": span}, Finding, where)


def _of_sarif(log: Any) -> LintReport:
    run = log["runs"][0]
    driver = run["tool"]["driver"]
    if driver["name"] != "fedcheck":
        raise ValueError(f"the tool is {driver['name']!r}")
    rules = tuple(_rule(rule) for rule in driver["rules"])
    by_code = {rule.code: rule for rule in rules}
    invocation = run["invocations"][0]
    notes = (x["message"]["text"] for x in invocation.get("toolExecutionNotifications", ()))
    return LintReport(
        version=str(driver["version"]),
        sdk=str(driver.get("properties", {}).get(SDK, "")),
        findings=tuple(_finding(result, by_code) for result in run["results"]),
        notes=tuple(str(note) for note in notes),
        rules=rules,
        exit_code=int(invocation.get("exitCode", 0)),
    )


def _rule(rule: Any) -> RuleText:
    tags = [str(tag) for tag in rule["properties"]["tags"]]
    return RuleText(
        code=str(rule["id"]),
        name=str(rule["name"]),
        summary=str(rule["shortDescription"]["text"]),
        severity=_SEVERITIES[rule["defaultConfiguration"]["level"]],
        invariant=next((tag for tag in tags if tag.startswith(("I-", "C-"))), ""),
        markdown=str(rule["help"]["text"]),
    )


def _finding(result: Any, rules: dict[str, RuleText]) -> Finding:
    path, span = _place(result["locations"][0])
    rule = rules[result["ruleId"]]
    suppression = next(iter(result.get("suppressions", ())), None)
    origin = "" if suppression is None else suppression.get("properties", {}).get("by", "config")
    message, _, advice = str(result["message"]["text"]).partition("\n")
    return Finding(
        path=path,
        span=span,
        code=rule.code,
        rule=rule.name,
        severity=_SEVERITIES[result["level"]],
        message=message,
        advice=advice,
        invariant=rule.invariant,
        chain=tuple(_step(location) for location in result.get("relatedLocations", ())),
        fingerprint=str(result.get("partialFingerprints", {}).get("fedcheck/v1", "")),
        suppressed=origin if origin in _ORIGINS or not origin else "config",
        justification="" if suppression is None else str(suppression.get("justification", "")),
        sdk=str(result.get("properties", {}).get(SDK, "")),
    )


def _step(location: Any) -> ChainStep:
    path, span = _place(location)
    return ChainStep(path=path, span=span, note=str(location["message"]["text"]))


def _place(location: Any) -> tuple[str, Span]:
    place = location["physicalLocation"]
    region = place["region"]
    names = {"startLine": "line", "startColumn": "column"}
    names |= {"endLine": "end_line", "endColumn": "end_column"}
    span = Span(**{ours: int(region[theirs]) for theirs, ours in names.items()})
    return unquote(str(place["artifactLocation"]["uri"])), span
