"""Tells fedcheck's own traces as a kernel under OpenTelemetry would: a span for each step."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any
from zlib import crc32

import msgspec

from fedcheck.invariants.vocabulary.trace import Given, Trace

_BEGIN = 1_778_865_664 * 10**9


def spans(trace: Trace, name: str) -> list[dict[str, Any]]:
    """Return the spans of a trace, one for each step, as OTLP has them in JSON."""
    found: list[dict[str, Any]] = []
    for event in trace.events:
        plain = msgspec.to_builtins(event)
        if isinstance(event, Given):
            step = len(found)
            told = {
                "fedcheck.trace": name,
                "fedcheck.number": step,
                "fedcheck.step": json.dumps(plain["stimulus"]),
                "fedcheck.kernel": json.dumps(msgspec.to_builtins(trace.kernel)),
                "fedcheck.environment": json.dumps(msgspec.to_builtins(trace.environment)),
                "fedcheck.at": event.at,
            }
            found.append(
                {
                    "traceId": f"{crc32(name.encode()):024x}{step:08x}",
                    "spanId": f"{step + 1:016x}",
                    "name": plain["stimulus"]["step"],
                    "startTimeUnixNano": str(_BEGIN + step * 10**9),
                    "attributes": attributes(told),
                    "events": [],
                }
            )
            continue
        tag = plain.pop("event")
        del plain["step"]
        found[event.step]["events"].append(
            {"name": f"fedcheck.{tag}", "attributes": attributes(plain)}
        )
    return found


def attributes(told: dict[str, Any]) -> list[dict[str, Any]]:
    """Return attributes: scalars as they are, everything else as JSON text."""
    made: list[dict[str, Any]] = []
    for name, value in told.items():
        if isinstance(value, bool):
            made.append({"key": name, "value": {"boolValue": value}})
        elif isinstance(value, int):
            made.append({"key": name, "value": {"intValue": str(value)}})
        elif isinstance(value, float):
            made.append({"key": name, "value": {"doubleValue": value}})
        elif isinstance(value, str) and value.isascii():
            made.append({"key": name, "value": {"stringValue": value}})
        elif value is not None:
            text = {"stringValue": json.dumps(value)}
            made.append({"key": f"{name}.json", "value": text})
    return made


def lines(every: Iterable[dict[str, Any]], service: str = "kernel") -> str:
    """Return a request of OTLP for each span, one on each line."""
    resource = {"attributes": attributes({"service.name": service})}
    return "".join(
        json.dumps({"resourceSpans": [{"resource": resource, "scopeSpans": [{"spans": [span]}]}]})
        + "\n"
        for span in every
    )
