"""Who does the work: this process, or several of this machine."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import Protocol, TypeVar

from ...invariants.vocabulary.errors import KernelError
from ..driving.interrupts import become_worker

T = TypeVar("T")
R = TypeVar("R")

TRIES = 3
"""How often a part is tried of which the process is lost."""


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
        left = dict(enumerate(items))
        for _ in range(TRIES):
            yield from self._done(function, left)
            if not left:
                return
        raise lost()

    def _done(self, function: Callable[[T], R], left: dict[int, T]) -> Iterator[R]:
        """Yield what is done until a process is lost; what is yielded is left no longer."""
        try:
            running = {self._pool.submit(function, item): key for key, item in left.items()}
            for done in as_completed(running):
                result = done.result()
                del left[running.pop(done)]
                yield result
        except BrokenProcessPool:
            self.close()
            self._pool = self._made()

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
