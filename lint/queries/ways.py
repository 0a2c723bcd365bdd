"""Whether the calls through which a context came really lead to a place in the code."""

from __future__ import annotations

import ast
from collections import deque

from ..model.call_sites import outer_calls
from ..model.module import FunctionNode, Module
from ..model.narrowing import conditions
from ..model.values import Alternative, Const, Decorated, Frame
from ..view import FileView
from .acting_user import owner_of
from .decorated_places import is_left_open
from .reach import function_around

_MOST = 60


def leads_to(view: FileView, node: ast.AST, item: Alternative) -> bool:
    """Tell whether the handler that got a context can come to a node with it.

    A context that stands in ``self`` comes to each method of the class, but a handler only to
    those that it calls; and what stands under ``if flag`` runs only for the callers that set it.
    """
    return (
        _calls_lead_to(view, node, item)
        and not _is_ruled_out(view, node, item)
        and not is_left_open(view, node, item)
        and not _is_one_of_several(view, node, item)
    )


def _is_one_of_several(view: FileView, node: ast.AST, item: Alternative) -> bool:
    """Tell whether a wrapper chooses what it calls: ``read = ctx.skeleton.get if old else load``.

    That may depend on what it wraps.
    """
    if not isinstance(node, ast.Call) or not any(isinstance(it, Decorated) for it in item.via):
        return False
    known = owner_of(item.value)
    owners = [owner_of(each.value) for each in view.values(node.func)]
    return any(it is None or known is None or it.cls != known.cls for it in owners)


def _calls_lead_to(view: FileView, node: ast.AST, item: Alternative) -> bool:
    start = function_around(view.module, node)
    if start is None or item.origin is None or _is_last_callee(view, start, item):
        return True
    goal = item.origin[1]
    replaced = [step.callee for step in item.via if isinstance(step, Decorated)]
    todo: deque[tuple[Module, FunctionNode]] = deque([(view.module, start)])
    seen: set[ast.AST] = set()
    while todo and len(seen) < _MOST:
        module, function = todo.popleft()
        if function is goal or view.evaluator.project_name(module, function) in replaced:
            return True
        if function not in seen:
            seen.add(function)
            outer = function_around(module, function)
            todo.extend([(module, outer)] if outer is not None else [])
            for caller, call in outer_calls(view.evaluator, module, function):
                inside = function_around(caller, call)
                todo.extend([(caller, inside)] if inside is not None else [])
    return len(seen) == 1 and not outer_calls(view.evaluator, view.module, start)


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
