"""What a module brings along while it is loaded."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..model.module import FUNCTIONS, Module
from ..view import FileView
from .reach import is_for_type_checkers


def loads(view: FileView, name: str, wanted: Module) -> bool:
    """Tell whether loading a module, named as this file names it, also loads a wanted one."""
    resolve, parsed = view.extension.project.resolver, view.extension.project.module
    seen = {folder / "__init__.py" for folder in wanted.source.path.parents}  # loaded by then
    todo = list(resolve.modules(view.module.source.path, name))
    while todo:
        path = todo.pop()
        if path == wanted.source.path:
            return True
        module = None if path in seen else parsed(path)
        seen.add(path)
        for imported in _while_loading(module) if module is not None else ():
            todo.extend(resolve.modules(path, imported))
    return False


def _while_loading(module: Module) -> Iterator[str]:
    """Yield the dotted names that a module imports when it is loaded; too many sooner than few."""
    for kind in (ast.Import, ast.ImportFrom):
        for node in module.nodes(kind):
            inside = any(isinstance(up, FUNCTIONS) for up in module.ancestors(node))
            if inside or is_for_type_checkers(module, node):
                continue
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
                continue
            base = "." * node.level + (node.module or "")
            yield base
            between = "" if base.endswith(".") else "."
            yield from (f"{base}{between}{alias.name}" for alias in node.names)
