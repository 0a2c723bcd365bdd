"""Distributes work over forked processes, where the system can fork."""

from __future__ import annotations

import os
import pickle
import select
import signal
import sys
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

Result = TypeVar("Result")

_SHARES = 512
"""Numbers of two bytes that fit into every pipe while nobody reads it."""
_MOST_BY_ITSELF = 4
"""A container may see far more cores than it may use, and each process takes memory."""

_STEP = 0.5
"""Seconds that an interrupt waits at most."""


def cores() -> int:
    """Return the default number of processes: the usable cores."""
    if sys.platform != "linux":  # elsewhere a fork may break what the system's own threads hold
        return 1
    return min(_MOST_BY_ITSELF, len(os.sched_getaffinity(0)))


def can_fork() -> bool:
    """Tell whether this process can fork: the system has it, and no other thread runs."""
    return hasattr(os, "fork") and threading.active_count() == 1


def shared_out(
    work: Callable[[int], Result], numbers: Sequence[int], processes: int
) -> dict[int, Result]:
    """Run ``work`` for each number, in several processes.

    Results of a process that was killed or raised are missing: the caller repeats them.

    Args:
        work: called with a number; its result can be pickled.
        numbers: those that take longest come first.
        processes: number of processes.
    """
    shares = [numbers[first::_SHARES] for first in range(min(_SHARES, len(numbers)))]
    found: dict[int, Result] = {}
    with suppress(OSError), _queue(len(shares)) as queue, _children() as children:
        for _ in range(processes):
            _start(children, lambda: _worked_off(work, shares, queue))
        for _, answers in children:
            found.update(_answered(_read_whole(answers)))
    return found


@contextmanager
def _queue(length: int) -> Generator[int]:
    """Provide a pipe with the numbers below a length; a process takes one by reading it."""
    queue, entrance = os.pipe()
    try:
        os.write(entrance, b"".join(number.to_bytes(2, "big") for number in range(length)))
        os.close(entrance)
        yield queue
    finally:
        os.close(queue)


@contextmanager
def _children() -> Generator[list[tuple[int, int]]]:
    """Provide a list of (process, pipe); all are ended at exit."""
    children: list[tuple[int, int]] = []
    try:
        yield children
    finally:
        for child, answers in children:
            with suppress(OSError):
                os.kill(child, signal.SIGKILL)
            os.close(answers)
            with suppress(OSError):
                os.waitpid(child, 0)


def _start(children: list[tuple[int, int]], work: Callable[[], bytes]) -> None:
    """Fork a process and add it to the list; interrupts are blocked between the two."""
    answers, entrance = os.pipe()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    child = None
    try:
        child = os.fork()
        if child:
            children.append((child, answers))
    finally:
        if child != 0:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
    if child:
        os.close(entrance)
        return
    try:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        with os.fdopen(entrance, "wb") as file:
            file.write(work())
    finally:  # also after an interrupt: what was buffered for the terminal is the parent's
        os._exit(0)


def _worked_off(
    work: Callable[[int], object], shares: Sequence[Sequence[int]], queue: int
) -> bytes:
    done: list[bytes] = []
    parent = os.getppid()
    while os.getppid() == parent and (taken := os.read(queue, 2)):  # else nobody waits any more
        for number in shares[int.from_bytes(taken, "big")]:
            with suppress(Exception):
                done.append(pickle.dumps((number, work(number))))
    return pickle.dumps(done)


def _read_whole(answers: int) -> bytes:
    """Read a pipe to its end, and wait in steps.

    An interrupt that arrives just before a read that blocks is only handled after it.
    """
    parts: list[bytes] = []
    while True:
        if not select.select([answers], [], [], _STEP)[0]:
            continue
        part = os.read(answers, 1 << 20)
        if not part:
            return b"".join(parts)
        parts.append(part)


def _answered(data: bytes) -> Iterator[Any]:
    """Yield the numbers and results of a process; nothing if it did not finish."""
    with suppress(Exception):  # it was killed while it wrote
        yield from map(pickle.loads, pickle.loads(data))  # noqa: S301 - written by our own process
