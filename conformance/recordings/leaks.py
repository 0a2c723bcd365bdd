"""Values of one user in prompts of another, over all conversations and in bounded memory.

Every value that a call gave is known by a digest and its owner's; a bitmap of all values is asked
for each run of words in what prompts hold beyond their own results; the few hits are compared
exactly. Left out is what blames nobody: values that several users have, shapes whose values often
do, what the user said, what stands in the system messages of several users.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
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
from .conversations import Conversation, Where
from .pieces import LONE

_ROW = struct.Struct(">QQII")
"""A value, its owner, its shape, and a shorter digest of it for the bitmap."""

_SYSTEM = 0
"""The shape of a system message, which is no value."""

_BITS_EACH = 32
_ENOUGH, _OFTEN = 50, 0.02
_MOST_OF_SHAPE = 2**20
_OWNERS_KEPT = 8


class Scanned(msgspec.Struct, array_like=True):
    """What a turn shows beyond its own results.

    Attributes:
        user: whose turn it is.
        step: index of the turn in its conversation.
        trace, span, file, line, start: where it was recorded.
        judgeable: whether nothing of it is missing.
        texts: kind of place, and what stands there.
    """

    user: str
    step: int
    trace: str
    span: str
    file: str
    line: int
    start: int
    judgeable: bool
    texts: list[tuple[str, str]]


class Watched(msgspec.Struct, array_like=True):
    """What is looked through of a conversation, and what its users said themselves."""

    conversation: str
    service: str
    judged: bool
    turns: list[Scanned]
    typed: dict[str, str]


class Hit(msgspec.Struct, array_like=True):
    """A value in a prompt that may be another user's."""

    conversation: str
    service: str
    judged: bool
    turn: Scanned
    kind: str
    value: str
    whole: int
    partition: int


class Leak(NamedTuple):
    """A value that only other users' calls gave, in a prompt; and where its owners' values lie."""

    hit: Hit
    owners: int
    partition: int


def digest(text: str, service: str = "") -> int:
    """Return a digest of a text of a system: the same in every process, eight bytes."""
    data = _bytes(f"{service}\0{text}" if service else text)
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "big")


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


def owned_and_watched(
    view: TraceView, conversation: Conversation, judgeable: Mapping[int, bool], *, judged: bool
) -> tuple[set[bytes], Watched]:
    """Return the values that a conversation's calls gave, and what is to be looked through.

    Args:
        view: of its trace.
        conversation: the conversation.
        judgeable: for each turn whether nothing of it is missing.
        judged: whether it counts as judged.
    """
    given = [(x, _values(x)) for step in view.steps for x in step.all(ToolResult)]
    results = {str(event.id): (event, own) for event, own in given if event.id}
    service = conversation.service
    rows = {row for event, own in given if event.user for row in _rows(own, event.user, service)}
    turns: list[Scanned] = []
    typed: dict[str, list[str]] = {}
    for step in view.steps:
        texts: list[tuple[str, str]] = []
        for message in shown_to_user(view, step):
            text = message.content_text
            if message.role == "user":
                typed.setdefault(step.user, []).append(text)
            else:
                texts += _texts(message, results, step.user)
                if text and place_of(message) == "system":
                    rows.add(_ROW.pack(digest(text, service), digest(step.user), _SYSTEM, 0))
        if texts:
            where = conversation.where[step.index]
            turns.append(_scanned(step.user, step.index, where, texts, judgeable))
    said = {user: "\n".join(all_of) for user, all_of in typed.items()}
    return rows, Watched(conversation.name, service, judged, turns, said)


def _rows(own: Iterable[str], user: str, service: str) -> set[bytes]:
    owner, start = digest(user), _short(service)
    return {_ROW.pack(digest(x, service), owner, _kind(x), _short(x, start)) for x in own}


def _kind(value: str) -> int:
    """The digest of a value's shape, which is never that of a system message."""
    return _short(shape(value)) | 1


