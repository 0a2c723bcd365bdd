"""Starts an audit with whoever is to do the work."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Protocol

from .auditing import Asked, Audit, Audited, Progress, size_of
from .files import expand
from .recording import Source
from .workers import Alone, Processes, cores

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
        workers: how many processes; 0 or ``None`` decides by the size of the files.
        dask: address of a scheduler of Dask.

    Raises:
        UsageError: nothing is there to read, or the scheduler cannot be reached.
    """
    if dask:
        from .dasked import on_cluster

        with on_cluster(asked, dask, progress) as audit:
            yield audit
        return
    files = expand(asked.targets)
    count = workers or (cores() if size_of(files) > _LITTLE else 1)
    if count == 1:
        with Audit(asked, Alone(), progress) as audit:
            yield audit
        return
    pool = Processes(count)
    try:
        with Audit(asked, pool, progress) as audit:
            yield audit
    finally:
        pool.close()
