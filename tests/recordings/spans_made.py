"""Spans that a test makes one by one, as OTLP tells them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

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


def written(path: Path, spans: Sequence[Mapping[str, Any]]) -> Path:
    """Write spans as a recording; return its path."""
    held = [{"scopeSpans": [{"spans": list(spans)}]}]
    path.write_text(json.dumps({"resourceSpans": held}), encoding="ascii")
    return path


def _pairs(told: Mapping[str, str]) -> list[dict[str, Any]]:
    return [{"key": name, "value": {"stringValue": value}} for name, value in told.items()]
