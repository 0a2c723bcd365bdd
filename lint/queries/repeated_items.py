"""How many items a list certainly has that no display writes out: ``[x] * 100``, ``range(9)``."""

from __future__ import annotations

import ast

import msgspec

from ..model.evaluator import Evaluator
from ..model.known_calls import LISTING
from ..model.module import last_name
from ..model.values import Const, External, only_value
from ..model.written import Written

_MOST = 1_000_000
_MOST_NUMBERS = 10_000
_DIGIT = ast.Constant(0)


class Repeated(msgspec.Struct, frozen=True, eq=False):
    """Items that stand in a list again and again.

    Attributes:
        items: what stands there, in their order.
        count: how often.
        more: characters that they have besides, as JSON: the digits of the numbers of a ``range``.
    """

    items: list[ast.expr]
    count: int
    more: int = 0


def repeated(evaluator: Evaluator, at: Written) -> Repeated | None:
    """Return what a list repeats; None for other expressions, and where the number is not known."""
    node = at.node
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        return _multiplied(evaluator, at, node)
    if isinstance(node, ast.ListComp):
        count = _rounds(evaluator, at, node)
        return Repeated([node.elt], count) if count is not None else None
    if isinstance(node, ast.Call) and _is_builtin(evaluator, at, node, LISTING):
        return _copied(evaluator, at, node)
    return None


def _multiplied(evaluator: Evaluator, at: Written, node: ast.BinOp) -> Repeated | None:
    for part, times in ((node.left, node.right), (node.right, node.left)):
        count = number(evaluator, at, times)
        if count is not None and isinstance(part, ast.List | ast.Tuple) and not _spreads(part):
            return Repeated(part.elts, max(count, 0))
    return None


def _copied(evaluator: Evaluator, at: Written, node: ast.Call) -> Repeated | None:
    if len(node.args) != 1:
        return None
    inner = node.args[0]
    if isinstance(inner, ast.ListComp | ast.GeneratorExp):
        count = _rounds(evaluator, at, inner)
        return Repeated([inner.elt], count) if count is not None else None
    numbers = _range(evaluator, at, inner)
    if numbers is None:
        return None
    digits = sum(len(str(number)) for number in numbers[:_MOST_NUMBERS])
    return Repeated([_DIGIT], len(numbers), digits - len(numbers[:_MOST_NUMBERS]))


def _rounds(evaluator: Evaluator, at: Written, node: ast.ListComp | ast.GeneratorExp) -> int | None:
    total = 1
    for part in node.generators:
        count = None if part.ifs or part.is_async else _length(evaluator, at, part.iter)
        if count is None:
            return None
        total = min(total * count, _MOST)
    return total


def _length(evaluator: Evaluator, at: Written, node: ast.expr) -> int | None:
    """Return how many rounds a loop over a ``range`` or a display has."""
    if isinstance(node, ast.List | ast.Tuple):
        return None if _spreads(node) else len(node.elts)
    numbers = _range(evaluator, at, node)
    return None if numbers is None else len(numbers)


def _range(evaluator: Evaluator, at: Written, node: ast.expr) -> range | None:
    if not isinstance(node, ast.Call) or node.keywords:
        return None
    if not _is_builtin(evaluator, at, node, frozenset({"range"})):
        return None
    bounds = [number(evaluator, at, part) for part in node.args]
    known = [bound for bound in bounds if bound is not None]
    if len(known) != len(bounds) or not 1 <= len(known) <= 3 or (len(known) == 3 and not known[2]):
        return None
    found = range(*known)
    return found if len(found) <= _MOST else found[:_MOST]


def _spreads(node: ast.List | ast.Tuple) -> bool:
    return any(isinstance(item, ast.Starred) for item in node.elts)


def number(evaluator: Evaluator, at: Written, node: ast.expr) -> int | None:
    """Return a number that the code shows; None for others, and for a very large one."""
    value = only_value(evaluator.values(at.module, node, at.frame))
    known = value.value if isinstance(value, Const) else None
    return known if isinstance(known, int) and abs(known) <= _MOST else None


def _is_builtin(evaluator: Evaluator, at: Written, call: ast.Call, names: frozenset[str]) -> bool:
    if last_name(call.func) not in names:
        return False
    found = [item.value for item in evaluator.values(at.module, call.func, at.frame)]
    return bool(found) and all(isinstance(it, External) and it.name in names for it in found)
