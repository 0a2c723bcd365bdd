"""Values that a condition in the code rules out where a name is used."""

from __future__ import annotations

import ast
import datetime as dt
import operator
from collections.abc import Callable, Iterator
from typing import Any

from .bindings import Binding
from .conditions import Condition, conditions, named, split, subjects
from .enums import is_member
from .evaluator import Evaluator
from .instance_tests import is_instance
from .kept_answers import kept_answer
from .module import Module
from .times import MADE_TIMES
from .values import (
    Class,
    Const,
    Display,
    Made,
    Sdk,
    SdkClass,
    Value,
)

_KEPT = 3
"""Names that keep answers, one behind the other."""


def possible(
    evaluator: Evaluator,
    module: Module,
    name: ast.Name,
    found: list[tuple[Binding, Value]],
) -> list[bool]:
    """Tell for each value of a name whether the conditions around it leave it possible.

    A test speaks of the values that the name had where the test stands, not of later ones.
    """

    def spoken(part: ast.expr) -> list[ast.Name]:
        told = _spelt_out(evaluator, module, (part, True), _KEPT)
        return [subject for test, _ in told for subject in subjects(test)]

    tests = [
        (test, truth, evaluator.project.lookup(module, subject)[1])
        for condition in conditions(module, name, spoken=spoken)
        for test, truth in _spelt_out(evaluator, module, condition, _KEPT)
        for subject in subjects(test)
        if subject.id == name.id
    ]
    return [
        all(
            allows(evaluator, module, test, name.id, value, truth=truth)
            for test, truth, bindings in tests
            if binding in bindings
        )
        for binding, value in found
    ]


def _spelt_out(
    evaluator: Evaluator, module: Module, condition: Condition, depth: int
) -> Iterator[Condition]:
    """Yield a condition, and what it says where a name keeps the answer to a question."""
    yield condition
    test, truth = condition
    kept = kept_answer(evaluator, module, test) if depth else test
    if kept is not test:
        for part in split(kept, truth=truth):
            yield from _spelt_out(evaluator, module, part, depth - 1)


def allows(
    evaluator: Evaluator, module: Module, test: ast.expr, name: str, value: Value, *, truth: bool
) -> bool:
    """Tell whether a name may have a value where a test about it has an outcome."""
    if isinstance(named(test), ast.Name):
        return _truthy(value) in {None, truth}
    if isinstance(test, ast.Compare):
        if isinstance(value, Const):
            outcome = _outcome(evaluator, module, test, name, value)
            return outcome in {None, truth}
        return _compared(test, value, truth=truth)
    if isinstance(test, ast.Call) and isinstance(test.func, ast.Name) and len(test.args) == 2:
        if test.func.id == "isinstance":
            return is_instance(evaluator, module, test.args[1], value) in {None, truth}
        if test.func.id == "hasattr":
            return truth or not _has(evaluator, test.args[1], value)
    return True


COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: lambda left, right: left is right if right is None else left == right,
    ast.IsNot: lambda left, right: left is not right if right is None else left != right,
    ast.In: lambda left, right: left in right,
    ast.NotIn: lambda left, right: left not in right,
}


def _outcome(
    evaluator: Evaluator, module: Module, test: ast.Compare, name: str, value: Const
) -> bool | None:
    """Return what ``5 <= x <= 300`` or ``x in {"a", "b"}`` is worth for one value of ``x``."""
    known: list[object] = []
    for part in (test.left, *test.comparators):
        asked = named(part)
        if isinstance(asked, ast.Name) and asked.id == name:
            known.append(value.value)
            continue
        constant = _constant(evaluator, module, part)
        if constant is None:
            return None
        known.append(constant.value)
    try:
        return all(
            COMPARISONS[type(op)](left, right)
            for op, left, right in zip(test.ops, known, known[1:], strict=False)
        )
    except TypeError:
        return None


def _constant(evaluator: Evaluator, module: Module, node: ast.expr) -> Const | None:
    found = evaluator.values(module, node)
    value = found[0].value if len(found) == 1 else None
    if isinstance(value, Display) and isinstance(value.node, ast.Tuple | ast.List | ast.Set):
        parts = [_constant(evaluator, value.module, part) for part in value.node.elts]
        members = [part.value for part in parts if part is not None]
        return Const(tuple(members)) if len(members) == len(parts) else None
    return value if isinstance(value, Const) else None


def _truthy(value: Value) -> bool | None:
    if isinstance(value, Const):
        return bool(value.value)
    if isinstance(value, Sdk):
        return None if value.cls in {"Page", "Document"} else True
    return True if isinstance(value, Class | SdkClass) else None


def _compared(test: ast.Compare, value: Value, *, truth: bool) -> bool:
    """``x is None`` and ``x is not None``."""
    right = test.comparators[0]
    is_about_none = isinstance(right, ast.Constant) and right.value is None
    if not is_about_none or not isinstance(named(test.left), ast.Name):
        return True
    if not isinstance(test.ops[0], ast.Is | ast.IsNot | ast.Eq | ast.NotEq):
        return True
    asks_none = isinstance(test.ops[0], ast.Is | ast.Eq)
    if type(value) is Value or isinstance(value, Made | Display):
        return True
    return asks_none != truth


def _has(evaluator: Evaluator, attribute: ast.expr, value: Value) -> bool:
    if not isinstance(attribute, ast.Constant):
        return False
    name = str(attribute.value)
    if isinstance(value, Sdk):
        return evaluator.surface.member(value.cls, name) is not None
    if name in {"value", "name"} and is_member(evaluator, value):
        return True
    if isinstance(value, Const):
        return hasattr(value.value, name)
    return isinstance(value, Made) and hasattr(_TIMES.get(MADE_TIMES.get(value.of, "")), name)


_TIMES = {"a datetime": dt.datetime, "a date": dt.date, "a time": dt.time,
          "a timedelta": dt.timedelta}  # fmt: skip
