"""What a test says of the length of a list: ``if len(rows) > 5: rows = rows[:5]``."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TypeGuard

from .asked_limits import UNLIMITED, number
from .conditions import split
from .evaluator import Evaluator
from .kept_answers import kept_answer
from .module import Module, last_name
from .name_tests import tests_of
from .written import Holder, Written

_MIRRORED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt,
    ast.LtE: ast.GtE,
    ast.Gt: ast.Lt,
    ast.GtE: ast.LtE,
    ast.Eq: ast.Eq,
    ast.NotEq: ast.NotEq,
}
_MOST: dict[tuple[type[ast.cmpop], bool], int] = {
    (ast.Gt, False): 0,
    (ast.GtE, False): -1,
    (ast.Lt, True): -1,
    (ast.LtE, True): 0,
    (ast.Eq, True): 0,
    (ast.NotEq, False): 0,
}
"""Comparison with a number, and its outcome → how much longer than that number a list can be."""
Asked = Callable[[ast.expr], bool]
"""Tells whether an expression is the list of which a test is asked to speak."""


def tested_length(evaluator: Evaluator, holder: Holder) -> tuple[float, ast.expr | None]:
    """Return the most entries that a list has by the tests of its name, and the last such test."""
    name = holder.use.id
    found: tuple[float, ast.expr | None] = (UNLIMITED, None)
    parents = holder.module.parents
    uses = (parents.get(use) for use in holder.module.names.get(name, ()))
    if not any(isinstance(use, ast.Subscript) or _is_len(use) for use in uses):
        return found
    for test, truth, bindings in tests_of(evaluator, holder.module, holder.use):
        if holder.binding in bindings:
            most = _longest(
                evaluator, holder.module, test, lambda it: _is_name(it, name), truth=truth
            )
            if most < found[0]:
                found = (most, test)
    return found


def left_longest(evaluator: Evaluator, module: Module, test: ast.expr, asked: Asked) -> float:
    """Return the most entries that a list has where a test of it is false."""
    known = [
        _longest(evaluator, module, part, asked, truth=truth)
        for part, truth in split(kept_answer(evaluator, module, test), truth=False)
    ]
    return min(known, default=UNLIMITED)


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _longest(
    evaluator: Evaluator, module: Module, test: ast.expr, asked: Asked, *, truth: bool
) -> float:
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        rest = None if truth else _rest(evaluator, module, test, asked)
        return UNLIMITED if rest is None else rest
    operator, left, right = type(test.ops[0]), test.left, test.comparators[0]
    before = _offset(evaluator, module, left, asked)
    if before is None:
        operator, left, right = _MIRRORED.get(operator, ast.NotIn), right, left
        before = _offset(evaluator, module, left, asked)
    more = _MOST.get((operator, truth))
    if more is None or before is None:
        return UNLIMITED
    limit = number(evaluator, Written(module, right), right)
    return UNLIMITED if limit is None else limit + before + more


def _rest(evaluator: Evaluator, module: Module, test: ast.expr, asked: Asked) -> int | None:
    """Return the length above which ``max(0, len(rows) - 5)`` or ``rows[5:]`` is not empty."""
    if isinstance(test, ast.Subscript):
        cut = test.slice if isinstance(test.slice, ast.Slice) and asked(test.value) else None
        return number(evaluator, Written(module, test), cut.lower) if cut else None
    if isinstance(test, ast.Call) and last_name(test.func) == "max" and len(test.args) == 2:
        zero, rest = sorted(test.args, key=lambda arg: not isinstance(arg, ast.Constant))
        is_zero = isinstance(zero, ast.Constant) and zero.value == 0
        return _offset(evaluator, module, rest, asked) if is_zero else None
    return _offset(evaluator, module, test, asked) if isinstance(test, ast.BinOp) else None


def _offset(evaluator: Evaluator, module: Module, node: ast.expr, asked: Asked) -> int | None:
    """Return 5 for ``len(rows) - 5``; None for what is no length."""
    node = kept_answer(evaluator, module, node)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub):
        less = number(evaluator, Written(module, node), node.right)
        return less if _is_length(node.left, asked) else None
    return 0 if _is_length(node, asked) else None


def _is_length(node: ast.expr, asked: Asked) -> bool:
    return _is_len(node) and len(node.args) == 1 and asked(node.args[0])


def _is_len(node: ast.AST | None) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and last_name(node.func) == "len"
