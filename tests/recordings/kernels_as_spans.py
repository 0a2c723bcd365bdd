"""Tells fedcheck's own traces as a kernel under OpenTelemetry would: a span for each step."""

from __future__ import annotations

import json
from base64 import b64encode
from collections import Counter
from collections.abc import Iterable
from typing import Any
from zlib import crc32

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from fedcheck.invariants.vocabulary.scenario import Advance, Environment, Section
from fedcheck.invariants.vocabulary.trace import AnyEvent, Given, SkeletonStored, Trace

_BEGIN = 1_778_865_664 * 10**9


def as_told(trace: Trace) -> Trace:
    """Return what a kernel would tell of a run: its clock, and what its handlers returned.

    It does not know before what they will return.
    """
    scripts = {
        (each.app, section.name): section.returns_json
        for each in trace.environment.extensions
        for section in each.sections
    }
    refreshes: Counter[tuple[str, str, str]] = Counter()
    now = trace.environment.start_time
    events: list[AnyEvent] = []
    for event in trace.events:
        told = event
        if isinstance(event, Given):
            told = replace(event, at=now)
            now += event.stimulus.seconds if isinstance(event.stimulus, Advance) else 0.0
        elif isinstance(event, SkeletonStored) and (event.app, event.section) in scripts:
            texts = scripts[event.app, event.section]
            home = (event.user, event.app, event.section)
            told = replace(event, returned_json=texts[min(refreshes[home], len(texts) - 1)])
            refreshes[home] += 1
        events.append(told)
    return replace(trace, events=tuple(events), environment=_known_before(trace.environment))


def _known_before(environment: Environment) -> Environment:
    extensions = tuple(
        replace(extension, sections=tuple(map(_declared, extension.sections)))
        for extension in environment.extensions
    )
    return replace(environment, extensions=extensions)


def _declared(section: Section) -> Section:
    has_tool = section.alert_says is not None
    return replace(section, returns_json=(), alert_says=UNSET if has_tool else None)


def spans(trace: Trace, name: str) -> list[dict[str, Any]]:
    """Return the spans of a trace, one for each step, as OTLP has them in JSON."""
    trace = as_told(trace)
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
                "fedcheck.whole": "skeleton store",
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


def message(every: Iterable[dict[str, Any]], service: str = "kernel") -> bytes:
    """Return the same spans as one message of protobuf; needs the extra `audit`."""
    from google.protobuf.json_format import ParseDict
    from opentelemetry.proto.trace.v1 import trace_pb2

    spans = [
        span | {x: b64encode(bytes.fromhex(span[x])).decode() for x in ("traceId", "spanId")}
        for span in every
    ]
    resource = {"attributes": attributes({"service.name": service})}
    made = {"resourceSpans": [{"resource": resource, "scopeSpans": [{"spans": spans}]}]}
    return ParseDict(made, trace_pb2.TracesData()).SerializeToString()


def lines(every: Iterable[dict[str, Any]], service: str = "kernel") -> str:
    """Return a request of OTLP for each span, one on each line."""
    resource = {"attributes": attributes({"service.name": service})}
    return "".join(
        json.dumps({"resourceSpans": [{"resource": resource, "scopeSpans": [{"spans": [span]}]}]})
        + "\n"
        for span in every
    )
