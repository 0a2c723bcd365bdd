"""Values of one user in prompts of another, over all conversations and in bounded memory.

Every value that a call gave is known by a digest and its owner's; a bitmap of all values is asked
for each run of words in what prompts hold beyond their own results; the few hits are compared
exactly (`leak_search.py`). Left out is what blames nobody: values that several users have, shapes
whose values often do, what the user said, what several users were told before a call gave it.

Values lie in buckets by their checksum, system messages by their digest, so that what has to be
compared lies together.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from hashlib import blake2b
from mmap import mmap
from pathlib import Path
from typing import NamedTuple

import msgspec

from ...invariants.judges.recordings.isolation import place_of, shown_to_user
from ...invariants.readings.recorded_values import (
    is_plain_words,
    runs,
    shape,
    shown_texts,
    value_of,
    values,
)
from ...invariants.vocabulary.json_values import parse
from ...invariants.vocabulary.messages import Message
from ...invariants.vocabulary.trace import ToolResult
from ...invariants.vocabulary.trace_view import TraceView
from .conventions import UNNAMED, is_unnamed
from .conversations import Conversation, Where
from .exchange import Made, Part, Sink, Spill, blocks, with_size
from .pieces import LONE

ROW = struct.Struct(">QQQIIII")
"""A value, its owner, when a turn began that gave it, its shape, its checksum, process, partition.

The process is its owner's, and counts where an SDK made up the name of a system; else it is 0.
"""

HELD = struct.Struct(">QQ")
"""A system message, and a user to whom it was told."""

_SHORT_BITS = 32
_BITS_EACH, _FEWEST_BITS, _MOST_BITS = 16, 16, 29
"""Bits of the bitmap for each value, and how many there are at least and at most, as powers of 2.

