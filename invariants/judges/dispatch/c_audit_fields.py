"""C-AUDIT-FIELDS: an audit record tells all that an auditor needs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from msgspec import UNSET

from ...readings.confirmation import read_answers
from ...readings.dispatch import ScriptedCall, read_dispatch, texts
from ...scenarios.dispatch import conversations
from ...vocabulary.invariant import Clause, Invariant, Partition, only_rows
from ...vocabulary.json_values import DuplicateKey, is_object, parse
from ...vocabulary.sources import page
from ...vocabulary.text import around, counted
from ...vocabulary.trace import AuditRecord
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

_ADDRESS = re.compile(r"[a-z.]+@[a-z]+\.[a-z]+|\+\d{2} \d{2} \d{7}")
"""Addresses and telephone numbers, as our scenarios write them."""

_WORD = re.compile(r"[a-z]{3,12}")
_FIELDS = ("tenant", "source", "action_type", "args_json", "retention_class")
_TOLD = 160
"""Characters of one field of a record that are told."""

_STATUS = {"success", "failed", "validation_rejected", "cancelled"}
_RETENTION = {"read": "standard_90d", "write": "federal_7y", "destructive": "federal_7y"}


def _records(view: TraceView) -> Iterator[tuple[ScriptedCall, AuditRecord]]:
    """Yield the records of calls that ran, or were refused, each with its call."""
    for each in view.reading(read_dispatch):
        steps = {id(step): step for step, _ in each.entered} or {id(each.step): each.step}
        for step in steps.values():
            for record in step.all(AuditRecord):
                if record.call == each.index and each.function is not None:
                    yield each, record


def _classes(each: ScriptedCall) -> Iterator[str]:
    yield f"a {each.function.action_type} action" if each.function else "another"
    if not each.entered:
        yield "a refused call"
    elif each.planned.raises is not None or each.call.status == "error":
        yield "a failed call"


PARTITIONS = (
    Partition("a read action", "its function is declared to read"),
    Partition("a write action", "it is declared to write"),
    Partition("a destructive action", "it ran after a yes", capabilities=frozenset({"confirm"})),
    Partition("a failed call", "its handler returned an error, or raised"),
)


def _present(view: TraceView) -> Iterator[Finding]:
    for each, record in _records(view):
        yield Compared(tuple(_classes(each)))
        lacking = [name for name in _FIELDS if getattr(record, name) in (UNSET, "")]
        if lacking:
            yield _violation(each, record, "field missing", ", ".join(lacking))
        failed = each.entered and (each.planned.raises or each.call.status == "error")
        if failed and record.error_code in (UNSET, ""):
            yield _violation(each, record, "error not recorded", "error_code")


def _words(view: TraceView) -> Iterator[Finding]:
    for each, record in _records(view):
        yield Compared(tuple(_classes(each)))
        if record.status not in _STATUS:
            wanted = f"status, one of {sorted(_STATUS)}"
            yield _violation(each, record, "another status", wanted, "status")
        if record.status == "success" and not each.entered:
            wanted = "no success, because it never ran"
            yield _violation(each, record, "refused and recorded as success", wanted, "status")
        if record.source != "chat":
            yield _violation(each, record, "another source", "source chat", "source")


def _action_type(view: TraceView) -> Iterator[Finding]:
    for each, record in _records(view):
        declared = each.function.action_type if each.function else ""
        if record.action_type is UNSET:
            continue
        yield Compared(tuple(_classes(each)))
        if record.action_type != declared:
            wanted = f"action_type {declared}"
            yield _violation(each, record, "another type of action", wanted, "action_type")


def _retention(view: TraceView) -> Iterator[Finding]:
    for each, record in _records(view):
        wanted = _RETENTION[each.function.action_type] if each.function else ""
        if record.retention_class is UNSET:
            continue
        yield Compared(tuple(_classes(each)))
        if record.retention_class != wanted:
            told = f"retention_class {wanted}"
            yield _violation(each, record, "kept too short or long", told, "retention_class")


def _masked(view: TraceView) -> Iterator[Finding]:
    for each, record in _records(view):
        if record.args_json is UNSET or not each.entered:
            continue
        addresses = [text for text in texts(each.ran.args) if _ADDRESS.fullmatch(text)]
        if not addresses or not _recognised(each, record.args_json):
            continue
        yield Compared(tuple(_classes(each)))
        shown = [text for text in addresses if text in record.args_json]
        if shown:
            told = f"{shown[0]} masked"
            yield _violation(
                each, record, "personal data recorded", told, "args_json", part=shown[0]
            )


def _recognised(each: ScriptedCall, args_json: str) -> bool:
    """Whether the record holds what is not personal, so that it holds arguments at all."""
    plain: list[Any] = [value for value in each.ran.fields.values() if _is_plain(value)]
    try:
        recorded = parse(args_json)
    except (ValueError, DuplicateKey, RecursionError):
        return False
    return is_object(recorded) and all(value in recorded.values() for value in plain)


def _is_telling(each: ScriptedCall) -> bool:
    """Whether its arguments hold what no masking may touch."""
    return any(map(_is_plain, each.ran.fields.values()))


def _is_plain(value: object) -> bool:
    """Whether a value is a number, or one word in lower case."""
    return type(value) is int or (isinstance(value, str) and bool(_WORD.fullmatch(value)))


def _arguments(view: TraceView) -> Iterator[Finding]:
    for each, record in _records(view):
        if record.args_json is UNSET or not each.entered or not _is_telling(each):
            continue
        if record.status == "validation_rejected":
            continue
        yield Compared(tuple(_classes(each)))
        if not _recognised(each, record.args_json):
            told = f"args_json {each.ran.args_json}"
            yield _violation(each, record, "arguments not recorded", told, "args_json")


def _agreement(view: TraceView) -> Iterator[Finding]:
    for answer in view.reading(read_answers):
        for event in answer.entered if answer.outcome == "accepted" else ():
            told = [one for one in answer.step.all(AuditRecord) if one.call == event.call]
            yield Compared(step=answer.step.index)
            if not any(one.confirmation not in (UNSET, "") for one in told):
                yield Violation(
                    kind="agreement not recorded",
                    step=answer.step.index,
                    expected=f"call {event.call}, {event.app}.{event.function}: a record of how "
                    "its user agreed",
                    got=f"{counted(len(told), 'record')} without it" if told else "no record",
                )


def _violation(
    each: ScriptedCall,
    record: AuditRecord,
    kind: str,
    expected: str,
    judged: str = "",
    part: str = "",
) -> Violation:
    """Tell of a record, of the judged field first; of what is long in it, the part that matters."""
    order = dict.fromkeys((judged or "status", "status", *_FIELDS, "error_code"))
    told = ((name, getattr(record, name)) for name in order)
    return Violation(
        kind=kind,
        step=each.step.index,
        expected=f"{each.name}: {expected}",
        got=", ".join(
            f"{name} {around(repr(value), repr(value).find(part) if part else 0, _TOLD)}"
            for name, value in told
            if value is not UNSET
        ),
    )


INVARIANT = Invariant(
    id="C-AUDIT-FIELDS",
    title="An audit record tells all",
    statement="Each record tells tenant, source, extension, function, type of action, arguments "
    "with personal data masked, status, error and how long it is kept.",
    sources=(page("audit-and-security", "what a record holds"),),
    capabilities=frozenset({"fact_ledger", "dispatch", "audit", "audit_detail"}),
    severity="high",
    reading=(
        "Records may hold more, and there may be several of one call. An older page says that a "
        "read leaves no record; where there is one, it is judged."
    ),
    clauses=(
        Clause(
            "fields-present",
            "A record has a tenant, a source, a type of action, arguments and a retention class, "
            "and the error of what failed.",
            _present,
            PARTITIONS,
        ),
        Clause(
            "known-words",
            "Its status and its source are among the documented words.",
            _words,
            PARTITIONS,
        ),
        Clause(
            "declared-action-type",
            "Its type of action is the one that the function declares.",
            _action_type,
            PARTITIONS,
        ),
        Clause(
            "retention-by-type",
            "What only reads is kept as standard_90d, everything else as federal_7y.",
            _retention,
            PARTITIONS,
        ),
        Clause("arguments-recorded", "It holds the arguments that ran.", _arguments),
        Clause(
            "arguments-masked",
            "No e-mail address and no telephone number of the arguments stands in the record.",
            _masked,
        ),
        Clause(
            "agreement-recorded",
            "What ran after a yes has a record that says so.",
            _agreement,
            capabilities=frozenset({"confirm"}),
        ),
    ),
    scenarios=only_rows,
    strategy=conversations,
)
