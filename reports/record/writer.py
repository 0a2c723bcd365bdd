"""Writes a run record while the run goes on.

The judged kernel runs as the same user and may reach the file. What was written is therefore
added up in memory, and compared with the file at the end.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from ...invariants.vocabulary.errors import RecordChanged, UsageError
from ..console.escape import printable
from ..console.files import OWNER_ALONE, refuse_to_replace
from .model import BodyLine, Header, RunRecord, Summary
from .seal import Seal, encode_line

UNFINISHED = ".part"
"""What the name of a record ends with until it is sealed."""


_RECORD = b'"format":"fedcheck-record/'


class RecordWriter:
    """A record that grows line by line; each line is on its way to the disk at once.

    It grows in ``NAME.part`` and takes its name when ``finish`` has sealed it. A run that dies
    before leaves ``NAME.part``, which shows how far it came and which no reader accepts. Only
    their owner may read and write them.

    Args:
        path: where to write; an existing file is replaced at the end.
        header: the first line, written at once.

    Raises:
        UsageError: the file cannot be written, is no regular one, or another run writes it.
    """

    def __init__(self, path: str | Path, header: Header) -> None:
        self._path = Path(path)
        self._part = self._path.with_name(f"{self._path.name}{UNFINISHED}")
        self._seal = Seal()
        self._file = self._open()
        try:
            self._put(encode_line(header))
        except BaseException:
            self._file.close()
            raise

    def write(self, line: BodyLine) -> None:
        """Write one more line.

        Raises:
            UsageError: the file cannot be written any more.
            DocumentError: the line holds a number that JSON does not have.
        """
        self._put(encode_line(line))

    def finish(self, summary: Summary) -> str:
        """Write summary and footer, close the file, and give it its name.

        Returns:
            The SHA-256 of the whole record.

        Raises:
            RecordChanged: the file does not hold what was written; it keeps its unfinished name.
            UsageError: as ``write``.
        """
        self._put(encode_line(summary))
        self._put(encode_line(self._seal.footer()))
        with self._telling():
            os.fsync(self._file.fileno())
            self._compare()
            self._part.replace(self._path)
        self.close()
        return self._seal.sha256

    def close(self) -> None:
        """Close the file; without ``finish`` the record stays without footer."""
        self._file.close()

    def __enter__(self) -> RecordWriter:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _open(self) -> BinaryIO:
        for path in (self._path, self._part):
            if path.exists() and not path.is_file():
                raise UsageError(f"{printable(str(path))}: is no regular file; name another one")
        with self._telling():
            refuse_to_replace(self._path, lambda line: _RECORD in line, "record of a run")
        with self._telling():
            file = os.fdopen(_private(self._part), "a+b")
        if not _locked(file):
            file.close()
            raise UsageError(
                f"{printable(str(self._part))}: another run writes it; wait for it, or give each "
                "run a record of its own"
            )
        file.truncate(0)
        return file

    def _put(self, line: bytes) -> None:
        start, take_back = self._file.tell(), self._seal.mark()
        try:
            with self._telling():
                self._file.write(line)
                self._file.flush()
            self._seal.add(line)
        except BaseException:  # Ctrl-C may fall into the middle of a line
            take_back()
            with suppress(OSError):
                self._file.truncate(start)
            raise

    def _compare(self) -> None:
        if hashlib.sha256(self._part.read_bytes()).hexdigest() != self._seal.sha256:
            raise RecordChanged(
                f"{printable(str(self._part))}: does not hold what the run wrote: something else "
                "changed it meanwhile, perhaps the kernel; do not rely on it, look at what the "
                "kernel starts, and run again where it cannot reach the file"
            )

    @contextmanager
    def _telling(self) -> Generator[None]:
        try:
            yield
        except OSError as error:
            raise UsageError(
                f"{printable(str(self._path))}: the record cannot be written: "
                f"{error.strerror or error}; name a file in a folder that exists, is writable and "
                "has room"
            ) from None


def _private(path: Path) -> int:
    """Open a file for its owner alone: what a kernel says may be nobody else's business."""
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
    handle = os.open(path, flags, OWNER_ALONE)
    with suppress(OSError):  # a file system without modes, or somebody else's file
        path.chmod(OWNER_ALONE)
    return handle


def _locked(file: BinaryIO) -> bool:
    """Lock a file, as far as the system has locks; return whether nobody else has it locked."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True


def write_record(path: str | Path, record: RunRecord) -> None:
    """Write a whole record at once. Errors as ``RecordWriter``."""
    with RecordWriter(path, record.header) as writer:
        for line in record.body():
            writer.write(line)
        writer.finish(record.summary)
