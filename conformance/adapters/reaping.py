"""Processes that are started here and never left behind.

A child leads a session of its own, so that the keyboard's Ctrl-C does not reach it and one
signal ends all that it started. Its end comes when its owner closes it, is collected as
garbage, leaves the interpreter, or dies of SIGTERM or SIGHUP.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import uuid
from collections.abc import Sequence
from pathlib import Path

from .fatal import before_dying
from .memory import limiter
from .passed_environment import passed

_MARK = "FEDCHECK_CHILD"
"""Environment variable by which descendants that left the process group are found."""

_living: set[OwnedProcess] = set()


class OwnedProcess:
    """A child process with pipes for all three streams; our ends do not block.

    Args:
        command: program and arguments.
        memory_limit: bytes of memory that it, and each process that it starts, may have.
        pass_env: variables that it gets beside the usual ones.

    Raises:
        OSError: the command cannot be run.
        UsageError: this system cannot limit memory.
        ValueError: an argument holds a NUL character.
    """

    def __init__(
        self,
        command: Sequence[str],
        memory_limit: int | None = None,
        pass_env: tuple[str, ...] = (),
    ) -> None:
        limit_memory = limiter(memory_limit)
        before_dying(_kill_living)
        self._mark = f"{_MARK}={uuid.uuid4().hex}"
        self._owner = os.getpid()
        self.popen = subprocess.Popen(  # noqa: S603 - the user named the command
            command,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={
                **passed(pass_env),
                _MARK: self._mark.partition("=")[2],
            },
            start_new_session=True,
        )
        _living.add(self)
        self.pid = self.popen.pid
        limit_memory(self.pid)
        streams = (self.popen.stdin, self.popen.stdout, self.popen.stderr)
        self.stdin, self.stdout, self.stderr = (s.fileno() for s in streams if s is not None)
        for fd in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(fd, False)

    def exit_status(self) -> int | None:
        """Return the exit status, negative for a signal; ``None`` while the process runs.

        Does not reap: the process id, which is also its group's, stays taken until ``end``.
        """
        if self.popen.returncode is not None or not hasattr(os, "waitid"):
            return self.popen.poll()
        try:
            seen = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:  # a fork of the owner asks, or SIGCHLD is ignored
            return self.popen.poll()
        if seen is None:
            return None
        return seen.si_status if seen.si_code == os.CLD_EXITED else -seen.si_status

    def end(self) -> None:
        """Kill the process and all that it started, reap it, close the pipes."""
        if self.popen.returncode is None and self._owner == os.getpid():
            self.kill()
            self.popen.wait()
        for stream in (self.popen.stdin, self.popen.stdout, self.popen.stderr):
            if stream is not None:
                stream.close()
        _living.discard(self)

    def kill(self) -> None:
        """Send SIGKILL to the process's group and to descendants that left it."""
        if self._owner != os.getpid():
            return  # a fork of our owner must not end its owner's children
        strays = self._strays()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        for stray in strays:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(stray, signal.SIGKILL)

    def _strays(self) -> list[int]:
        """Return descendants in other sessions; only Linux shows them."""
        mark = self._mark.encode()
        return [
            int(folder.name)
            for folder in Path("/proc").glob("[0-9]*")
            if mark in _read(folder / "environ") and int(folder.name) != self.pid
        ]


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _kill_living() -> None:
    for process in list(_living):
        process.kill()
