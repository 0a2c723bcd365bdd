"""Values of displays and operators: what is known of them without running anything."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from .module import Module
from .values import UNKNOWN, Alternative, Const, Display, Frame

if TYPE_CHECKING:
    from .evaluate import Evaluator

_LONGEST = 200_000
_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: lambda left, right: left / right,
    ast.FloorDiv: lambda left, right: left // right,
    ast.Mod: operator.mod,
}


def operation(
    evaluator: Evaluator, module: Module, node: ast.BinOp, frame: Frame | None
) -> Iterator[Alternative]:
    """``a + b`` where both are known; else the operation itself."""
    compute = _OPERATORS.get(type(node.op))
    known = compute is not None and _is_shallow(node)
    lefts = evaluator.values(module, node.left, frame) if known else ()
    for left in lefts:
        for right in evaluator.values(module, node.right, frame):
            folded = None
            if compute and isinstance(left.value, Const) and isinstance(right.value, Const):
                folded = _computed(compute, left.value.value, right.value.value)
            if folded is None:
                yield Alternative(Display(module, node), frame=frame)
            else:
                yield Alternative(folded, (*left.via, *right.via))
    if not lefts:
        yield Alternative(Display(module, node), frame=frame)


def _is_shallow(node: ast.BinOp) -> bool:
    depth, left = 0, node.left
    while isinstance(left, ast.BinOp):
        depth, left = depth + 1, left.left
    return depth < 20


def _computed(compute: Callable[[Any, Any], Any], left: object, right: object) -> Const | None:
    if _too_long(compute, left, right):
        return None
    try:
        return Const(compute(left, right))
    except (TypeError, ValueError, ZeroDivisionError, OverflowError, KeyError, MemoryError):
        return None


def _too_long(compute: Callable[[Any, Any], Any], left: object, right: object) -> bool:
    if compute is operator.mod and isinstance(left, str | bytes):
        return True
    if compute is not operator.mul:
        return False
    sizes = [len(item) if isinstance(item, str | bytes) else item for item in (left, right)]
    numbers = [abs(size) for size in sizes if isinstance(size, int | float)]
    return len(numbers) == 2 and numbers[0] * numbers[1] > _LONGEST


def sign(
    evaluator: Evaluator, module: Module, node: ast.UnaryOp, frame: Frame | None
) -> Iterator[Alternative]:
    """``-a``, ``not a``."""
    for item in evaluator.values(module, node.operand, frame):
        value = item.value.value if isinstance(item.value, Const) else None
        if isinstance(node.op, ast.USub) and isinstance(value, int | float):
            yield Alternative(Const(-value), item.via)
        else:
            yield Alternative(Display(module, node), frame=frame)


def joined(
    evaluator: Evaluator, module: Module, node: ast.JoinedStr, frame: Frame | None
) -> Iterator[Alternative]:
    """An f-string whose parts are all known."""
    texts: list[str] = []
    for part in node.values:
        text = _part(evaluator, module, part, frame)
        if text is None:
            yield Alternative(Display(module, node), frame=frame)
            return
        texts.append(text)
    yield Alternative(Const("".join(texts)), frame=frame)


def _part(evaluator: Evaluator, module: Module, part: ast.expr, frame: Frame | None) -> str | None:
    if isinstance(part, ast.Constant):
        return str(part.value)
    if not isinstance(part, ast.FormattedValue) or part.format_spec or part.conversion != -1:
        return None
    found = evaluator.values(module, part.value, frame)
    if len(found) == 1 and isinstance(found[0].value, Const):
        value = found[0].value.value
        return str(value) if isinstance(value, str | int) else None
    return None


def subscript(
    evaluator: Evaluator, module: Module, node: ast.Subscript, frame: Frame | None
) -> Iterator[Alternative]:
    """``a[0]``, ``a["key"]`` of a display whose index is known."""
    index = (
        evaluator.values(module, node.slice, frame) if not isinstance(node.slice, ast.Slice) else ()
    )
    known = index[0].value if len(index) == 1 else None
    if not isinstance(known, Const):
        yield Alternative(Display(module, node), frame=frame)
        return
    for base in evaluator.values(module, node.value, frame):
        if isinstance(base.value, Display):
            yield from item(evaluator, base, known.value)
        else:
            yield Alternative(Display(module, node), frame=frame)


def item(evaluator: Evaluator, base: Alternative, index: object) -> Iterable[Alternative]:
    """Return one element of a display."""
    if not isinstance(base.value, Display):
        return (Alternative(UNKNOWN),)
    node, module = base.value.node, base.value.module
    found: ast.expr | None = None
    if isinstance(node, ast.Tuple | ast.List) and isinstance(index, int):
        plain = not any(isinstance(each, ast.Starred) for each in node.elts)
        if plain and -len(node.elts) <= index < len(node.elts):
            found = node.elts[index]
    elif isinstance(node, ast.Dict):
        found = entry(node, index)
    if found is None:
        return (Alternative(UNKNOWN),)
    return evaluator.values(module, found, base.frame)


def entry(node: ast.Dict, key: object) -> ast.expr | None:
    """Return the value of a literal key; the last one counts."""
    for written, value in zip(reversed(node.keys), reversed(node.values), strict=True):
        if written is None:
            return None
        if isinstance(written, ast.Constant) and written.value == key:
            return value
    return None


def elements(
    evaluator: Evaluator, module: Module, node: ast.AST, frame: Frame | None
) -> Iterator[Alternative]:
    """Yield the elements of what a loop runs over."""
    for base in evaluator.values(module, node, frame):
        value = base.value
        if isinstance(value, Display) and isinstance(value.node, ast.Tuple | ast.List | ast.Set):
            for each in value.node.elts:
                yield from evaluator.values(value.module, each, base.frame)
        else:
            yield Alternative(UNKNOWN)
