"""The cache folder: atomic writes, and removal of old files."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from .kept_runs import SUFFIX

EXTENSION_SUFFIX = ".fedcheck-extension"
"""Of files that hold what was found in one extension."""
MOST_BYTES = 64_000_000
"""Of all files together."""
MOST_DAYS = 30
"""Days after which a file that nobody asked for is removed."""
_A_WHILE = 3_600
"""Seconds after which it is noted again that a file is used."""
_SUFFIXES = (SUFFIX, EXTENSION_SUFFIX)
_TAG = (
    "Signature: 8a477f597d28d172789f06886806bc55\n"
    "# What `fedcheck lint` has said of unchanged files. It may be removed at any time.\n"
)
"""https://bford.info/cachedir/"""
_UNREPEATABLE = (" stopped", "report this rule", "nested too deeply")
"""What stands in notes about what may go otherwise the next time."""


def is_repeatable(notes: Iterable[str]) -> bool:
    """Tell whether a run with these notes is deterministic."""
    return not any(mark in note for note in notes for mark in _UNREPEATABLE)


def write(folder: Path, name: str, data: bytes) -> None:
    """Write a file atomically; one that is too large is not written.

    Raises:
        OSError: it cannot be written.
    """
    import tempfile

    if len(data) > MOST_BYTES // 4:
        return
    if not folder.is_dir():
        folder.mkdir(mode=0o700, parents=True)
        (folder / "CACHEDIR.TAG").write_text(_TAG, encoding="ascii")
        (folder / ".gitignore").write_text("*\n", encoding="ascii")
    handle, temporary = tempfile.mkstemp(dir=folder, prefix="new-", suffix=Path(name).suffix)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(temporary).replace(folder / name)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(temporary).unlink()
        raise


def mark_as_used(path: str) -> None:
    """Update the time of a file, so that others are removed before it.

    Raises:
        OSError: it cannot be noted.
    """
    if os.stat(path).st_mtime < time.time() - _A_WHILE:  # noqa: PTH116 - for each extension
        os.utime(path)


def remove_old(folder: Path) -> None:
    """Remove expired files, and the oldest beyond the limit of size."""
    left = MOST_BYTES
    oldest = time.time() - MOST_DAYS * 86_400
    for seen, size, path in sorted(_files(folder), reverse=True):
        left -= size
        if left < 0 or seen < oldest:
            with contextlib.suppress(OSError):
                os.unlink(path)  # noqa: PTH108 - there may be thousands


def _files(folder: Path) -> Iterator[tuple[float, int, str]]:
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(_SUFFIXES):
                with contextlib.suppress(OSError):
                    status = entry.stat(follow_symlinks=False)
                    yield status.st_mtime, status.st_size, entry.path
