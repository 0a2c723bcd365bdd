"""The scenario under way, on disk before the kernel sees it."""

from __future__ import annotations

import os
import tempfile
import weakref
from pathlib import Path

from .fatal import before_dying

_open: weakref.WeakSet[Journal] = weakref.WeakSet()


class Journal:
    """A small file whose first line is the scenario that was sent last.

    It is written without waiting for the disk itself: it outlives the death of every process,
    which is what kernels bring about, but not that of the machine. ``close`` removes it, and
    so do the end of the interpreter, SIGTERM and SIGHUP; what remains names a killer. Behind
    the first line there may be the end of a longer scenario: cutting it off costs too much.

    Args:
        path: where to write; ``None`` takes a new file in the folder for temporary files.

    Raises:
        OSError: the file cannot be made.
    """

    def __init__(self, path: Path | None = None) -> None:
        if path is None:
            self._fd, name = tempfile.mkstemp(prefix="fedcheck-journal-", suffix=".json")
            self.path = Path(name)
        else:
            self._fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            self.path = path
        self._end = weakref.finalize(self, _remove, self._fd, self.path, os.getpid())
        _open.add(self)
        before_dying(_close_all)

    def note(self, scenario_json: bytes) -> None:
        """Write a scenario, given as JSON on one line."""
        os.pwrite(self._fd, b'{"scenario":%b}\n' % scenario_json, 0)

    def close(self) -> None:
        """Remove the file. May be called twice."""
        self._end()


def _remove(fd: int, path: Path, owner: int) -> None:
    os.close(fd)
    if os.getpid() == owner:  # a fork's copy must not remove it from under its owner
        path.unlink(missing_ok=True)


def _close_all() -> None:
    for journal in list(_open):
        journal.close()
