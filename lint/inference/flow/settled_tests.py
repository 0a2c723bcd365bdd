"""Tests with a constant outcome: ``TYPE_CHECKING``, globals that are never rebound."""

from __future__ import annotations

import ast

from ..syntax.bindings import Binding, settled
from ..syntax.module import Module, last_name
from ..syntax.names import Names

_TYPES = "TYPE_CHECKING"
_HOPS = 8


def settled_outcome(names: Names, module: Module, test: ast.expr, hops: int = _HOPS) -> bool | None:
    """Return the constant outcome of a test; None for others."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = settled_outcome(names, module, test.operand, hops)
        return None if inner is None else not inner
    if isinstance(test, ast.BoolOp):
        is_or = isinstance(test.op, ast.Or)
        parts = [settled_outcome(names, module, part, hops) for part in test.values]
        return is_or if is_or in parts else None if None in parts else not is_or
    if isinstance(test, ast.Constant):
        return bool(test.value)
    if last_name(test) == _TYPES:
        return False
    return _of_name(names, module, test, hops) if isinstance(test, ast.Name) and hops else None


def _of_name(names: Names, module: Module, name: ast.Name, hops: int) -> bool | None:
    """Return the truth value of a global that is bound once in the extension."""
    scope, found, _ = names.bindings(module, name)
    is_global = isinstance(scope, ast.Module) and not _is_set_by_name(names, module, name.id)
    if not is_global or any(other.stored(name.id) for other in names.naming(name.id)):
        return None
    return _of_binding(names, module, settled(scope, found), hops)


def _is_set_by_name(names: Names, module: Module, name: str) -> bool:
    """Tell whether ``globals()["LEGACY"] = …`` or ``setattr(conf, "LEGACY", …)`` is written."""
    return any(_is_changed(module, call) for call in module.calls.get("globals", ())) or any(
        isinstance(arg, ast.Constant) and arg.value == name
        for other in names.naming("setattr")
        for call in other.calls.get("setattr", ())
        for arg in call.args[1:2]
    )


def _is_changed(module: Module, names: ast.Call) -> bool:
    parent = module.parents.get(names)
    if isinstance(parent, ast.Attribute):
        return parent.attr == "update"
    return isinstance(parent, ast.Subscript) and not isinstance(parent.ctx, ast.Load)


def _of_binding(names: Names, module: Module, found: list[Binding], hops: int) -> bool | None:
    binding = found[0] if len(found) == 1 else None
    if binding is None:
        return None
    if binding.kind == "assign":
        given = _part(binding)
        return settled_outcome(names, module, given, hops - 1) if given is not None else None
    if not isinstance(binding.node, ast.alias) or not isinstance(binding.value, ast.ImportFrom):
        return None
    owner = names.imported_module(module, binding.value)
    given = names.table(owner.tree).get(binding.node.name, []) if owner is not None else []
    return _of_binding(names, owner, settled(owner.tree, given), hops - 1) if owner else None


def _part(binding: Binding) -> ast.expr | None:
    """Return ``False`` for ``OLD`` of ``OLD, NEW = False, True``."""
    given = binding.value
    for index in binding.path:
        if not isinstance(given, ast.Tuple) or any(
            isinstance(it, ast.Starred) for it in given.elts
        ):
            return None
        given = given.elts[index] if index < len(given.elts) else None
    return given if isinstance(given, ast.expr) else None
