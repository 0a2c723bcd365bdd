"""Which files are linted, and to which extension each belongs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from .disk import read_regular
from .source import SourceFile
from .walking import absolute, root_above, walk


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
        self._overlay = {place_of(path): data for path, data in overlay.items()}
        for path in paths:
            self._add(path)

    def _add(self, path: Path) -> None:
        if path.is_dir():
            start, base = str(path), absolute(path)
            self.folders.append(Path(base))
            for name in walk(start, lost=self._note_lost):
                self._read(Path(name), Path(base + name[len(start) :]))
        elif path.exists() or place_of(path) in self._overlay:
            self.named.add(place_of(path))
            self._read(path, place_of(path))
        else:
            self.notes.append(f"{path}: there is no such file")

    def _note_lost(self, error: OSError) -> None:
        if not isinstance(error, FileNotFoundError):  # it went away meanwhile
            self.notes.append(f"{error.filename}: it cannot be listed: {error.strerror}")

    def _read(self, path: Path, place: Path) -> None:
        if place in self.sources:
            return
        try:
            source = self.load(place, path.as_posix())
        except OSError as error:
            self.notes.append(f"{path}: it cannot be read: {error.strerror or error}")
            return
        self.sources[place] = source

    def load(self, place: Path, name: str) -> SourceFile:
        """Read a file, from the editor if it has a newer text.

        Raises:
            OSError: The file cannot be read.
        """
        data = self._overlay.get(place)
        if data is None:
            data = read_regular(place)
        return SourceFile(place, name, data)


def place_of(path: Path) -> Path:
    """Return where a file is, from the root; links in its path stay."""
    return Path(absolute(path))


def extension_roots(tree: Tree) -> dict[Path, list[Path]]:
    """Return root of an extension → its files. A file outside of any has its folder as root."""
    known: dict[Path, bool] = {}
    grouped: dict[Path, list[Path]] = {}
    for path in tree.sources:
        root = root_above(path.parent, known)
        if root is None:
            root = next((base for base in tree.folders if path.is_relative_to(base)), path.parent)
        grouped.setdefault(root, []).append(path)
    return grouped
