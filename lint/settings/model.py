"""``[tool.fedcheck.lint]`` of ``pyproject.toml``, or ``[lint]`` of ``fedcheck.toml``."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from fnmatch import translate
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, cast, get_args

import msgspec

from ...invariants.vocabulary.errors import UsageError
from ...invariants.vocabulary.near_names import closest
from ...reports.lint.findings import FailOn
from .files import nearest_section, section_of

_NO_RULES: Mapping[str, tuple[str, ...]] = {}


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What a project has settled for its extension.

    Attributes:
        select: rules to run instead of the default ones.
        extend_select: rules to run besides.
        ignore: rules to leave out.
        exclude: globs of files and folders to leave out, relative to ``root``.
        per_file_ignores: glob → rules whose findings are suppressed there.
        target_sdk: version of the SDK, ``next``, or empty for what the extension asks for.
        all_files: also files that the extension's entry does not import.
        fail_on: least severity that makes the exit code 1.
        baseline: file of accepted findings, relative to ``root``; empty for none.
        baseline_days: days after which an entry of the baseline no longer counts.
        root: folder of the settings file.
        origin: its path; empty when there is none.
    """

    select: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    per_file_ignores: Mapping[str, tuple[str, ...]] = _NO_RULES
    target_sdk: str = ""
    all_files: bool = False
    fail_on: FailOn = "warning"
    baseline: str = ""
    baseline_days: int = 180
    root: str = ""
    origin: str = ""


def find_settings(paths: Sequence[Path]) -> Settings:
    """Return the settings nearest to the first of some paths; the defaults if there are none.

    Raises:
        UsageError: they cannot be read, or hold an unknown key or a wrong value.
    """
    start = Path(os.path.realpath(paths[0] if paths else "."))
    found = nearest_section(start)
    if found is not None:
        return _settings(*found)
    return Settings(root=str(start if start.is_dir() else start.parent))


def read_settings(file: Path) -> Settings:
    """Return the settings of a file that was named.

    Raises:
        UsageError: they cannot be read, or hold an unknown key or a wrong value.
    """
    return _settings(file, section_of(file) or {})


def in_folder(path: str, root: str) -> str:
    """Return a path relative to ``root``, with ``/``.

    Links above the file are followed: a folder that is named by one way is the same by another.

    Args:
        path: of the file.
        root: a folder, without links in its path; empty for the current one.
    """
    folder, name = os.path.split(path)
    real = os.path.join(os.path.realpath(folder), name)  # noqa: PTH118 - the file may be a link
    return Path(os.path.relpath(real, root or ".")).as_posix()


def from_here(path: str) -> str:
    """Return a path relative to the current folder if it lies in it, else as it is."""
    relative = in_folder(path, "")
    return path if relative.startswith("../") else relative


def matches(relative: str, glob: str) -> bool:
    """Tell whether a glob names a file or a folder above it; without ``/``, at any depth.

    ``**/`` stands for any number of folders, also for none.
    """
    glob = glob.removeprefix("./").rstrip("/")
    parts = relative.split("/")
    leading = ["/".join(parts[: end + 1]) for end in range(len(parts))]
    names = leading if "/" in glob else [*leading, *parts]
    pattern = _pattern(glob)
    return any(pattern.match(name) for name in names)


@lru_cache(maxsize=256)
def _pattern(glob: str) -> re.Pattern[str]:
    folders = "\0"  # no glob holds one
    text = translate(glob.replace("**/", folders))
    return re.compile(text.replace(re.escape(folders), "(?:.*/)?"))


def _settings(file: Path, section: dict[str, Any]) -> Settings:
    values: dict[str, Any] = {}
    for key, value in section.items():
        reader = _KEYS.get(key)
        if reader is None:
            near = closest(key, _KEYS)
            hint = f"did you mean {near!r}?" if near else f"there are: {', '.join(_KEYS)}"
            raise UsageError(f"{file}: lint has no setting {key!r}; {hint}")
        values[key.replace("-", "_")] = reader(value, f"{file}: lint.{key}")
    return Settings(**values, root=os.path.realpath(file.parent), origin=str(file))


def _texts(value: Any, where: str) -> tuple[str, ...]:
    items = cast("list[Any]", value) if isinstance(value, list) else None
    if items is None or not all(isinstance(item, str) for item in items):
        raise UsageError(f"{where}: expected a list of texts, got {value!r}")
    return tuple(cast("list[str]", items))


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise UsageError(f"{where}: expected a text, got {value!r}")
    return value


def _flag(value: Any, where: str) -> bool:
    if not isinstance(value, bool):
        raise UsageError(f"{where}: expected true or false, got {value!r}")
    return value


def _days(value: Any, where: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise UsageError(f"{where}: expected a whole number of days from 1, got {value!r}")
    return value


def _severity(value: Any, where: str) -> FailOn:
    if value not in get_args(FailOn):
        raise UsageError(f"{where}: expected one of {', '.join(get_args(FailOn))}, got {value!r}")
    return cast("Literal['error', 'warning', 'info', 'never']", value)


def _ignores(value: Any, where: str) -> dict[str, tuple[str, ...]]:
    if not isinstance(value, dict):
        raise UsageError(f'{where}: expected a table such as {{"legacy/*" = ["FED301"]}}')
    entries = cast("dict[str, Any]", value)
    return {glob: _texts(codes, f"{where}.{glob!r}") for glob, codes in entries.items()}


_KEYS: dict[str, Callable[[Any, str], Any]] = {
    "select": _texts,
    "extend-select": _texts,
    "ignore": _texts,
    "exclude": _texts,
    "per-file-ignores": _ignores,
    "target-sdk": _text,
    "all-files": _flag,
    "fail-on": _severity,
    "baseline": _text,
    "baseline-days": _days,
}
