"""Which branches of a function one call takes, by its flags and by constants."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ..calls.keyword_arguments import collected, is_collected
from ..evaluator import Evaluator
from ..syntax.memo import remembered_in_circles
from ..syntax.module import FUNCTIONS, Module, last_name
from ..values.values import Alternative, Const, Frame, Sdk, call_of, frame_of
from .conditions import Condition, conditions, subjects
from .narrowing import allows
from .settled_tests import settled_outcome
from .type_tests import has_attribute

_Asked = tuple[ast.expr, bool, ast.Name]
"""A test, its outcome, and a parameter of which it speaks and which keeps its value."""
_Conditions = tuple[bool, tuple[_Asked, ...], tuple[Condition, ...]]
"""Whether no call gets there, and what is asked of parameters and of the keys of ``**kwargs``."""


def may_run(evaluator: Evaluator, module: Module, node: ast.AST, frame: Frame | None) -> bool:
    """Tell whether a node may be reached in one call: ``find(ctx, raw=True)`` skips ``if not raw``.

    Args:
        evaluator: of the extension.
        module: the file of the node.
        node: what is evaluated.
        frame: the call; without one only tests with a constant outcome count.
    """
    is_dead, asked, of_rest = _reached_if(evaluator, module, node)
    if is_dead or frame is None or not (asked or of_rest):
        return not is_dead
    return all(
        any(
            allows(evaluator, module, test, name.id, item.value, truth=truth)
            for item in evaluator.values(module, name, frame)
        )
        for test, truth, name in asked
        if _is_given(evaluator, module, name, frame)
    ) and not any(
        _turned_by_rest(evaluator, module, test, frame) is (not truth) for test, truth in of_rest
    )


@remembered_in_circles(meanwhile=(False, (), ()))
def _reached_if(evaluator: Evaluator, module: Module, node: ast.AST) -> _Conditions:
    tests = list(conditions(module, node, rebound=False))
    is_dead = any(
        settled_outcome(evaluator.project, module, test) is (not truth)
        or (not truth and _is_there(evaluator, module, test))
        for test, truth in tests
    )
    return (is_dead, _asked(evaluator, module, tests), _asked_of_rest(module, tests))


def _is_there(evaluator: Evaluator, module: Module, test: ast.expr) -> bool:
    """Tell whether ``hasattr(ctx.store, "for_user")`` is true in the target version."""
    asked = test if isinstance(test, ast.Call) and last_name(test.func) == "hasattr" else None
    if asked is None or len(asked.args) != 2:
        return False
    found = [item.value for item in evaluator.values(module, asked.args[0])]
    return bool(found) and all(
        isinstance(value, Sdk) and value.certain and has_attribute(evaluator, asked.args[1], value)
        for value in found
    )


def live_returns(
    evaluator: Evaluator, module: Module, function: ast.AST, frame: Frame | None = None
) -> list[ast.expr]:
    """Return the expressions that a function may return, in one call if ``frame`` is given.

    Unreachable ones are left out: after ``return``, under ``if False``, or by a flag of the call.
    """
    return [it for it in module.returns(function) if may_run(evaluator, module, it, frame)]


def _turned_by_rest(
    evaluator: Evaluator, module: Module, test: ast.expr, frame: Frame
) -> bool | None:
    """Return the outcome of a test of ``kwargs["key"]`` in one call; None if unknown."""
    owner = _owner(test)
    if owner is None or not is_collected(module, owner):
        return None
    inner = frame_of(frame, module.function(test))
    found = _of_rest(evaluator, module, test, inner) if inner is not None else ()
    truths = {bool(it.value.value) if isinstance(it.value, Const) else None for it in found}
    return truths.pop() if len(truths) == 1 else None


def _of_rest(
    evaluator: Evaluator, module: Module, test: ast.expr, frame: Frame
) -> Iterable[Alternative]:
    """Return the values of a key of ``**kwargs`` in a call; empty if unknown."""
    key = test.args[0] if isinstance(test, ast.Call) else getattr(test, "slice", None)
    name = key.value if isinstance(key, ast.Constant) else None
    for caller, made in _handed_on(frame):
        if made is None or name is None:
            return ()
        for part, value in zip(made.keys, made.values, strict=True):
            if isinstance(part, ast.Constant) and part.value == name:
                return evaluator.values(caller.module, value, caller.outer)
    if not isinstance(test, ast.Call):
        return ()
    default = test.args[1] if len(test.args) > 1 else None
    return evaluator.values(module, default, frame) if default else (Alternative(Const(None)),)


def _handed_on(frame: Frame) -> Iterator[tuple[Frame, ast.Dict | None]]:
    """Yield the ``**kwargs`` of a call, and of the callers that pass theirs on whole."""
    caller: Frame | None = frame
    while caller is not None:
        function = caller.function
        made = collected(caller.call, function) if isinstance(function, FUNCTIONS) else None
        yield caller, made
        keys = made.keys if made is not None else []
        spread = [made.values[index] for index, key in enumerate(keys) if key is None and made]
        if not spread:
            return
        rest, place = spread[0], caller.module
        is_rest = len(spread) == 1 and isinstance(rest, ast.Name) and is_collected(place, rest)
        caller = frame_of(caller.outer, place.function(rest)) if is_rest else None
        if caller is None:
            yield frame, None


def _asked_of_rest(module: Module, tests: list[Condition]) -> tuple[Condition, ...]:
    """Return the parts ``kwargs.get("raw")`` and ``kwargs["raw"]`` of a test, with outcomes."""
    return tuple(
        (test, truth)
        for test, truth in tests
        if (owner := _owner(test)) is not None and is_collected(module, owner)
    )


def _owner(test: ast.expr) -> ast.Name | None:
    """Return ``flags`` of ``flags["raw"]`` and ``flags.get("raw")``."""
    owner: ast.expr | None = None
    if isinstance(test, ast.Subscript):
        owner = test.value
    elif isinstance(test, ast.Call) and isinstance(test.func, ast.Attribute) and test.args:
        owner = test.func.value if test.func.attr == "get" and not test.keywords else None
    return owner if isinstance(owner, ast.Name) else None


def _asked(evaluator: Evaluator, module: Module, tests: list[Condition]) -> tuple[_Asked, ...]:
    return tuple(
        (test, truth, name)
        for test, truth in tests
        for name in subjects(test)
        if [it.kind for it in evaluator.project.bindings(module, name)[1]] == ["param"]
    )


def _is_given(evaluator: Evaluator, module: Module, name: ast.Name, frame: Frame) -> bool:
    """Tell whether a parameter belongs to the call, or to one around it."""
    return call_of(frame, evaluator.project.bindings(module, name)[0]) is not None
