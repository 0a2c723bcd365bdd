"""The settings of a folder: where they stand, and reading them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from ...invariants.vocabulary.errors import UsageError
from ...invariants.vocabulary.toml_file import OWN_FILE, SHARED_FILE, read_toml

LINT_ONLY = frozenset({
    "extend-select", "exclude", "per-file-ignores", "target-sdk", "fail-on", "all-files",
    "baseline", "baseline-days",
})  # fmt: skip
"""What only the linter's table holds; beside it, the suite takes ``select`` and ``ignore`` too."""


def nearest_section(start: Path) -> tuple[Path, dict[str, Any]] | None:
    """Return the nearest file with settings, at a path or above, and its table; None without one.

    Raises:
        UsageError: such a file cannot be read.
    """
    for folder in [start, *start.parents]:
        for name in (OWN_FILE, SHARED_FILE):
            file = folder / name
            if file.is_file() and (found := section_of(file)) is not None:
                return file, found
        if (folder / ".git").exists():
            break
    return None


def section_of(file: Path) -> dict[str, Any] | None:
    """Return the table of a file that holds the settings; None if it has none.

    Raises:
        UsageError: the file cannot be read, something else stands in the table's place, or a
            setting of the linter stands beside it, where nobody would read it.
    """
    document = read_toml(file)
    if file.name == SHARED_FILE:
        tools = document.get("tool")
        tools = cast("dict[str, Any]", tools) if isinstance(tools, dict) else {}
        document = _table(file, tools, "fedcheck", "tool.fedcheck")
        return _section(file, document, "tool.fedcheck.lint")
    if "fedcheck" in _table(file, document, "tool", "tool"):
        raise UsageError(f"{file}: tool.fedcheck is for {SHARED_FILE}; write [lint] here")
    return _section(file, document, "lint")


def _section(file: Path, document: dict[str, Any], name: str) -> dict[str, Any] | None:
    misplaced = LINT_ONLY.intersection(document)
    if misplaced:
        raise UsageError(f"{file}: {min(misplaced)} is of the linter; write it in [{name}]")
    return _table(file, document, "lint", name) if "lint" in document else None


def _table(file: Path, document: dict[str, Any], key: str, name: str) -> dict[str, Any]:
    value = document.get(key, {})
    if not isinstance(value, dict):
        raise UsageError(f"{file}: {name}: expected a table, got {value!r}")
    return cast("dict[str, Any]", value)
