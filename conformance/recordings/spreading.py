"""Spreads what files hold over partitions, so that a conversation lies in one of them.

A prompt repeats the whole history: of one that begins with an earlier prompt of its
conversation only the rest is kept. The pieces of a partition are compressed and written to one
temporary file. Pieces of which only the trace is known are spread again once it is known to
which conversation their traces belong.
"""

from __future__ import annotations

import importlib
import tempfile
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple, cast

from ...invariants.vocabulary.codec import to_json
from . import kernel_spans
from .conventions import piece_of
from .importers import read_recording
from .mapping import Mapping
from .pieces import Piece, packed, unpacked
from .spans import OwnTrace, Place, Read, ReadFile, Remark, Remarks, Span

_KEPT_TEXT = 24 * 2**20
"""Characters of prompts that are remembered while a file is read."""

_BUFFERED = 24 * 2**20
"""Bytes that wait in memory to be compressed."""

_SIZE = 4

_REMEMBERED = 100_000
"""Traces of which it is remembered that their session and user were told."""


class Spill(NamedTuple):
    """A temporary file, and where in it the blocks of each partition lie."""

    path: str
    blocks: dict[int, list[tuple[int, int]]]
    pieces: int


class Spread(NamedTuple):
    """What became of a file: pieces by conversation, pieces by trace, remarks, the file itself."""

    conversations: Spill
    traces: Spill
    remarks: Remarks
    file: ReadFile | None = None


def compressor() -> tuple[Callable[[bytes], bytes], Callable[[bytes], bytes]]:
    """Return what compresses and decompresses: zstd where it is installed, else zlib."""
    try:
        zstandard = cast("Any", importlib.import_module("zstandard"))
    except ImportError:
        return (lambda data: b"z" + zlib.compress(data, 1)), _inflate
    made = zstandard.ZstdCompressor(level=1)
    return (lambda data: b"s" + made.compress(data)), _inflate


def _inflate(data: bytes) -> bytes:
    if data[:1] == b"z":
        return zlib.decompress(data[1:])
    zstandard = cast("Any", importlib.import_module("zstandard"))
    return zstandard.ZstdDecompressor().decompress(data[1:])


def partition_of(key: str, partitions: int) -> int:
    """Return the partition of a conversation or trace: the same in every process."""
    digest = blake2b(key.encode("utf-8", "surrogatepass"), digest_size=4).digest()
    return int.from_bytes(digest, "big") % partitions


