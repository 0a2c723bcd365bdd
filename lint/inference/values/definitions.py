"""The defining expression of a constant, through imports and classes."""

from __future__ import annotations

import ast

from ..evaluator import Evaluator
from ..syntax.bindings import Binding, settled
from ..syntax.module import Module
from ..syntax.names import imported_path
from .attributes import class_chain
from .values import Class, Instance, ModuleValue, only_value

_HOPS = 8


def definition(
    evaluator: Evaluator, module: Module, node: ast.expr, hops: int = _HOPS
) -> tuple[Module, ast.expr] | None:
    """Return the file and the expression that defines ``NAME``, ``keys.NAME`` or ``self.NAME``.

    None if it has several or an unknown definition.
    """
    if not hops:
        return None
    if isinstance(node, ast.Name):
        _, found = evaluator.project.lookup(module, node)
        return _of_bindings(evaluator, module, found, hops)
    if not isinstance(node, ast.Attribute):
        return module, node
    owner = only_value(evaluator.values(module, node.value))
    if isinstance(owner, ModuleValue):
        return _of_module(evaluator, owner.module, node.attr, hops)
    cls = owner.cls if isinstance(owner, Instance) else owner
    for each in class_chain(evaluator, cls) if isinstance(cls, Class) else ():
        found = evaluator.project.table(each.node).get(node.attr, [])
        if found:
            return _of_bindings(evaluator, each.module, found, hops)
    return None


def _of_module(
    evaluator: Evaluator, module: Module, name: str, hops: int
) -> tuple[Module, ast.expr] | None:
    found = settled(module.tree, evaluator.project.table(module.tree).get(name, []))
    return _of_bindings(evaluator, module, found, hops)


def _of_bindings(
    evaluator: Evaluator, module: Module, found: list[Binding], hops: int
) -> tuple[Module, ast.expr] | None:
    binding = found[0] if len(found) == 1 else None
    if binding is None or binding.path:
        return None
    if binding.assigned is not None:
        return definition(evaluator, module, binding.assigned, hops - 1)
    if binding.kind != "import" or not isinstance(binding.value, ast.ImportFrom):
        return None
    assert isinstance(binding.node, ast.alias)  # noqa: S101 - bindings.py made it so
    base = imported_path(binding.value)
    owner = evaluator.module_named(module, base)
    if not isinstance(owner, ModuleValue):
        return None
    return _of_module(evaluator, owner.module, binding.node.name, hops - 1)
