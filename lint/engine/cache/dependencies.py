"""The dependencies of a run: files, folders, and paths that do not exist."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from ...files.disk import read_regular
from ...files.walking import (
    ENTRIES,
    ICON_ENDINGS,
    MANIFEST,
    SKIPPED_FILES,
    SKIPPED_FOLDERS,
    absolute,
    is_extension_root,
)
from ...sdk.requirements import REQUIREMENTS, requirement_files
from .kept_runs import stamp_of

SETTLING = ("fedcheck.toml", "pyproject.toml", REQUIREMENTS, MANIFEST)
"""Files beside the code that decide how it is linted."""
IMPORTED = (
    "__init__.py",
    "invariants/__init__.py",
    "invariants/vocabulary/__init__.py",
    "invariants/vocabulary/errors.py",
    "reports/__init__.py",
    "reports/lint/__init__.py",
    "reports/lint/findings.py",
)
"""What the engine and its rules import from outside of ``lint/``."""
_REPOSITORY = ".git"
_CODE = (".py", ".pyc")
_ABOVE = 6
_COARSE = 1_000_000_000
_FINE = 100_000_000
"""A file that changed less than so many ns before the run may change again without a new stamp:
where the file system counts whole seconds, and where it counts ticks."""

Stamps = dict[str, str]
"""Path → stamp, or stamp and content where the stamp alone could deceive."""


class Dependencies:
    """The paths on which a run depends.

    Attributes:
        stamped: files, folders and absent files, in a fixed order.
        present: paths of which only the existence counts.
        named: what the user named; the targets of links count too.
    """

    def __init__(self, paths: Iterable[Path], others: Iterable[Path] = ()) -> None:
        self.stamped: dict[str, None] = {}
        self.present: dict[str, None] = {}
        here = os.getcwd()  # noqa: PTH109 - pathlib would lose `..` behind links
        self.named = [os.path.join(here, path) for path in paths]  # noqa: PTH118
        self._walked: set[str] = set()
        for path in self.named:
            self.stamped[path] = None
            self._add(absolute(path))
        for path in others:
            self.stamped[os.path.join(here, path)] = None  # noqa: PTH118

    def _add(self, path: str) -> None:
        self.stamped[path] = None
        folders = _from(path)
        if str(folders[0]) == path:
            self._below(path)
        for folder in dict.fromkeys((*folders, *_from(os.path.realpath(path)))):
            self._above(str(folder))
        root = next((it for it in folders[: _ABOVE + 1] if is_extension_root(it)), None)
        if root is not None:
            self._below(str(root))

    def _above(self, folder: str) -> None:
        for name in (*SETTLING, *ENTRIES):
            self._stamp(os.path.join(folder, name))  # noqa: PTH118
        repository = os.path.join(folder, _REPOSITORY)  # noqa: PTH118
        if os.path.lexists(repository):
            self.present[repository] = None  # it changes with each commit, and does not matter
        else:
            self.stamped[repository] = None

    def _below(self, folder: str) -> None:
        todo = [folder]
        while todo:
            here = todo.pop()
            if here in self._walked:
                continue
            self._walked.add(here)
            self.stamped[here] = None
            for name in _tree_names(here):
                inside = os.path.join(here, name.rstrip("/"))  # noqa: PTH118
                if name.endswith("/"):
                    todo.append(inside)
                elif name != _REPOSITORY:
                    self._stamp(inside)

    def _stamp(self, path: str) -> None:
        self.stamped[path] = None
        folder, name = os.path.split(path)
        if name == REQUIREMENTS:
            self.stamped.update(dict.fromkeys(map(str, requirement_files(Path(folder)))))

    def stamps(self, began: int) -> Stamps:
        """Return the current stamps; what changed after ``began`` is also read."""
        found: Stamps = {}
        for path in self.stamped:
            stamp = stamp_of(path)
            found[path] = f"{stamp} {content_of(path)}" if is_young(stamp, began) else stamp
        return found


def _from(path: str) -> list[Path]:
    """Return the folder of a file, or the folder itself, and all above."""
    start = Path(path if os.path.isdir(path) else os.path.dirname(path))  # noqa: PTH112, PTH120
    return [start, *start.parents]


def is_young(stamp: str, began: int) -> bool:
    """Tell whether a path changed so recently that a later change may have the same stamp.

    Args:
        stamp: of the path.
        began: when it was about to be read, in ns since 1970.
    """
    if stamp.startswith("-"):
        return False
    changed = [int(number) for number in stamp.split(" ")[:2]]
    return any(time + (_FINE if time % _COARSE else 2 * _COARSE) > began for time in changed)


def content_of(path: str) -> str:
    """Return a digest of a path's content, or the reason why there is none."""
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116
        if stat.S_ISDIR(mode):
            return "names " + _digest(_tree_names(path))
        if not stat.S_ISREG(mode):
            return "special"
        return "bytes " + sha256(read_regular(path)).hexdigest()
    except OSError as error:
        return f"-{error.errno}"


