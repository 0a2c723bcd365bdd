"""The process between us and a kernel: it starts the kernel, and ends all that it started.

A program of its own, ``python -I -S supervisor.py WAY CONTROL REPORT PARENT MEMORY LC_CTYPE
COMMAND…``, which starts fast because it imports nothing of ours. The kernel is ended when
something comes out of the pipe ``CONTROL``, when that pipe ends, or when ``PARENT`` does. What
becomes of it goes line by line into the pipe ``REPORT``: ``refused WHY``, ``failed ERRNO`` or
``started``; ``ended STATUS``; ``gone`` if nothing of it is left.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence

_NAMESPACE = "pid-namespace"
_SUBREAPER = "subreaper"

_PATIENCE_SECONDS = 5.0
"""How long descendants are hunted that multiply, or that we may not end."""

_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4
_PR_CAPBSET_DROP = 24
_PR_SET_CHILD_SUBREAPER = 36
_CAP_SYS_ADMIN = 21
_CLONE_NEWNS = 0x0002_0000
_CLONE_NEWUSER = 0x1000_0000
_CLONE_NEWPID = 0x2000_0000
_MS_NOSUID_NODEV_NOEXEC = 2 | 4 | 8


class _Report:
    """The pipe into which we say what becomes of the kernel."""

    def __init__(self, fd: int) -> None:
        os.set_inheritable(fd, False)
        self._fd = fd

    def say(self, text: str) -> None:
        with contextlib.suppress(OSError):  # nobody reads any more
            os.write(self._fd, f"{text}\n".encode("utf-8", "replace"))


class _Refused(Exception):
    """The system does not permit the protection that was asked for."""


def main(arguments: Sequence[str]) -> None:
    """Start a command, wait until it ends or is to be ended, and leave nothing of it."""
    way, control, report, parent, memory, locale, *command = arguments
    _undo_coercion(locale)
    os.set_inheritable(int(control), False)
    told = _Report(int(report))
    alarm = _alarm()
    try:
        if way == _NAMESPACE:
            _enter_namespaces()
        with contextlib.suppress(OSError):
            _prctl(_PR_SET_DUMPABLE, 0)  # what we hold open is not for the kernel
        if int(parent):
            die_with(int(parent), signal.SIGTERM)
        if way == _NAMESPACE:
            first = _started_init(command, int(memory), told)
        else:
            if way == _SUBREAPER:
                _prctl(_PR_SET_CHILD_SUBREAPER, 1)
            first = _started(command, int(memory), told)
    except (_Refused, OSError) as error:
        told.say(f"refused {error}")
        return
    if first:
        _let_go_of_streams()
        ended = _waited(int(control), alarm, first, told if way != _NAMESPACE else None)
        if _end(way, first, ended=ended):
            told.say("gone")


def die_with(parent: int, number: int) -> None:
    """Have the system send us a signal when our parent ends, however it ends; Linux only.

    Args:
        parent: its process id. Linux takes the end of the *thread* that started us for its end.
        number: the signal.
    """
    with contextlib.suppress(OSError):
        _prctl(_PR_SET_PDEATHSIG, number)
    if os.getppid() != parent:
        os._exit(0)  # it ended before we asked


def _undo_coercion(locale: str) -> None:
    """Give the environment back what Python changed in it if it was started in the locale C."""
    os.environ.pop("LC_CTYPE", None)
    if locale:
        os.environ["LC_CTYPE"] = locale


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _prctl(option: int, value: int) -> None:
    if not sys.platform.startswith("linux"):
        raise OSError("only Linux has prctl")
    if _libc().prctl(option, value, 0, 0, 0):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def _alarm() -> int:
    """Return a pipe out of which comes the number of each signal that we must hear of."""
    alarm, entrance = os.pipe()
    os.set_blocking(entrance, False)
    signal.set_wakeup_fd(entrance, warn_on_full_buffer=False)
    for number in (signal.SIGCHLD, signal.SIGTERM):
        signal.signal(number, lambda _number, _frame: None)
    return alarm


def _enter_namespaces() -> None:
    """Move into new namespaces, in which users and groups are who they are outside.

    Raises:
        _Refused: the system does not permit it.
        OSError: nor this.
    """
    user, group = os.geteuid(), os.getegid()  # inside, they are nobody's until they are mapped
    map_all = _mapper() if user == 0 else lambda: False
    if _libc().unshare(_CLONE_NEWUSER | _CLONE_NEWPID | _CLONE_NEWNS):
        raise _Refused(f"new namespaces: {os.strerror(ctypes.get_errno())}")
    if map_all():
        return
    _write("/proc/self/setgroups", "deny")
    _write("/proc/self/uid_map", f"{user} {user} 1")
    _write("/proc/self/gid_map", f"{group} {group} 1")


def _mapper() -> Callable[[], bool]:
    """Return what has every id mapped to itself, by a process that stays outside: root's right.

    With its own id alone, root could not write files of others, as it can outside.
    """
    waits, order = os.pipe()
    moving = os.getpid()
    helper = os.fork()
    if not helper:
        os.close(order)
        os._exit(0 if os.read(waits, 1) and _all_mapped(moving) else 1)
    os.close(waits)

    def map_all() -> bool:
        os.write(order, b"!")
        return os.waitpid(helper, 0)[1] == 0

    return map_all


def _all_mapped(pid: int) -> bool:
    try:
        for name in ("uid_map", "gid_map"):
            with open(f"/proc/self/{name}", encoding="ascii") as file:  # noqa: PTH123 - fast start
                ranges = [line.split() for line in file]
            same = [f"{inside} {inside} {count}" for inside, _, count in ranges]
            _write(f"/proc/{pid}/{name}", "\n".join(same))
    except OSError:
        return False
    return True


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="ascii") as file:  # noqa: PTH123 - fast start
        file.write(text)


def _started_init(command: list[str], memory: int, told: _Report) -> int:
    """Start the first process of the new namespace, with which all others end; return its id."""
    outside = os.getpid()
    init = os.fork()
    if init:
        return init
    try:
        signal.set_wakeup_fd(-1)
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if _libc().mount(b"proc", b"/proc", b"proc", _MS_NOSUID_NODEV_NOEXEC, None):
            told.say(f"refused a /proc of its own: {os.strerror(ctypes.get_errno())}")
            return 0
        with contextlib.suppress(OSError):  # kernels that run side by side have ids of their own
            _write("/proc/sys/kernel/ns_last_pid", str(outside - 1))
        kernel = _started(command, memory, told, in_namespace=True)
        _let_go_of_streams()
        while kernel:
            pid, status = os.wait()
            if pid == kernel:
                told.say(f"ended {os.waitstatus_to_exitcode(status)}")
                break
    finally:
        os._exit(0)


def _started(command: list[str], memory: int, told: _Report, *, in_namespace: bool = False) -> int:
    """Start the kernel; return its process id, or 0 if it could not be started."""
    failure, tell = os.pipe()
    kernel = os.fork()
    if not kernel:
        _become(command, tell, in_namespace=in_namespace)
    os.close(tell)
    number = os.read(failure, 16).decode()
    os.close(failure)
    if number:
        os.waitpid(kernel, 0)
        told.say(f"failed {number}")
        return 0
    if memory:
        _limit(kernel, memory)
    told.say("started")
    return kernel


def _become(command: list[str], tell: int, *, in_namespace: bool) -> None:
    try:
        os.setsid()
        with contextlib.suppress(OSError):
            _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
            if in_namespace:
                # Root in here could take our /proc away and look at the one beneath it.
                _prctl(_PR_CAPBSET_DROP, _CAP_SYS_ADMIN)
        for number in (signal.SIGPIPE, signal.SIGXFSZ):  # which Python ignores
            signal.signal(number, signal.SIG_DFL)
        os.execvp(command[0], command)  # noqa: S606 - the user named the command
    except OSError as error:
        os.write(tell, str(error.errno).encode())
    finally:
        os._exit(1)


def _limit(pid: int, memory: int) -> None:
    import resource

    with contextlib.suppress(ProcessLookupError):  # it has already ended
        resource.prlimit(pid, resource.RLIMIT_DATA, (memory, memory))


def _let_go_of_streams() -> None:
    """Close our copies of the kernel's streams, so that their end is seen when it closes its."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    os.close(nothing)


