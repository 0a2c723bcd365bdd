"""Where the files of extensions lie: what is passed over, and what begins an extension.

A tree without extensions needs no more than this, so it imports next to nothing.
"""

from __future__ import annotations

import os
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterator
from operator import attrgetter
from pathlib import Path

from .disk import read_regular

SKIPPED_FOLDERS = re.compile(
    r"\..+|__pycache__|env|venv.*|virtualenv|node_modules|site-packages|build|dist|tests?|"
    r".*\.egg-info|.*\.bak.*",
    re.IGNORECASE,
)
SKIPPED_FILES = re.compile(r"test_.*\.py|.*_test\.py|conftest\.py|.*\.bak\.py|\..*", re.IGNORECASE)
ENTRIES = ("main.py", "app.py")
MANIFEST = "imperal.json"
ICON_ENDINGS = (".svg", ".SVG")
"""How the names of those icons end that are read."""
SDK = b"imperal_sdk"
"""What each extension names somewhere."""
_SDK_IN_UTF_16 = {BOM_UTF16_LE: SDK.decode().encode("utf-16-le"),
                  BOM_UTF16_BE: SDK.decode().encode("utf-16-be")}  # fmt: skip
_ABOVE = 6


def names_sdk(data: bytes) -> bool:
    """Tell whether a file names the SDK; in UTF-16 too, which Python does not read."""
    return SDK in data or (data[:2] in _SDK_IN_UTF_16 and _SDK_IN_UTF_16[data[:2]] in data)


def _forget(_lost: OSError) -> None:
    """Tell nobody."""


def python_files(folder: Path) -> Iterator[Path]:
    """Yield the Python files below a folder that are linted by default, sorted."""
    return map(Path, walk(str(folder)))


def walk(folder: str, *others: str, lost: Callable[[OSError], object] = _forget) -> Iterator[str]:
    """Yield the same files, and those of other names, as texts; links to folders are not followed.

    Strings and one look at each entry: the time of a large tree is spent here.

    Args:
        folder: where to begin.
        others: the other names.
        lost: is told of each folder that cannot be listed.
    """
    todo = [folder]
    while todo:
        try:
            with os.scandir(todo.pop()) as found:
                entries = [entry for entry in found if _may_count(entry, others)]
        except OSError as error:
            lost(error)
            continue
        entries.sort(key=_name_of)
        folders: list[str] = []
        for entry in entries:
            if not _is_folder(entry):
                yield entry.path
            elif not entry.is_symlink() and not SKIPPED_FOLDERS.fullmatch(entry.name):
                folders.append(entry.path)
        todo.extend(reversed(folders))


_name_of = attrgetter("name")


def _may_count(entry: os.DirEntry[str], others: tuple[str, ...]) -> bool:
    """Tell whether an entry is a folder or a file that is wanted: most are neither."""
    name = entry.name
    if name.endswith(".py"):
        return not SKIPPED_FILES.fullmatch(name) or _is_folder(entry)
    return name in others or _is_folder(entry)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def absolute(path: str | Path) -> str:
    """Return a path from the root; links in it stay.

    Behind a link, ``..`` leads to the folder above the one that the link means: what is listed
    there has to be read there.
    """
    plain = os.path.abspath(path)  # noqa: PTH100 - pathlib follows links or keeps the dots
    if ".." not in str(path):
        return plain
    parts = Path(path).parts
    behind = max((number for number, part in enumerate(parts, 1) if part == ".."), default=0)
    above = os.path.realpath(Path(*parts[:behind]))
    if above == os.path.realpath(os.path.abspath(Path(*parts[:behind]))):  # noqa: PTH100
        return plain
    return os.path.join(above, *parts[behind:])  # noqa: PTH118


def root_above(folder: Path, known: dict[Path, bool]) -> Path | None:
    """Return the root of the extension that a folder belongs to; None if there is none.

    Args:
        folder: of a file.
        known: what is known of folders; grows.
    """
    for above in (folder, *list(folder.parents)[:_ABOVE]):
        if above not in known:
            known[above] = is_extension_root(above)
        if known[above]:
            return above
    return None


def is_in_extension(folder: Path) -> bool:
    """Tell whether a folder, or one of those above that count, is an extension's root."""
    return root_above(folder, {}) is not None


def is_extension_root(folder: Path) -> bool:
    """Tell whether a folder holds an extension's entry.

    A package of an extension does not: its ``app.py`` is a module as any other.
    """
    found = [folder / name for name in ENTRIES if (folder / name).is_file()]
    if not found or (folder / MANIFEST).is_file():
        return bool(found)
    if (folder / "__init__.py").is_file() and any(map(is_extension_root, folder.parents[:_ABOVE])):
        return False
    return any(_mentions_sdk(path) for path in found)


def _mentions_sdk(path: Path) -> bool:
    try:
        return names_sdk(read_regular(path))
    except OSError:
        return False
