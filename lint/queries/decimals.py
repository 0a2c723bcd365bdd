"""Sums and products of Decimals: only what they are made of tells that they are Decimals too."""

from __future__ import annotations

import ast

from ..model.arguments import argument_at
from ..model.evaluator import Evaluator
from ..model.standard_types import SAME_DECIMAL, class_name
from ..model.values import External, Made, only_value
from ..model.written import Written, written

_DECIMAL = "decimal.Decimal"
_DEEPEST = 6
_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv)
"""With a Decimal on one side they make a Decimal or raise TypeError."""
COMPUTING = frozenset({"sum", "round", "abs"})
"""Builtins whose result is of the class of what they get."""


def is_decimal(evaluator: Evaluator, at: Written, depth: int = 0) -> bool:
    """Tell whether an expression certainly is a Decimal."""
    places = written(evaluator, at.module, at.node, at.frame) if depth < _DEEPEST else []
    return bool(places) and all(_is_decimal(evaluator, place, depth + 1) for place in places)


def _is_decimal(evaluator: Evaluator, at: Written, depth: int) -> bool:
    node = at.node
    parts: list[ast.expr] = []
    if isinstance(node, ast.BinOp) and isinstance(node.op, _OPERATORS):
        parts = [node.left, node.right]
    elif isinstance(node, ast.UnaryOp):
        parts = [node.operand]
    elif isinstance(node, ast.Call):
        parts = _kept(evaluator, at, node)
    elif isinstance(node, ast.Name):
        return _is_grown(evaluator, at, node, depth)
    if any(is_decimal(evaluator, at.part(part), depth) for part in parts):
        return True
    found = [item.value for item in evaluator.values(at.module, node, at.frame)]
    return bool(found) and all(
        isinstance(value, Made) and class_name(value.of) == _DECIMAL for value in found
    )


def _kept(evaluator: Evaluator, at: Written, call: ast.Call) -> list[ast.expr]:
    """Return what makes a call return a Decimal if it is one: ``sum(prices, Decimal(0))``."""
    if isinstance(call.func, ast.Attribute):
        return [call.func.value] if call.func.attr in SAME_DECIMAL else []
    callee = only_value(evaluator.values(at.module, call.func, at.frame))
    start = argument_at(call, "start", 1) if callee == External("sum") else None
    rounded = callee == External("round") and len(call.args) == 2
    if rounded or callee == External("abs"):
        start = argument_at(call, "", 0)
    return [start] if start is not None else []


def _is_grown(evaluator: Evaluator, at: Written, name: ast.Name, depth: int) -> bool:
    """Tell whether a name begins as a Decimal and only grows: ``total += price``."""
    _, found = evaluator.project.lookup(at.module, name)
    grown = [it.node for it in found if isinstance(it.node, ast.AugAssign)]
    first = [it.value for it in found if it.kind == "assign" and not it.path]
    return (
        len(grown) + len(first) == len(found)
        and all(isinstance(node.op, _OPERATORS) for node in grown)
        and bool(first)
        and all(
            isinstance(value, ast.expr) and is_decimal(evaluator, at.part(value), depth)
            for value in first
        )
    )
