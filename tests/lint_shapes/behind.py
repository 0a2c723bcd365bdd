"""A panel that does something behind a condition."""

from __future__ import annotations

from fedcheck.reports.lint.findings import Finding


def behind(condition: str, act: str) -> str:
    """Return a panel whose condition, ``if x:``, stands around a statement."""
    return f'@ext.panel("p")\nasync def p(ctx):\n    {condition}\n        {act}\n    return {{}}\n'


def severities(found: tuple[Finding, ...], words: str) -> list[str]:
    """Return the severities of the findings whose message holds some words."""
    return [item.severity for item in found if words in item.message]
