"""ZIP files of which every byte is known: nothing is compressed, no field has a choice.

The same files make the same bytes on every machine, whatever compression library it has. And
the reader accepts these bytes only: it walks over the files, works out every header anew and
compares. So no bomb, no file twice, no link, no path that leads outside and nothing hidden
between two files can be in what it has accepted; any ZIP program can unpack it.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping
from typing import BinaryIO, NamedTuple, NoReturn

from ...invariants.vocabulary.errors import DocumentError
from ..console.escape import printable
from .file_names import collision, is_portable

MAGIC = b"PK\x03\x04"
LARGEST = 0xFFFFFFFF
"""Bytes that fit into a ZIP file without its extensions."""

MOST_FILES = 0xFFFF

_LOCAL = struct.Struct("<4s5H3I2H")
_CENTRAL = struct.Struct("<4s6H3I5H2I")
_END = struct.Struct("<4s4H2IH")
_VERSION = 20
_UNIX = 3 << 8
_UTF8 = 1 << 11
_STORED = 0
_TIME, _DAY = 0, (1 << 5) + 1  # 1 January 1980, the first moment a ZIP file knows
_MODE = 0o100644 << 16


class Entry(NamedTuple):
    """A file in a ZIP file: path, bytes, place of the first byte, CRC-32 as the header has it."""

    path: str
    data: memoryview
    start: int
    checksum: int

    @property
    def end(self) -> int:
        """The place behind its last byte."""
        return self.start + len(self.data)

    @property
    def intact(self) -> bool:
        """Whether its bytes have the checksum that the header tells."""
        return zlib.crc32(self.data) == self.checksum


def write_zip(target: BinaryIO, files: Mapping[str, bytes]) -> None:
    """Write files, in their order, as a ZIP file.

    Raises:
        DocumentError: they are too many or too large, a path is not plain, or two paths mean the
            same file on some system.
    """
    size = sum(len(data) + 200 + 4 * len(path) for path, data in files.items())
    if size > LARGEST or len(files) > MOST_FILES:
        raise DocumentError(f"{len(files):,} files of {size:,} bytes do not fit into a bundle")
    if same := collision(files):
        raise DocumentError(f"{_pair(same)} are one file on some systems; rename one of them")
    directory, place = bytearray(), 0
    for path, data in files.items():
        if not is_portable(path):
            raise DocumentError(f"{printable(path)}: no path that a bundle may hold")
        checksum = zlib.crc32(data)
        header = _local(path.encode(), checksum, len(data))
        directory += _central(path.encode(), checksum, len(data), place)
        target.write(header)
        target.write(data)
        place += len(header) + len(data)
    target.write(bytes(directory) + _end(len(files), len(directory), place))


def read_zip(data: memoryview, where: str) -> list[Entry]:
    """Return the files in a ZIP file that ``write_zip`` wrote.

    What is between the files is as ``write_zip`` makes it; whether the files themselves are as
    they were, ``Entry.intact`` tells.

    Raises:
        DocumentError: it is any other ZIP file, or none; names the range of bytes.
    """
    entries: list[Entry] = []
    seen: set[str] = set()
    directory, place = bytearray(), 0
    while bytes(data[place : place + len(MAGIC)]) == MAGIC:
        entry = _entry(data, place, where)
        if entry.path in seen:
            _refuse(where, place, entry.start, f"{printable(entry.path)} comes twice")
        seen.add(entry.path)
        told = (entry.path.encode(), entry.checksum, len(entry.data))
        _compare(data, place, _local(*told), where, f"the header of {printable(entry.path)}")
        directory += _central(*told, place)
        entries.append(entry)
        place = entry.end
    if same := collision(entry.path for entry in entries):
        _refuse(where, 0, place, f"{_pair(same)} are one file on some systems")
    tail = bytes(directory) + _end(len(entries), len(directory), place)
    _compare(data, place, tail, where, "the directory at the end")
    if len(data) > place + len(tail):
        _refuse(where, place + len(tail), len(data), "stands behind the end")
    return entries


def _pair(names: tuple[str, str]) -> str:
    return " and ".join(printable(name) for name in names)


def _entry(data: memoryview, place: int, where: str) -> Entry:
    if len(data) < place + _LOCAL.size:
        _refuse(where, place, len(data), "the bundle is cut")
    fields = _LOCAL.unpack_from(data, place)
    checksum, size, name_length = fields[6], fields[8], fields[9]
    start = place + _LOCAL.size + name_length
    raw = bytes(data[place + _LOCAL.size : start])
    path = raw.decode("utf-8", "replace")
    if not is_portable(path) or path.encode() != raw:
        _refuse(where, place, start, f"{printable(path)!r} is no path that a bundle may hold")
    if len(data) < start + size:
        _refuse(where, place, len(data), f"{printable(path)}: the bundle is cut")
    return Entry(path, data[start : start + size], start, checksum)


def _compare(data: memoryview, place: int, expected: bytes, where: str, what: str) -> None:
    found = bytes(data[place : place + len(expected)])
    if found != expected:
        pairs = enumerate(zip(found, expected, strict=False))
        first = next((n for n, (a, b) in pairs if a != b), len(found))
        _refuse(where, place + first, place + len(expected), f"{what} is not as it must be")


def _refuse(where: str, start: int, end: int, why: str) -> NoReturn:
    raise DocumentError(
        f"{where}: bytes {start:,} to {end:,}: {why}; "
        "only a file that `fedcheck bundle` wrote and nobody packed again is evidence"
    )


def _local(name: bytes, checksum: int, size: int) -> bytes:
    fixed = _LOCAL.pack(
        MAGIC, _VERSION, _UTF8, _STORED, _TIME, _DAY, checksum, size, size, len(name), 0
    )
    return fixed + name


def _central(name: bytes, checksum: int, size: int, place: int) -> bytes:
    fixed = _CENTRAL.pack(
        b"PK\x01\x02",
        _UNIX | _VERSION,
        _VERSION,
        _UTF8,
        _STORED,
        _TIME,
        _DAY,
        checksum,
        size,
        size,
        len(name),
        0,
        0,
        0,
        0,
        _MODE,
        place,
    )
    return fixed + name


def _end(files: int, size: int, place: int) -> bytes:
    return _END.pack(b"PK\x05\x06", 0, 0, files, files, size, place, 0)
