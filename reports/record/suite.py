"""Which suite judged: its name, version, the digest of its code, and how it was tested."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from ...invariants.vocabulary.codec import decode
from .model import Qualification
from .record_parts import Suite

_PACKAGES = ("conformance", "fixtures", "invariants", "lint", "reports")
_SUFFIXES = frozenset({".py", ".json", ".j2", ".css", ".js"})

QUALIFICATION = "fixtures/qualification.json"
"""How the suite was tested; it names the suite's digest and so cannot be a part of it."""


@cache
def suite_identity() -> Suite:
    """Return the suite's identity; the digest covers every module and data file of its packages."""
    from ... import __version__

    root = Path(__file__).resolve().parents[2]
    digest = hashlib.sha256()
    for package in _PACKAGES:
        for path in sorted((root / package).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.suffix in _SUFFIXES and path.is_file() and name != QUALIFICATION:
                digest.update(f"{name}\0".encode())
                digest.update(hashlib.sha256(path.read_bytes()).digest())
    return Suite(name="fedcheck", version=__version__, digest=digest.hexdigest())


@cache
def packaged_qualification() -> Qualification:
    """Return how this suite was tested itself, as it was packaged with it.

    Raises:
        DocumentError: the packaged file does not fit ``Qualification``.
    """
    path = Path(__file__).resolve().parents[2] / QUALIFICATION
    return decode(path.read_bytes(), Qualification, QUALIFICATION)
