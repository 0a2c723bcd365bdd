"""Tests made by a helper function, or whose result a variable holds."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from weakref import WeakKeyDictionary

from ..evaluator import Evaluator
from ..syntax.bindings import parameters, sole_value
from ..syntax.blocks import leaves
from ..syntax.module import FunctionNode, Module
from ..values.values import Function, only_value
from .conditions import conditions, split
from .json_trials import trials

May = Callable[[Module, ast.expr, str, bool], bool]
"""Tells whether a test that stands in a file, of a name for the value, may have an outcome."""
_ASKED: WeakKeyDictionary[Evaluator, set[FunctionNode]] = WeakKeyDictionary()
"""The functions whose answers are just being looked for: some ask each other."""


def own_answer(evaluator: Evaluator, module: Module, call: ast.Call, may: May) -> bool | None:
    """Return the result of a predicate for its first argument; None if unknown.

    Args:
        evaluator: of the extension.
        module: the file of the call.
        call: the call.
        may: decides the tests of that argument in the body.
    """
    asked = only_value(evaluator.values(module, call.func))
    busy = _ASKED.setdefault(evaluator, set())
    if not isinstance(asked, Function) or not isinstance(asked.node, ast.FunctionDef):
        return None
    name = _parameter(evaluator, asked)
    if not name or len(call.args) != 1 or call.keywords or asked.node in busy:
        return None
    busy.add(asked.node)
    try:
        outcomes = set(_outcomes(asked.module, asked.node, name, may))
    finally:
        busy.discard(asked.node)
    return outcomes.pop() if len(outcomes) == 1 else None


def _parameter(evaluator: Evaluator, asked: Function) -> str:
    """Return the first parameter of an undecorated function that never rebinds it."""
    given = parameters(asked.node)[int(asked.bound is not None) :]
    name = given[0].arg if given else ""
    is_kept = len(evaluator.project.table(asked.node).get(name, ())) == 1
    plain = isinstance(asked.node, ast.FunctionDef) and not asked.node.decorator_list
    return name if is_kept and plain and not asked.module.is_generator(asked.node) else ""


def _outcomes(module: Module, function: ast.FunctionDef, name: str, may: May) -> Iterator[bool]:
    """Yield the results of the paths through a function that a value may take."""
    for result in module.nodes(ast.Return):
        if module.function(result) is not function:
            continue
        tests = (*conditions(module, result, rebound=False), *trials(module, result))
        if all(may(module, test, name, truth) for test, truth in tests):
            yield from _truths(module, result.value, name, may)
    if not leaves(function.body[-1], module.swallowing):
        yield from (True, False)


def _truths(module: Module, result: ast.expr | None, name: str, may: May) -> Iterator[bool]:
    if result is None or isinstance(result, ast.Constant):
        yield result is not None and bool(result.value)
        return
    for truth in (True, False):
        if all(may(module, part, name, outcome) for part, outcome in split(result, truth=truth)):
            yield truth


_ANSWERS = (ast.Call, ast.Compare, ast.BoolOp, ast.UnaryOp, ast.BinOp, ast.Subscript)


def kept_answer(evaluator: Evaluator, module: Module, test: ast.expr) -> ast.expr:
    """Return the test whose result a name holds; other expressions unchanged."""
    if isinstance(test, ast.NamedExpr):
        return test.value
    if not isinstance(test, ast.Name) or test not in module.parents:
        return test
    kept = sole_value(evaluator.project.lookup(module, test)[1])
    return kept if isinstance(kept, _ANSWERS) else test
