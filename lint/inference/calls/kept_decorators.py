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
