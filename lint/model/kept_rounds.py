"""How many rounds of a comprehension pass its conditions."""

from __future__ import annotations

import ast

from .arguments import argument_at
from .asked_limits import number
from .conditions import split
from .evaluator import Evaluator
from .module import last_name
from .written import Written

_TURNED = {ast.Gt: ast.Lt, ast.GtE: ast.LtE}


def kept_rounds(evaluator: Evaluator, at: Written, generator: ast.comprehension) -> int | None:
    """Return 5 for ``for i, row in enumerate(page) if i < 5``; None if nothing limits the rounds.

    Args:
        evaluator: of the extension.
        at: the comprehension.
        generator: one of its loops.
    """
    call, target = generator.iter, generator.target
    if not isinstance(call, ast.Call) or last_name(call.func) != "enumerate":
        return None
    if not isinstance(target, ast.Tuple) or not isinstance(target.elts[0], ast.Name):
        return None
    given = argument_at(call, "start", 1)
    start = 0 if given is None else number(evaluator, at, given)
    if start is None:
        return None
    limits = [
        _limit(evaluator, at, part, target.elts[0].id)
        for test in generator.ifs
        for part, truth in split(test, truth=True)
        if truth
    ]
    return min((max(it - start, 0) for it in limits if it is not None), default=None)


def _limit(evaluator: Evaluator, at: Written, test: ast.expr, name: str) -> int | None:
    """Return the number that the index stays below."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return None
    left, right, kind = test.left, test.comparators[0], type(test.ops[0])
    if kind in _TURNED:
        left, right, kind = right, left, _TURNED[kind]
    if not isinstance(left, ast.Name) or left.id != name or kind not in {ast.Lt, ast.LtE}:
        return None
    most = number(evaluator, at, right)
    return None if most is None else most + (kind is ast.LtE)
