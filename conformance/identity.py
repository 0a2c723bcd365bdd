"""Which suite judged: its name, version and the digest of its code."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from ..reports.record import Suite

_PACKAGES = ("conformance", "fixtures", "invariants", "lint", "reports")
_SUFFIXES = frozenset({".py", ".json"})


@cache
def suite_identity() -> Suite:
    """Return the suite's identity; the digest covers every module and data file of its packages."""
    from .. import __version__

    root = Path(__file__).resolve().parent.parent
    digest = hashlib.sha256()
    for package in _PACKAGES:
        for path in sorted((root / package).rglob("*")):
            if path.suffix in _SUFFIXES and path.is_file():
                digest.update(f"{path.relative_to(root).as_posix()}\0".encode())
                digest.update(hashlib.sha256(path.read_bytes()).digest())
    return Suite(name="fedcheck", version=__version__, digest=digest.hexdigest())