def _scanned(
    user: str,
    index: int,
    where: Where,
    texts: list[tuple[str, str]],
    judgeable: Mapping[int, bool],
) -> Scanned:
    return Scanned(
        user=user,
        step=index,
        trace=where.trace,
        span=where.span,
        file=where.place.file,
        line=where.place.line,
        start=where.start,
        judgeable=judgeable.get(index, False),
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
            turn.texts = [(kind, _clean(text)) for kind, text in turn.texts]
        watched.typed = {user: _clean(text) for user, text in watched.typed.items()}
        data = msgspec.msgpack.encode(watched)
    return len(data).to_bytes(4, "big") + data


_WATCHED = msgspec.msgpack.Decoder(Watched)


class Bitmap:
    """Says of a value that it may be one of those that calls gave, or that it is none."""

    def __init__(self, rows: int) -> None:
        bits = min(max(16, (rows * _BITS_EACH).bit_length()), 30)
        self.data = bytearray(1 << (bits - 3))
        self._mask = (1 << bits) - 1

    def add(self, rows: bytes) -> None:
        """Add packed values."""
        for _, _, kind, short in _ROW.iter_unpack(rows):
            if kind != _SYSTEM:
                at = short & self._mask
                self.data[at >> 3] |= 1 << (at & 7)

    def may_hold(self, text: str, start: int) -> bool:
        """Return whether a text may be a value of the system whose name has this checksum."""
        at = _short(text, start) & self._mask
        return bool(self.data[at >> 3] & (1 << (at & 7)))


def hits(data: bytes, bitmap: Bitmap, partition: int) -> Iterator[Hit]:
    """Yield the runs of words in packed ``Watched`` that may be values of others."""
    at = 0
    known: dict[tuple[int, str], set[str]] = {}
    while at < len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        watched = _WATCHED.decode(data[at + 4 : at + 4 + size])
        at += 4 + size
        typed: dict[str, set[str]] = {}
        service, start = watched.service, _short(watched.service)
        for turn in watched.turns:
            told: set[tuple[str, str]] = set()
            for kind, text in turn.texts:
                found = _found(kind, text, start, bitmap, known)
                if found and turn.user not in typed:
                    typed[turn.user] = {*runs(watched.typed.get(turn.user, ""))}
                for value in sorted(found):
                    if value in typed[turn.user] or (kind, value) in told:
                        continue
                    told.add((kind, value))
                    whole = digest(text, service) if kind == "system" else 0
                    bare = msgspec.structs.replace(turn, texts=[])
                    told_by = (watched.conversation, service, watched.judged)
                    yield Hit(*told_by, bare, kind, value, whole, partition)


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


def leaks(every: list[Hit], rows: Iterable[tuple[int, bytes]]) -> tuple[list[Leak], int]:
    """Return the hits that only others own, and how many were left out as common shapes.

    Args:
        every: the hits of all partitions.
        rows: packed values, each with the number of its partition; read once.
    """
    known = _Known(every)
    for partition, data in rows:
        known.read(partition, data)
    common = known.common()
    found: list[Leak] = []
    left_out = 0
    for hit in every:
        own = known.owners.get(digest(hit.value, hit.service), {})
        if not own or digest(hit.turn.user) in own:
            continue
        if len(known.holders.get(hit.whole, ())) > 1:
            continue
        if _kind(hit.value) in common or len(own) >= _OWNERS_KEPT:
            left_out += 1
            continue
        found.append(Leak(hit, len(own), min(own.values())))
    return found, left_out


class _Known:
    """Who owns the values of some hits, who holds their system messages, which shapes are common.

    Of a shape with more than a million values the first million tell.
    """

    def __init__(self, every: list[Hit]) -> None:
        self.owners: dict[int, dict[int, int]] = {
            digest(hit.value, hit.service): {} for hit in every
        }
        self.holders: dict[int, set[int]] = {hit.whole: set() for hit in every if hit.whole}
        self._first: dict[int, dict[int, int]] = {_kind(hit.value): {} for hit in every}
        self._several: dict[int, set[int]] = {each: set() for each in self._first}

    def read(self, partition: int, data: bytes) -> None:
        """Read packed values of a partition."""
        for value, owner, kind, _ in _ROW.iter_unpack(data):
            if kind == _SYSTEM:
                if value in self.holders:
                    self.holders[value].add(owner)
                continue
            own = self.owners.get(value)
            if own is not None and (owner in own or len(own) < _OWNERS_KEPT):
                own[owner] = min(partition, own.get(owner, partition))
            first = self._first.get(kind)
            if first is None or (len(first) >= _MOST_OF_SHAPE and value not in first):
                continue
            if first.setdefault(value, owner) != owner:
                self._several[kind].add(value)

    def common(self) -> set[int]:
        """Return the shapes whose values often have several owners."""
        return {
            kind
            for kind, seen in self._first.items()
            if len(seen) >= _ENOUGH and len(self._several[kind]) > _OFTEN * len(seen)
        }
