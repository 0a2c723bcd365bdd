"""What the call that made an object gave to one of its fields, in one run."""

from __future__ import annotations

import ast

from ..model.arguments import given_in
from ..model.attributes import class_chain
from ..model.bindings import parameters
from ..model.evaluator import Evaluator
from ..model.fields import assigned_in, constructor
from ..model.foreign_stores import is_set_outside
from ..model.module import FUNCTIONS, Module
from ..model.values import Class, Frame, Instance, frame_of, only_value

Place = tuple[Module, ast.expr, Frame | None]
"""An expression and the call in which it is to be read."""
_DEPTH = 8


def field_given(
    evaluator: Evaluator, module: Module, node: ast.Attribute, frame: Frame | None
) -> Place | None:
    """Return what ``__init__`` assigned to an attribute, read in the call that made the object.

    None if that call is not known, or if the class assigns the attribute more than once.
    """
    made = _made(evaluator, module, node.value, frame, _DEPTH)
    if made is None:
        return None
    where, call, outer = made
    cls = only_value(evaluator.values(where, call.func, outer))
    chain = list(class_chain(evaluator, cls)) if isinstance(cls, Class) else []
    start = constructor(chain)
    if start is None or is_set_outside(evaluator, chain, node.attr):
        return None
    values = assigned_in(chain, node.attr)
    owner, value = values[0] if len(values) == 1 else (None, None)
    if owner is None or value is None or owner.function(value) is not start:
        return None
    depth = outer.depth + 1 if outer else 1
    inside = Frame(start, where, call, outer, Instance(chain[0]), depth)
    return owner, value, evaluator.frame(inside)


def _made(
    evaluator: Evaluator, module: Module, node: ast.expr, frame: Frame | None, depth: int
) -> tuple[Module, ast.Call, Frame | None] | None:
    """Return the call that made the object of an expression, and where its arguments are read."""
    if depth == 0:
        return None
    if isinstance(node, ast.Call):
        is_class = isinstance(only_value(evaluator.values(module, node.func, frame)), Class)
        return (module, node, frame) if is_class else None
    if not isinstance(node, ast.Name):
        return None
    scope, bindings = evaluator.project.lookup(module, node)
    binding = bindings[0] if len(bindings) == 1 else None
    if binding is None or binding.path:
        return None
    if binding.kind == "assign" and isinstance(binding.value, ast.expr):
        return _made(evaluator, module, binding.value, frame, depth - 1)
    owner = frame_of(frame, scope)
    if binding.kind != "param" or owner is None or not isinstance(binding.node, ast.arg):
        return None
    given = _given(owner, binding.node)
    if given is not None:
        return _made(evaluator, owner.module, given, owner.outer, depth - 1)
    return (owner.module, owner.call, owner.outer) if _is_constructor(owner) else None


def _given(owner: Frame, arg: ast.arg) -> ast.expr | None:
    function = owner.function
    if not isinstance(function, FUNCTIONS):
        return None
    if owner.bound is None or parameters(function)[:1] != [arg]:
        return given_in(owner, arg)
    callee = owner.call.func
    if _is_constructor(owner) or not isinstance(callee, ast.Attribute):
        return None
    return callee.value


def _is_constructor(owner: Frame) -> bool:
    return getattr(owner.function, "name", "") == "__init__"
