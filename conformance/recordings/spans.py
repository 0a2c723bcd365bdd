"""What recordings are made of, whatever format they came in: spans, log records, remarks."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Literal

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
        end: when it ended, nanoseconds since the Unix epoch; 0 if that is not told.
        dropped: whether its SDK says that it left out attributes or events.
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
    end: int = 0
    dropped: bool = False


class OwnTrace(msgspec.Struct):
    """A trace that fedcheck itself wrote."""

    trace: Trace
    place: Place


Lost = Literal["", "part", "unknown"]
"""What a recording lost: nothing, a line, message or span, or nobody knows how much."""


class Remark(msgspec.Struct, frozen=True):
    """Something that could not be read or used: what it is, where it stands, what it cost."""

    what: str
    place: Place
    lost: Lost = "part"


Read = Span | OwnTrace | Remark
"""What an importer yields."""


@dataclass
class ReadFile:
    """A file that was read.

    Attributes:
        name: as it was named.
        number: its number among all files of the audit.
        size: bytes as it lies there.
        sha256: of these; empty if it could not be read to its end.
        spans: spans, log records and traces of fedcheck in it.
        lines: lines or messages that hold them.
        unread: lines, messages and spans that could not be read or used.
        is_cut: whether something is missing of which nobody knows how much it is.
        unfit: entries of the mapping that found nothing in it.
    """

    name: str
    number: int
    size: int = 0
    sha256: str = ""
    spans: int = 0
    lines: int = 0
    unread: int = 0
    is_cut: bool = False
    unfit: set[str] = field(default_factory=set[str])


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
