"""The icons that the code of an extension names: read with the other files, before it is judged."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from .disk import read_regular
from .source import SourceFile
from .walking import ICON_ENDINGS, SKIPPED_FOLDERS

LARGEST = 100 * 1024
"""Bytes of the largest icon that is read; the SDK's validator refuses any larger one."""
_MOST = 8
_NAMED = re.compile(
    rb"""(?i:icon)\w{0,40}["']?(?:\s*:\s*[\w.\[\]]{1,40})?\s*[:=]\s*"""
    rb"""["'](\w[\w ./-]{0,120})$"""
)
_BEFORE = 300
"""Bytes before the ending of a name in which all that counts of it stands."""


class Icon(msgspec.Struct, frozen=True):
    """An icon's file.

    Attributes:
        size: in bytes.
        data: what it holds; nothing if it is larger than ``LARGEST``.
    """

    size: int
    data: bytes


def icons_named(root: Path, sources: Iterable[SourceFile]) -> dict[str, Icon | None]:
    """Return name → icon of the files that code calls an icon, ``icon="icon.svg"``.

    None stands for a file that is not there. Names that lead out of the extension, into folders
    that are not linted or through links are left out: who keeps a run does not watch these.

    Args:
        root: the folder of the extension.
        sources: its files.
    """
    found: dict[str, Icon | None] = {}
    for name in dict.fromkeys(name for source in sources for name in _names(source.data)):
        if len(found) < _MOST and _is_inside(root, name):
            _read(root / name, name, found)
    return found


def _names(text: bytes) -> Iterator[str]:
    for ending in ICON_ENDINGS:
        at = text.find(ending.encode())
        while at >= 0:
            end = at + len(ending)
            written = _NAMED.search(text[max(at - _BEFORE, 0) : at])
            if written is not None and text[end : end + 1] in {b'"', b"'"}:
                yield written[1].decode() + ending
            at = text.find(ending.encode(), end)


def _is_inside(root: Path, name: str) -> bool:
    *folders, last = name.split("/")
    if any(part in {"", ".", ".."} or SKIPPED_FOLDERS.fullmatch(part) for part in folders):
        return False
    real = os.path.realpath(root)
    return os.path.realpath(root / name) == str(Path(real, *folders, last))


def _read(path: Path, name: str, found: dict[str, Icon | None]) -> None:
    try:
        status = path.lstat()
        if stat.S_ISREG(status.st_mode):
            data = read_regular(path) if status.st_size <= LARGEST else b""
            found[name] = Icon(len(data) if data else status.st_size, data)
    except FileNotFoundError:
        found[name] = None
    except OSError:  # it is there, and nobody knows what it holds
        return
