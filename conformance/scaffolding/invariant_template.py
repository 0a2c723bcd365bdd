"""Writes a new invariant: an installable plug-in with its tests and its broken kernel."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from string import Template

from ...invariants.catalog import catalog
from ...invariants.plugins import is_invariant_id
from ...invariants.vocabulary.errors import UsageError
from ...reports.console.files import writing

_SUFFIX = ".txt"
_FOLDERS = {
    "__init__.py": "{package}/__init__.py",
    "invariant.py": "{package}/invariant.py",
    "broken.py": "{package}/broken.py",
    "test_invariant.py": "tests/test_{package}.py",
}
"""Where the files go that are not at the top."""


def plugin_files(invariant_id: str) -> dict[str, str]:
    """Return the files of a plug-in for an invariant of this id, by path.

    Raises:
        UsageError: the id is not allowed, or taken.
    """
    if not is_invariant_id(invariant_id):
        raise UsageError(
            f"{invariant_id!r} is no id; use words of capital letters and digits joined by "
            "hyphens, such as ACME-REPLY-SHOWN"
        )
    if invariant_id in {invariant.id for invariant in catalog()}:
        raise UsageError(f"{invariant_id} exists already; `fedcheck explain` tells about it")
    name = invariant_id.lower()
    names = {"id": invariant_id, "name": name, "package": name.replace("-", "_")}
    found: dict[str, str] = {}
    for template in (files("fedcheck.fixtures") / "samples" / "plugin").iterdir():
        plain = template.name.removesuffix(_SUFFIX)
        path = _FOLDERS.get(plain, plain).format_map(names)
        found[path] = Template(template.read_text("utf-8")).substitute(names)
    return dict(sorted(found.items()))


def write_plugin(invariant_id: str, folder: Path) -> list[Path]:
    """Write a plug-in into a folder; return the paths.

    Raises:
        UsageError: the id is not allowed, the folder holds something, or cannot be written.
    """
    every = plugin_files(invariant_id)
    with writing(folder, "name another folder"):
        if folder.exists() and any(folder.iterdir()):
            raise UsageError(f"{folder}: the folder is not empty; name a new one")
        for name, text in every.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    return [folder / name for name in every]
