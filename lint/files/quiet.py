"""Trees without the SDK, told apart before the linter is loaded: most files of the world."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from .disk import read_regular
from .walking import MANIFEST, SDK, is_in_extension, walk


def quiet_files(folders: Iterable[Path]) -> int | None:
    """Return the number of Python files in folders in which nothing can be found.

    ``None`` means that the linter has to look: a file names the SDK or cannot be read, a
    folder cannot be listed, an extension begins here or above, or there is nothing to lint.
    """
    seen: set[str] = set()
    lost: list[OSError] = []
    for folder in folders:
        path = os.path.abspath(folder)  # noqa: PTH100 - must not follow symbolic links
        if not os.path.isdir(path) or is_in_extension(Path(path)):  # noqa: PTH112 - as above
            return None
        for name in walk(path, MANIFEST, lost=lost.append):
            if name not in seen and not _is_quiet(name):
                return None
            seen.add(name)
    return None if lost else len(seen) or None


def _is_quiet(name: str) -> bool:
    """Tell whether a file can be read and does not name the SDK; a manifest never is quiet."""
    if name.endswith(MANIFEST):
        return False
    try:
        return SDK not in read_regular(name)
    except OSError:
        return False
