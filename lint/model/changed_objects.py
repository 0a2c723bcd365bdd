"""Which lists and dicts a file changes after it has written them out, by whatever name."""

from __future__ import annotations

import ast

from .module import Module, last_name
from .remembered import remembered
from .values import Display


def is_changed(module: Module, name: str) -> bool:
    """Tell whether a file changes what a name holds, also by a second name of it."""
    return not module.changed_names.isdisjoint(names_of(module, name))


def names_of(module: Module, name: str) -> set[str]:
    """Return the names that a file may give to one object: ``t = TABLE``, ``a = b = []``."""
    return _shared_names(module).get(name, {name})


@remembered
def _shared_names(module: Module) -> dict[str, set[str]]:
    known: dict[str, set[str]] = {}
    for node in module.nodes(ast.Assign):
        parts = (*node.targets, node.value)
        names = {part.id for part in parts if isinstance(part, ast.Name)}
        if len(names) > 1:
            joined = names.union(*(known[each] for each in names if each in known))
            known.update(dict.fromkeys(joined, joined))
    return known


def may_differ(module: Module, owner: ast.expr, value: Display) -> bool:
    """Tell whether a file changes a display through the name that is read or the one it got."""
    name = last_name(owner)
    if is_changed(module, name) or is_changed(value.module, name):
        return True
    parent = value.module.parents.get(value.node)
    if isinstance(parent, ast.Assign):
        return any(is_changed(value.module, last_name(target)) for target in parent.targets)
    is_named = isinstance(parent, ast.AnnAssign | ast.NamedExpr)
    return is_named and is_changed(value.module, last_name(parent.target))
