"""Reads OTLP as JSON: a request on each line, or one document over many lines.

Names of attributes are read as they stand; which of them mean something is told elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from .spans import Place, Read, Remark, Span

_LATEST = 2**63

Number = int | float | str | None


class _Part(msgspec.Struct, rename="camel"):
    """A part of an OTLP document; what we do not use is skipped."""


class _Array(_Part):
    values: list[_Value] = []


class _Pairs(_Part):
    values: list[_Pair] = []


class _Value(_Part):
    """A value of an attribute: one of these is told."""

    string_value: str | None = None
    int_value: Number = None
    double_value: Number = None
    bool_value: bool | None = None
    array_value: _Array | None = None
    kvlist_value: _Pairs | None = None
    bytes_value: str | None = None


class _Pair(_Part):
    key: str
    value: _Value | None = None


class _Status(_Part):
    code: int | str = 0
    message: str = ""


class _Event(_Part):
    name: str = ""
    attributes: list[_Pair] = []
    dropped_attributes_count: Number = 0


class _Span(_Part):
    trace_id: str = ""
    span_id: str = ""
    parent_span_id: str | None = ""
    name: str = ""
    start_time_unix_nano: Number = 0
    end_time_unix_nano: Number = 0
    attributes: list[_Pair] = []
    events: list[_Event] = []
    dropped_attributes_count: Number = 0
    dropped_events_count: Number = 0
    status: _Status | None = None


class _Log(_Part):
    trace_id: str = ""
    span_id: str = ""
    event_name: str = ""
    time_unix_nano: Number = 0
    observed_time_unix_nano: Number = 0
    body: _Value | None = None
    attributes: list[_Pair] = []


class _ScopeSpans(_Part):
    spans: list[_Span] = []


class _ScopeLogs(_Part):
    log_records: list[_Log] = []


class _Resource(_Part):
    attributes: list[_Pair] = []


class _ResourceSpans(_Part):
    resource: _Resource | None = None
    scope_spans: list[_ScopeSpans] = []


class _ResourceLogs(_Part):
    resource: _Resource | None = None
    scope_logs: list[_ScopeLogs] = []


class _Document(_Part):
    resource_spans: list[_ResourceSpans] | None = None
    resource_logs: list[_ResourceLogs] | None = None


_DECODER = msgspec.json.Decoder(_Document)


def is_otlp(head: bytes) -> bool:
    """Return whether the beginning of a file is that of OTLP as JSON."""
    return b"resourceSpans" in head or b"resourceLogs" in head


def read(document: bytes, place: Place) -> Iterator[Read]:
    """Yield the spans and log records of a document; what cannot be read is a remark."""
    try:
        found = _DECODER.decode(document)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        found = _slowly(document)
    if isinstance(found, str):
        yield Remark(found, place)
        return
    if found.resource_spans is None and found.resource_logs is None:
        yield Remark("JSON, but no OTLP: neither resourceSpans nor resourceLogs", place)
        return
    for group in found.resource_spans or ():
        resource = _of(group.resource)
        yield from (_span(x, resource, place) for scope in group.scope_spans for x in scope.spans)
    for logs in found.resource_logs or ():
        resource = _of(logs.resource)
        yield from (_log(x, resource, place) for some in logs.scope_logs for x in some.log_records)


def _of(resource: _Resource | None) -> dict[str, Any]:
    return _pairs(resource.attributes) if resource else {}


def _slowly(document: bytes) -> _Document | str:
    """Read what the fast reader refuses, such as lone surrogates; or say what is wrong."""
    try:
        text = document.decode("utf-8")
    except UnicodeDecodeError:
        return "not UTF-8"
    try:
        return msgspec.convert(json.loads(text), _Document, strict=False)
    except RecursionError:
        return "nested too deeply to be read"
    except json.JSONDecodeError:
        return "not JSON"
    except (msgspec.ValidationError, ValueError):
        return "not as OTLP has it"


def _span(span: _Span, resource: dict[str, Any], place: Place) -> Span:
    status = span.status
    return Span(
        trace=span.trace_id,
        span=span.span_id,
        parent=span.parent_span_id or "",
        name=span.name,
        start=moment(whole(span.start_time_unix_nano)),
        failed=failed(status.code) if status else None,
        told=status.message if status else "",
        attributes=_pairs(span.attributes),
        events=[(event.name, _pairs(event.attributes)) for event in span.events],
        resource=resource,
        body=None,
        is_log=False,
        place=place,
        end=moment(whole(span.end_time_unix_nano)),
        dropped=any(
            map(
                whole,
                (
                    span.dropped_attributes_count,
                    span.dropped_events_count,
                    *(event.dropped_attributes_count for event in span.events),
                ),
            )
        ),
    )


def _log(record: _Log, resource: dict[str, Any], place: Place) -> Span:
    attributes = _pairs(record.attributes)
    return Span(
        trace=record.trace_id,
        span=record.span_id,
        parent="",
        name=record.event_name or str(attributes.get("event.name", "")),
        start=moment(whole(record.time_unix_nano) or whole(record.observed_time_unix_nano)),
        failed=None,
        told="",
        attributes=attributes,
        events=[],
        resource=resource,
        body=_value(record.body) if record.body else None,
        is_log=True,
        place=place,
    )


def whole(value: Number) -> int:
    """Return a number that may be told as text; 0 for what is none."""
    try:
        return int(value or 0)
    except (ValueError, OverflowError):
        return 0


def moment(nanoseconds: int) -> int:
    """Return a moment, nanoseconds since the Unix epoch; 0 for one that no clock shows."""
    return nanoseconds if 0 <= nanoseconds < _LATEST else 0


def failed(code: int | str) -> bool | None:
    """Return what the code of a status says."""
    if code in (2, "2", "STATUS_CODE_ERROR"):
        return True
    return False if code in (1, "1", "STATUS_CODE_OK") else None


def _pairs(pairs: Iterable[_Pair]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for pair in pairs:
        value = pair.value
        if value is not None:
            text = value.string_value
            found[pair.key] = text if text is not None else _value(value)
    return found


def _value(value: _Value) -> Any:
    if value.string_value is not None:
        return value.string_value
    if value.int_value is not None:
        return whole(value.int_value)
    if value.array_value is not None:
        return [_value(each) for each in value.array_value.values]
    if value.kvlist_value is not None:
        return _pairs(value.kvlist_value.values)
    if value.double_value is not None:
        return float(value.double_value)
    return value.bool_value if value.bool_value is not None else value.bytes_value
