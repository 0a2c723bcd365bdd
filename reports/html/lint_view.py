"""What the linter found, for the HTML report: findings, suppressions, guarded invariants."""

from __future__ import annotations

from typing import NamedTuple

from ..lint.findings import Finding, LintReport
from ..record.model import RunRecord
from ..record.verdict_words import verdict_name

FINDINGS_SHOWN = 500
"""Findings, and suppressions, that the page lists."""


class Guarded(NamedTuple):
    """An invariant of the record that rules also guard in the source."""

    invariant: str
    rules: tuple[str, ...]
    findings: int
    suppressed: int
    verdicts: tuple[str, ...]


class LintView(NamedTuple):
    """A lint report, ready to be laid out."""

    report: LintReport
    guarded: tuple[Guarded, ...]
    findings: tuple[Finding, ...]
    suppressed: tuple[Finding, ...]
    total: int
    total_suppressed: int


def lint_view(report: LintReport, record: RunRecord) -> LintView:
    """Return what the page shows of a lint report, beside the verdicts of a record."""
    open_ones = [finding for finding in report.findings if not finding.suppressed]
    suppressed = [finding for finding in report.findings if finding.suppressed]
    return LintView(
        report=report,
        guarded=_guarded(report, record),
        findings=tuple(open_ones[:FINDINGS_SHOWN]),
        suppressed=tuple(suppressed[:FINDINGS_SHOWN]),
        total=len(open_ones),
        total_suppressed=len(suppressed),
    )


def _guarded(report: LintReport, record: RunRecord) -> tuple[Guarded, ...]:
    rules: dict[str, list[str]] = {}
    for rule in report.rules:
        if rule.invariant:
            rules.setdefault(rule.invariant, []).append(rule.code)
    judged = record.by_invariant()
    return tuple(
        Guarded(
            invariant=invariant,
            rules=tuple(sorted(codes)),
            findings=_count(report, invariant, suppressed=False),
            suppressed=_count(report, invariant, suppressed=True),
            verdicts=tuple(
                sorted({verdict_name(result.effective) for result in judged.get(invariant, [])})
            ),
        )
        for invariant, codes in sorted(rules.items())
    )


def _count(report: LintReport, invariant: str, *, suppressed: bool) -> int:
    return sum(
        f.invariant == invariant and bool(f.suppressed) == suppressed for f in report.findings
    )
