"""Which files are linted, and to which extension each belongs."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import attrgetter
from pathlib import Path

from .disk import read_regular
from .source import SourceFile

SKIPPED_FOLDERS = re.compile(
    r"\..+|__pycache__|env|venv.*|virtualenv|node_modules|site-packages|build|dist|tests?|"
    r".*\.egg-info|.*\.bak.*",
    re.IGNORECASE,
)
SKIPPED_FILES = re.compile(r"test_.*\.py|.*_test\.py|conftest\.py|.*\.bak\.py|\..*", re.IGNORECASE)
ENTRIES = ("main.py", "app.py")
MANIFEST = "imperal.json"
SDK = b"imperal_sdk"
"""What each extension names somewhere."""
_ABOVE = 6


def _forget(_lost: OSError) -> None:
    """Tell nobody."""


def python_files(folder: Path, lost: Callable[[OSError], object] = _forget) -> Iterator[Path]:
    """Yield the Python files below a folder that are linted by default, sorted.

    Args:
        folder: where to begin.
        lost: is told of each folder that cannot be listed.
    """
    for name in walk(str(folder), lost=lost):
        yield Path(name)


def walk(folder: str, *others: str, lost: Callable[[OSError], object] = _forget) -> Iterator[str]:
    """Yield the same files, and those of other names, as texts; links to folders are not followed.

    Strings and one look at each entry: the time of a large tree is spent here.
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


class Tree:
    """The files that the user named.

    Attributes:
        sources: absolute path → file, in the order in which they were found.
        notes: what could not be read.
        named: the files that the user named one by one.
    """

    def __init__(self, paths: Sequence[Path], overlay: Mapping[Path, bytes]) -> None:
        self.sources: dict[Path, SourceFile] = {}
        self.notes: list[str] = []
        self.folders: list[Path] = []
        self.named: set[Path] = set()
        self._overlay = {_absolute(path): data for path, data in overlay.items()}
        for path in paths:
            self._add(path)

    def _add(self, path: Path) -> None:
        if path.is_dir():
            self.folders.append(_absolute(path))
            for file in python_files(path, self._note_lost):
                self._read(file)
        elif path.exists() or _absolute(path) in self._overlay:
            self.named.add(_absolute(path))
            self._read(path)
        else:
            self.notes.append(f"{path}: there is no such file")

    def _note_lost(self, error: OSError) -> None:
        if not isinstance(error, FileNotFoundError):  # it went away meanwhile
            self.notes.append(f"{error.filename}: it cannot be listed: {error.strerror}")

    def _read(self, path: Path) -> None:
        absolute = _absolute(path)
        if absolute in self.sources:
            return
        try:
            source = self.load(absolute, path.as_posix())
        except OSError as error:
            self.notes.append(f"{path}: it cannot be read: {error.strerror or error}")
            return
        self.sources[absolute] = source

    def load(self, absolute: Path, name: str) -> SourceFile:
        """Read a file, from the editor if it has a newer text.

        Raises:
            OSError: The file cannot be read.
        """
        data = self._overlay.get(absolute)
        if data is None:
            data = read_regular(absolute)
        return SourceFile(absolute, name, data)


def _absolute(path: Path) -> Path:
    return Path(os.path.abspath(path))  # noqa: PTH100 - must not follow symbolic links


def extension_roots(tree: Tree) -> dict[Path, list[Path]]:
    """Return root of an extension → its files. A file outside of any has its folder as root."""
    known: dict[Path, bool] = {}
    grouped: dict[Path, list[Path]] = {}
    for path in tree.sources:
        root = _root_above(path.parent, known)
        if root is None:
            root = next((base for base in tree.folders if path.is_relative_to(base)), path.parent)
        grouped.setdefault(root, []).append(path)
    return grouped


def _root_above(folder: Path, known: dict[Path, bool]) -> Path | None:
    for above in (folder, *list(folder.parents)[:_ABOVE]):
        if above not in known:
            known[above] = is_extension_root(above)
        if known[above]:
            return above
    return None


def is_in_extension(folder: Path) -> bool:
    """Tell whether a folder, or one of those above that count, is an extension's root."""
    return _root_above(folder, {}) is not None


def is_extension_root(folder: Path) -> bool:
    """Tell whether a folder holds an extension's entry."""
    found = [folder / name for name in ENTRIES if (folder / name).is_file()]
    if not found:
        return False
    return (folder / MANIFEST).is_file() or any(_mentions_sdk(path) for path in found)


def _mentions_sdk(path: Path) -> bool:
    try:
        return SDK in read_regular(path)
    except OSError:
        return False
