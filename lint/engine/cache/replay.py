"""Replays the output of a recorded run of ``fedcheck lint``, if nothing has changed.

This and ``kept_runs.py`` are all that such a run loads: `click` and `msgspec` alone take as long as
Python's own start. ``recording.py`` keeps the runs, and looks closer when stamps have changed.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Sequence

from .kept_runs import Record, folder_for, key_of, name_of, read, stamp_of


def replayed(words: Sequence[str]) -> int | None:
    """Write the recorded output of a run with these words, if it is still valid.

    Args:
        words: the command line behind ``fedcheck lint``.

    Returns:
        The exit code; None if the linter has to run.
    """
    try:
        folder = folder_for(words)
        if folder is None:
            return None
        key = key_of(words)
        record = read(os.path.join(folder, name_of(key)))  # noqa: PTH118 - pathlib is not loaded
        if record is None or record.key != key or not _holds(record, folder):
            return None
    except Exception:  # noqa: BLE001 - whatever is wrong with the cache, the linter can run
        return None
    _say(record.pieces)
    return record.code


def _holds(record: Record, folder: str) -> bool:
    """Tell whether a record is still valid; contents are compared where a stamp differs."""
    now = time.time_ns()
    if now < record.taken or (record.until and now >= record.until):
        return False
    if not all(os.path.lexists(path) for path in record.present):
        return False
    stamp = stamp_of
    changed = [
        number
        for number, (path, seen) in enumerate(zip(record.paths, record.stamps, strict=True))
        if stamp(path) != seen
    ]
    if not changed:
        return True
    from .recording import refreshed

    return refreshed(record, changed, folder)


def _say(pieces: Iterable[tuple[int, str]]) -> None:
    for stream, text in pieces:
        target = sys.stdout if stream == 1 else sys.stderr
        target.write(text)
        target.flush()
