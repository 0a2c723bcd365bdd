"""What the files of an extension import, and whether two of them import each other."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..model.import_paths import imported_path
from ..model.module import Module, last_name
from ..view import FileView
from .reach import is_for_type_checkers

_IMPORTERS = ("import_module", "__import__")


def imports_in_turn(view: FileView, name: str) -> bool:
    """Tell whether a module, named as this file names it, imports this file, directly or not.

    Imports inside of functions count: they are to be moved to the top as well.
    """
    resolve, parsed = view.extension.project.resolver, view.extension.project.module
    wanted = view.module.source.path
    seen = {folder / "__init__.py" for folder in wanted.parents}  # loaded before either
    todo = list(resolve.modules(wanted, name))
    while todo:
        path = todo.pop()
        if path == wanted:
            return True
        module = None if path in seen else parsed(path)
        seen.add(path)
        for imported in _imported(module) if module is not None else ():
            todo.extend(resolve.modules(path, imported))
    return False


def _imported(module: Module) -> Iterator[str]:
    """Yield the dotted names that a module imports; too many sooner than too few."""
    for kind in (ast.Import, ast.ImportFrom):
        for node in module.nodes(kind):
            if not is_for_type_checkers(module, node):
                yield from names_of(node)


def names_of(node: ast.Import | ast.ImportFrom) -> list[str]:
    """Return the dotted names that an import may load, those of what it takes included."""
    names = [alias.name for alias in node.names]
    if isinstance(node, ast.Import):
        return names
    base = imported_path(node)
    between = "" if base.endswith(".") else "."
    return [base, *(f"{base}{between}{name}" for name in names)]


def importing_calls(module: Module) -> Iterator[ast.Call]:
    """Yield the calls in a file that import what their first argument names, by their name."""
    for name in _IMPORTERS:
        for call in module.calls.get(name, ()):
            if call.args and last_name(call.func) == name:
                yield call
