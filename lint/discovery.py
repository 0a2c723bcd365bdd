"""Which files are linted, and to which extension each belongs."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from .model.source import SourceFile

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


def python_files(folder: Path) -> Iterator[Path]:
    """Yield the Python files below a folder that are linted by default, sorted."""
    for name in walk(str(folder)):
        yield Path(name)


def walk(folder: str, *others: str) -> Iterator[str]:
    """Yield the same files, and those of other names, as texts; links to folders are not followed.

    Strings and one look at each entry: the time of a large tree is spent here.
    """
    todo = [folder]
    while todo:
        try:
            with os.scandir(todo.pop()) as found:
                entries = sorted(found, key=lambda entry: entry.name)
        except OSError:
            continue
        folders: list[str] = []
        for entry in entries:
            name = entry.name
            if _is_folder(entry):
                if not entry.is_symlink() and not SKIPPED_FOLDERS.fullmatch(name):
                    folders.append(entry.path)
            elif name in others or (name.endswith(".py") and not SKIPPED_FILES.fullmatch(name)):
                yield entry.path
        todo.extend(reversed(folders))


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
            for file in python_files(path):
                self._read(file)
        elif path.exists() or _absolute(path) in self._overlay:
            self.named.add(_absolute(path))
            self._read(path)
        else:
            self.notes.append(f"{path}: there is no such file")

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
            with open(absolute, "rb") as stream:  # noqa: PTH123 - measured: half the time of Path
                data = stream.read()
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
        return SDK in path.read_bytes()
    except OSError:
        return False


_IMPORT = re.compile(rb"import\b")
"""Searched for before what stands around it: a literal start is found ten times as fast."""
_BEFORE = re.compile(rb"(?:.*[;:])?[ \t]*(?:from[ \t]+(\.*[ \t]*[\w.]*)[ \t]+)?")
_NAMES = re.compile(rb"[ \t]*(\([^)]*\)|[^\n#;]*)")
_MODULES = re.compile(rb"[ \t]+([^\n#;]+)")
_NAME = re.compile(rb"[\w.]+")
_DYNAMIC = re.compile(
    rb"import_module\s*\(\s*(?![\"'f])|__import__\s*\(\s*(?![\"'])|exec_module|runpy"
)
_IMPORTING_CALLS = (b"import_module", b"__import__")
_QUOTED_MODULE = re.compile(rb"(?:import_module|__import__)\s*\(\s*[\"']([\w.]+)[\"']")


def imported_names(data: bytes) -> Iterator[str]:
    """Yield the dotted names that a file may import, by its text; too many rather than too few."""
    for match in _IMPORT.finditer(data):
        start, end = match.span()
        before = _BEFORE.fullmatch(data, data.rfind(b"\n", 0, start) + 1, start)
        if before is None:
            continue
        base: bytes | None = before[1]
        if base is None:
            plain = _MODULES.match(data, end)
            for part in plain[1].split(b",") if plain else ():
                yield part.split(b" as ")[0].strip().decode("utf-8", "ignore")
            continue
        base = base.replace(b" ", b"")
        yield base.decode("utf-8", "ignore")
        prefix = base if base.endswith(b".") else base + b"."
        names = _NAMES.match(data, end)
        for name in _NAME.findall(names[1]) if names else ():
            yield (prefix + name).decode("utf-8", "ignore")
    if any(call in data for call in _IMPORTING_CALLS):
        for name in _QUOTED_MODULE.findall(data):
            yield name.decode()


def imports_dynamically(data: bytes) -> bool:
    """Tell whether a file imports modules whose names its text does not show."""
    called = (*_IMPORTING_CALLS, b"exec_module", b"runpy")
    return any(name in data for name in called) and _DYNAMIC.search(data) is not None


def reachable(
    entries: Iterable[Path], sources: Mapping[Path, SourceFile], resolve: Resolver
) -> frozenset[Path]:
    """Return the files that the entries import, directly or not.

    An entry that imports by computed names reaches everything.
    """
    seen: set[Path] = set()
    todo = [path for path in entries if path in sources]
    while todo:
        path = todo.pop()
        if path in seen:
            continue
        seen.add(path)
        data = sources[path].data
        if imports_dynamically(data):
            return frozenset(sources)
        for name in set(imported_names(data)):
            todo.extend(found for found in resolve.modules(path, name) if found in sources)
    return frozenset(seen)


class Resolver:
    """Turns the name of a module into the file of the linted tree that it means."""

    def __init__(self, root: Path, paths: Iterable[Path]) -> None:
        self._root = root
        self._paths = {str(path): path for path in paths}
        self._names = {
            part.removesuffix(".py") for path in self._paths.values() for part in path.parts
        }
        self._cache: dict[tuple[Path, str], Path | None] = {}

    def module(self, importer: Path, name: str) -> Path | None:
        """Return the file of a module; a relative name starts with dots."""
        key = (importer.parent, name)
        if key not in self._cache:
            self._cache[key] = self._search(self._bases(importer, name), name.lstrip("."))
        return self._cache[key]

    def modules(self, importer: Path, name: str) -> Iterator[Path]:
        """Yield the file of a dotted name and of the packages above it."""
        dots = name[: len(name) - len(name.lstrip("."))]
        parts = [part for part in name.lstrip(".").split(".") if part]
        for count in range(len(parts) + 1):
            if count == 0 and not dots:
                continue
            found = self.module(importer, dots + ".".join(parts[:count]))
            if found is not None:
                yield found

    def _bases(self, importer: Path, name: str) -> Iterator[Path]:
        dots = len(name) - len(name.lstrip("."))
        if dots:
            base = importer.parent
            for _ in range(dots - 1):
                base = base.parent
            yield base
            return
        yield self._root
        folder = importer.parent
        while folder != self._root and self._root in folder.parents:
            yield folder
            folder = folder.parent
        yield self._root.parent

    def _search(self, bases: Iterable[Path], dotted: str) -> Path | None:
        parts = [part for part in dotted.split(".") if part]
        if not self._names.issuperset(parts):
            return None
        for base in bases:
            stem = os.path.join(base, *parts)  # noqa: PTH118 - measured: a third of Path's time
            file = self._paths.get(f"{stem}.py") if parts else None
            found = file or self._paths.get(os.path.join(stem, "__init__.py"))  # noqa: PTH118
            if found is not None:
                return found
        return None