def _waited(control: int, alarm: int, first: int, told: _Report | None) -> bool:
    """Return whether our first child has ended by itself, and has been reaped."""
    poll = select.poll()
    poll.register(control, select.POLLIN)
    poll.register(alarm, select.POLLIN)
    while True:
        ready = {fd for fd, _ in poll.poll()}
        numbers = os.read(alarm, 4096) if alarm in ready else b""
        if numbers and _reaped(first, told):
            return True
        if control in ready or signal.SIGTERM in numbers:
            return False


def _reaped(first: int, told: _Report | None) -> bool:
    """Reap whatever has ended, and what it left to us; tell whether our first child is among it."""
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == first and told is not None:
                told.say(f"ended {os.waitstatus_to_exitcode(status)}")
            if pid in {0, first}:
                return pid == first
    return False


def _end(way: str, first: int, *, ended: bool) -> bool:
    """End our first child and all that came from it; return whether it is certain that it has."""
    if way == _NAMESPACE:
        if not ended:
            os.kill(first, signal.SIGKILL)
            os.waitpid(first, 0)  # returns when the namespace is empty
        return True
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(first, signal.SIGKILL)
    if way == _SUBREAPER:
        return _all_ended()
    if not ended:
        os.waitpid(first, 0)
    return False


def _all_ended() -> bool:
    """End our children until we have none; the children of each that ends become ours."""
    patience_ends = time.monotonic() + _PATIENCE_SECONDS
    while time.monotonic() < patience_ends:
        try:
            if os.waitpid(-1, os.WNOHANG)[0]:
                continue
        except ChildProcessError:
            return True
        for child in _children():  # not reaped yet, so its id is not another's
            with contextlib.suppress(PermissionError):
                os.kill(child, signal.SIGKILL)
        time.sleep(0.001)
    return False


def _children() -> Iterator[int]:
    us = str(os.getpid())
    for name in os.listdir("/proc"):  # noqa: PTH208 - fast start
        if not name.isdigit():
            continue
        with contextlib.suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:  # noqa: PTH123
            if file.read().rpartition(b") ")[2].split()[1] == us.encode():
                yield int(name)


if __name__ == "__main__":
    main(sys.argv[1:])
    os._exit(0)  # no time for the interpreter to tidy up
