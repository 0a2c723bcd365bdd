"""Whose the values in prompts are: compared bucket by bucket, so that memory stays bounded.

A hit goes where the values lie that it may be; what only others own goes where the values of its
shape are counted; what is a leak goes back to its partition, where turns and conversations are
counted. Each of these steps holds what belongs to one bucket or partition, whatever the order.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec

from ...invariants.recorded import ISOLATION
from .conventions import has_instance, is_unnamed
from .exchange import Exchange, Made, Part, Sink, Spill, blocks, framed, one_block, readable
from .judged import day_of
from .leaks import (
    HELD,
    ROW,
    Bitmap,
    Hit,
    bits_for,
    bucket_of,
    checksum,
    digest,
    hits,
    kind_of,
    marked,
    process_of,
)
from .spans import Place
from .tallies import Breach, Judged, Tally, breach, packed_breaches

L = TypeVar("L")

_SHAPE = struct.Struct(">III")
"""A shape, how many values have it, how many of them have several owners."""

UNNAMED_SERVICE = "an unnamed service"
"""Why turns are not judgeable that hold what only others are given, of the same system or not."""

_ENOUGH, _OFTEN = 50, 0.02
_OWNERS_KEPT = 8
_KNEW = 2
"""Users whose own system messages must have held a value before, where no message is shared."""

_FEWEST_BUCKETS, _PARTITIONS_EACH = 16, 4


class Leak(msgspec.Struct, array_like=True):
    """A value that only other users' calls gave, in a prompt.

    Attributes:
        hit: where it stands.
        partition: the first one that holds a call which gave it.
        is_sure: whether those whose calls gave it use the same system.
    """

    hit: Hit
    partition: int
    is_sure: bool


class Found(NamedTuple):
    """Leaks of a partition: what they change of what was judged, and those that are kept."""

    judged: Judged
    kept: dict[str, Leak]


_HIT = msgspec.msgpack.Decoder(Hit)
_LEAK = msgspec.msgpack.Decoder(Leak)
_encoded = msgspec.msgpack.Encoder().encode


def buckets_for(partitions: int) -> int:
    """Return in how many buckets the values of an audit lie: a power of two that grows with it."""
    return max(_FEWEST_BUCKETS, 1 << (partitions // _PARTITIONS_EACH).bit_length())


class Leaks:
    """What the leaks of all partitions come to.

    Attributes:
        judged: what they change of what was judged.
        left_out: values of others that are of a common shape.
        kept: the leaks behind the breaches that are kept, by the order of these.
    """

    def __init__(self) -> None:
        self.judged = Judged()
        self.left_out = 0
        self.kept: dict[str, Leak] = {}

    def leave_out(self, times: int) -> None:
        """Count values that blame nobody."""
        self.left_out += times

    def add(self, found: Found) -> None:
        """Add the leaks of a partition; of all only those stay that are kept in the end."""
        self.judged.merge(found.judged)
        self.kept.update(found.kept)
        for order in self.kept.keys() - _orders(self.judged):
            del self.kept[order]


def find_leaks(
    exchange: Exchange[L],
    lots: tuple[L, L, L],
    values: int,
    partitions: int,
    *,
    keep_all: bool = False,
) -> tuple[Leaks, list[L]]:
    """Compare what conversations show with the values of all users.

    Args:
        exchange: takes the steps.
        lots: values, system messages and what is looked through, as partitions made them.
        values: how many there are.
        partitions: likewise.
        keep_all: whether all breaches are wanted.

    Returns:
        The leaks, and a lot of the breaches of each partition.
    """
    found = Leaks()
    if not values:
        return found, []
    owned, held, watched = lots
    buckets, bits = buckets_for(partitions), bits_for(values)
    bitmap = exchange.joined(
        partial(marked, bits=bits, buckets=buckets), owned, (1 << bits - 3) // buckets, buckets
    )
    shown, in_system = exchange.step(
        partial(_hits, buckets=buckets), [watched], 2, _nothing, bitmap
    )
    [told] = exchange.step(partial(_shared, buckets=buckets), [held, in_system], 1, _nothing)
    foreign, shapes = exchange.step(
        partial(_of_others, buckets=buckets), [owned, shown, told], 2, found.leave_out
    )
    [leaks] = exchange.step(
        partial(_uncommon, partitions=partitions), [foreign, shapes], 1, found.leave_out
    )
    return found, exchange.step(partial(_counted, keep_all=keep_all), [leaks], 1, found.add)


def _nothing(_: object) -> None:
    """Is told nothing."""


def _read(parts: Iterable[Part]) -> Iterator[Hit]:
    return (_HIT.decode(data) for part in parts for data in framed(part))


def _hits(number: int, parts: Sequence[Part], folder: str, shared: object, *, buckets: int) -> Made:
    """Look through what a partition shows: hits by the bucket of their value or system message."""
    shown = Sink(Path(folder) / f"hits-{number}", buckets)
    in_system = Sink(Path(folder) / f"system-{number}", buckets)
    with readable(shared) as data:
        for hit in hits(framed(parts[0]), Bitmap(data), number):
            if hit.whole:
                in_system.put_framed(bucket_of(hit.whole >> 32, buckets), _encoded(hit))
            else:
                _put(shown, hit, buckets)
    return Made((shown.close(), in_system.close()), None)


def _put(sink: Sink, hit: Hit, buckets: int) -> None:
    sink.put_framed(bucket_of(checksum(hit.value, hit.service), buckets), _encoded(hit))


def _shared(number: int, parts: Sequence[Part], folder: str, *, buckets: int) -> Made:
    """Mark hits in system messages that several users are told."""
    held, some = parts
    holders: dict[int, int] = {hit.whole: 0 for hit in _read([some])}
    several: set[int] = set()
    for block in blocks(held) if holders else ():
        for message, user in HELD.iter_unpack(block):
            if message in holders and holders[message] not in (0, user):
                several.add(message)
            elif message in holders:
                holders[message] = user
    told = Sink(Path(folder) / f"told-{number}", buckets)
    for hit in _read([some]):
        hit.shared = hit.whole in several
        _put(told, hit, buckets)
    return Made((told.close(),), None)


class _Owners:
    """Who owns a value of some hits.

    Attributes:
        some: the first few who do.
        askers: users whom a hit shows it, and whether it is theirs.
        near: processes of unnamed systems that show it, and whether calls there gave it.
        partition: the first one that holds it; of none that does, a negative number.
        given: when the first turn began that gave it, in nanoseconds; 0 where nothing tells.
        known: whether a system message for several users held it before.
        knew: others whose own system messages did, two of them at most.
    """

    __slots__ = ("askers", "given", "knew", "known", "near", "partition", "some")

    def __init__(self) -> None:
        self.some: set[int] = set()
        self.askers: dict[int, bool] = {}
        self.near: dict[int, bool] = {}
        self.partition = -1
        self.given = -1
        self.known = False
        self.knew: set[int] = set()

    def add(self, owner: int, given: int, process: int, partition: int) -> None:
        if len(self.some) < _OWNERS_KEPT:
            self.some.add(owner)
        if owner in self.askers:
            self.askers[owner] = True
        if process in self.near:
            self.near[process] = True
        self.partition = partition if self.partition < 0 else min(partition, self.partition)
        self.given = given if self.given < 0 else min(given, self.given)

    def told(self, hit: Hit) -> None:
        """Look at a system message: what it held before a call gave it comes from no call."""
        if not hit.early or hit.turn.start > self.given:
            return
        user = digest(hit.turn.user)
        if hit.shared:
            self.known = True
        elif hit.turn.start and not self.askers[user] and len(self.knew) < _KNEW:
            self.knew.add(user)

    @property
    def is_public(self) -> bool:
        return self.known or len(self.knew) >= _KNEW


def _of_others(number: int, parts: Sequence[Part], folder: str, *, buckets: int) -> Made:
    """Keep the hits of a bucket that only others own, by shape; count the values of each shape.

    Tells how many values are left out since so many own them.
    """
    values, shown, told = parts
    some = (shown, told)
    wanted: dict[int, _Owners] = {}
    for hit in _read(some):
        owners = wanted.setdefault(hit.known, _Owners())
        owners.askers[digest(hit.turn.user)] = False
        owners.near[process_of(hit.service)] = False
    shapes = Sink(Path(folder) / f"shapes-{number}", buckets)
    for kind, counts in _shapes(values, wanted).items():
        shapes.put(bucket_of(kind, buckets), _SHAPE.pack(kind, *counts))
    for hit in _read([told]):
        wanted[hit.known].told(hit)
    foreign = Sink(Path(folder) / f"foreign-{number}", buckets)
    left_out = 0
    for hit in _read(some):
        own = wanted[hit.known]
        if not own.some or own.askers[digest(hit.turn.user)] or own.is_public:
            continue
        if len(own.some) >= _OWNERS_KEPT:
            left_out += 1
            continue
        kind = bucket_of(kind_of(hit.value), buckets)
        near = own.near[process_of(hit.service)]
        is_sure = not is_unnamed(hit.service) or (near and has_instance(hit.service))
        foreign.put_framed(kind, _encoded(Leak(hit, own.partition, is_sure)))
    return Made((foreign.close(), shapes.close()), left_out)


def _shapes(values: Part, wanted: dict[int, _Owners]) -> dict[int, list[int]]:
    """Count values by shape, and those of several owners; tell the wanted ones their owners."""
    first: dict[int, int] = {}
    several: set[int] = set()
    found: dict[int, list[int]] = {}
    for block in blocks(values):
        for value, owner, given, kind, _, process, partition in ROW.iter_unpack(block):
            if value in wanted:
                wanted[value].add(owner, given, process, partition)
            before = first.get(value)
            if before is None:
                first[value] = owner
                found.setdefault(kind, [0, 0])[0] += 1
            elif before != owner and value not in several:
                several.add(value)
                found[kind][1] += 1
    return found


def _uncommon(number: int, parts: Sequence[Part], folder: str, *, partitions: int) -> Made:
    """Keep what is of no common shape, by partition; tell how many are left out."""
    foreign, shapes = parts
    leaks = [_LEAK.decode(data) for data in framed(foreign)]
    counts = {kind_of(leak.hit.value): [0, 0] for leak in leaks}
    for block in blocks(shapes) if counts else ():
        for kind, values, several in _SHAPE.iter_unpack(block):
            if kind in counts:
                counts[kind][0] += values
                counts[kind][1] += several
    sink = Sink(Path(folder) / f"leaks-{number}", partitions)
    left_out = 0
    for leak in leaks:
        values, several = counts[kind_of(leak.hit.value)]
        if values >= _ENOUGH and several > _OFTEN * values:
            left_out += 1
        else:
            sink.put_framed(leak.hit.partition, _encoded(leak))
    return Made((sink.close(),), left_out)


def _counted(number: int, parts: Sequence[Part], folder: str, *, keep_all: bool) -> Made:
    """Count the leaks of a partition; tell ``Found``."""
    judged = Judged()
    tally = judged.tallies.setdefault(ISOLATION, Tally())
    every_one = sorted((_LEAK.decode(data) for data in framed(parts[0])), key=_by_place)
    leaks = [leak for leak in every_one if leak.is_sure]
    turns: set[tuple[str, int]] = set()
    names: set[str] = set()
    every: list[Breach] = []
    kept: dict[str, Leak] = {}
    for leak in leaks:
        hit = leak.hit
        if (hit.conversation, hit.turn.step) not in turns:
            turns.add((hit.conversation, hit.turn.step))
            _break_turn(hit, tally, judged)
        if hit.conversation not in names:
            names.add(hit.conversation)
            _break_conversation(hit, tally)
        made = _breach(hit)
        tally.add(made)
        every.append(made)
        kept[made.order] = leak
    _doubt((leak.hit for leak in every_one if not leak.is_sure), turns, names, tally)
    kept = {order: kept[order] for order in _orders(judged)}
    data = packed_breaches([(ISOLATION, each) for each in every]) if keep_all else b""
    spill: Spill = one_block(Path(folder) / f"leaking-{number}", number, data)
    return Made((spill,), Found(judged, kept))


def _doubt(hits: Iterable[Hit], turns: set[tuple[str, int]], names: set[str], tally: Tally) -> None:
    """Count turns as not judgeable that hold values of what may be another system's users.

    Args:
        hits: in these turns.
        turns: of conversations, which are broken.
        names: of the conversations that are broken.
        tally: gets the counts.
    """
    doubted: dict[tuple[str, int], Hit] = {(x.conversation, x.turn.step): x for x in hits}
    judgeable: Counter[str] = Counter()
    every: dict[str, int] = {}
    for place, hit in doubted.items():
        if place in turns:
            continue
        tally.reasons[UNNAMED_SERVICE] += 1
        if hit.turn.judgeable:
            tally.turns_kept -= 1
            tally.turns_open += 1
            judgeable[hit.conversation] += 1
            every[hit.conversation] = hit.judged
    for name in judgeable.keys() - names:
        if judgeable[name] == every[name]:
            tally.conversations_kept -= 1
            tally.conversations_open += 1


def _orders(judged: Judged) -> set[str]:
    tally = judged.tallies.get(ISOLATION, Tally())
    return {each.order for some in tally.breaches.values() for each in some}


def _by_place(leak: Leak) -> tuple[str, int, str, str]:
    hit = leak.hit
    return hit.conversation, hit.turn.step, hit.kind, hit.value


def _break_turn(hit: Hit, tally: Tally, judged: Judged) -> None:
    """Count a turn as broken that was counted as kept or not judgeable."""
    tally.turns_broken += 1
    if hit.turn.judgeable:
        tally.turns_kept -= 1
    else:
        tally.turns_open -= 1
    if hit.turn.start and not hit.turn.broken:
        judged.day(day_of(hit.turn.start), 0, 1)


def _break_conversation(hit: Hit, tally: Tally) -> None:
    tally.conversations_broken += 1
    if hit.judged:
        tally.conversations_kept -= 1
    else:
        tally.conversations_open -= 1


def _breach(hit: Hit) -> Breach:
    turn = hit.turn
    return breach(
        f"in a message of the {hit.kind}",
        hit.conversation,
        turn.step,
        trace=turn.trace,
        span=turn.span,
        place=Place(turn.file, turn.line),
        start=turn.start,
        expected="nothing that only calls of other users gave",
        got=hit.value,
        partition=hit.partition,
    )
