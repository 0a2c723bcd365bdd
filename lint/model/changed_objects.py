"""Which lists and dicts a file changes after it has written them out, by whatever name."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from weakref import WeakKeyDictionary

from .arguments import argument_node
from .bindings import parameters
from .module import FunctionNode, Module, last_name
from .values import Display

_SAME: WeakKeyDictionary[Module, dict[str, set[str]]] = WeakKeyDictionary()
_HANDED: WeakKeyDictionary[Module, frozenset[str]] = WeakKeyDictionary()


def is_changed(module: Module, name: str) -> bool:
    """Tell whether a file changes what a name holds, also by a second name or a parameter."""
    names = names_of(module, name)
    return not (module.changed_names.isdisjoint(names) and _handed(module).isdisjoint(names))


def _handed(module: Module) -> frozenset[str]:
    """Return the names that a file gives to functions of its own that change what they get."""
    if module not in _HANDED:
        given = (
            argument_node(call, function, arg, skip=0)
            for function, arg in _changing(module)
            for call in module.calls.get(getattr(function, "name", ""), ())
        )
        _HANDED[module] = frozenset(last_name(node) for node in given if node is not None)
    return _HANDED[module]


def _changing(module: Module) -> Iterator[tuple[FunctionNode, ast.arg]]:
    """Yield the functions of a file that change what they get, and the parameters."""
    for owner in module.changed:
        function = module.function(owner) if isinstance(owner, ast.Name) else None
        if function is not None:
            yield from ((function, it) for it in parameters(function) if it.arg == last_name(owner))


def names_of(module: Module, name: str) -> set[str]:
    """Return the names that a file may give to one object: ``t = TABLE``, ``a = b = []``."""
    known = _SAME.get(module)
    if known is None:
        known = _SAME[module] = {}
        for node in module.nodes(ast.Assign):
            parts = (*node.targets, node.value)
            names = {part.id for part in parts if isinstance(part, ast.Name)}
            if len(names) > 1:
                joined = names.union(*(known[each] for each in names if each in known))
                known.update(dict.fromkeys(joined, joined))
    return known.get(name, {name})


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
