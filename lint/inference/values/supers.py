"""``super()``: attributes of a base class on the object itself."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from ..evaluator import Evaluator
from ..syntax.bindings import parameters
from ..syntax.module import FUNCTIONS, Module
from .values import UNKNOWN, Alternative, Class, Frame, Function, Instance, Value, replaced


def of_super(evaluator: Evaluator, module: Module, node: ast.Call) -> Iterator[Alternative]:
    """Yield the value of ``super()``: an instance of the first known base."""
    cls = module.class_around(node)
    bases = evaluator.bases(Class(module, cls)) if cls is not None else ()
    base = next((base for base in bases if isinstance(base, Class)), None)
    yield Alternative(Instance(base) if base is not None else UNKNOWN)


def on_caller(
    evaluator: Evaluator,
    module: Module,
    node: ast.Attribute,
    found: Iterable[Alternative],
    frame: Frame | None,
) -> Iterable[Alternative]:
    """Rebind the value of ``super().key`` from the base to the calling object.

    Args:
        evaluator: of the extension.
        module: the file of the expression.
        node: an attribute.
        found: what the attribute is.
        frame: the call in which it stands.
    """
    around = module.function(node) if is_super(node.value) else None
    if not isinstance(around, FUNCTIONS):
        return found
    callers = [
        item.value
        for arg in parameters(around)[:1]
        for binding in evaluator.project.table(around)[arg.arg]
        for item in evaluator.binding(module, around, binding, frame)
        if isinstance(item.value, (Instance, Class))
    ]
    return tuple(bound for item in found for bound in _bound(item, callers))


def _bound(item: Alternative, callers: Sequence[Value]) -> Iterator[Alternative]:
    function = item.value
    if not callers or not isinstance(function, Function) or function.bound is None:
        yield item
        return
    for caller in callers:
        yield replaced(item, Function(function.module, function.node, caller))


def is_super(node: ast.expr) -> bool:
    """``super()``."""
    callee = node.func if isinstance(node, ast.Call) else None
    return isinstance(callee, ast.Name) and callee.id == "super"
