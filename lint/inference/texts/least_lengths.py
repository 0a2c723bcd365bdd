"""The least length of a string, and of a value as JSON."""

from __future__ import annotations

import ast

from ..containers.dicts import fields_of
from ..evaluator import Evaluator
from ..values.origins import Written, written
from ..values.values import Const, Display

_DEEPEST = 6


def least_text(evaluator: Evaluator, at: Written) -> int:
    """Return the least length of a string, of alternatives the largest; 0 if unknown."""
    found = evaluator.values(at.module, at.node, at.frame)
    return max((_characters(evaluator, at, item.value, 0) for item in found), default=0)


def _characters(evaluator: Evaluator, at: Written, value: object, depth: int) -> int:
    if isinstance(value, Const):
        return len(value.value) if isinstance(value.value, str) else 0
    if not isinstance(value, Display) or depth > _DEEPEST:
        return 0
    node = value.node
    if isinstance(node, ast.JoinedStr):
        parts = (part.value for part in node.values if isinstance(part, ast.Constant))
        return sum(len(str(part)) for part in parts)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return sum(
            _side(evaluator, Written(value.module, side, at.frame), depth)
            for side in (node.left, node.right)
        )
    return 0


def _side(evaluator: Evaluator, at: Written, depth: int) -> int:
    found = evaluator.values(at.module, at.node, at.frame)
    return min((_characters(evaluator, at, item.value, depth + 1) for item in found), default=0)


def least_json(evaluator: Evaluator, at: Written, depth: int = 0) -> int:
    """Return the least number of characters of a value as compact JSON."""
    if depth > _DEEPEST:
        return 1
    places = written(evaluator, at.module, at.node, at.frame)
    return min((_size(evaluator, place, depth) for place in places), default=1)


def _size(evaluator: Evaluator, at: Written, depth: int) -> int:
    fields = fields_of(evaluator, at)
    if fields is not None:
        return 2 + sum(
            len(key)
            + 3
            + min((least_json(evaluator, value, depth + 1) for value in values), default=1)
            for key, values in fields.values.items()
            if key in fields.sure and isinstance(at.node, ast.Dict) and not at.holders
        )
    if isinstance(at.node, (ast.List, ast.Tuple)):
        return 2 + sum(1 + least_json(evaluator, at.part(item), depth + 1)
                       for item in at.node.elts if not isinstance(item, ast.Starred))  # fmt: skip
    return 1 + _side(evaluator, at, depth)
