"""What the files of an extension import, and whether two of them import each other."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..model.import_paths import imported_path
from ..model.module import Module, last_name
from ..view import FileView
from .reach import function_around, is_for_type_checkers

_IMPORTERS = ("import_module", "__import__")


def imports_in_turn(view: FileView, name: str) -> bool:
    """Tell whether a module, named as this file names it, imports this file, directly or not.

    Imports inside of functions count, since they are to be moved to the top as well; not where
    the top of this file imports the module already, for one more import of it makes no circle.
    """
    if _imports_at_top(view, name):
        return _leads_here(view, name, at_top=True)
    return _leads_here(view, name, at_top=False)


def _leads_here(view: FileView, name: str, *, at_top: bool) -> bool:
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
        for imported in _imported(module, at_top=at_top) if module is not None else ():
            todo.extend(resolve.modules(path, imported))
    return False


def _imports_at_top(view: FileView, name: str) -> bool:
    resolve, here = view.extension.project.resolver, view.module.source.path
    wanted = resolve.module(here, name)
    found = _imported(view.module, at_top=True)
    return wanted is not None and any(wanted in resolve.modules(here, each) for each in found)


def _imported(module: Module, *, at_top: bool) -> Iterator[str]:
    """Yield the dotted names that a module imports; too many sooner than too few."""
    for kind in (ast.Import, ast.ImportFrom):
        for node in module.nodes(kind):
            is_meant = not at_top or function_around(module, node) is None
            if is_meant and not is_for_type_checkers(module, node):
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
