"""Writes a run record while the run goes on."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from ...invariants.vocabulary.errors import UsageError
from .model import BodyLine, Footer, Header, RunRecord, Summary
from .seal import Seal, encode_line


class RecordWriter:
    """A record that grows line by line; each line is on its way to the disk at once.

    Only ``finish`` writes the summary and the footer. A run that dies before leaves a record
    without footer, which shows how far it came and which no reader accepts as complete.

    Args:
        path: where to write; an existing file is replaced.
        header: the first line, written at once.

    Raises:
        UsageError: the file cannot be written.
    """

    def __init__(self, path: str | Path, header: Header) -> None:
        self._path = Path(path)
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

    def finish(self, summary: Summary) -> None:
        """Write summary and footer, and close the file. Errors as ``write``.

        The footer seals what is in the file, whatever interrupted the writing before.
        """
        self._put(encode_line(summary))
        self._put(encode_line(self._sealed()))
        self.close()

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
        try:
            return self._path.open("w+b")
        except OSError as error:
            raise self._unwritable(error) from None

    def _put(self, line: bytes) -> None:
        start = self._file.tell()
        try:
            self._file.write(line)
            self._file.flush()
        except OSError as error:
            self._cut(start)
            raise self._unwritable(error) from None
        except BaseException:  # Ctrl-C may fall into the middle of a line
            self._cut(start)
            raise

    def _cut(self, start: int) -> None:
        with suppress(OSError):
            self._file.seek(start)
            self._file.truncate()

    def _sealed(self) -> Footer:
        seal = Seal()
        self._file.seek(0)
        for line in self._file:
            seal.add(line)
        return seal.footer()

    def _unwritable(self, error: OSError) -> UsageError:
        why = error.strerror or str(error)
        return UsageError(
            f"{self._path}: the record cannot be written: {why}; "
            "name a file in a folder that exists, is writable and has room"
        )


def write_record(path: str | Path, record: RunRecord) -> None:
    """Write a whole record at once. Errors as ``RecordWriter``."""
    with RecordWriter(path, record.header) as writer:
        for line in record.body():
            writer.write(line)
        writer.finish(record.summary)
