"""The releases of the SDK, in order.

They are read from ``surface.json`` with what Python brings, for who needs nothing else of it.
"""

from __future__ import annotations

import json
import re
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

VersionKey = tuple[int, ...]

_PARTS = 3
"""Numbers of a release, ``5.9.22``; those that are left out are 0, as for an installer."""


@lru_cache(maxsize=1024)
def version_key(version: str) -> VersionKey:
    """Return a key that orders versions; letters are ignored, and 5.0 is 5.0.0."""
    parts = tuple(int(part) for part in re.findall(r"\d+", version))
    return parts + (0,) * (_PARTS - len(parts))


@cache
def surface_data() -> dict[str, Any]:
    """Return what ``surface.json`` holds."""
    return json.loads((Path(__file__).parent / "surface.json").read_bytes())


def versions() -> tuple[str, ...]:
    """Return every release that the file knows, oldest first."""
    return tuple(surface_data()["versions"])


def nearest(version: str) -> str:
    """Return the newest known release that is not newer than a version, else the oldest."""
    key = version_key(version)
    return next((each for each in reversed(versions()) if version_key(each) <= key), versions()[0])
