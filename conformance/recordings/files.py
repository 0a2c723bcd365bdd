"""From what a command names to bytes: files, globs, folders, standard input, what fsspec opens.

Whether a file is compressed is seen from its first bytes, never from its name.
"""

from __future__ import annotations

import glob
import gzip
import hashlib
import io
import sys
import zlib
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, cast

from ...invariants.vocabulary.errors import UsageError
from ...reports.console.escape import printable
from ..settings.extras import extra

LONGEST = 64 * 2**20
"""Bytes of a line, or of a document or message that has to be read whole."""

STDIN = "-"
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_CHUNK = 2**20
_WINDOW = 2**27
_AT_ONCE = 2_048
"""Bytes of zstd, which hold at most 64 MB."""


class Unreadable(Exception):
    """A file that cannot be read on; what was read before stands."""


class Weighed(io.RawIOBase):
    """A file as it lies there, of which size and SHA-256 are taken while it is read."""

    def __init__(self, file: BinaryIO) -> None:
        super().__init__()
        self._file = file
        self._digest = hashlib.sha256()
        self.size = 0

    def readable(self) -> bool:
        """It can be read."""
        return True

    def readinto(self, buffer: Any, /) -> int:
        """Read some bytes."""
        data = self._file.read(len(buffer))
        buffer[: len(data)] = data
        self._digest.update(data)
        self.size += len(data)
        return len(data)

    def whole(self) -> str:
        """Return the SHA-256 of all of it, reading what nobody read; empty if it cannot be read."""
        try:
            while self.read(_CHUNK):
                pass
        except OSError:
            return ""
        return self._digest.hexdigest()


class TooLong:
    """Stands in the place of a line that is longer than any may be."""


def expand(targets: Sequence[str]) -> list[str]:
    """Return the files that are named, in the order of their names, each once.

    Args:
        targets: files, folders, globs, addresses that fsspec knows, ``-`` for standard input.

    Raises:
        UsageError: one of them names nothing.
    """
    found: dict[str, None] = {}
    for target in targets:
        for name in _expanded(target):
            found[name] = None
    return list(found)


def _expanded(target: str) -> list[str]:
    if target == STDIN:
        return [STDIN]
    if "://" in target:
        return _remote(target)
    path = Path(target)
    if path.is_dir():
        names = sorted(str(each) for each in path.rglob("*") if each.is_file())
    elif path.exists():
        names = [target]
    else:
        every = glob.glob(target, recursive=True)  # noqa: PTH207  it takes ~ no part, pathlib would
        names = sorted(name for name in every if Path(name).is_file())
    if not names:
        raise UsageError(
            f"{printable(target)}: there is no such file, or nothing in the folder; name recorded "
            "spans: a file, a folder, a glob in quotes, or - for standard input"
        )
    return names


def _remote(target: str) -> list[str]:
    fsspec = extra("fsspec")
    try:
        system, paths = cast("Any", fsspec).core.url_to_fs(target)
        names = system.glob(paths) if glob.has_magic(paths) else [paths]
        if not glob.has_magic(paths) and system.isdir(paths):
            names = system.find(paths)
        found = sorted(str(system.unstrip_protocol(name)) for name in names)
    except (OSError, ValueError, ImportError) as error:
        raise UsageError(
            f"{printable(target)}: cannot be listed: {printable(str(error))}; check the address, "
            "and that the package that fsspec needs for it is installed"
        ) from None
    if not found:
        raise UsageError(f"{printable(target)}: nothing is there; check the address")
    return found


@contextmanager
def opened(name: str) -> Generator[tuple[Iterator[bytes], Weighed]]:
    """Open a file: what stands in it, some bytes at a time, and the file as it lies there.

    What stands in it raises ``Unreadable`` where the file is cut or its compression damaged.

    Raises:
        UsageError: it cannot be opened, or what decompresses it is not installed.
    """
    with raw(name) as file:
        weighed = Weighed(file)
        yield _chunks(io.BufferedReader(weighed, _CHUNK)), weighed


@contextmanager
def raw(name: str) -> Generator[BinaryIO]:
    """Open a file as it lies there.

    Raises:
        UsageError: it cannot be opened.
    """
    file = _raw(name)
    try:
        yield file
    finally:
        if name != STDIN:
            with suppress(OSError):
                file.close()


def _raw(name: str) -> BinaryIO:
    try:
        if name == STDIN:
            return sys.stdin.buffer
        if "://" in name:
            return cast("Any", extra("fsspec")).open(name, "rb").open()
        return Path(name).open("rb", buffering=0)
    except OSError as error:
        why = printable(error.strerror or str(error))
        raise UsageError(f"{printable(name)}: cannot be opened: {why}; name another") from None


def _chunks(file: io.BufferedReader) -> Iterator[bytes]:
    """Yield the bytes of a file behind its compression, some at a time.

    Raises:
        Unreadable: it is cut, or its compression is damaged.
    """
    head = file.peek(4)[:4]
    try:
        if head == _ZSTD:
            yield from _unzstd(file)
            return
        plain = gzip.GzipFile(fileobj=file, mode="rb") if head.startswith(_GZIP) else file
        while chunk := plain.read1(_CHUNK):  # `read` would keep what a cut file still holds
            yield chunk
    except (OSError, EOFError, zlib.error) as error:
        raise Unreadable(f"the file is cut or damaged: {error}") from None


def _unzstd(file: io.BufferedReader) -> Iterator[bytes]:
    """Yield what frames of zstd hold; its own reader would not tell that the last one is cut."""
    zstandard = cast("Any", extra("zstandard"))
    decompressor = zstandard.ZstdDecompressor(max_window_size=_WINDOW)
    frame: Any = None
    try:
        while data := file.read1(_AT_ONCE):
            while data:
                frame = frame or decompressor.decompressobj()
                if plain := frame.decompress(data):
                    yield plain
                data = frame.unused_data if frame.eof else b""
                frame = None if frame.eof else frame
    except zstandard.ZstdError as error:
        raise Unreadable(f"the file is cut or damaged: {error}") from None
    if frame is not None:
        raise Unreadable("the file is cut or damaged: its last frame has no end")


def lines(parts: Iterator[bytes], longest: int = LONGEST) -> Iterator[bytes | TooLong]:
    """Yield the lines of a file without their ends, in bounded memory."""
    kept: list[bytes] = []
    size = 0
    for chunk in parts:
        *whole, rest = chunk.split(b"\n")
        for piece in whole:
            yield b"".join((*kept, piece)) if size + len(piece) <= longest else TooLong()
            kept, size = [], 0
        size += len(rest)
        if size > longest:
            kept = []
        elif rest:
            kept.append(rest)
    if size:
        yield b"".join(kept) if size <= longest else TooLong()
