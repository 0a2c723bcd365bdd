"""The version of the SDK that an extension is linted against.

What was asked for comes first, then the extension's requirements, then ``sdk_version`` of its
manifest, then the newest release that the surface table knows.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, cast

from ...invariants.vocabulary.errors import UsageError
from ..files.disk import read_regular
from ..files.walking import MANIFEST
from .releases import version_key, versions
from .requirements import ABOVE, VERSION, requirements, spelt_out

NEXT = "next"
_SIMPLE = re.compile(rf"(?P<operator>==|>=)\s*(?P<version>{VERSION.pattern})")
_PRE_RELEASE = re.compile(rf"==\s*(?P<version>{VERSION.pattern})(?:a|b|rc|\.dev|\.post)[0-9]+")


def newest() -> str:
    """Return the newest release that the surface table knows."""
    return versions()[-1]


def asked_for(text: str, origin: str) -> str:
    """Return the release that ``--target-sdk`` or a setting means.

    Args:
        text: ``next`` or a version; one that the table lacks is taken as it is.
        origin: where it stands, for the message.

    Raises:
        UsageError: it is no version.
    """
    if text == NEXT:
        return newest()
    if VERSION.fullmatch(text):
        return text
    raise UsageError(
        f"{origin}: {text!r} is no version of the SDK; give one such as {newest()}, or {NEXT}"
    )


def target_of(wanted: str) -> Callable[[Path], str]:
    """Return what finds the target of the extension in a folder.

    Args:
        wanted: a version that was asked for; empty if none was.
    """

    @cache
    def find(folder: Path) -> str:
        return wanted or _declared(folder) or newest()

    return find


def _declared(folder: Path) -> str:
    """Return the version that an extension declares; empty if it declares none."""
    for place in [folder, *list(folder.parents)[:ABOVE]]:
        found = _newest_of_all(requirements(place))
        if found:
            return found
        manifest = _manifest_version(place / MANIFEST)
        if manifest:
            return manifest
        if (place / ".git").exists():
            break
    return ""


def _newest_of_all(specifiers: list[str]) -> str:
    """Return the newest release that all specifiers allow, or where none does, the first."""
    narrow = list(dict.fromkeys(item for item in specifiers if item))
    together = [",".join(narrow)] if specifiers else []
    found = (_newest_allowed(item) for item in (*together, *narrow))
    return next((version for version in found if version), "")


def _newest_allowed(specifier: str) -> str:
    """Return the newest release that fits, as an installer would choose; empty if none does.

    Where only releases fit that are newer than the table, the lowest of them stands for them: what
    they brought is not known.
    """
    if not specifier:
        return newest()
    early = _PRE_RELEASE.fullmatch(specifier)
    if early is not None:
        return early["version"]
    simple = _SIMPLE.fullmatch(specifier)
    if simple is not None:
        version = simple["version"]
        if simple["operator"] == "==":
            return version
        return newest() if version_key(version) <= version_key(newest()) else version
    return _fitting(specifier)


def _fitting(specifier: str) -> str:
    from packaging.specifiers import SpecifierSet

    try:
        allowed = SpecifierSet(specifier)
        known = (version for version in reversed(versions()) if allowed.contains(version))
        lowest = (
            version
            for version in (item.version.removesuffix(".*") for item in allowed)
            if version_key(version) > version_key(newest()) and allowed.contains(version)
        )
        return next(known, "") or next(lowest, "")
    except ValueError:  # no specifier, or a number that is too long for Python
        return ""


def _manifest_version(file: Path) -> str:
    try:
        manifest = json.loads(read_regular(file))
    except (OSError, ValueError, RecursionError):
        return ""
    version = (
        cast("dict[str, Any]", manifest).get("sdk_version") if isinstance(manifest, dict) else ""
    )
    if not isinstance(version, str) or not version.strip():
        return ""
    return _newest_allowed(spelt_out(version))
