"""What files import of each other that is not there."""

from __future__ import annotations

import ast

from ..model.project import mentions
from ..model.values import ModuleValue
from ..view import FileView

_MAKING = ("__getattr__", "__dict__", "exec", "globals", "setattr", "vars")
"""Words of modules that may make names which they do not write."""


def lacking_names(view: FileView, node: ast.ImportFrom) -> list[str]:
    """Return what an import takes from a module of the extension that never says that name."""
    found = view.evaluator.module_named(view.module, node.module or "")
    other = found.module if isinstance(found, ModuleValue) else None
    if other is None or other.source.path.name == "__init__.py":
        return []  # a package has its files, whatever they are
    stars = "*" in view.extension.project.table(other.tree)
    if stars or any(mentions(other.source, word) for word in _MAKING):
        return []
    names = [alias.name for alias in node.names if alias.name != "*"]
    return [name for name in names if not mentions(other.source, name)]
