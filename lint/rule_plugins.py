"""Whether installed packages bring rules; ``rules/__init__.py`` loads them."""

from __future__ import annotations

import re
import sys
from importlib.machinery import PathFinder
from pathlib import Path

GROUP = "fedcheck.rules"
"""The entry point group of other people's rules; each names a ``Rule``."""
_METADATA = re.compile(r"(?:\.dist|\.egg|^egg)-info$", re.IGNORECASE)


def has_foreign_rules() -> bool:
    """Tell whether an installed package brings rules."""
    if not may_have_foreign_rules():
        return False
    from importlib.metadata import entry_points

    return bool(entry_points(group=GROUP))


def may_have_foreign_rules() -> bool:
    """Tell whether an installed package may bring rules.

    Measured: to load ``importlib.metadata`` takes ten times as long as to look for the group's
    name in the files that it would read. Packages that lie anywhere but in a folder are left to it.
    """
    finders = (it for it in sys.meta_path if hasattr(it, "find_distributions"))
    if any(finder is not PathFinder for finder in finders):
        return True
    return any(_may_bring_rules(place or ".") for place in dict.fromkeys(sys.path))


def _may_bring_rules(place: str) -> bool:
    try:
        found = [path for path in Path(place).iterdir() if _METADATA.search(path.name)]
    except FileNotFoundError:
        return False
    except OSError:  # an archive, or what cannot be listed
        return True
    return any(map(_names_group, found))


def _names_group(metadata: Path) -> bool:
    try:
        return GROUP.encode() in (metadata / "entry_points.txt").read_bytes()
    except OSError:
        return False
