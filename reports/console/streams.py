"""Standard output and error that nobody reads any more, or that have no room.

A reader such as ``head`` leaves when it has seen enough: what it does not read is dropped, and
the exit code stays what it is. A full disk is told, since somebody will look for what is missing.
"""

from __future__ import annotations

import io
import os
import sys

TYPE_CHECKING = False  # the module of that name takes as long as half a run that is said again
if TYPE_CHECKING:
    from typing import TextIO

    from _typeshed import ReadableBuffer

_ASCII = ("ascii", "us-ascii", "ansi_x3.4-1968", "646")


class _Patient(io.FileIO):
    """A stream in which no write fails: once one could not be done, all go nowhere."""

    problem = ""

    def write(self, data: ReadableBuffer, /) -> int:
        """Write bytes, or drop them; return how many were taken."""
        try:
            return super().write(data)
        except BrokenPipeError:
            pass
        except OSError as error:
            self.problem = error.strerror or str(error)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self.fileno())
        os.close(nowhere)
        return memoryview(data).nbytes


class Streams:
    """Standard output and error of this process while a command runs."""

    def __init__(self) -> None:
        """Take both over; one that somebody has put in their place is left alone."""
        self._output = _taken("stdout")
        _taken("stderr")

    def problem(self) -> str:
        """Return why output is lost; empty if none is, or if nobody wanted it."""
        if self._output is None:
            return ""
        sys.stdout.flush()
        return self._output.problem


def takes_text_as_it_is(stream: TextIO) -> bool:
    """Tell whether text needs no more than to be written: click does more for some streams."""
    is_console = sys.platform == "win32" and stream.isatty()
    return (stream.encoding or "").lower() not in _ASCII and not is_console


def _taken(name: str) -> _Patient | None:
    stream: io.TextIOWrapper | None = getattr(sys, name)
    if stream is None:  # closed from outside, as by `>&-`: what is opened next would become it
        setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115
        return None
    if stream is not getattr(sys, f"__{name}__"):
        return None
    stream.flush()
    raw = _Patient(stream.fileno(), "wb", closefd=False)
    patient = io.TextIOWrapper(
        io.BufferedWriter(raw),
        encoding=stream.encoding,
        errors=stream.errors,
        newline="\n",
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )
    setattr(sys, name, patient)
    return raw
