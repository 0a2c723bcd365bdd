"""Operators and known calls on constants."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta
from typing import Any

from ..containers.rows import item_of, part_of
from ..evaluator import Evaluator
from ..flow.branches import may_run
from ..flow.narrowing import truth_of
from ..syntax.bindings import Binding
from ..syntax.module import Module
from .attributes import attribute
from .changed_objects import may_differ
from .classes import is_outer_model
from .known_calls import of_length
from .tuples_and_enums import is_enum, tuple_names
from .values import (
    UNKNOWN,
    Alternative,
    Class,
    Const,
    Coroutine,
    Display,
    Duration,
    External,
    Frame,
    Function,
    Gathered,
    Instance,
    Made,
    Rows,
    SdkClass,
    Value,
    carried,
    only_value,
    replaced,
)

_LONGEST = 200_000
_GENERIC = "typing.Generic"


def _power(left: Any, right: Any) -> Any:
    return left**right


def _shifted(left: Any, right: Any) -> Any:
    return left << right


_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: lambda left, right: left / right,
    ast.FloorDiv: lambda left, right: left // right,
    ast.Mod: operator.mod,
    ast.Pow: _power,
    ast.LShift: _shifted,
    ast.RShift: lambda left, right: left >> right,
    ast.BitOr: lambda left, right: left | right,
    ast.BitAnd: lambda left, right: left & right,
}


_SIGNS: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
    ast.Not: operator.not_,
}


def operation(
    evaluator: Evaluator, module: Module, node: ast.BinOp, frame: Frame | None
) -> Iterator[Alternative]:
    """``a + b`` of constants; else a ``Display`` of the operation."""
    compute = _OPERATORS.get(type(node.op))
    known = compute is not None and _is_shallow(node)
    lefts = evaluator.values(module, node.left, frame) if known else ()
    for left in lefts:
        for right in evaluator.values(module, node.right, frame):
            folded = _folded(compute, left.value, right.value) if compute else None
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


def _folded(
    compute: Callable[[Any, Any], Any], left: Value, right: Value
) -> Const | Duration | None:
    if isinstance(left, (Const, Duration)) and isinstance(right, (Const, Duration)):
        return _computed(compute, _known(left), _known(right))
    return None


def _known(value: Const | Duration) -> object:
    return value.length if isinstance(value, Duration) else value.value


def _computed(
    compute: Callable[[Any, Any], Any], left: object, right: object
) -> Const | Duration | None:
    if _too_long(compute, left, right):
        return None
    try:
        result = compute(left, right)
    except (TypeError, ValueError, ArithmeticError, KeyError, MemoryError):
        return None
    return of_length(result) if isinstance(result, timedelta) else Const(result)


def _too_long(compute: Callable[[Any, Any], Any], left: object, right: object) -> bool:
    if compute is operator.mod and isinstance(left, (str, bytes)):
        return True
    if compute in {_power, _shifted}:
        return not all(isinstance(item, int) and 0 <= item < 64 for item in (left, right))
    if compute is not operator.mul:
        return False
    sizes = [len(item) if isinstance(item, (str, bytes)) else item for item in (left, right)]
    numbers = [abs(size) for size in sizes if isinstance(size, (int, float))]
    return len(numbers) == 2 and numbers[0] * numbers[1] > _LONGEST


def augmented(
    evaluator: Evaluator, module: Module, binding: Binding, frame: Frame | None
) -> Iterator[Alternative]:
    """``a += b`` of constants, outside of loops."""
    node = binding.node
    assert isinstance(node, ast.AugAssign)  # noqa: S101 - the caller looked
    target, compute = node.target, _OPERATORS.get(type(node.op))
    before = evaluator.project.lookup(module, target)[1] if isinstance(target, ast.Name) else []
    if compute is None or binding in before:
        yield Alternative(UNKNOWN)
        return
    other = Display(module, binding.value) if isinstance(binding.value, ast.expr) else UNKNOWN
    for left in evaluator.values(module, target, frame):
        for right in evaluator.values(module, node.value, frame):
            folded = _folded(compute, left.value, right.value)
            via = (*left.via, *right.via)
            yield Alternative(folded, via) if folded else Alternative(other, frame=frame)


def sign(
    evaluator: Evaluator, module: Module, node: ast.UnaryOp, frame: Frame | None
) -> Iterator[Alternative]:
    """``-a``, ``not a``."""
    for item in evaluator.values(module, node.operand, frame):
        value = item.value.value if isinstance(item.value, Const) else None
        compute = _SIGNS.get(type(node.op))
        if compute and isinstance(value, (int, float)):
            try:
                yield Alternative(Const(compute(value)), item.via)
            except TypeError:
                yield Alternative(Display(module, node), frame=frame)
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
    found = only_value(evaluator.values(module, part.value, frame))
    value = found.value if isinstance(found, Const) else None
    return str(value) if isinstance(value, (str, int)) else None


def subscript(
    evaluator: Evaluator, module: Module, node: ast.Subscript, frame: Frame | None
) -> Iterator[Alternative]:
    """``a[0]``, ``a["key"]`` of an unchanged display."""
    if isinstance(node.slice, ast.Slice):
        yield from _sliced(evaluator, module, node, node.slice, frame)
        return
    for base in evaluator.values(module, node.value, frame):
        if _takes_types(evaluator, base.value):
            yield base
            continue
        if isinstance(base.value, Class) and is_enum(evaluator, base.value):
            yield Alternative(Instance(base.value), base.via)
            continue
        found = _looked_up(evaluator, module, node.value, node.slice, base, frame)
        yield from found or (Alternative(Display(module, node), frame=frame),)


def _takes_types(evaluator: Evaluator, value: Value) -> bool:
    """Tell whether a value is a generic class, as in ``ActionResult[Note]``."""
    if isinstance(value, Class):
        bases = evaluator.bases(value)
        return any(isinstance(base, External) and base.name == _GENERIC for base in bases)
    if not isinstance(value, SdkClass):
        return isinstance(value, External) and is_outer_model(evaluator, value)
    bases = evaluator.surface.member(value.cls, "(bases)")
    return bases is not None and bases.text.startswith("Generic[")


def _sliced(
    evaluator: Evaluator, module: Module, node: ast.Subscript, cut: ast.Slice, frame: Frame | None
) -> Iterator[Alternative]:
    """``"text"[:3]`` of constants, ``rows[:limit]``."""
    bounds = _bounds(evaluator, module, cut, frame)
    for base in evaluator.values(module, node.value, frame):
        known = part_of(evaluator, module, node.value, base.value) or _part_of_text(base, bounds)
        yield Alternative(known or Display(module, node), base.via, frame=frame)


def _bounds(
    evaluator: Evaluator, module: Module, cut: ast.Slice, frame: Frame | None
) -> slice | None:
    bounds: list[Any] = []
    for bound in (cut.lower, cut.upper, cut.step):
        known = only_value(evaluator.values(module, bound, frame) if bound is not None else ())
        if bound is not None and not isinstance(known, Const):
            return None
        bounds.append(known.value if isinstance(known, Const) else None)
    return slice(*bounds)


def _part_of_text(base: Alternative, bounds: slice | None) -> Const | None:
    text = base.value.value if isinstance(base.value, Const) else None
    if bounds is None or not isinstance(text, str):
        return None
    try:
        return Const(text[bounds])
    except (TypeError, ValueError):
        return None


def got(
    evaluator: Evaluator, module: Module, node: ast.Call, base: Alternative, frame: Frame | None
) -> tuple[Alternative, ...]:
    """``a.get("key", default)`` of an unchanged dict display."""
    callee = node.func
    if not isinstance(base.value, Display) or not isinstance(base.value.node, ast.Dict):
        return ()
    if not isinstance(callee, ast.Attribute) or node.keywords or len(node.args) not in {1, 2}:
        return ()
    if may_differ(evaluator, module, callee.value, base.value):
        return ()
    found = _looked_up(evaluator, module, callee.value, node.args[0], base, frame)
    if any(item.value == UNKNOWN for item in found) and _lacks(evaluator, module, node, base):
        if len(node.args) == 1:
            return (Alternative(Const(None)),)
        return evaluator.values(module, node.args[1], frame)
    return found


def _lacks(evaluator: Evaluator, module: Module, node: ast.Call, base: Alternative) -> bool:
    """Tell whether a dict display certainly lacks the key of a ``get``."""
    assert isinstance(base.value, Display)  # noqa: S101 - the caller looked
    assert isinstance(base.value.node, ast.Dict)  # noqa: S101 - the same
    keys = base.value.node.keys
    if not all(isinstance(key, ast.Constant) for key in keys):
        return False
    asked = evaluator.values(module, node.args[0])
    known = {key.value for key in keys if isinstance(key, ast.Constant)}
    return (
        len(asked) == 1 and isinstance(asked[0].value, Const) and asked[0].value.value not in known
    )


def _looked_up(
    evaluator: Evaluator,
    module: Module,
    owner: ast.expr,
    key: ast.expr,
    base: Alternative,
    frame: Frame | None,
) -> tuple[Alternative, ...]:
    """Return the element under a key; for an unknown key all elements if they are functions."""
    if isinstance(base.value, Instance) and isinstance(key, ast.Constant):
        return _in_place(evaluator, base, base.value, key.value)
    if not isinstance(base.value, Display):
        row = item_of(evaluator, module, owner, base.value)
        return () if row is None else (Alternative(row, base.via),)
    if may_differ(evaluator, module, owner, base.value):
        return (Alternative(UNKNOWN),)
    known = only_value(evaluator.values(module, key, frame))
    if isinstance(known, Const):
        return tuple(item(evaluator, base, known.value))
    node = base.value.node
    parts = node.values if isinstance(node, ast.Dict) else getattr(node, "elts", [])
    each = [found for part in parts for found in evaluator.values(base.value.module, part)]
    return tuple(each) if all(isinstance(found.value, Function) for found in each) else ()


def item(evaluator: Evaluator, base: Alternative, index: object) -> Iterable[Alternative]:
    """Return one element of a display, or of an object of a ``NamedTuple`` class."""
    if isinstance(base.value, Instance):
        return _in_place(evaluator, base, base.value, index) or (Alternative(UNKNOWN),)
    if not isinstance(base.value, Display):
        return (Alternative(UNKNOWN),)
    node, module = base.value.node, base.value.module
    found: ast.expr | None = None
    if isinstance(node, (ast.Tuple, ast.List)) and isinstance(index, int):
        plain = not any(isinstance(each, ast.Starred) for each in node.elts)
        if plain and -len(node.elts) <= index < len(node.elts):
            found = node.elts[index]
    elif isinstance(node, ast.Dict):
        found = entry(node, index)
    if found is None:
        return (Alternative(UNKNOWN),)
    inside = evaluator.values(module, found, base.frame)
    return carried(inside, base) if base.via else inside


def _in_place(
    evaluator: Evaluator, base: Alternative, value: Instance, index: object
) -> tuple[Alternative, ...]:
    """Return one item of a named tuple; empty for other objects."""
    names = tuple_names(evaluator, value.cls) if isinstance(index, int) else ()
    if not isinstance(index, int) or not -len(names) <= index < len(names):
        return ()
    return tuple(attribute(evaluator, base, names[index]))


def entry(node: ast.Dict, key: object) -> ast.expr | None:
    """Return the value of a literal key; None if a later computed key may replace it."""
    for written, value in zip(reversed(node.keys), reversed(node.values), strict=True):
        if not isinstance(written, ast.Constant):
            return None
        if written.value == key:
            return value
    return None


def as_written(module: Module, node: ast.AST, frame: Frame | None) -> tuple[Alternative, ...]:
    """A literal as a constant, other displays as their node."""
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
    """Return the result of ``await`` for each of some values."""
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
    """``a or b``, ``a and b``; operands after a deciding constant are left out."""
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