At most 64 MB: with more values than fit, more is compared that is nobody's.
"""


class Scanned(msgspec.Struct, array_like=True):
    """What a turn shows beyond its own results.

    Attributes:
        user: whose turn it is.
        step: index of the turn in its conversation.
        trace, span, file, line, start: where it was recorded.
        judgeable: whether nothing of it is missing.
        broken: whether a promise is broken in it, besides.
        texts: kind of place, what stands there, and whether it did before any call of the turn.
    """

    user: str
    step: int
    trace: str
    span: str
    file: str
    line: int
    start: int
    judgeable: bool
    broken: bool
    texts: list[tuple[str, str, bool]]


class Watched(msgspec.Struct, array_like=True):
    """What is looked through of a conversation, and what its users said themselves."""

    conversation: str
    service: str
    judged: int
    turns: list[Scanned]
    typed: dict[str, str]


class Hit(msgspec.Struct, array_like=True):
    """A value in a prompt that may be another user's.

    Attributes:
        conversation, service, partition: of whoever is shown it.
        judged: how many turns of the conversation can be judged.
        turn: in which it stands, without what else stands there.
        kind: of the place.
        value, known: as it stands there, and its digest.
        whole: digest of the system message that holds it; 0 elsewhere.
        early: whether it stands there before any call of the turn.
        shared: whether several users are told this system message.
    """

    conversation: str
    service: str
    judged: int
    turn: Scanned
    kind: str
    value: str
    known: int
    whole: int
    partition: int
    early: bool
    shared: bool = False


class Owned(NamedTuple):
    """Values with owners, and since when; system messages with whom they were told."""

    values: dict[tuple[int, int, int, int, int], int]
    held: set[tuple[int, int]]


def spilled(owned: Owned, partition: int, folder: Path, buckets: int) -> tuple[Spill, Spill]:
    """Write values and system messages of a partition by bucket."""
    values = Sink(folder / f"values-{partition}", buckets)
    for (value, owner, kind, short, process), given in sorted(owned.values.items()):
        row = ROW.pack(value, owner, given, kind, short, process, partition)
        values.put(bucket_of(short, buckets), row)
    held = Sink(folder / f"held-{partition}", buckets)
    for message, user in sorted(owned.held):
        held.put(bucket_of(message >> 32, buckets), HELD.pack(message, user))
    return values.close(), held.close()


def bucket_of(number: int, buckets: int) -> int:
    """Return the bucket of a number of 32 bits; with numbers the buckets ascend."""
    return number * buckets >> _SHORT_BITS


def digest(text: str, service: str = "") -> int:
    """Return a digest of a text of a system: the same in every process, eight bytes."""
    data = _bytes(f"{service}\0{text}" if service else text)
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "big")


def checksum(value: str, service: str) -> int:
    """Return the checksum of a value of a system."""
    return _short(value, _short(compared(service)))


def _short(text: str, start: int = 0) -> int:
    return zlib.crc32(_bytes(text), start)


def _bytes(text: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        return _clean(text).encode("utf-8")


def _clean(text: str) -> str:
    """Return a text with a sign in the place of each half of a surrogate pair."""
    return LONE.sub("\ufffd", text)


def watched_of(
    view: TraceView,
    conversation: Conversation,
    judgeable: Mapping[int, bool],
    broken: Set[int],
    owned: Owned,
) -> Watched:
    """Add the values that a conversation's calls gave; return what is to be looked through.

    Args:
        view: of its trace.
        conversation: the conversation.
        judgeable: for each turn whether nothing of it is missing.
        broken: turns in which another promise is broken.
        owned: gets the values, and system messages.
    """
    results = _owners(view, conversation, owned)
    service = compared(conversation.service)
    turns: list[Scanned] = []
    typed: dict[str, list[str]] = {}
    for step in view.steps:
        texts: list[tuple[str, str, bool]] = []
        called = False
        for message in shown_to_user(view, step):
            text = message.content_text
            called = called or message.role == "tool" or bool(message.tool_calls)
            if message.role == "user":
                typed.setdefault(step.user, []).append(text)
            else:
                shown = _texts(message, results, step.user)
                texts += [(kind, each, not called) for kind, each in shown]
                if text and place_of(message) == "system":
                    owned.held.add((digest(text, service), digest(step.user)))
        if texts:
            where = conversation.where[step.index]
            turn = _scanned(step.user, step.index, where, texts)
            turn.judgeable = judgeable.get(step.index, False)
            turn.broken = step.index in broken
            turns.append(turn)
    said = {user: "\n".join(all_of) for user, all_of in typed.items()}
    return Watched(conversation.name, conversation.service, sum(judgeable.values()), turns, said)


def _owners(
    view: TraceView, conversation: Conversation, owned: Owned
) -> dict[str, tuple[ToolResult, set[str]]]:
    """Add the values that calls gave; return these by the id of the call."""
    found: dict[str, tuple[ToolResult, set[str]]] = {}
    for step in view.steps:
        start = conversation.where[step.index].start
        for event in step.all(ToolResult):
            own = _values(event)
            if event.id:
                found[str(event.id)] = event, own
            for row in _rows(own, event.user, conversation.service) if event.user else ():
                owned.values[row] = min(start, owned.values.get(row, start))
    return found


def _rows(own: Iterable[str], user: str, system: str) -> set[tuple[int, int, int, int, int]]:
    service = compared(system)
    owner, start, process = digest(user), _short(service), process_of(system)
    return {(digest(x, service), owner, kind_of(x), _short(x, start), process) for x in own}


def compared(system: str) -> str:
    """Return the service among whose values those of a system are: unnamed ones are one."""
    return UNNAMED if is_unnamed(system) else system


def process_of(system: str) -> int:
    """Return a checksum of the process behind an unnamed system; 0 of one that has a name."""
    return _short(system) | 1 if is_unnamed(system) else 0


def kind_of(value: str) -> int:
    """Return the checksum of a value's shape."""
    return _short(shape(value))


def _scanned(user: str, index: int, where: Where, texts: list[tuple[str, str, bool]]) -> Scanned:
    return Scanned(
        user=user,
        step=index,
        trace=where.trace,
        span=where.span,
        file=where.place.file,
        line=where.place.line,
        start=where.start,
        judgeable=False,
        broken=False,
        texts=texts,
    )


def _values(event: ToolResult) -> set[str]:
    if event.status != "success":
        return set()
    try:
        return values(parse(event.data_json))
    except (ValueError, RecursionError):
        return set()