@lru_cache(maxsize=2048)
def content_at(path: str, stamp: str) -> str:  # noqa: ARG001 - it tells calls apart
    """Return ``content_of`` a file, memoised by its stamp.

    Args:
        path: of the file.
        stamp: taken just before.
    """
    return content_of(path)


def installed_of(path: str) -> str:
    """Return a digest of the distributions installed in a folder."""
    try:
        names = (name for name in os.listdir(path) if name.endswith((".dist-info", ".egg-info")))  # noqa: PTH208
        return "installed " + _digest(sorted(names))
    except OSError as error:
        return f"-{error.errno}"


def target_of_link(path: str) -> str:
    """Return the target of a link."""
    return "leads to " + os.path.realpath(path)


def like(content: str) -> Callable[[str], str]:
    """Return the function that computed a recorded content."""
    if content.startswith("leads to "):
        return target_of_link
    return installed_of if content.startswith("installed ") else content_of


def own_files() -> list[str]:
    """Return the files of the linter's own code and data that were loaded."""
    package = Path(__file__).parents[3]
    base = f"{package}{os.sep}"
    files = (getattr(module, "__file__", None) for module in list(sys.modules.values()))
    code = {file for file in files if isinstance(file, str) and file.startswith(base)}
    here = Path(__file__).parents[2]
    data = {str(it) for it in here.rglob("*") if it.is_file() and it.suffix not in _CODE}
    return [*sorted(code | data), str(here / "rules")]


def linter_files() -> list[str]:
    """Return the files on which findings depend: the linter's, and libraries that it imports."""
    package = Path(__file__).parents[3]
    found = [str(package / name) for name in IMPORTED]
    for folder, folders, names in os.walk(package / "lint"):
        folders[:] = sorted(set(folders) - {"__pycache__"})
        found += [os.path.join(folder, name) for name in sorted(names)]  # noqa: PTH118
    return [path for path in found if not path.endswith(".pyc")]


def places_of_distributions() -> list[str]:
    """Return the folders of installed packages, which may bring rules."""
    return [os.path.abspath(path or ".") for path in dict.fromkeys(sys.path)]  # noqa: PTH100


def _tree_names(folder: str) -> Sequence[str]:
    """Return the names in a folder that count for a run; those of folders end with ``/``."""
    return sorted(_counting(folder))


def _counting(folder: str) -> Iterator[str]:
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                name = entry.name
                if name.endswith(".py") and not SKIPPED_FILES.fullmatch(name):
                    yield name
                if entry.is_dir(follow_symlinks=False):
                    if not SKIPPED_FOLDERS.fullmatch(name):
                        yield f"{name}/"
                elif name in SETTLING or name.endswith(ICON_ENDINGS):
                    yield name
                if name == _REPOSITORY:
                    yield name
    except OSError as error:
        yield f"-{error.errno}"


def _digest(names: Iterable[str]) -> str:
    return sha256("\0".join(names).encode("utf-8", "surrogatepass")).hexdigest()
