"""Trees without the SDK, told apart before the linter is loaded: most files of the world."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from .disk import read_regular
from .walking import MANIFEST, absolute, is_in_extension, names_sdk, walk


class Quiet(NamedTuple):
    """Folders in which nothing can be found.

    Attributes:
        files: number of the Python files in them.
        roots: what stands for the extension of each file, as ``discovery.py`` groups them.
    """

    files: int
    roots: frozenset[Path]


def quiet_files(folders: Iterable[Path]) -> Quiet | None:
    """Return what there is in folders in which nothing can be found.

    ``None`` means that the linter has to look: a file names the SDK or cannot be read, a
    folder cannot be listed, an extension begins here or above, or there is nothing to lint.
    """
    seen: set[str] = set()
    lost: list[OSError] = []
    places: list[Path] = []
    roots: set[Path] = set()
    for folder in folders:
        path = absolute(folder)
        place = Path(path)
        if not os.path.isdir(path) or is_in_extension(place):  # noqa: PTH112 - as in walk
            return None
        places.append(place)
        before = len(seen)
        for name in walk(path, MANIFEST, lost=lost.append):
            if name not in seen and not _is_quiet(name):
                return None
            seen.add(name)
        if len(seen) > before:
            roots.add(next(it for it in places if it in (place, *place.parents)))
    return None if lost or not seen else Quiet(len(seen), frozenset(roots))


def _is_quiet(name: str) -> bool:
    """Tell whether a file can be read and does not name the SDK; a manifest never is quiet."""
    if name.endswith(MANIFEST):
        return False
    try:
        return not names_sdk(read_regular(name))
    except OSError:
        return False
