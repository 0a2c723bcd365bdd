"""What is not satisfied, as OSCAL risks: open, or accepted for now by a waiver."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...invariants.vocabulary.verdict import Verdict
from ..record.ids import stable_uuid
from ..record.model import ClauseResult, RunRecord, WaiverResult
from .parts import Node, markup, prop, props, slim

ROLES = (
    {"id": "waiver-requester", "title": "Asked for a waiver"},
    {"id": "waiver-approver", "title": "Allowed a waiver"},
)

_DAY = re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])")


def risks(record: RunRecord) -> Iterator[Node]:
    """Yield a risk for each clause that is not satisfied and was to be judged."""
    waivers = {waiver.id: waiver for waiver in record.waivers}
    for result in record.clauses:
        if risk_uuid(record, result):
            waiver = waivers.get(result.waiver)
            waived = result.effective is Verdict.WAIVED
            yield _risk(record, result, waiver if waived else None, waived=waived)


def risk_uuid(record: RunRecord, result: ClauseResult) -> str:
    """Return the UUID of the risk that a clause is; empty if it is none."""
    if result.verdict in {Verdict.PASS, Verdict.NOT_CLAIMED}:
        return ""
    return stable_uuid("risk", record.header.run_id, result.clause)


def parties(record: RunRecord) -> list[Node]:
    """Return the people that waivers name."""
    names = {x for waiver in record.waivers for x in (waiver.requested_by, waiver.approved_by)}
    return [
        {"uuid": _party(record, name), "type": "person", "name": prop("x", name)[0]["value"]}
        for name in sorted(names)
        if prop("x", name)
    ]


def _risk(
    record: RunRecord, result: ClauseResult, waiver: WaiverResult | None, *, waived: bool
) -> Node:
    run, clause = record.header.run_id, result.clause
    broken = result.verdict.broken
    statement = "The promise is broken." if broken else "Whether the promise holds is not known."
    return slim(
        {
            "uuid": risk_uuid(record, result),
            "title": markup(clause),
            "description": markup(result.reason or result.sentence),
            "statement": statement,
            "props": props((("verdict", result.verdict.value), ("level", result.level))),
            "status": "deviation-approved" if waived else "open" if broken else "investigating",
            "deadline": _deadline(waiver),
            "remediations": [_acceptance(record, waiver)] if waiver else [],
            "risk-log": {"entries": [_entry(record, waiver)]} if waiver else {},
            "related-observations": [{"observation-uuid": stable_uuid("observation", run, clause)}],
        }
    )


def _deadline(waiver: WaiverResult | None) -> str:
    """Return the last moment of the last day on which a waiver holds."""
    if waiver is None or not _DAY.fullmatch(waiver.expires):
        return ""
    return f"{waiver.expires}T23:59:59Z"


def _acceptance(record: RunRecord, waiver: WaiverResult) -> Node:
    told = (
        ("waiver", waiver.id),
        ("expires", waiver.expires),
        ("ticket", waiver.ticket),
        ("kernel", waiver.kernel),
        ("versions", waiver.versions),
        ("fingerprint", waiver.fingerprint),
        ("requested-by", waiver.requested_by),
        ("approved-by", waiver.approved_by),
    )
    kind = [{"name": "type", "value": "accept"}]
    return {
        "uuid": stable_uuid("remediation", record.header.run_id, waiver.id, waiver.clause),
        "lifecycle": "planned",
        "title": markup(f"Waiver {waiver.id}"),
        "description": markup(waiver.reason),
        "props": [*kind, *props(told)],
    }


def _entry(record: RunRecord, waiver: WaiverResult) -> Node:
    by = [
        {"party-uuid": _party(record, name), "role-id": role}
        for name, role in (
            (waiver.requested_by, "waiver-requester"),
            (waiver.approved_by, "waiver-approver"),
        )
        if prop("x", name)
    ]
    return slim(
        {
            "uuid": stable_uuid("risk-log", record.header.run_id, waiver.id, waiver.clause),
            "title": markup(f"Waiver {waiver.id} was applied"),
            "description": markup(waiver.reason),
            "start": record.header.started,
            "logged-by": by,
            "status-change": "deviation-approved",
        }
    )


def _party(record: RunRecord, name: str) -> str:
    return stable_uuid("party", record.header.run_id, name)
