"""Decorators: which keep a function callable as written, and which are kept in variables."""

from __future__ import annotations

import ast

from ..evaluator import Evaluator
from ..syntax.arguments import callee_of
from ..syntax.bindings import sole_value
from ..syntax.memo import remembered_in_circles
from ..syntax.module import FunctionNode, Module
from ..values.values import External, Function, Sdk, SdkClass, SdkMethod
from .roles import KINDS

_APPLYING = frozenset({"functools.partial", "functools.partialmethod", "functools.reduce"})
"""Functions that call what they are given, in a way that is not followed."""
_DEFS = (ast.FunctionDef, ast.AsyncFunctionDef)


def spelt_out(evaluator: Evaluator, module: Module, node: ast.expr) -> ast.expr:
    """Return ``ext.panel("side")`` for a variable that holds this decorator or its callee."""
    if not isinstance(node, ast.Name):
        return node
    kept = sole_value(evaluator.project.lookup(module, node)[1])
    return kept if isinstance(kept, (ast.Call, ast.Attribute)) else node


def kept_callee(evaluator: Evaluator, module: Module, decorator: ast.expr) -> ast.expr:
    """Return the callee of a decorator, with variables replaced by what they hold."""
    callee = callee_of(spelt_out(evaluator, module, decorator))
    return spelt_out(evaluator, module, callee)


def registers(evaluator: Evaluator, module: Module, decorator: ast.expr) -> bool:
    """Tell whether a decorator has the name of one that registers handlers: ``@ext.panel("p")``."""
    callee = kept_callee(evaluator, module, decorator)
    return (
        isinstance(callee, ast.Attribute)
        and callee.attr in KINDS
        and not any(isinstance(it.value, Function) for it in evaluator.values(module, callee))
    )


@remembered_in_circles(meanwhile=True)
def is_followed(evaluator: Evaluator, module: Module, function: FunctionNode) -> bool:
    """Tell whether decorators pass a function's arguments and result through unchanged.

    Registering decorators and those of libraries are assumed to; those of the extension, and
    unknown ones, are not.
    """
    decorators: list[ast.expr] = getattr(function, "decorator_list", [])
    return all(
        registers(evaluator, module, each) or _hands_on(evaluator, module, each)
        for each in decorators
    )


def _hands_on(evaluator: Evaluator, module: Module, decorator: ast.expr) -> bool:
    found = [item.value for item in evaluator.values(module, callee_of(decorator))]
    given = decorator.args if isinstance(decorator, ast.Call) else []
    taken = [item.value for each in given for item in evaluator.values(module, each)]
    return (
        bool(found)
        and not any(isinstance(value, Function) for value in taken)
        and all(
            value.name not in _APPLYING
            if isinstance(value, External)
            else isinstance(value, (Sdk, SdkClass, SdkMethod))
            for value in found
        )
    )


def gives_context(evaluator: Evaluator, module: Module, function: FunctionNode) -> bool:
    """Tell whether a function gets as its first argument what the SDK gives to its decorators.

    Those of the extension do so if they return a function that calls the decorated one with its
    own first argument.
    """
    decorators: list[ast.expr] = getattr(function, "decorator_list", [])
    return all(
        registers(evaluator, module, each)
        or _hands_on(evaluator, module, each)
        or _wraps(evaluator, module, each)
        for each in decorators
    )


def _wraps(evaluator: Evaluator, module: Module, decorator: ast.expr) -> bool:
    found = [item.value for item in evaluator.values(module, callee_of(decorator))]
    depth = 1 if isinstance(decorator, ast.Call) else 0
    return bool(found) and all(
        isinstance(value, Function) and _is_wrapper(value.node, depth) for value in found
    )


def _is_wrapper(function: ast.AST, depth: int) -> bool:
    """Tell whether a decorator, or one that a call makes, hands its first argument on."""
    inner = _returned(function)
    if inner is None or depth:
        return inner is not None and _is_wrapper(inner, depth - 1)
    given = function.args.args[:1] if isinstance(function, _DEFS) else []
    spec = inner.args
    first = [*spec.posonlyargs, *spec.args][:1]
    name = first[0].arg if first else spec.vararg.arg if spec.vararg else ""
    parts = list(ast.walk(inner))
    calls = [
        part
        for part in parts
        if isinstance(part, ast.Call)
        and isinstance(part.func, ast.Name)
        and [part.func.id] == [it.arg for it in given]
    ]
    is_bound = any(
        isinstance(part, ast.Name) and part.id == name and not isinstance(part.ctx, ast.Load)
        for part in parts
    )
    return bool(calls) and not is_bound and all(_first_of(call) == name for call in calls)


def _returned(function: ast.AST) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """Return the function that a function defines and returns."""
    body = function.body if isinstance(function, _DEFS) else []
    last = body[-1] if body else None
    name = (
        last.value.id if isinstance(last, ast.Return) and isinstance(last.value, ast.Name) else ""
    )
    found = [step for step in body if isinstance(step, _DEFS) and step.name == name]
    return found[0] if len(found) == 1 else None


def _first_of(call: ast.Call) -> str:
    first = call.args[0] if call.args else None
    first = first.value if isinstance(first, ast.Starred) else first
    return first.id if isinstance(first, ast.Name) else ""
