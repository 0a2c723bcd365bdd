"""What an import takes from the SDK's package, and what of it the target version lacks."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..sdk.module_surface import modules
from ..sdk.surface import PACKAGE, Surface

ROOT = ""
"""Under which the surface keeps the names and modules of the package itself."""


def absent(surface: Surface, path: str) -> tuple[str, str] | None:
    """Return (module, name) of the first part of a path below the package that does not exist.

    None if all exists, or if it is not known: private names.
    """
    first = path.partition(".")[0]
    if path.startswith("_"):
        return None
    if first not in surface.members(ROOT):
        return ROOT, first
    return modules(surface.version).absent(path)


def taken_from_sdk(statement: ast.stmt) -> Iterator[str]:
    """Yield the paths below the package that an import takes; nothing for another statement."""
    if isinstance(statement, ast.Import):
        names = [alias.name for alias in statement.names]
    elif isinstance(statement, ast.ImportFrom) and not statement.level:
        base = statement.module or ""
        names = [base if it.name == "*" else f"{base}.{it.name}" for it in statement.names]
    else:
        return
    for name in names:
        package, _, path = name.partition(".")
        if package == PACKAGE and path:
            yield path
