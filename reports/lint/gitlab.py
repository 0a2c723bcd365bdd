"""Findings as GitLab Code Quality."""

from __future__ import annotations

import json
from hashlib import sha256

from ..console.escape import printable
from .findings import Finding, LintReport, Severity
from .shared import Sources, active, unicode_only, with_chain

_SEVERITY: dict[Severity, str] = {"error": "major", "warning": "minor", "info": "info"}


def render(report: LintReport, _sources: Sources) -> str:
    """Return the findings as a Code Quality report; no two have the same fingerprint."""
    seen: dict[str, int] = {}
    return json.dumps([_entry(f, seen) for f in active(report)], indent=2) + "\n"


def _entry(finding: Finding, seen: dict[str, int]) -> dict[str, object]:
    return {
        "description": printable(_description(finding), limit=None),
        "check_name": printable(f"{finding.code} {finding.rule}"),
        "fingerprint": _fingerprint(finding, seen),
        "severity": _SEVERITY[finding.severity],
        "location": {
            "path": unicode_only(finding.path.removeprefix("./")),
            "lines": {"begin": finding.span.line, "end": finding.span.end_line},
        },
    }


def _description(finding: Finding) -> str:
    return f"{finding.code}: {' '.join(with_chain(finding).splitlines())}"


def _fingerprint(finding: Finding, seen: dict[str, int]) -> str:
    parts = (finding.path, finding.code, finding.fingerprint or finding.message)
    name = "\0".join(unicode_only(part) for part in parts)
    seen[name] = seen.get(name, 0) + 1
    return sha256(f"{name}\0{seen[name]}".encode()).hexdigest()
