"""What was seen of each clause: counts, reasons, and a few breaches, chosen alike in any order."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from hashlib import blake2b

import msgspec

from .spans import Place, Remarks

KEPT = 20
"""Breaches of a clause and kind that a record keeps; all are counted."""


@dataclass(frozen=True, order=True)
class Breach:
    """A breach, and where it was recorded.

    Attributes:
        order: digest of the rest, by which the kept ones are chosen.
        kind: kind of difference.
        conversation: name of the conversation.
        step: index of the turn.
        trace, span: ids of the recorded span.
        place: file and line.
        start: nanoseconds since the Unix epoch.
        expected, got: what was promised, what was found, for people.
        partition: where its conversation lies.
    """

    order: str
    kind: str
    conversation: str
    step: int
    trace: str
    span: str
    place: Place
    start: int
    expected: str
    got: str
    partition: int = field(default=0, compare=False)


def breach(
    kind: str,
    conversation: str,
    step: int,
    *,
    trace: str,
    span: str,
    place: Place,
    start: int,
    expected: str,
    got: str,
    partition: int,
) -> Breach:
    """Return a breach; its order depends on nothing but itself."""
    told = f"{kind}\0{conversation}\0{step}\0{trace}\0{span}\0{got}"
    order = blake2b(told.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    return Breach(
        order, kind, conversation, step, trace, span, place, start, expected, got, partition
    )


_DECODER = msgspec.msgpack.Decoder(list[tuple[str, Breach]])


def packed_breaches(every: list[tuple[str, Breach]]) -> bytes:
    """Return breaches, each with its clause, as bytes, in an order that hangs on nothing else."""
    return msgspec.msgpack.encode(sorted(every))


def unpacked_breaches(data: bytes) -> list[tuple[str, Breach]]:
    """Return the breaches of these bytes."""
    return _DECODER.decode(data)


@dataclass
class Tally:
    """What was seen of a clause.

    Attributes:
        conversations: how many were seen …
        conversations_kept, conversations_broken: … and judged so.
        turns: how many turns were seen …
        turns_kept, turns_broken, turns_open: … judged so, or not judgeable; the rest had nothing
            to judge.
        reasons: why turns could not be judged.
        kinds: breaches by kind.
        breaches: those that are kept, by kind.
    """

    conversations: int = 0
    conversations_kept: int = 0
    conversations_broken: int = 0
    conversations_open: int = 0
    turns: int = 0
    turns_kept: int = 0
    turns_broken: int = 0
    turns_open: int = 0
    reasons: Counter[str] = field(default_factory=Counter[str])
    kinds: Counter[str] = field(default_factory=Counter[str])
    breaches: dict[str, list[Breach]] = field(default_factory=dict[str, list[Breach]])

    def add(self, found: Breach) -> None:
        """Count a breach, and keep it if it is among the first by its order."""
        self.kinds[found.kind] += 1
        self._keep([found])

    def merge(self, other: Tally) -> None:
        """Add what another part saw; in any order, the sum is the same."""
        for name in _COUNTS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.reasons.update(other.reasons)
        self.kinds.update(other.kinds)
        for some in other.breaches.values():
            self._keep(some)

    def _keep(self, some: list[Breach]) -> None:
        for each in some:
            kept = self.breaches.setdefault(each.kind, [])
            kept.append(each)
            if len(kept) > KEPT:
                kept.sort()
                del kept[KEPT:]


_COUNTS = (
    "conversations", "conversations_kept", "conversations_broken", "conversations_open",
    "turns", "turns_kept", "turns_broken", "turns_open",
)  # fmt: skip


@dataclass
class Judged:
    """What was seen of a part of a recording.

    Attributes:
        tallies: by clause.
        remarks: what could not be read or used.
        days: turns and broken turns by the day on which they were recorded.
        errors: what judges raised, by clause, with how often.
        capabilities: of the kernels whose traces fedcheck itself wrote.
        systems: conversations by the name of what recorded them; empty where that is not told.
        conversations, turns: how many there are.
    """

    tallies: dict[str, Tally] = field(default_factory=dict[str, Tally])
    remarks: Remarks = field(default_factory=Remarks)
    days: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    errors: dict[str, Counter[str]] = field(default_factory=dict[str, Counter[str]])
    capabilities: set[str] = field(default_factory=set[str])
    systems: Counter[str] = field(default_factory=Counter[str])
    conversations: int = 0
    turns: int = 0

    def merge(self, other: Judged) -> None:
        """Add what another part saw; in any order, the sum is the same."""
        for clause, tally in other.tallies.items():
            self.tallies.setdefault(clause, Tally()).merge(tally)
        self.remarks.merge(other.remarks)
        for day, (turns, broken) in other.days.items():
            self.day(day, turns, broken)
        for clause, errors in other.errors.items():
            self.errors.setdefault(clause, Counter()).update(errors)
        self.capabilities |= other.capabilities
        self.systems.update(other.systems)
        self.conversations += other.conversations
        self.turns += other.turns

    def day(self, day: str, turns: int, broken: int) -> None:
        """Count turns of a day."""
        counts = self.days.setdefault(day, [0, 0])
        counts[0] += turns
        counts[1] += broken
