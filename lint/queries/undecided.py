"""Results that a type test chooses whose outcome the code does not show."""

from __future__ import annotations

import ast

from ..model.conditions import conditions, subjects
from ..model.evaluator import Evaluator
from ..model.foreign_classes import is_special
from ..model.models import known_type
from ..model.narrowing import allows
from ..model.values import Display, Made, SdkField, Value
from ..model.written import Written

_SCALARS = ("field str", "field int", "field float", "field bool")
_CONTAINERS = frozenset({"a dict", "a list", "a tuple", "a set"})
"""What a test for ``Mapping`` or ``Sequence`` may hold of, which nothing here decides."""
_TYPE_TESTS = frozenset({"isinstance", "hasattr"})


def is_undecided(evaluator: Evaluator, at: Written) -> bool:
    """Tell whether a called function may return this only for values of some type.

    ``return str(x)`` behind ``if isinstance(x, dict): return {…}`` is reached or not, which
    nobody can say where the call gives an ``x`` of unknown type.
    """
    if at.frame is None:
        return False
    return any(
        _is_open(evaluator, item.value)
        and allows(evaluator, at.module, test, name.id, item.value, truth=True)
        and allows(evaluator, at.module, test, name.id, item.value, truth=False)
        for test, _ in conditions(at.module, at.node, rebound=False)
        if _is_type_test(test)
        for name in subjects(test)
        for item in evaluator.values(at.module, name, at.frame)
    )


def _is_open(evaluator: Evaluator, value: Value) -> bool:
    """Tell whether a value may be of any type, as far as the code shows it."""
    if isinstance(value, SdkField):
        member = evaluator.surface.member(value.owner.cls, value.name)
        return member is None or not member.text.startswith(_SCALARS)
    if isinstance(value, Made | Display):
        kind = known_type(value)
        return kind in _CONTAINERS or (not kind and not _is_made_of_class(value))
    return type(value) is Value


def _is_made_of_class(value: Made | Display) -> bool:
    return isinstance(value, Made) and is_special(value.of)


def _is_type_test(test: ast.expr) -> bool:
    return (
        isinstance(test, ast.Call)
        and isinstance(test.func, ast.Name)
        and test.func.id in _TYPE_TESTS
    )
