"""Reads OTLP as protobuf: one message, or many, each with its length before it.

Needs the extra ``audit``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, cast

from ..settings.extras import extra
from .files import LONGEST
from .otlp_json import failed, moment
from .spans import Place, Read, Remark, Span

_LENGTH = 4
_FIRST_FIELD = 0x0A
_TRACE_ID = 16


def is_protobuf(head: bytes) -> bool:
    """Return whether a file may be OTLP as protobuf, by its first bytes."""
    return (head[:1] == bytes([_FIRST_FIELD]) and head[1:2] not in (b"{", b"[")) or _framed(head)


def _framed(head: bytes) -> bool:
    """The collector's file exporter writes the length of each message, four bytes, before it."""
    return (
        len(head) > _LENGTH
        and 0 < int.from_bytes(head[:_LENGTH], "big") <= LONGEST
        and head[_LENGTH] == _FIRST_FIELD
    )


def read_file(parts: Iterator[bytes], file: str) -> Iterator[Read]:
    """Yield the spans and log records of a file."""
    buffer = bytearray(next(parts, b""))
    if not _framed(bytes(buffer[:16])):
        yield from _single(buffer, parts, file)
        return
    number = 0
    while buffer:
        number += 1
        size = int.from_bytes(buffer[:_LENGTH], "big")
        if size > LONGEST:
            yield Remark(
                "a message of more than 64 MB; what follows it is lost",
                Place(file, number),
                "unknown",
            )
            return
        while len(buffer) < _LENGTH + size and (part := next(parts, b"")):
            buffer += part
        if len(buffer) < _LENGTH + size:
            yield Remark("the last message is cut", Place(file, number), "unknown")
            return
        yield from read(bytes(buffer[_LENGTH : _LENGTH + size]), Place(file, number))
        del buffer[: _LENGTH + size]
        if not buffer:
            buffer += next(parts, b"")


def _single(buffer: bytearray, parts: Iterator[bytes], file: str) -> Iterator[Read]:
    for part in parts:
        buffer += part
        if len(buffer) > LONGEST:
            yield Remark("a single message of more than 64 MB", Place(file), "unknown")
            return
    yield from read(bytes(buffer), Place(file, 1))


def read(message: bytes, place: Place) -> Iterator[Read]:
    """Yield the spans or log records of one message; what cannot be read is a remark."""
    trace_pb = cast("Any", extra("opentelemetry.proto.trace.v1.trace_pb2"))
    logs_pb = cast("Any", extra("opentelemetry.proto.logs.v1.logs_pb2"))
    try:
        spans = list(_spans(trace_pb.TracesData.FromString(message), place))
        if spans and all(len(each.trace) == 2 * _TRACE_ID for each in spans):
            yield from spans
            return
    except Exception as error:
        if not _is_decoding(error):
            raise
    try:
        yield from _logs(logs_pb.LogsData.FromString(message), place)
    except Exception as error:
        if not _is_decoding(error):
            raise
        yield Remark("neither spans nor log records of OTLP", place)


def _is_decoding(error: Exception) -> bool:
    return type(error).__name__ == "DecodeError" or isinstance(error, (ValueError, RecursionError))


def _spans(data: Any, place: Place) -> Iterator[Span]:
    for group in data.resource_spans:
        resource = _pairs(group.resource.attributes)
        for scope in group.scope_spans:
            for span in scope.spans:
                yield Span(
                    trace=span.trace_id.hex(),
                    span=span.span_id.hex(),
                    parent=span.parent_span_id.hex(),
                    name=span.name,
                    start=moment(span.start_time_unix_nano),
                    failed=failed(span.status.code),
                    told=span.status.message,
                    attributes=_pairs(span.attributes),
                    events=[(event.name, _pairs(event.attributes)) for event in span.events],
                    resource=resource,
                    body=None,
                    is_log=False,
                    place=place,
                    end=moment(span.end_time_unix_nano),
                    dropped=bool(
                        span.dropped_attributes_count
                        or span.dropped_events_count
                        or any(event.dropped_attributes_count for event in span.events)
                    ),
                )


def _logs(data: Any, place: Place) -> Iterator[Span]:
    for group in data.resource_logs:
        resource = _pairs(group.resource.attributes)
        for scope in group.scope_logs:
            for record in scope.log_records:
                attributes = _pairs(record.attributes)
                yield Span(
                    trace=record.trace_id.hex(),
                    span=record.span_id.hex(),
                    parent="",
                    name=record.event_name or str(attributes.get("event.name", "")),
                    start=moment(record.time_unix_nano or record.observed_time_unix_nano),
                    failed=None,
                    told="",
                    attributes=attributes,
                    events=[],
                    resource=resource,
                    body=_value(record.body),
                    is_log=True,
                    place=place,
                )


def _pairs(pairs: Iterable[Any]) -> dict[str, Any]:
    return {pair.key: _value(pair.value) for pair in pairs}


def _value(value: Any) -> Any:
    kind = value.WhichOneof("value")
    if kind is None:
        return None
    told = getattr(value, kind)
    if kind == "array_value":
        return [_value(each) for each in told.values]
    if kind == "kvlist_value":
        return _pairs(told.values)
    return told.hex() if kind == "bytes_value" else told
