"""The names that a value comes from, as far as a file shows it."""

from __future__ import annotations

import ast

from ..model.module import Module
from ..model.roles import CONTEXT_NAMES
from ..view import FileView

_MOST = 200


def is_about_same(view: FileView, module: Module, asked: ast.AST, used: ast.AST) -> bool:
    """Tell whether two expressions of a file may speak of the same object.

    ``page`` and ``page.data[0]`` do, also where the second is ``row`` of ``for row in page.data``.
    """
    asked_names, used_names = _written(asked), _written(used)
    return not asked_names.isdisjoint(_behind(view, module, used)) or not used_names.isdisjoint(
        _behind(view, module, asked)
    )


def _written(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def _behind(view: FileView, module: Module, node: ast.AST) -> set[str]:
    """Return the names in an expression, and those in what the file gives to them.

    What a function makes of the context, ``token(ctx)``, does not come from it.
    """
    found: set[str] = set()
    left = [node]
    while left and len(found) < _MOST:
        names = [part for part in ast.walk(left.pop()) if isinstance(part, ast.Name)]
        for name in names:
            is_handed = name.id in CONTEXT_NAMES and isinstance(module.parents.get(name), ast.Call)
            if name.id not in found and name in module.parents and not is_handed:
                found.add(name.id)
                _, bindings = view.extension.project.lookup(module, name)
                left += [it.value for it in bindings if isinstance(it.value, ast.expr)]
    return found
