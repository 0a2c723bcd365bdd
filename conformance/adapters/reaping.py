"""Processes that are started here and never left behind.

Each has a supervisor, which starts it and ends all that it started: when its owner closes it,
is collected as garbage, leaves the interpreter, or dies of whatever. Both lead sessions of their
own, so that the keyboard's Ctrl-C reaches neither.
"""

from __future__ import annotations

import contextlib
import errno
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from ...invariants.vocabulary.errors import UsageError
from ...reports.record.protection import Protection, Sandbox
from .fatal import before_dying
from .memory import check_limit
from .own_process import USUAL, Hosting
from .passed_environment import passed

_SUPERVISOR = Path(__file__).with_name("supervisor.py")
_PATIENCE_SECONDS = 10.0
"""How long a supervisor may take to end a kernel; one that the kernel stopped never does."""

_LINUX = sys.platform.startswith("linux")

_living: set[OwnedProcess] = set()
_refusals: dict[Protection, str] = {}
"""What this system does not permit, and why: asked once, since a kernel may start often."""


class _Refused(Exception):
    """The system does not permit a way to protect a run."""


def owned_process(
    command: Sequence[str], hosting: Hosting = USUAL, added: Mapping[str, str] | None = None
) -> OwnedProcess:
    """Start a process under the best protection that the system permits.

    Args:
        command: program and arguments.
        hosting: its memory, its variables, and how it is protected.
        added: further variables, which win over ours.

    Raises:
        OSError: the command cannot be run.
        UsageError: this system cannot limit memory, or permits no namespace.
        ValueError: an argument holds a NUL character.
    """
    environment = {**passed(hosting.pass_env), **(added or {})}
    limit = hosting.memory_limit
    check_limit(limit)
    for way in _ways(hosting.sandbox):
        try:
            return OwnedProcess(command, limit or 0, environment, way)
        except _Refused as error:  # noqa: PERF203 - twice at most
            _refusals[way] = str(error)
    why = _refusals.get("pid-namespace", f"{sys.platform} has none")
    raise UsageError(
        f"--sandbox=on: this system gives the kernel no namespace of its own ({why}); permit "
        "unprivileged user namespaces, or leave the option out: the record tells what protected "
        "the run instead"
    )


def _ways(sandbox: Sandbox) -> list[Protection]:
    wanted: dict[Sandbox, tuple[Protection, ...]] = {
        "auto": ("pid-namespace", "subreaper", "none"),
        "on": ("pid-namespace",),
        "off": ("none",),
    }
    return [x for x in wanted[sandbox] if x == "none" or (_LINUX and x not in _refusals)]


class OwnedProcess:
    """A process with pipes for all three streams; our ends do not block.

    Attributes:
        pid: id of its supervisor and of that one's group; it goes last.
        protection: what keeps all that it starts from outliving it; ``none`` once that failed.
    """

    def __init__(
        self, command: Sequence[str], memory: int, environment: dict[str, str], way: Protection
    ) -> None:
        before_dying(_end_living)
        self.protection: Protection = way
        self._owner = os.getpid()
        self._rest = b""
        self._words: list[list[str]] = []
        control, order = os.pipe()
        told, report = os.pipe()
        self._order, self._told = os.fdopen(order, "wb", 0), os.fdopen(told, "rb", 0)
        try:
            self._popen = subprocess.Popen(  # noqa: S603 - the user named the command
                [*_supervisor(way, control, report, memory, environment), *command],
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=environment,
                pass_fds=(control, report),
                start_new_session=True,
            )
        except BaseException:
            self._order.close()
            self._told.close()
            raise
        finally:
            os.close(control)
            os.close(report)
        self.pid = self._popen.pid
        streams = (self._popen.stdin, self._popen.stdout, self._popen.stderr)
        self.stdin, self.stdout, self.stderr = (s.fileno() for s in streams if s is not None)
        for fd in (self.stdin, self.stdout, self.stderr, told):
            os.set_blocking(fd, False)
        _living.add(self)
        try:
            self._begin()
        except BaseException:
            self.end()
            raise

    def exit_status(self) -> int | None:
        """Return the exit status, negative for a signal; ``None`` while the process runs."""
        if self._owner != os.getpid():
            return None  # a fork must not take the words that are for its owner
        lives = self._listen(0)
        for word, *rest in self._words:
            if word == "ended":
                return int(rest[0])
        return None if lives else -signal.SIGKILL  # its supervisor was ended, and it with that

    def end(self) -> None:
        """Kill the process and all that it started, and close the pipes. May be called twice."""
        self.kill()
        if self._owner == os.getpid():
            self._popen.wait()
        for stream in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
            if stream is not None:
                stream.close()
        self._order.close()
        self._told.close()
        _living.discard(self)

    def kill(self) -> None:
        """Have the process and all that it started killed; return when nothing of it is left."""
        if self._owner != os.getpid() or self._told.closed:
            return  # a fork of our owner must not end its owner's children
        self.order_end()
        patience_ends = time.monotonic() + _PATIENCE_SECONDS
        while self._listen(max(0.0, patience_ends - time.monotonic())):
            if time.monotonic() > patience_ends:
                self._popen.kill()
                break
        if ["gone"] not in self._words:
            self.protection = "none"

    def order_end(self) -> None:
        """Tell the supervisor to kill everything, without waiting for it."""
        with contextlib.suppress(OSError, ValueError):  # it has ended, or we have let it go
            self._order.write(b"!")
        self._popen.send_signal(signal.SIGCONT)  # the kernel may have stopped it

    def _begin(self) -> None:
        """Wait until the command runs, or cannot."""
        while not self._words and self._listen(None):
            pass
        word, *rest = self._words[0] if self._words else [""]
        if word == "refused":
            raise _Refused(*rest)
        if word != "started":
            number = int(rest[0]) if rest else errno.ECHILD
            raise OSError(number, os.strerror(number))

    def _listen(self, seconds: float | None) -> bool:
        """Take in what the supervisor says, waiting so long for it; return whether it lives."""
        poll = select.poll()
        poll.register(self._told, select.POLLIN)
        if not poll.poll(None if seconds is None else seconds * 1000):
            return True
        said = self._told.read(65_536)
        if said is None:  # a signal handler of ours was faster
            return True
        *lines, self._rest = (self._rest + said).split(b"\n")
        self._words += [line.decode("utf-8", "replace").split(" ", 1) for line in lines]
        return bool(said)


def _supervisor(
    way: str, control: int, report: int, memory: int, environment: dict[str, str]
) -> list[str]:
    """Return the beginning of its command line."""
    # Linux takes the end of the thread that starts a process for our end.
    in_main_thread = threading.current_thread() is threading.main_thread()
    parent = os.getpid() if in_main_thread else 0
    numbers = [str(number) for number in (control, report, parent, memory)]
    locale = environment.get("LC_CTYPE", "")
    return [sys.executable, "-I", "-S", str(_SUPERVISOR), way, *numbers, locale]


def _end_living() -> None:
    for process in list(_living):
        process.order_end()
    for process in list(_living):
        process.kill()
