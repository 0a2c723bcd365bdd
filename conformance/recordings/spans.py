"""What recordings are made of, whatever format they came in: spans, log records, remarks."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec

from ...invariants.vocabulary.trace import Trace

PLACES_KEPT = 20
"""Places that are named of each kind of remark; all are counted."""


class Place(msgspec.Struct, frozen=True, array_like=True, order=True):
    """Where something stands: a file, and a line in it (or a message, in protobuf), from 1."""

    file: str
    line: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file


class Span(msgspec.Struct, array_like=True):
    """A span, or a log record that belongs to one.

    Attributes:
        trace: id of its trace, hexadecimal.
        span: its own id.
        parent: id of the span that began it; empty for a root.
        name: its name; of a log record the name of the event.
        start: when it began, nanoseconds since the Unix epoch; 0 if that is not told.
        failed: whether its status is an error; ``None`` if it has none.
        told: what the status says of an error.
        attributes: plain values by name.
        events: names and attributes of its events.
        resource: attributes of what sent it.
        body: what a log record holds; ``None`` for a span.
        is_log: whether it is a log record.
        place: where it was read.
    """

    trace: str
    span: str
    parent: str
    name: str
    start: int
    failed: bool | None
    told: str
    attributes: dict[str, Any]
    events: list[tuple[str, dict[str, Any]]]
    resource: dict[str, Any]
    body: Any
    is_log: bool
    place: Place


class OwnTrace(msgspec.Struct):
    """A trace that fedcheck itself wrote."""

    trace: Trace
    place: Place


class Remark(msgspec.Struct, frozen=True):
    """Something that could not be read or used: what it is, and where it stands."""

    what: str
    place: Place


Read = Span | OwnTrace | Remark
"""What an importer yields."""


class Remarks:
    """Remarks, counted by what they say, with the first places of each."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.places: dict[str, list[Place]] = {}

    def add(self, what: str, place: Place, times: int = 1) -> None:
        """Count a remark; keep its place among the first ones."""
        self.counts[what] += times
        kept = self.places.setdefault(what, [])
        if place not in kept:
            kept.append(place)
            kept.sort()
            del kept[PLACES_KEPT:]

    def merge(self, other: Remarks) -> None:
        """Add those of another part; in any order, the sum is the same."""
        for what, places in other.places.items():
            kept = sorted({*self.places.get(what, []), *places})
            self.places[what] = kept[:PLACES_KEPT]
        self.counts.update(other.counts)
