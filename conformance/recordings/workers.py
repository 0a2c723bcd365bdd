"""Who does the work: this process, several of this machine."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Protocol, TypeVar

T = TypeVar("T")
R = TypeVar("R")


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
    """Several processes of this machine; use it as a context."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._pool = ProcessPoolExecutor(count, multiprocessing.get_context("spawn"))

    def each(self, function: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
        """Yield what the function returns, as soon as it does."""
        for done in as_completed([self._pool.submit(function, item) for item in items]):
            yield done.result()

    def close(self) -> None:
        """Let the processes go."""
        self._pool.shutdown(cancel_futures=True)


def cores() -> int:
    """Return how many processes this one may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # pragma: no cover  not on every system
        return os.cpu_count() or 1
