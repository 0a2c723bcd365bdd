"""What the files of an extension require of the SDK.

Every way of writing it becomes a specifier as installers read it: ``==5.0.1``, ``>=5,<6``, or an
empty text for any release.
"""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from ...invariants.vocabulary.errors import UsageError
from ...invariants.vocabulary.toml_file import read_toml
from ..files.disk import read_regular

REQUIREMENTS = "requirements.txt"
VERSION = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9}){0,3}")  # Python refuses to read huge numbers
_NAME = r"imperal[-_.]+sdk"
_REQUIREMENT = re.compile(
    rf"\s*{_NAME}\s*(?:\[[^\]]*\])?\s*(?P<specifier>(?![\w.-])[^;#@\\]*?)\s*"
    r"(?:$|;(?P<marker>(?:(?!\s(?:--|#)).)*)|[#@\\]|--)",
    re.IGNORECASE,
)
"""A requirement of the SDK, without its extras, its hashes and the comment."""
_DIRECT = re.compile(
    rf"\s*(?:{_NAME}\s*(?:\[[^\]]*\]\s*)?@|(?:(?:-e|--editable)\s+)?(?:[\w+]+://|\.{{0,2}}/))",
    re.IGNORECASE,
)
"""A requirement by its address instead of a version."""
_IN_ADDRESS = re.compile(
    rf"{_NAME}\b[^;#]*(?:@|/|(?<=sdk)-)v?(?P<version>[0-9]+(?:\.[0-9]+){{1,3}})"
    r"(?=$|[;#\s]|-py|\.tar\.|\.zip)",
    re.IGNORECASE,
)
"""The tag or the file of the SDK in such an address."""
_RANGE = re.compile(rf"(?P<sign>\^|~)\s*(?P<version>{VERSION.pattern})")
_INCLUDED = re.compile(
    r"\s*(?:-[rc]\s*|--(?:requirement|constraint)(?:\s+|\s*=\s*))(?P<file>(?:(?!\s#).)+)"
)
"""A line of a requirements file that takes in another one."""
ABOVE = 3
"""Folders above an extension in which its requirements may lie."""
_RUN_BY = {
    "extra": "",
    "implementation_name": "cpython",
    "os_name": "posix",
    "platform_python_implementation": "CPython",
    "platform_system": "Linux",
    "python_full_version": "3.12.0",
    "python_version": "3.12",
    "sys_platform": "linux",
}
"""What markers are asked about: not this machine, or the target would depend on who lints."""
_BOMS = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}


def requirements(folder: Path) -> list[str]:
    """Return the specifiers with which the files of a folder require the SDK."""
    listed = (line for lines in _files(folder).values() for line in lines)
    found = [item for line in listed for item in specifier(line)]
    return [*found, *_of_project(folder / "pyproject.toml")]


def requirement_files(folder: Path) -> list[Path]:
    """Return the ``requirements.txt`` of a folder and what it takes in; some may be missing.

    Those outside of the tree, more than three folders above, are nothing of the extension's.
    """
    return list(_files(folder))


def _files(folder: Path) -> dict[Path, list[str]]:
    """Return those files with their lines."""
    top = [folder, *folder.parents][: ABOVE + 1][-1]
    lines: dict[Path, list[str]] = {}
    todo = [folder / REQUIREMENTS]
    while todo:
        file = todo.pop(0)
        if file in lines or not file.is_relative_to(top):
            continue
        lines[file] = _lines(file)
        found = filter(None, map(_INCLUDED.match, lines[file]))
        named = (match["file"].strip().strip("\"'") for match in found)
        todo += [Path(os.path.normpath(file.parent / name)) for name in named if "\0" not in name]
    return lines


def specifier(line: str) -> Iterator[str]:
    """Yield what a requirement of the SDK allows; nothing for other requirements."""
    if _DIRECT.match(line):
        tag = _IN_ADDRESS.search(line)
        if tag is not None:
            yield f"=={tag['version']}"
        return  # a branch says nothing that the manifest does not say better
    match = _REQUIREMENT.match(line)
    if match is not None and _applies(match["marker"]):
        yield match["specifier"].strip().strip("()").strip()


def _applies(marker: str | None) -> bool:
    """Tell whether a requirement with a marker, ``python_version < "3.9"``, is meant for us."""
    if not marker or not marker.strip():
        return True
    from packaging.markers import Marker

    try:
        return Marker(marker.strip()).evaluate(_RUN_BY)
    except (ValueError, LookupError, RecursionError):  # none that an installer reads
        return True


def spelt_out(text: str) -> str:
    """Return a specifier for ``^5.1``, ``~5.1`` or ``v5.1``, which installers do not read.

    What they do read is returned as it is; a bare version stands for itself.
    """
    text = text.strip()
    if text == "*":
        return ""
    bare = text.removeprefix("v")
    if VERSION.fullmatch(bare):
        return f"=={bare}"
    ranged = _RANGE.fullmatch(text)
    if ranged is None:
        return text
    parts = [int(part) for part in ranged["version"].split(".")]
    kept = 1 if ranged["sign"] == "^" or len(parts) == 1 else 2
    while kept < len(parts) and ranged["sign"] == "^" and not any(parts[:kept]):
        kept += 1  # ^0.4.1 allows 0.4.x only
    upper = [*parts[: kept - 1], parts[kept - 1] + 1]
    return f">={ranged['version']},<{'.'.join(map(str, upper))}"


def _lines(file: Path) -> list[str]:
    try:
        data = read_regular(file)
    except OSError:
        return []
    encoding = _BOMS.get(data[:2], "utf-8-sig")
    text = data.decode(encoding, "replace")
    return re.sub(r"\\[ \t]*\r?\n", " ", text).splitlines()


def _of_project(file: Path) -> list[str]:
    if not file.is_file():
        return []
    try:
        content = read_toml(file)
    except UsageError:
        return []  # the settings say what is wrong with it; a target can be found without
    pinned = list(_tagged(_table(content, "tool", "uv", "sources")))
    if pinned:
        return pinned
    listed = _table(content, "project").get("dependencies")
    items = cast("list[Any]", listed) if isinstance(listed, list) else []
    found = [each for item in items if isinstance(item, str) for each in specifier(item)]
    return [*found, *_tagged(_table(content, "tool", "poetry", "dependencies"))]


def _table(content: dict[str, Any], *names: str) -> dict[str, Any]:
    for name in names:
        inner = content.get(name)
        content = cast("dict[str, Any]", inner) if isinstance(inner, dict) else {}
    return content


def _tagged(table: dict[str, Any]) -> Iterator[str]:
    """Yield what a table of dependencies says of the SDK: a range, or an address with a tag."""
    for name, value in table.items():
        if re.fullmatch(_NAME, name, re.IGNORECASE):
            given = cast("dict[str, Any]", value) if isinstance(value, dict) else {"version": value}
            said = [
                given.get("version"),
                *filter(_is_version, (given.get("tag"), given.get("rev"))),
            ]
            yield from (spelt_out(item) for item in said if isinstance(item, str))


def _is_version(value: object) -> bool:
    return isinstance(value, str) and VERSION.fullmatch(value.removeprefix("v")) is not None
