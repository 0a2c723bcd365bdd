"""The importers: each reads one format of files. Others come by an entry point.

An entry point of the group ``fedcheck.importers`` names an ``Importer``; it is asked before
our own ones whether a file is its.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from importlib.metadata import entry_points
from itertools import chain
from typing import Protocol, TypeGuard, cast

from . import otlp_json, otlp_protobuf, own_traces
from .files import LONGEST, TooLong, Unreadable, lines, opened
from .spans import Place, Read, ReadFile, Remark

GROUP = "fedcheck.importers"
_TELLING = 2**16
"""Bytes by which the format of a file is told."""

_OneDocument = Callable[[bytes, Place], Iterator[Read]]


class Importer(Protocol):
    """Reads the files of one format."""

    @property
    def name(self) -> str:
        """The name of the format."""
        ...

    def recognises(self, head: bytes, /) -> bool:
        """Return whether a file is of this format, by its first bytes, decompressed."""
        ...

    def read(self, parts: Iterator[bytes], file: str, /) -> Iterator[Read]:
        """Yield what a file holds; what cannot be read is a ``Remark`` with its place."""
        ...


class _Ours:
    """An importer that is made of two functions."""

    def __init__(
        self,
        name: str,
        is_its: Callable[[bytes], bool],
        reader: Callable[[Iterator[bytes], str], Iterator[Read]],
    ) -> None:
        self.name = name
        self._is_its, self._reader = is_its, reader

    def recognises(self, head: bytes, /) -> bool:
        return self._is_its(head)

    def read(self, parts: Iterator[bytes], file: str, /) -> Iterator[Read]:
        return self._reader(parts, file)


def read_json(parts: Iterator[bytes], file: str, *, document: _OneDocument) -> Iterator[Read]:
    """Read documents of JSON that stand on a line each, or one that goes over many lines."""
    last = [b"\n"]
    every = lines(_seen(parts, last))
    first = next((line for line in every if isinstance(line, TooLong) or line.strip()), b"")
    if isinstance(first, bytes) and not _is_whole(first):
        rest = chain([first], every)
        yield from _single(rest, file, document)
        return
    damaged: Remark | None = None  # of the last line that was read
    try:
        for read in _by_line(chain([first], every), file, document):
            if damaged is not None:
                yield damaged
            damaged = read if _is_damage(read) else None
            if damaged is None:
                yield read
    except Unreadable:
        if damaged is not None:
            yield damaged
        raise
    if damaged is not None:
        yield damaged if last[0] == b"\n" else _torn(damaged)


def _by_line(every: Iterator[bytes | TooLong], file: str, document: _OneDocument) -> Iterator[Read]:
    for number, line in enumerate(every, 1):
        if isinstance(line, TooLong):
            yield Remark("a line of more than 64 MB", Place(file, number), "unknown")
        elif line.strip():
            yield from document(line, Place(file, number))


def _seen(parts: Iterator[bytes], last: list[bytes]) -> Iterator[bytes]:
    """Pass the parts of a file on, and keep the last byte."""
    for part in parts:
        last[0] = part[-1:] or last[0]
        yield part


def _is_damage(read: Read) -> TypeGuard[Remark]:
    return isinstance(read, Remark) and read.what in ("not JSON", "not UTF-8")


def _torn(damaged: Remark) -> Remark:
    """Make of what cannot be read at the end of a file that the file may be cut there."""
    return Remark(f"{damaged.what}; the file breaks off there", damaged.place, "unknown")


def _is_whole(line: bytes) -> bool:
    """Whether a first line is a document of its own, damaged or not, and not only the opening."""
    return (len(line.strip()) > 2 and line.rstrip()[-1:] in (b"}", b"]")) or len(line) > 200


def _single(every: Iterator[bytes | TooLong], file: str, document: _OneDocument) -> Iterator[Read]:
    size, kept = 0, list[bytes]()
    for line in every:
        size += LONGEST + 1 if isinstance(line, TooLong) else len(line) + 1
        if size > LONGEST or isinstance(line, TooLong):
            what = "one document of more than 64 MB: write a line for each request instead"
            yield Remark(what, Place(file), "unknown")
            return
        kept.append(line)
    for read in document(b"\n".join(kept), Place(file, 1)):
        yield _torn(read) if _is_damage(read) else read


_OURS: tuple[Importer, ...] = (
    _Ours("fedcheck", own_traces.is_ours, partial(read_json, document=own_traces.read)),
    _Ours("otlp-protobuf", otlp_protobuf.is_protobuf, otlp_protobuf.read_file),
    _Ours("otlp-json", otlp_json.is_otlp, partial(read_json, document=otlp_json.read)),
)


@cache
def importers() -> tuple[Importer, ...]:
    """Return every importer, those of other packages first."""
    others = [cast("Importer", each.load()) for each in entry_points(group=GROUP)]
    return (*others, *_OURS)


def _head(parts: Iterator[bytes]) -> bytes:
    """Return the first bytes of a file that are not blank."""
    head = b""
    while len(head) < _TELLING and (part := next(parts, b"")):
        head = head + part if head or part.strip() else b""
    return head


def read_recording(name: str, told: ReadFile) -> Iterator[Read]:
    """Yield what a file holds, whatever its format.

    Args:
        name: of the file.
        told: gets size and SHA-256 of all of it, whatever of it could be read.

    Raises:
        UsageError: it cannot be opened, or needs a package that is not installed.
    """
    with opened(name) as (parts, weighed):
        try:
            head = _head(parts)
            if head:
                found = next((each for each in importers() if each.recognises(head)), _OURS[-1])
                yield from found.read(chain([head], parts), name)
            else:
                yield Remark("the file is empty", Place(name), "")
        except Unreadable as error:
            yield Remark(str(error), Place(name), "unknown")
        told.sha256, told.size = weighed.whole(), weighed.size
        told.is_cut |= not told.sha256
