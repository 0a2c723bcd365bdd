"""Literals, and what operators pass on: a choice, the result of a coroutine."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from .alternatives import replaced
from .branches import may_run
from .evaluator import Evaluator
from .module import Module
from .narrowing import truth_of
from .values import (
    UNKNOWN,
    Alternative,
    Const,
    Coroutine,
    Display,
    Frame,
    Function,
    Gathered,
    Made,
    Rows,
)


def as_written(module: Module, node: ast.AST, frame: Frame | None) -> tuple[Alternative, ...]:
    """A literal, and what is judged by its node."""
    if isinstance(node, ast.Constant):
        return (Alternative(Const(node.value), frame=frame),)
    value = Display(module, node) if isinstance(node, ast.expr) else UNKNOWN
    return (Alternative(value, frame=frame if isinstance(node, ast.expr) else None),)


def awaited(
    evaluator: Evaluator, module: Module, node: ast.Await, frame: Frame | None
) -> Iterable[Alternative]:
    """The result of a coroutine."""
    return results(evaluator.values(module, node.value, frame))


def results(items: Iterable[Alternative]) -> Iterable[Alternative]:
    """What ``await`` gives for each of some values."""
    for item in items:
        value = item.value
        inner = value.result if isinstance(value, Coroutine) else UNKNOWN
        if isinstance(value, Gathered):
            inner = Rows("list", value.row)
        elif isinstance(value, Made):
            inner = Made(f"await {value.of}")
        yield replaced(item, inner)


def either(
    evaluator: Evaluator, module: Module, node: ast.IfExp, frame: Frame | None
) -> Iterable[Alternative]:
    """``a if c else b``."""
    for branch in (node.body, node.orelse):
        if may_run(evaluator, module, branch, frame):
            yield from evaluator.values(module, branch, frame)


def boolean(
    evaluator: Evaluator, module: Module, node: ast.BoolOp, frame: Frame | None
) -> Iterable[Alternative]:
    """``a or b``, ``a and b``; behind a constant that decides nothing counts."""
    passes_on = isinstance(node.op, ast.And)
    for part in node.values:
        found = evaluator.values(module, part, frame)
        for item in found:
            if part is node.values[-1] or truth_of(item.value) is not passes_on:
                yield item
        if found and all(
            isinstance(item.value, Const) and bool(item.value.value) is not passes_on
            for item in found
        ):
            return


def walrus(
    evaluator: Evaluator, module: Module, node: ast.NamedExpr, frame: Frame | None
) -> tuple[Alternative, ...]:
    """``(a := b)``."""
    return evaluator.values(module, node.value, frame)


def function(
    _: Evaluator, module: Module, node: ast.Lambda, frame: Frame | None
) -> tuple[Alternative, ...]:
    """A function."""
    return (Alternative(Function(module, node), frame=frame),)
