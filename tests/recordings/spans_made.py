"""Spans that a test makes one by one, as OTLP tells them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

_BEGIN = 1_778_865_664 * 10**9
_SECOND = 10**9

Event = tuple[str, Mapping[str, str]]


def span(
    name: str,
    when: tuple[float, float],
    told: Mapping[str, str],
    *,
    number: int = 0,
    parent: int = 0,
    events: Iterable[Event] = (),
) -> dict[str, Any]:
    """Return a span of the one trace that these tests make.

    Args:
        name: its name.
        when: seconds from the beginning at which it starts and ends.
        told: its attributes.
        number: its own id; made of the time at which it starts if none is given.
        parent: the id of the span that began it; 0 for none.
        events: name and attributes of each of its events.
    """
    start, end = (str(_BEGIN + int(each * _SECOND)) for each in when)
    return {
        "traceId": f"{1:032x}",
        "spanId": f"{number or int(when[0] * 1000) + 1:016x}",
        "parentSpanId": f"{parent:016x}" if parent else "",
        "name": name,
        "startTimeUnixNano": start,
        "endTimeUnixNano": end,
        "attributes": _pairs(told),
        "events": [{"name": event, "attributes": _pairs(held)} for event, held in events],
    }


def log_record(name: str, when: float, told: Mapping[str, Any], number: int) -> dict[str, Any]:
    """Return a log record that belongs to the span of a number; its values are structured."""
    return {
        "traceId": f"{1:032x}",
        "spanId": f"{number:016x}",
        "eventName": name,
        "timeUnixNano": str(_BEGIN + int(when * _SECOND)),
        "attributes": _pairs(told),
    }


def written(
    path: Path, spans: Sequence[Mapping[str, Any]], logs: Sequence[Mapping[str, Any]] = ()
) -> Path:
    """Write spans and log records as a recording; return its path."""
    told: dict[str, Any] = {"resourceSpans": [{"scopeSpans": [{"spans": list(spans)}]}]}
    if logs:
        told["resourceLogs"] = [{"scopeLogs": [{"logRecords": list(logs)}]}]
    path.write_text(json.dumps(told), encoding="ascii")
    return path


def _pairs(told: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [{"key": name, "value": _value(value)} for name, value in told.items()]


def _value(value: Any) -> dict[str, Any]:
    if isinstance(value, dict):
        return {"kvlistValue": {"values": _pairs(cast("dict[str, Any]", value))}}
    if isinstance(value, list):
        return {"arrayValue": {"values": [_value(x) for x in cast("list[Any]", value)]}}
    return {"stringValue": value}
