"""Lines to and from a child process, under a deadline, without threads."""

from __future__ import annotations

import contextlib
import os
import select
import time
import weakref
from collections.abc import Mapping, Sequence

from ...reports.record.protection import Protection
from .own_process import USUAL, Hosting
from .reaping import owned_process
from .wire import MAX_LINE_BYTES

_CHUNK = 65_536
_STDERR_KEPT = 8192
_LAST_READS = 32
_GLANCE_SECONDS = 0.1
"""How often a silent child is asked whether it still lives: one that has died may have left
a grandchild behind which holds the pipe open."""

_GRACE_SECONDS = 2.0
"""How long a child that closed its stdout may take to exit, and its supervisor to tell of it."""


class Child:
    """A child process that is spoken to in lines.

    Its stderr is read whenever we wait for it, and the last 8 KiB are kept.

    Args:
        command: program and arguments.
        hosting: what its process gets.
        added: further variables of its environment.

    Raises:
        OSError: the command cannot be run.
        UsageError: this system cannot limit memory, or permits no namespace.
        ValueError: an argument holds a NUL character.
    """

    def __init__(
        self,
        command: Sequence[str],
        hosting: Hosting = USUAL,
        added: Mapping[str, str] | None = None,
    ) -> None:
        self._process = owned_process(command, hosting, added)
        self._end = weakref.finalize(self, self._process.end)
        self._received = bytearray()
        self._searched = 0
        self._unsent = memoryview(b"")
        self._at_end = False
        self._stderr = b""
        self._poll = select.poll()
        self._poll.register(self._process.stdout, select.POLLIN)
        self._poll.register(self._process.stderr, select.POLLIN)

    @property
    def pid(self) -> int:
        """Id of the process that goes last, when all others have ended, and of its group."""
        return self._process.pid

    @property
    def protection(self) -> Protection:
        """What keeps all that the child starts from outliving it."""
        return self._process.protection

    @property
    def unsent(self) -> int:
        """Number of bytes that the child has not taken in yet."""
        return len(self._unsent)

    @property
    def unread(self) -> bytes:
        """What has arrived beyond the lines that were read."""
        return bytes(self._received)

    @property
    def stderr_tail(self) -> str:
        """The last text that the child wrote to stderr."""
        return self._stderr.decode("utf-8", "backslashreplace")

    def send(self, data: bytes, deadline: float) -> None:  # noqa: ARG002 - as a link does
        """Hand over ``data``; what does not fit into the pipe is sent while reading."""
        self._unsent = memoryview(data)
        if self._write():
            self._poll.register(self._process.stdin, select.POLLOUT)

    def read_line(self, deadline: float) -> bytes:
        """Return the next line without its line feed.

        Args:
            deadline: a value of ``time.monotonic()``.

        Raises:
            TimeoutError: no whole line arrived before the deadline.
            EOFError: the child has closed its stdout or ended; ``unread`` has the rest.
            BufferError: the line is longer than ``MAX_LINE_BYTES``.
        """
        while True:
            end = self._received.find(b"\n", self._searched)
            if end >= 0:
                line = bytes(self._received[:end])
                del self._received[: end + 1]
                self._searched = 0
                return line
            self._searched = len(self._received)
            if self._searched > MAX_LINE_BYTES:
                raise BufferError
            if self._at_end:
                raise EOFError
            self._pump(deadline)

    def rest(self, deadline: float) -> bytes:  # noqa: ARG002 - as a link does
        """Return what has arrived behind the answer; what comes later is in the next one's way."""
        return self.unread

    def close(self) -> int | None:
        """End the child and all that it started.

        Returns:
            The exit status if it had ended by itself, negative for a signal; else ``None``.
        """
        if not self._end.alive:
            return None
        status = self._status_of_its_own()
        self._process.kill()
        self._read_last_errors()
        self._end()
        return status

    def _status_of_its_own(self) -> int | None:
        grace_ends = time.monotonic() + _GRACE_SECONDS
        while (status := self._process.exit_status()) is None:
            if not self._at_end or time.monotonic() > grace_ends:
                return None
            time.sleep(0.001)
        return status

    def _pump(self, deadline: float) -> None:
        """Wait until something can be read or written, and do it."""
        remaining = deadline - time.monotonic()
        if remaining <= 0:
            raise TimeoutError
        ready = self._poll.poll(min(remaining, _GLANCE_SECONDS) * 1000)
        for fd, _ in ready:
            if fd == self._process.stdout:
                self._read_output()
            elif fd == self._process.stderr:
                self._read_errors()
            elif not self._write():
                self._poll.unregister(self._process.stdin)
        if not ready and self._process.exit_status() is not None:
            self._at_end = True

    def _write(self) -> bool:
        """Write what the pipe takes; return whether it is worth trying again later."""
        try:
            written = os.write(self._process.stdin, self._unsent)
        except BlockingIOError:
            return True
        except BrokenPipeError:
            return False  # it ended or will not read: reading will tell
        self._unsent = self._unsent[written:]
        return bool(self._unsent)

    def _read_output(self) -> None:
        chunk = os.read(self._process.stdout, _CHUNK)
        self._received += chunk
        if not chunk:
            self._at_end = True
            self._poll.unregister(self._process.stdout)

    def _read_errors(self) -> None:
        chunk = os.read(self._process.stderr, _CHUNK)
        self._stderr = (self._stderr + chunk)[-_STDERR_KEPT:]
        if not chunk:
            self._poll.unregister(self._process.stderr)

    def _read_last_errors(self) -> None:
        with contextlib.suppress(BlockingIOError):
            for _ in range(_LAST_READS):
                chunk = os.read(self._process.stderr, _CHUNK)
                self._stderr = (self._stderr + chunk)[-_STDERR_KEPT:]
