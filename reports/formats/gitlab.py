"""The record as a GitLab Code Quality report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..record.ids import machine_json_pieces
from ..record.model import RunRecord
from ..wording.concerns import Concern, concerns
from .sarif import PLACE

_SEVERITIES = {"error": "critical", "warning": "minor", "note": "info"}


def gitlab_code_quality(record: RunRecord) -> Iterator[str]:
    """Yield a record as a JSON array of issues; empty where nothing has to be looked at."""
    return machine_json_pieces(_issues(concerns(record)))


def _issues(found: Iterable[Concern]) -> Iterator[dict[str, object]]:
    seen: set[str] = set()
    for concern in found:
        if concern.fingerprint in seen:  # GitLab refuses a report in which one comes twice
            continue
        seen.add(concern.fingerprint)
        yield {
            "description": f"{concern.clause}: {concern.message}",
            "check_name": concern.clause,
            "fingerprint": concern.fingerprint,
            "severity": _SEVERITIES[concern.level],
            "location": {"path": PLACE, "lines": {"begin": 1}},
        }
