"""Files that a user names: one that cannot be read or written is told, with what to do next."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from ...invariants.vocabulary.errors import FedcheckError, UsageError
from .escape import printable


@contextmanager
def reading(
    path: str | Path,
    remedy: str = "name a file that can be read",
    *,
    error: type[FedcheckError] = UsageError,
) -> Generator[None]:
    """Turn what the system says against reading a file inside the block into one of our errors.

    Args:
        path: the file, as messages name it.
        remedy: what to do next.
        error: the error to raise.
    """
    with _told(path, "read", remedy, error):
        yield


@contextmanager
def writing(
    path: str | Path, remedy: str = "name a file in a folder that exists and has room"
) -> Generator[None]:
    """Turn what the system says against writing a file or folder into a ``UsageError``.

    Args:
        path: the file or folder, as messages name it.
        remedy: what to do next.
    """
    with _told(path, "written", remedy, UsageError):
        yield


@contextmanager
def _told(path: str | Path, done: str, remedy: str, kind: type[FedcheckError]) -> Generator[None]:
    try:
        yield
    except OSError as error:
        why = error.strerror or str(error)
        raise kind(f"{printable(str(path))}: cannot be {done}: {why}; {remedy}") from None
