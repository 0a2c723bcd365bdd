"""What a function of the extension returns: by its body, its annotation, its decorators."""

from __future__ import annotations

import ast
from weakref import WeakKeyDictionary

from ..evaluator import Evaluator
from ..flow.branches import may_run
from ..syntax.memo import is_stub
from ..syntax.module import FunctionNode, last_name
from ..syntax.spelling import is_none
from ..values.annotations import annotated
from ..values.standard_types import standard_type
from ..values.values import (
    UNKNOWN,
    Alternative,
    Const,
    Display,
    Frame,
    Function,
    Instance,
    Made,
    Sdk,
    SdkClass,
    Value,
    replaced,
)

_PARSED = Made("json.loads")
_DISPATCHING = frozenset({"singledispatch", "singledispatchmethod"})
"""Decorators that let functions registered elsewhere answer for some types."""


def returned(evaluator: Evaluator, function: Function, frame: Frame) -> tuple[Alternative, ...]:
    """Return what a function itself returns in one call."""
    node = function.node
    is_deep = evaluator.is_deep(frame)
    if isinstance(node, ast.Lambda):
        unknown = (Alternative(UNKNOWN),)
        return unknown if is_deep else evaluator.values(function.module, node.body, frame)
    typed = annotated(evaluator, function.module, node.returns)
    if isinstance(typed, (Instance, Sdk)):
        own = _own_instances(evaluator, function, typed) if isinstance(typed, Sdk) else ()
        return own or (Alternative(typed),)
    if is_deep or function.module.is_generator(node) or _is_dispatched(node):
        return (Alternative(typed if isinstance(typed, Made) else UNKNOWN),)
    found: list[Alternative] = []
    skipped = False
    for value in function.module.returns(node):
        is_run = may_run(evaluator, function.module, value, frame)
        given = evaluator.values(function.module, value, frame) if is_run else ()
        found.extend(given)
        skipped = skipped or not given
    if isinstance(typed, Made) and found:
        return tuple(replaced(item, typed) if item.value == UNKNOWN else item for item in found)
    if not found and (skipped or is_stub(function.module, node)):
        return (Alternative(UNKNOWN),)
    return tuple(found) or (Alternative(Const(None)),)


def _is_dispatched(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any(last_name(item) in _DISPATCHING for item in node.decorator_list)


def _own_instances(evaluator: Evaluator, function: Function, typed: Sdk) -> tuple[Alternative, ...]:
    """Return the result by the body if it contradicts the annotation; else nothing.

    Computed once for each function, independent of the call, to keep long call chains linear.
    """
    known = _KNOWN.setdefault(evaluator, {})
    if function.node not in known:
        known[function.node] = ()
        known[function.node] = _others(evaluator, function, typed)
    return known[function.node]


_KNOWN: WeakKeyDictionary[Evaluator, dict[FunctionNode, tuple[Alternative, ...]]] = (
    WeakKeyDictionary()
)


def _others(evaluator: Evaluator, function: Function, typed: Sdk) -> tuple[Alternative, ...]:
    found: list[Alternative] = []
    is_all = True
    for result in function.module.returns(function.node):
        if is_none(result):
            continue
        made = evaluator.values(function.module, result) if _may_make(result, typed) else ()
        others = [item for item in made if _is_other(evaluator, item.value, typed)]
        is_all = is_all and bool(made) and len(others) == len(made)
        found.extend(others)
    return tuple(found) if is_all or not found else (*found, Alternative(typed))


def _may_make(result: ast.expr, typed: Sdk) -> bool:
    """Tell whether an expression is not ``ActionResult.success(…)``, and may be something else."""
    plain = result.value if isinstance(result, ast.Await) else result
    func = plain.func if isinstance(plain, ast.Call) else None
    named = func.value if isinstance(func, ast.Attribute) else func
    return getattr(named, "id", "") != typed.cls


def _is_other(evaluator: Evaluator, value: Value, typed: Sdk) -> bool:
    if isinstance(value, (Const, Display, Made)):
        return value != Const(None) and (standard_type(value) is not None or value == _PARSED)
    if not isinstance(value, Instance):
        return False
    bases = evaluator.bases(value.cls)
    return not any(type(base) is Value or base == SdkClass(typed.cls) for base in bases)
