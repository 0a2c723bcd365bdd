"""Records the output of a run of ``fedcheck lint``, for ``replay.py``.

A run is recorded only if it wrote no file, read no unsaved text, had no rule of other packages,
no failure or time-out, and nothing changed meanwhile. Nothing in here raises: what cannot be
recorded is not.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from .dependencies import (
    Dependencies,
    content_at,
    content_of,
    installed_of,
    is_young,
    like,
    own_files,
    places_of_distributions,
    target_of_link,
)
from .kept_runs import STARTED, Record, encoded, folder_for, key_of, name_of, stamp_of
from .store import is_repeatable, remove_old, write

_DAY = 86_400_000_000_000
_YOUNG = "young"


class Recording:
    """Records a run, if it may be recorded.

    Create it before anything is read, so that later changes are seen.

    Args:
        words: the command line behind ``fedcheck lint``.
        paths: what is linted.
        config: the file of settings that was named, if one was.
        cache_dir: the folder of the records that was named, if one was.
    """

    def __init__(
        self,
        words: Sequence[str],
        paths: Sequence[Path],
        config: Path | None = None,
        cache_dir: Path | None = None,
    ) -> None:
        self._folder: Path | None = None
        self._until = 0
        self._taken = time.time_ns()
        self._paths = paths
        self._others = [] if config is None else [config]
        with contextlib.suppress(Exception):  # see finish
            folder = folder_for(words, None if cache_dir is None else str(cache_dir))
            if folder is not None:
                self._key = key_of(words)
                self._before = self._now()
                self._folder = Path(folder)

    def depends(self, file: Path) -> None:
        """Add a file that is not read yet, and the date, to the dependencies."""
        self._until = (self._taken // _DAY + 1) * _DAY
        if self._folder is not None:
            self._others.append(file)
            self._before.stamps.update(Dependencies((), [file]).stamps(self._taken))

    def finish(self, code: int, notes: Sequence[str], pieces: Sequence[tuple[int, str]]) -> None:
        """Record the run, which had no rules of other packages.

        Args:
            code: the exit code.
            notes: what could not be linted.
            pieces: (1 for stdout or 2 for stderr, text); None if writing failed.
        """
        if self._folder is None or not pieces or not is_repeatable(notes):
            return
        with contextlib.suppress(Exception):  # whatever is wrong, the findings are out already
            record = self._record(code, pieces)
            if record is not None and self._now() == self._before:  # also after it was read
                _write(self._folder, record)

    def _now(self) -> _Seen:
        found = Dependencies(self._paths, self._others)
        return _Seen(
            stamps=found.stamps(self._taken),
            present=list(found.present),
            leads={path: target_of_link(path) for path in found.named},
            installed={
                path: (stamp_of(path), installed_of(path)) for path in places_of_distributions()
            },
        )

    def _record(self, code: int, pieces: Sequence[tuple[int, str]]) -> Record | None:
        seen = self._before
        rows = [(path, *_row(path, stamp, self._taken)) for path, stamp in seen.stamps.items()]
        stamp_by_path = {row[0]: row[1] for row in rows}
        rows += [(path, stamp_by_path[path], target) for path, target in seen.leads.items()]
        rows += [
            (path, _sure(stamp, self._taken), content)
            for path, (stamp, content) in seen.installed.items()
        ]
        for path in own_files():
            content, stamp = content_at(path, stamp_of(path)), stamp_of(path)
            if is_young(stamp, STARTED):
                return None  # what was loaded may be older than what lies there now
            rows.append((path, stamp, content))
        return Record(
            key=self._key,
            code=code,
            taken=self._taken,
            until=self._until,
            paths=[row[0] for row in rows],
            stamps=[row[1] for row in rows],
            contents=[row[2] for row in rows],
            present=seen.present,
            pieces=pieces,
        )


class _Seen(NamedTuple):
    """The stamps at one time."""

    stamps: dict[str, str]
    present: list[str]
    leads: dict[str, str]
    installed: dict[str, tuple[str, str]]


def refreshed(record: Record, changed: Iterable[int], folder: str) -> bool:
    """Tell whether paths with other stamps have the recorded content; update the stamps if so.

    Args:
        record: of an earlier run.
        changed: positions of the paths.
        folder: where the records lie.
    """
    now = time.time_ns()
    stamps = list(record.stamps)
    for number in changed:
        path, content = record.paths[number], record.contents[number]
        stamp = stamp_of(path)
        if like(content)(path) != content:
            return False
        stamps[number] = _sure(stamp, now)
    if stamps != list(record.stamps):
        record.stamps = stamps
        with contextlib.suppress(OSError):
            _write(Path(folder), record)
    return True


def _row(path: str, stamp: str, taken: int) -> tuple[str, str]:
    """Return stamp and content of a path as a record holds them."""
    parts = stamp.split(" ", 6)
    if len(parts) > 6:
        return _YOUNG, parts[6]
    return _sure(stamp, taken), content_of(path)


def _sure(stamp: str, taken: int) -> str:
    """Return a stamp that differs after any change; empty on Windows, where it can be set back."""
    return _YOUNG if sys.platform == "win32" or is_young(stamp, taken) else stamp


def _write(folder: Path, record: Record) -> None:
    """Write a record atomically, and remove old ones.

    Raises:
        OSError: it cannot be written.
    """
    write(folder, name_of(record.key), encoded(record))
    remove_old(folder)
