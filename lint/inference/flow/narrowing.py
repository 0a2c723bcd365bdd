"""Narrowing: values of a name that the conditions around its use rule out."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from ..evaluator import Evaluator
from ..syntax.bindings import Binding
from ..syntax.memo import remembered
from ..syntax.module import TEXT_TESTS, Module, last_name
from ..syntax.spelling import last_part, root_of, spelled
from ..values.changed_objects import may_differ
from ..values.standard_types import standard_type
from ..values.values import (
    Alternative,
    Class,
    Const,
    Coroutine,
    Display,
    Function,
    Instance,
    Made,
    Sdk,
    SdkClass,
    SdkMethod,
    Value,
    only_value,
    types_of,
)
from .conditions import Condition, asked, conditions, named, split, subjects
from .exact_type_tests import SameType
from .json_trials import is_refused, is_trial, trials
from .predicate_helpers import kept_answer, own_answer
from .type_tests import NameTest, answered, has_attribute, is_instance

_TOLD = frozenset({"hasattr", "isinstance"})
_SAME: dict[type, tuple[type[ast.cmpop], ...]] = {
    type(None): (ast.Is, ast.IsNot, ast.Eq, ast.NotEq),
    bool: (ast.Is, ast.IsNot),
}
"""Class of a constant → comparisons that only the constant itself stands."""
_EQUAL = (ast.Is, ast.Eq, ast.In)
_KEPT = 3
"""Names that keep answers, one behind the other."""


def possible(
    evaluator: Evaluator,
    module: Module,
    name: ast.Name,
    found: Sequence[tuple[Binding, Value]],
) -> list[bool]:
    """Tell for each value of a name whether the conditions around it allow it.

    A test is about the bindings that reach the test, not about later ones.
    """
    tests = _tests(evaluator, module, name)
    return [
        all(
            allows(evaluator, module, test, name.id, value, truth=truth)
            for test, truth, bindings in tests
            if binding in bindings
        )
        for binding, value in found
    ]


@remembered
def _tests(evaluator: Evaluator, module: Module, name: ast.Name) -> list[NameTest]:
    """Return the tests of a name whose outcome is known where it is used."""

    def spoken(part: ast.expr) -> list[ast.Name]:
        told = _spelt_out(evaluator, module, (part, True), _KEPT)
        return [subject for test, _ in told for subject in subjects(test)]

    return [
        (test, truth, evaluator.project.lookup(module, subject)[1])
        for condition in (*conditions(module, name, spoken=spoken), *trials(module, name))
        for test, truth in _spelt_out(evaluator, module, condition, _KEPT)
        for subject in subjects(test)
        if subject.id == name.id
    ]


def narrowed(
    evaluator: Evaluator, module: Module, node: ast.expr, items: Iterable[Alternative]
) -> Iterable[Alternative]:
    """Return the values of an attribute or an item that the conditions around it allow."""
    if last_part(node) not in module.tested_parts:
        return items
    found = tuple(items)
    if not any(type(item.value) in NARROWED for item in found):
        return found
    text, tests = spelled(node), _tests_of_part(evaluator, module, node)
    return [
        item
        for item in found
        if all(
            allows(evaluator, module, test, text, item.value, truth=truth)
            for test, truth in tests
            if _is_told_by(item.value, test)
        )
    ]


@remembered
def _tests_of_part(evaluator: Evaluator, module: Module, node: ast.expr) -> list[Condition]:
    """Return the decided tests of an attribute or an item."""
    text = spelled(node)
    return [
        (test, truth)
        for condition in conditions(module, node, rebound=False)
        for test, truth in _spelt_out(evaluator, module, condition, _KEPT)
        if any(spelled(it) == text and _is_same(evaluator, module, it, node) for it in asked(test))
    ]


def _is_told_by(value: Value, test: ast.expr) -> bool:
    """Tell whether a test of an attribute or an item may rule a value out.

    ``if ctx.user:`` is written for other releases or test doubles and rules nothing out;
    ``hasattr(ctx.store, "for_user")`` and ``isinstance(ctx.user, dict)`` do.
    """
    if isinstance(value, Sdk):
        return isinstance(test, ast.Call) and last_name(test.func) in _TOLD
    return type(value) in NARROWED


def _is_same(evaluator: Evaluator, module: Module, one: ast.expr, other: ast.expr) -> bool:
    """Tell whether two reads of an attribute or item meet the same object, unchanged between."""
    first, second = root_of(one), root_of(other)
    if first is None or second is None:
        return False
    function = module.function(other)
    lookup = evaluator.project.lookup
    return lookup(module, first)[1] == lookup(module, second)[1] and not any(
        module.function(node) is function for node in module.stored(last_part(other))
    )


def _spelt_out(
    evaluator: Evaluator, module: Module, condition: Condition, depth: int
) -> Iterator[Condition]:
    """Yield a condition, and what it implies if its name holds the result of a test."""
    yield condition
    test, truth = condition
    kept = kept_answer(evaluator, module, test) if depth else test
    if kept is not test:
        for part in split(kept, truth=truth):
            yield from _spelt_out(evaluator, module, part, depth - 1)


def asks_about(test: ast.expr, name: str) -> bool:
    """Tell whether a test is about a name, or about an attribute spelt so."""
    return any(spelled(part) == name for part in asked(test))


def allows(
    evaluator: Evaluator, module: Module, test: ast.expr, name: str, value: Value, *, truth: bool
) -> bool:
    """Tell whether a name may have a value where a test about it has a given outcome."""
    if isinstance(test, ast.BoolOp):
        return any(
            all(
                allows(evaluator, module, part, name, value, truth=outcome)
                for part, outcome in split(tested, truth=truth)
                if asks_about(part, name)
            )
            for tested in test.values
        )
    if isinstance(test, ast.Compare):
        if isinstance(value, Const):
            outcome = _outcome(evaluator, module, test, name, value)
            return outcome in {None, truth}
        if _is_mark(evaluator, module, test, name, value):
            return isinstance(test.ops[0], _EQUAL) == truth
        return _compared(test, value, truth=truth)
    if isinstance(test, ast.Call):
        return _answer(evaluator, module, test, value) in {None, truth}
    known = True if _is_filled(evaluator, module, named(test), value) else truth_of(value)
    return known in {None, truth}


def _is_mark(
    evaluator: Evaluator, module: Module, test: ast.Compare, name: str, value: Value
) -> bool:
    """Tell whether a value is the object ``MISSING`` of ``x is MISSING``."""
    left, right = test.left, test.comparators[0]
    if isinstance(test.ops[0], (ast.Eq, ast.NotEq, ast.Is, ast.IsNot)) and spelled(right) == name:
        left, right = right, left
    is_asked = len(test.ops) == 1 and spelled(named(left)) == name
    is_same = isinstance(test.ops[0], (ast.Is, ast.IsNot)) and isinstance(value, Instance)
    if not is_asked or not (is_same or value == Made("object") or isinstance(value, Class)):
        return False
    is_in = isinstance(test.ops[0], (ast.In, ast.NotIn))
    places = right.elts if is_in and isinstance(right, (ast.Tuple, ast.List, ast.Set)) else [right]
    found = [evaluator.values(module, place) for place in places]
    return any(len(each) == 1 and each[0].value == value for each in found)


def _is_filled(evaluator: Evaluator, module: Module, owner: ast.expr, value: Value) -> bool:
    """Tell whether a list or dict display has entries that are never removed."""
    if not isinstance(value, Display) or may_differ(evaluator, module, owner, value):
        return False
    node = value.node
    if isinstance(node, ast.Dict):
        return any(key is not None for key in node.keys)
    parts = node.elts if isinstance(node, (ast.List, ast.Tuple, ast.Set)) else []
    return any(not isinstance(part, ast.Starred) for part in parts)


def _answer(evaluator: Evaluator, module: Module, call: ast.Call, value: Value) -> bool | None:
    """Return the result of a type test or the like for a value; None if unknown."""
    asked = _builtin(evaluator, module, call.func), len(call.args)
    if asked == ("isinstance", 2):
        exact = isinstance(call, SameType)
        return is_instance(evaluator, module, call.args[1], value, exact=exact)
    if asked == ("hasattr", 2):
        return True if has_attribute(evaluator, call.args[1], value) else None
    if isinstance(call.func, ast.Attribute) and call.func.attr in TEXT_TESTS:
        return _of_text(evaluator, module, call, call.func.attr, value)
    if is_trial(call):
        refused = is_refused(value)
        return None if refused is None else not refused
    known = answered(evaluator, module, call, value)
    return known if known is not None else _own_answer(evaluator, module, call, value)


def _own_answer(evaluator: Evaluator, module: Module, call: ast.Call, value: Value) -> bool | None:
    def may(place: Module, test: ast.expr, name: str, truth: bool) -> bool:
        about = asks_about(test, name)
        return not about or allows(evaluator, place, test, name, value, truth=truth)

    return own_answer(evaluator, module, call, may)


def _of_text(
    evaluator: Evaluator, module: Module, call: ast.Call, method: str, value: Value
) -> bool | None:
    """Return the result of ``name.startswith("notes.")`` for a constant."""
    given = [_constant(evaluator, module, part) for part in call.args]
    if not isinstance(value, Const) or not isinstance(value.value, str) or call.keywords:
        return None
    known = [each.value for each in given if each is not None]
    try:
        return getattr(value.value, method)(*known) if len(known) == len(given) else None
    except TypeError:
        return None


def _builtin(evaluator: Evaluator, module: Module, callee: ast.expr) -> str:
    """Return the name of a callee that the extension does not bind itself."""
    if not isinstance(callee, ast.Name):
        return ""
    is_own = callee in module.parents and evaluator.project.lookup(module, callee)[1]
    return "" if is_own else callee.id


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
    """Return the result of ``5 <= x <= 300`` or ``x in {"a", "b"}`` for one value of ``x``."""
    known: list[object] = []
    for part in (test.left, *test.comparators):
        if spelled(named(part)) == name:
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
    value = only_value(evaluator.values(module, node))
    if isinstance(value, Display) and isinstance(value.node, (ast.Tuple, ast.List, ast.Set)):
        parts = [_constant(evaluator, value.module, part) for part in value.node.elts]
        members = [part.value for part in parts if part is not None]
        return Const(tuple(members)) if len(members) == len(parts) else None
    return value if isinstance(value, Const) else None


def truth_of(value: Value) -> bool | None:
    """Return the truth value of a value; None if unknown."""
    if isinstance(value, Const):
        return bool(value.value)
    if isinstance(value, Sdk):
        return None if value.cls == "Page" else True
    if isinstance(value, Instance):
        return _own_truth(value.cls.node)
    known = standard_type(value)
    is_true = isinstance(value, (Class, SdkClass)) or (known is not None and known.is_true)
    return True if is_true else None


def _own_truth(cls: ast.ClassDef) -> bool | None:
    """Return the constant that the ``__bool__`` of a class returns, if it does."""
    for item in cls.body:
        if isinstance(item, ast.FunctionDef) and item.name == "__bool__":
            body = [it for it in item.body if not isinstance(it, ast.Expr)]
            told = body[0].value if body and isinstance(body[0], ast.Return) else None
            return bool(told.value) if isinstance(told, ast.Constant) else None
    return None


def _compared(test: ast.Compare, value: Value, *, truth: bool) -> bool:
    """``x is None``, ``x is not None`` and ``x is True``."""
    right = test.comparators[0]
    single = type(right.value) if isinstance(right, ast.Constant) else object
    if not spelled(named(test.left)) or type(test.ops[0]) not in _SAME.get(single, ()):
        return True
    asks_same = isinstance(test.ops[0], (ast.Is, ast.Eq))
    known = standard_type(value)
    is_open = type(value) is Value or isinstance(value, (Made, Display))
    is_known = known is not None and (known.exact or single is type(None))
    if is_open and not is_known:
        return True  # but what is None is no datetime, whatever else a type may stand for
    return asks_same != truth


NARROWED = types_of(
    Sdk, Const, Instance, Display, Made, Coroutine, SdkMethod, Function, Class, SdkClass
)
"""Values that a condition may rule out."""