class Sink:
    """Takes pieces for partitions and writes them to one file, compressed."""

    def __init__(self, path: Path, partitions: int) -> None:
        self._partitions = partitions
        self._file = tempfile.NamedTemporaryFile(  # noqa: SIM115  closed when all is in it
            dir=path.parent, prefix=f"{path.name}-", delete=False
        )  # a name of its own, for a part that is done twice because its worker seemed lost
        self._buffers: list[bytearray] = [bytearray() for _ in range(partitions)]
        self._limit = max(16_384, _BUFFERED // partitions)
        self._blocks: dict[int, list[tuple[int, int]]] = {}
        self._pieces = 0
        self._compress, _ = compressor()

    def put(self, key: str, piece: Piece) -> None:
        """Add a piece to the partition of a conversation or trace."""
        data = packed(piece)
        number = partition_of(key, self._partitions)
        buffer = self._buffers[number]
        buffer += len(data).to_bytes(_SIZE, "big")
        buffer += data
        self._pieces += 1
        if len(buffer) > self._limit:
            self._flush(number)

    def _flush(self, number: int) -> None:
        block = self._compress(bytes(self._buffers[number]))
        self._blocks.setdefault(number, []).append((self._file.tell(), len(block)))
        self._file.write(block)
        self._buffers[number].clear()

    def close(self) -> Spill:
        """Write what waits; return where everything lies."""
        for number, buffer in enumerate(self._buffers):
            if buffer:
                self._flush(number)
        self._file.close()
        return Spill(self._file.name, self._blocks, self._pieces)


def blocks_of(spill: Spill, partition: int) -> list[bytes]:
    """Return the compressed blocks of a partition."""
    if partition not in spill.blocks:
        return []
    with Path(spill.path).open("rb") as file:
        found: list[bytes] = []
        for start, size in spill.blocks[partition]:
            file.seek(start)
            found.append(file.read(size))
    return found


def pieces_of(blocks: Iterable[bytes]) -> Iterator[Piece]:
    """Yield the pieces of compressed blocks."""
    _, decompress = compressor()
    for block in blocks:
        data = memoryview(decompress(block))
        at = 0
        while at < len(data):
            size = int.from_bytes(data[at : at + _SIZE], "big")
            at += _SIZE
            yield unpacked(data[at : at + size])
            at += size


class _Prompts:
    """The last prompt of each conversation, to tell what the next one adds."""

    def __init__(self) -> None:
        self._last: OrderedDict[str, tuple[str, str]] = OrderedDict()
        self._size = 0

    def shorten(self, conversation: str, piece: Piece) -> None:
        """Keep of a prompt only what an earlier one does not hold."""
        text, whole = piece.prompt, piece.prompt
        known = self._last.pop(conversation, None)
        if known is not None:
            self._size -= len(known[1])
            before = known[1][:-1]
            if len(text) >= len(known[1]) > 2 and text.startswith(before):
                rest = text[len(before) :]
                if rest[:1] in (",", "]"):
                    piece.base = known[0]
                    piece.prompt = f"[{rest.lstrip(', ')}" if rest[:1] == "," else "[]"
        if whole[:1] == "[" and whole[-1:] == "]":
            self._last[conversation] = (piece.key, whole)
            self._size += len(whole)
            while self._size > _KEPT_TEXT and len(self._last) > 1:
                self._size -= len(self._last.popitem(last=False)[1][1])


def spread_file(file: str, number: int, folder: str, mapping: Mapping, partitions: int) -> Spread:
    """Read a file and spread what it holds.

    Args:
        file: its name.
        number: its number among all files of the audit.
        folder: where temporary files may lie.
        mapping: where user and session stand.
        partitions: how many there are.

    Raises:
        UsageError: it cannot be opened, or needs a package that is not installed.
    """
    told = ReadFile(file, number)
    spreading = _Spreading(told, Path(folder), mapping, partitions)
    try:
        for each in read_recording(file, told):
            spreading.add(each)
    finally:
        spread = spreading.done()
    return spread


class _Spreading:
    """Takes what a file holds, one after the other."""

    def __init__(self, file: ReadFile, folder: Path, mapping: Mapping, partitions: int) -> None:
        self._file, self._mapping = file, mapping
        self._number = number = file.number
        file.unfit = mapping.given()
        self._by_conversation = Sink(folder / f"conversations-{number}", partitions)
        self._by_trace = Sink(folder / f"traces-{number}", partitions)
        self._remarks, self._prompts = Remarks(), _Prompts()
        self._told: set[tuple[str, str, str]] = set()
        self._ordinal = 0
        self._place: Place | None = None

    def add(self, each: Read) -> None:
        self._ordinal += 1
        if isinstance(each, Remark):
            self._lose(each)
            return
        self._file.spans += 1
        if each.place is not self._place:
            self._place = each.place
            self._file.lines += 1
        if isinstance(each, OwnTrace):
            self._add_own(each)
            return
        if self._file.unfit:
            self._file.unfit -= self._mapping.fitting(each, self._file.unfit)
        if kernel_spans.is_step(each):
            self._add_step(each)
        elif piece := piece_of(each, self._mapping):
            if piece.trace and (piece.span or each.is_log):
                self._add_piece(piece)
            else:
                self._lose(Remark("a span or log record without the id of a trace", each.place))

    def _lose(self, remark: Remark) -> None:
        self._remarks.add(remark.what, remark.place)
        self._file.unread += remark.lost == "part"
        self._file.is_cut |= remark.lost == "unknown"

    def done(self) -> Spread:
        return Spread(
            self._by_conversation.close(), self._by_trace.close(), self._remarks, self._file
        )

    def _add_own(self, each: OwnTrace) -> None:
        whole = Piece("log", session=f"file {each.place}", name="fedcheck")
        whole.key = f"{self._number}#{self._ordinal}"
        whole.file, whole.line = each.place.file, each.place.line
        whole.prompt = to_json(each.trace)
        self._by_conversation.put(whole.conversation, whole)

    def _add_step(self, span: Span) -> None:
        for each in kernel_spans.read(span, self._mapping):
            if isinstance(each, Remark):
                self._lose(each)
                continue
            each.key = f"{self._number}#{self._ordinal}"
            self._by_conversation.put(each.conversation, each)

    def _add_piece(self, piece: Piece) -> None:
        piece.key = f"{self._number}#{self._ordinal}"
        whose = (piece.trace, piece.session, piece.user)
        if (piece.session or piece.user) and whose not in self._told:
            _pointed(whose, piece, self._by_conversation, self._by_trace)
            if len(self._told) > _REMEMBERED:
                self._told.clear()
            self._told.add(whose)
        if piece.kind == "whose":
            return
        home = piece.conversation
        if piece.kind == "request":
            self._prompts.shorten(f"{piece.service} {home}", piece)
        if piece.session:
            self._by_conversation.put(home, piece)
        else:
            self._by_trace.put(piece.trace, piece)


def _pointed(
    whose: tuple[str, str, str], piece: Piece, by_conversation: Sink, by_trace: Sink
) -> None:
    """Say to which conversation and user a trace belongs, where either is looked for."""
    trace, session, user = whose
    pointer = Piece("whose", key=piece.key, trace=trace, session=session, user=user)
    pointer.service = piece.service
    pointer.start, pointer.file, pointer.line = piece.start, piece.file, piece.line
    by_trace.put(trace, pointer)
    if session and user:
        by_conversation.put(pointer.conversation, pointer)


def resolved(blocks: Iterable[bytes], folder: str, number: int, partitions: int) -> Spread:
    """Spread pieces of which only the trace was known, now by conversation.

    A trace that several sessions claim is a remark; the first in the order of names counts.
    """
    remarks = Remarks()
    sink = Sink(Path(folder) / f"resolved-{number}", partitions)
    every = list(pieces_of(blocks))
    sessions = _by_trace((x.trace, x.session) for x in every)
    users = _by_trace((x.trace, x.user) for x in every)
    pointed: set[tuple[str, str]] = set()
    for piece in every:
        if piece.session:
            continue
        named = sessions.get(piece.trace, set())
        if len(named) > 1:
            remarks.add("a trace that names several sessions", Place(piece.file, piece.line))
        piece.session = min(named, default="")
        owners = users.get(piece.trace, set())
        if len(owners) == 1:
            piece.user = next(iter(owners))
        whose = (piece.trace, piece.user)
        if piece.kind != "whose" or (piece.user and whose not in pointed):
            sink.put(piece.conversation, piece)
            if piece.kind == "whose":
                pointed.add(whose)
    return Spread(sink.close(), Spill("", {}, 0), remarks)


def _by_trace(told: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for trace, name in told:
        if name:
            found.setdefault(trace, set()).add(name)
    return found
