"""Whether the calls through which a context came really lead to a place in the code."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Callable

import msgspec

from ..model.call_sites import outer_calls
from ..model.conditions import conditions
from ..model.module import FunctionNode, Module
from ..model.values import Alternative, Const, Decorated, Frame, Step
from ..view import FileView
from .acting_user import owner_of
from .decorated_places import is_left_open
from .reach import function_around

_MOST = 60


def way_to(
    view: FileView, node: ast.AST, item: Alternative, skips: Callable[[Module, ast.AST], bool]
) -> Alternative | None:
    """Return a context with the calls by which the handler that got it comes to a node.

    A context that stands in ``self`` comes to each method of the class, but a handler only to
    those that it calls; and what stands under ``if flag`` runs only for the callers that set it.

    Args:
        view: the file of the node.
        node: the use of the context.
        item: the context, or what hangs on it.
        skips: tells whether a handler does not get past a place.

    Returns:
        ``item`` with the calls of methods behind that of the constructor; None if the handler
        cannot come to the node, or not certainly.
    """
    calls = _calls_to(view, node, item, skips)
    if (
        calls is None
        or _is_ruled_out(view, node, item)
        or is_left_open(view, node, item)
        or _is_one_of_several(view, node, item)
    ):
        return None
    known = {step.node for step in item.via}
    further = (step for step in calls if step.node not in known)
    return msgspec.structs.replace(item, via=(*item.via, *further))


def _is_one_of_several(view: FileView, node: ast.AST, item: Alternative) -> bool:
    """Tell whether a wrapper chooses what it calls: ``read = ctx.skeleton.get if old else load``.

    That may depend on what it wraps.
    """
    if not isinstance(node, ast.Call) or not any(isinstance(it, Decorated) for it in item.via):
        return False
    known = owner_of(item.value)
    owners = [owner_of(each.value) for each in view.values(node.func)]
    return any(it is None or known is None or it.cls != known.cls for it in owners)


def _calls_to(
    view: FileView, node: ast.AST, item: Alternative, skips: Callable[[Module, ast.AST], bool]
) -> tuple[Step, ...] | None:
    """Return the fewest calls from the handler to a node; none where ``item.via`` holds all."""
    start = function_around(view.module, node)
    if start is None or item.origin is None or _is_last_callee(view, start, item):
        return ()
    goal = item.origin[1]
    replaced = [step.callee for step in item.via if isinstance(step, Decorated)]
    todo: deque[tuple[Module, FunctionNode, tuple[Step, ...]]] = deque([(view.module, start, ())])
    seen: set[ast.AST] = set()
    while todo and len(seen) < _MOST:
        module, function, way = todo.popleft()
        name = view.evaluator.project_name(module, function)
        if function is goal or name in replaced:
            return way
        if function not in seen:
            seen.add(function)
            outer = function_around(module, function)
            todo.extend([(module, outer, way)] if outer is not None else [])
            for caller, call in outer_calls(view.evaluator, module, function):
                inside = function_around(caller, call)
                if inside is not None and not skips(caller, call):
                    todo.append((caller, inside, (Step(caller, call, name), *way)))
    is_uncalled = len(seen) == 1 and not outer_calls(view.evaluator, view.module, start)
    return () if is_uncalled else None


def _is_last_callee(view: FileView, function: FunctionNode, item: Alternative) -> bool:
    """Tell whether the last call of a way calls the function, so that nothing is to be asked."""
    return bool(item.via) and item.via[-1].callee == view.evaluator.project_name(
        view.module, function
    )


def _is_ruled_out(view: FileView, node: ast.AST, item: Alternative) -> bool:
    places = [*((step.module, step.node) for step in item.via), (view.module, node)]
    frame: Frame | None = None
    for index, (module, place) in enumerate(places):
        for test, truth in conditions(module, place, rebound=False):
            if _outcome(view, module, test, frame) is (not truth):
                return True
        following = places[index + 1] if index + 1 < len(places) else None
        frame = _entered(view, item, index, frame, following)
    return False


def _entered(
    view: FileView,
    item: Alternative,
    index: int,
    frame: Frame | None,
    following: tuple[Module, ast.AST] | None,
) -> Frame | None:
    """Return the frame of the function that a step of a way calls."""
    if following is None:
        return None
    step = item.via[index]
    function = function_around(*following)
    if function is None or not isinstance(step.node, ast.Call):
        return None
    if step.callee != view.evaluator.project_name(following[0], function):
        return None
    depth = frame.depth + 1 if frame else 1
    return view.evaluator.frame(Frame(function, step.module, step.node, frame, None, depth))


def _outcome(view: FileView, module: Module, test: ast.expr, frame: Frame | None) -> bool | None:
    """Return what a test is worth in a call, if constants decide it."""
    if frame is None:
        return None
    if isinstance(test, ast.Name):
        known = _constants(view, module, test, frame)
        worth = {bool(value) for value in known}
        return worth.pop() if len(worth) == 1 else None
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        left = _constants(view, module, test.left, frame)
        right = _constants(view, module, test.comparators[0], frame)
        if len(left) == len(right) == 1 and isinstance(test.ops[0], _EQUAL | _UNEQUAL):
            return (left[0] == right[0]) is isinstance(test.ops[0], _EQUAL)
    return None


_EQUAL = ast.Eq | ast.Is
_UNEQUAL = ast.NotEq | ast.IsNot


def _constants(view: FileView, module: Module, node: ast.expr, frame: Frame) -> list[object]:
    """Return the values of an expression; none if one of them is not known."""
    found = view.evaluator.values(module, node, frame)
    known = [item.value.value for item in found if isinstance(item.value, Const)]
    return known if len(known) == len(found) else []
