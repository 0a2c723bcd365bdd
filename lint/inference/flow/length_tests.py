"""Upper bounds of lengths: by tests of ``len(x)``, and by limits that calls are given."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Iterator
from typing import TypeGuard

from ..evaluator import Evaluator
from ..syntax.module import FUNCTIONS, Module, last_name
from ..values.origins import Holder, Written, constants
from .conditions import split
from .predicate_helpers import kept_answer
from .type_tests import tests_of

UNLIMITED = math.inf
"""The bound of a list that nothing in the code limits."""

_LIMITS = re.compile(
    r"limit|per_?page|page_?size|max_?(?:results|items|records)|size|count|top(?:_?k)?|take|n|num"
    r"|number|k|first|rows",
    re.IGNORECASE,
)
_IN_TEXT = re.compile(
    r"(?:limit|per_page|page_size|pagesize|max_?results|count|top|size)\s*[=: ]\s*(\d+|\{)",
    re.IGNORECASE,
)


def number(evaluator: Evaluator, at: Written, node: ast.expr | None) -> int | None:
    """Return the largest number that an expression can be."""
    if node is None:
        return None
    numbers = [item for item in constants(evaluator, at, node) if isinstance(item, int)]
    return max(numbers, default=None)


def limited(evaluator: Evaluator, at: Written, node: ast.AST) -> float | None:
    """Return the ``limit=`` of the calls that an expression comes from.

    ``UNLIMITED`` if they give none, None if it is unknown.
    """
    limits: list[float | None] = []
    for expression in _behind(evaluator, at, node, set()):
        limits.extend(_limits(evaluator, at, expression))
    if None in limits:
        return None
    return min((item for item in limits if item is not None), default=UNLIMITED)


def _behind(
    evaluator: Evaluator, at: Written, node: ast.AST, seen: set[ast.AST]
) -> Iterator[ast.AST]:
    """Yield an expression and those that gave values to the names in it, in its function."""
    if node in seen or len(seen) > 60:
        return
    seen.add(node)
    yield node
    for name in ast.walk(node):
        if (
            isinstance(name, ast.Name)
            and isinstance(name.ctx, ast.Load)
            and name in at.module.parents
        ):
            scope, found = evaluator.project.lookup(at.module, name)
            for binding in found if isinstance(scope, FUNCTIONS) else ():
                if binding.value is not None and binding.kind in {"assign", "for", "with"}:
                    yield from _behind(evaluator, at, binding.value, seen)


def _limits(evaluator: Evaluator, at: Written, node: ast.AST) -> Iterator[float | None]:
    for inner in ast.walk(node):
        for name, value in _named(inner):
            if _LIMITS.fullmatch(name):
                yield number(evaluator, at, value)
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            yield from _in_text(inner.value)


def _named(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(node, ast.Call):
        yield from ((item.arg, item.value) for item in node.keywords if item.arg)
    elif isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant):
                yield str(key.value), value


def _in_text(text: str) -> Iterator[float | None]:
    for match in _IN_TEXT.finditer(text[:2000]):
        yield int(match[1]) if match[1].isdigit() else None
    if re.search(r"(?:limit|per_page|page_size)=$", text[-20:], re.IGNORECASE):
        yield None


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
    """Return the most entries of a list by tests of its name, and the last of these tests."""
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
    """Return the most entries of a list where a test of its length is false."""
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
