"""Starts an audit with whoever is to do the work."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Protocol

from .auditing import Asked, Audit, Audited, Progress, size_of
from .files import expand
from .recording import Source
from .workers import Alone, Processes, Workers, cores

_LITTLE = 16 * 2**20
"""Bytes below which starting a second process takes longer than it spares."""


class Auditor(Source, Protocol):
    """An audit that is ready to run."""

    def run(self) -> Audited:
        """Do it."""
        ...


@contextmanager
def started(
    asked: Asked, progress: Progress, *, workers: int | None = None, dask: str | None = None
) -> Generator[Auditor]:
    """Give an audit that is ready to run.

    Args:
        asked: what is to be audited.
        progress: is told how it goes on.
        workers: how many processes, of a local cluster where Dask is installed; 0 or ``None``
            decides by the size of the files, and starts plain ones.
        dask: address of a scheduler of Dask.

    Raises:
        UsageError: nothing is there to read, or the scheduler cannot be reached.
    """
    if dask:
        from .dasked import on_cluster

        with on_cluster(asked, dask, progress) as audit:
            yield audit
        return
    little = size_of(expand(asked.targets)) <= _LITTLE
    count = workers or (1 if little else cores())
    with _working(count, is_asked_for=bool(workers)) as some, Audit(asked, some, progress) as audit:
        yield audit


@contextmanager
def _working(count: int, *, is_asked_for: bool) -> Generator[Workers]:
    if count == 1:
        yield Alone()
    elif is_asked_for and find_spec("distributed"):
        from .dasked import local_cluster

        with local_cluster(count) as some:
            yield some
    else:
        processes = Processes(count)
        try:
            yield processes
        finally:
            processes.close()
