"""A cluster of Dask: joined, and given work."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from typing import Any, cast

from ...invariants.vocabulary.errors import UsageError
from ...reports.console.escape import printable
from ..settings.extras import extra

_WAIT = "60s"


def submitted(client: Any, function: Callable[..., object], *words: object) -> Any:
    """Let a worker call a function, again if the worker is lost; return the future."""
    return client.submit(partial(_called, function), *words, pure=False, retries=3)


def _called(function: Callable[..., object], *words: object) -> object:
    return function(*words)


@contextmanager
def joined(address: str) -> Generator[Any]:
    """Give a client of a cluster.

    Raises:
        UsageError: Dask is not installed, or the scheduler cannot be reached.
    """
    distributed = cast("Any", extra("distributed", "dask"))
    try:
        client = distributed.Client(address, timeout=_WAIT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise UsageError(
            f"{printable(address)}: no scheduler answers: {printable(str(error))}; start one with "
            "`dask scheduler`, and workers with `dask worker`"
        ) from None
    try:
        yield client
    finally:
        client.close()
