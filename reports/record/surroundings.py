"""Where and when a run takes place, as far as a record may tell."""

from __future__ import annotations

import platform
from datetime import datetime, timezone
from importlib.metadata import PackageNotFoundError, version

from .model import Surroundings

PACKAGES = ("hypothesis", "msgspec")
"""The packages whose versions may change what a seed draws or how a document is read."""


def current_surroundings() -> Surroundings:
    """Return versions of Python, of the platform and of ``PACKAGES``; nothing else."""
    return Surroundings(
        python=platform.python_version(),
        platform=platform.platform(),
        packages={name: installed_version(name) for name in PACKAGES},
    )


def utc_now() -> str:
    """Return the time in UTC, ISO 8601 with milliseconds and the suffix ``Z``."""
    now = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
    return now.replace("+00:00", "Z")


def installed_version(package: str) -> str:
    """Return the version of an installed package, or ``not installed``."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
