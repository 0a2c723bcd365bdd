"""Who does the work: this process, or several of this machine."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import Protocol, TypeVar

from ...invariants.vocabulary.errors import KernelError
from ..driving.interrupts import become_worker

T = TypeVar("T")
R = TypeVar("R")

TRIES = 3
"""How often a part is tried of which the process is lost."""

AHEAD = 3
"""Parts for each worker that are given out at the same time: so few wait in memory."""


class Workers(Protocol):
    """Calls a function for each of some items."""

    @property
    def count(self) -> int:
        """How many work at the same time."""
        ...

    def each(self, function: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
        """Yield what the function returns, in any order."""
        ...


class Alone:
    """This process does everything."""

    count = 1

    def each(self, function: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
        """Yield what the function returns, one after the other."""
        return map(function, items)


class Processes:
    """Several processes of this machine; what one did not end that is lost, another does.

    Args:
        count: how many.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self._pool = self._made()

    def _made(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self.count, context, become_worker, (os.getpid(),))

    def each(self, function: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
        """Yield what the function returns, as soon as it does.

        Raises:
            KernelError: processes were ended again and again.
        """
        waiting, again = iter(items), list[T]()
        for _ in range(TRIES):
            running: dict[Future[R], T] = {}
            try:
                yield from self._done(function, waiting, again, running)
                return
            except BrokenProcessPool:
                again += running.values()
                self.close()
                self._pool = self._made()
        raise lost()

    def _done(
        self,
        function: Callable[[T], R],
        waiting: Iterator[T],
        again: list[T],
        running: dict[Future[R], T],
    ) -> Iterator[R]:
        """Yield what is done until a process is lost; what is yielded is running no longer."""
        while True:
            room = AHEAD * self.count - len(running)
            again += islice(waiting, max(0, room - len(again)))
            while again and len(running) < AHEAD * self.count:
                running[self._pool.submit(function, again[-1])] = again[-1]
                again.pop()
            if not running:
                return
            for done in wait(running, return_when=FIRST_COMPLETED).done:
                result = done.result()
                del running[done]
                yield result

    def close(self) -> None:
        """Let the processes go."""
        self._pool.shutdown(cancel_futures=True)


def lost() -> KernelError:
    """Return what is to be raised where processes are ended again and again."""
    return KernelError(
        f"processes that judged were ended {TRIES} times, by the system or by hand; if memory was "
        "short, ask for fewer with --workers"
    )


def cores() -> int:
    """Return how many processes this one may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # pragma: no cover  not on every system
        return os.cpu_count() or 1