def _texts(
    message: Message, results: Mapping[str, tuple[ToolResult, set[str]]], user: str
) -> Iterator[tuple[str, str]]:
    """What of a message is looked through: nothing of a result that is shown as it was given."""
    text = message.content_text
    if not text:
        return
    if message.role != "tool":
        yield place_of(message), text
        return
    known = results.get(str(message.tool_call_id or ""))
    if known is None:
        return  # whose it is cannot be known
    event, own = known
    if event.user == user and (text == event.data_json or values(text) <= own):
        return
    yield "tool", text


def pack(watched: Watched) -> bytes:
    """Return what is to be looked through as bytes."""
    try:
        data = msgspec.msgpack.encode(watched)
    except UnicodeEncodeError:
        for turn in watched.turns:
            turn.texts = [(kind, _clean(text), early) for kind, text, early in turn.texts]
        watched.typed = {user: _clean(text) for user, text in watched.typed.items()}
        data = msgspec.msgpack.encode(watched)
    return with_size(data)


_WATCHED = msgspec.msgpack.Decoder(Watched)


def bits_for(values: int) -> int:
    """Return how many bits, as a power of 2, tell well enough which values there may be."""
    return min(max(_FEWEST_BITS, (values * _BITS_EACH).bit_length()), _MOST_BITS)


def marked(number: int, parts: Sequence[Part], _folder: str, *, bits: int, buckets: int) -> Made:
    """Tell the number of a bucket and its piece of the bitmap of all values."""
    data = bytearray((1 << bits - 3) // buckets)
    first, down = number * len(data) * 8, _SHORT_BITS - bits
    for block in blocks(parts[0]):
        for _, _, _, _, short, *_ in ROW.iter_unpack(block):
            at = (short >> down) - first
            data[at >> 3] |= 1 << (at & 7)
    return Made((), (number, bytes(data)))


class Bitmap:
    """Says of a value that it may be one of those that calls gave, or that it is none."""

    def __init__(self, data: bytes | mmap) -> None:
        self._data = data
        self._down = _SHORT_BITS - (len(data) * 8 - 1).bit_length()

    def may_hold(self, text: str, start: int) -> bool:
        """Return whether a text may be a value of the system whose name has this checksum."""
        at = _short(text, start) >> self._down
        return bool(self._data[at >> 3] & (1 << (at & 7)))


def hits(packed: Iterable[bytes | memoryview], bitmap: Bitmap, partition: int) -> Iterator[Hit]:
    """Yield the runs of words in packed ``Watched`` that may be values of others."""
    known: dict[tuple[int, str], set[str]] = {}
    for watched in map(_WATCHED.decode, packed):
        typed: dict[str, set[str]] = {}
        service = compared(watched.service)
        start = _short(service)
        for turn in watched.turns:
            told: set[tuple[str, str]] = set()
            for kind, text, early in turn.texts:
                found = _found(kind, text, start, bitmap, known)
                if found and turn.user not in typed:
                    typed[turn.user] = {*runs(watched.typed.get(turn.user, ""))}
                for value in sorted(found):
                    if value in typed[turn.user] or (kind, value) in told:
                        continue
                    told.add((kind, value))
                    whole = digest(text, service) if kind == "system" else 0
                    bare = msgspec.structs.replace(turn, texts=[])
                    told_by = (watched.conversation, watched.service, watched.judged)
                    known_as = digest(value, service)
                    yield Hit(*told_by, bare, kind, value, known_as, whole, partition, early)


def _found(
    kind: str, text: str, start: int, bitmap: Bitmap, known: dict[tuple[int, str], set[str]]
) -> set[str]:
    if kind == "system" and (start, text) in known:
        return known[start, text]
    found: set[str] = set()
    for each in shown_texts(text):
        found.update(run for run in runs(each) if bitmap.may_hold(run, start))
        whole = value_of(each)
        if whole and bitmap.may_hold(whole, start):
            found.add(whole)
    if kind != "tool":
        found = {value for value in found if not is_plain_words(value)}
    if kind == "system" and len(known) < 1_000:
        known[start, text] = found
    return found
