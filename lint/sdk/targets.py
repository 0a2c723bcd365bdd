"""The version of the SDK that an extension is linted against.

What was asked for comes first, then the extension's requirements, then ``sdk_version`` of its
manifest, then the newest release that the surface table knows.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, cast

from ...invariants.errors import UsageError
from ...invariants.toml_file import read_toml
from ..files.discovery import MANIFEST
from ..files.disk import read_regular
from .surface import version_key, versions

NEXT = "next"
_VERSION = re.compile(r"[0-9]+(?:\.[0-9]+){0,3}")
_SIMPLE = re.compile(rf"(?P<operator>==|>=)\s*(?P<version>{_VERSION.pattern})")
_REQUIREMENT = re.compile(
    r"\s*imperal[-_.]+sdk\s*(?:\[[^\]]*\])?\s*(?P<specifier>(?![\w.-])[^;#@\\]*?)\s*"
    r"(?:$|[;#@\\]|--)",
    re.IGNORECASE,
)
"""A requirement of the SDK, without its extras, its marker, its hashes and the comment."""
_DIRECT = re.compile(
    r"\s*(?:imperal[-_.]+sdk\s*(?:\[[^\]]*\]\s*)?@|(?:(?:-e|--editable)\s+)?[\w+]+://)",
    re.IGNORECASE,
)
"""A requirement by its address instead of a version."""
_IN_ADDRESS = re.compile(
    r"imperal[-_.]+sdk\b[^;#]*(?:@|/|(?<=sdk)-)v?(?P<version>[0-9]+(?:\.[0-9]+){1,3})"
    r"(?=$|[;#\s]|-py|\.tar\.|\.zip)",
    re.IGNORECASE,
)
"""The tag or the file of the SDK in such an address."""
_ABOVE = 3
"""Folders above an extension in which its requirements may lie."""


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
    if _VERSION.fullmatch(text):
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
    for place in [folder, *list(folder.parents)[:_ABOVE]]:
        for requirement in _requirements(place):
            found = _newest_allowed(requirement)
            if found:
                return found
        manifest = _manifest_version(place / MANIFEST)
        if manifest:
            return manifest
        if (place / ".git").exists():
            break
    return ""


def _requirements(folder: Path) -> Iterator[str]:
    """Yield the specifiers with which the files of a folder require the SDK."""
    for line in _lines(folder / "requirements.txt"):
        yield from _specifier(line)
    for line in _project_dependencies(folder / "pyproject.toml"):
        yield from _specifier(line)


def _specifier(line: str) -> Iterator[str]:
    """Yield what a requirement of the SDK allows; nothing for other requirements."""
    if _DIRECT.match(line):
        tag = _IN_ADDRESS.search(line)
        if tag is not None:
            yield f"=={tag['version']}"
        return  # a branch says nothing that the manifest does not say better
    match = _REQUIREMENT.match(line)
    if match is not None:
        yield match["specifier"].strip().strip("()").strip()


def _lines(file: Path) -> list[str]:
    try:
        return read_regular(file).decode("utf-8", "replace").splitlines()
    except OSError:
        return []


def _project_dependencies(file: Path) -> list[str]:
    if not file.is_file():
        return []
    try:
        project = read_toml(file).get("project", {})
    except UsageError:
        return []  # the settings say what is wrong with it; a target can be found without
    listed = (
        cast("dict[str, Any]", project).get("dependencies") if isinstance(project, dict) else ()
    )
    items = cast("list[Any]", listed) if isinstance(listed, list) else []
    return [item for item in items if isinstance(item, str)]


def _newest_allowed(specifier: str) -> str:
    """Return the newest release that fits, as an installer would choose; empty if none does.

    Where only releases fit that are newer than the table, the lowest of them stands for them: what
    they brought is not known.
    """
    if not specifier:
        return newest()
    simple = _SIMPLE.fullmatch(specifier)
    if simple is not None:
        version = simple["version"]
        if simple["operator"] == "==":
            return version
        return newest() if version_key(version) <= version_key(newest()) else version
    return _fitting(specifier)


def _fitting(specifier: str) -> str:
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    try:
        allowed = SpecifierSet(specifier)
    except InvalidSpecifier:
        return ""
    known = (version for version in reversed(versions()) if allowed.contains(version))
    lowest = (
        version
        for version in (item.version.removesuffix(".*") for item in allowed)
        if version_key(version) > version_key(newest()) and allowed.contains(version)
    )
    return next(known, "") or next(lowest, "")


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
    text = version.strip()
    return text if _VERSION.fullmatch(text) else _newest_allowed(text)
