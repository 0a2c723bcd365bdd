"""Which call made an object, in one run of the code that uses it."""

from __future__ import annotations

import ast

from .arguments import given_in
from .bindings import parameters
from .evaluator import Evaluator
from .module import FUNCTIONS, Module
from .supers import is_super
from .values import Class, Frame, Function, frame_of, only_value

Making = tuple[Module, ast.Call, Frame | None]
"""A call of a class, and the calls through which its arguments are read."""
_DEPTH = 8


def maker(
    evaluator: Evaluator,
    module: Module,
    node: ast.expr,
    frame: Frame | None,
    depth: int = _DEPTH,
) -> Making | None:
    """Return the call that made the object of an expression, and where its arguments are read.

    Args:
        evaluator: of the extension.
        module: the file of the expression.
        node: the expression.
        frame: the calls by which it is reached.
        depth: how many names and parameters to follow.
    """
    if depth == 0:
        return None
    if isinstance(node, ast.Call):
        return _of_call(evaluator, module, node, frame, depth)
    if not isinstance(node, ast.Name):
        return None
    scope, bindings = evaluator.project.lookup(module, node)
    binding = bindings[0] if len(bindings) == 1 else None
    if binding is None or binding.path:
        return None
    if binding.kind == "assign" and isinstance(binding.value, ast.expr):
        return maker(evaluator, module, binding.value, frame, depth - 1)
    owner = frame_of(frame, scope)
    if binding.kind != "param" or owner is None or not isinstance(binding.node, ast.arg):
        return None
    return _of_parameter(evaluator, owner, binding.node, depth)


def _of_parameter(evaluator: Evaluator, owner: Frame, arg: ast.arg, depth: int) -> Making | None:
    given = _given(owner, arg)
    if given is not None:
        return maker(evaluator, owner.module, given, owner.outer, depth - 1)
    return (owner.module, owner.call, owner.outer) if _is_constructor(owner) else None


def _of_call(
    evaluator: Evaluator, module: Module, node: ast.Call, frame: Frame | None, depth: int
) -> Making | None:
    if is_super(node):
        around = module.function(node)
        owner = frame_of(frame, around)
        caller = next(iter(parameters(around)), None) if isinstance(around, FUNCTIONS) else None
        return _of_parameter(evaluator, owner, caller, depth) if owner and caller else None
    callee = only_value(evaluator.values(module, node.func, frame))
    if isinstance(callee, Class):
        return module, node, frame
    is_same = isinstance(callee, Function) and _returns_itself(callee)
    if not is_same or not isinstance(node.func, ast.Attribute):
        return None
    return maker(evaluator, module, node.func.value, frame, depth - 1)


def _returns_itself(method: Function) -> bool:
    """Tell whether a method returns its object: ``Query().where(…).limit(…)``."""
    itself = [arg.arg for arg in parameters(method.node)[:1]] if method.bound is not None else []
    results = method.module.returns(method.node)
    is_plain = isinstance(method.node, ast.FunctionDef) and not method.node.decorator_list
    return (
        is_plain
        and bool(results)
        and all(isinstance(it, ast.Name) and it.id in itself for it in results)
    )


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
