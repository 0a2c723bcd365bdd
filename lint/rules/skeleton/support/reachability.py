"""The call paths from a handler to a read of the skeleton."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Callable

import msgspec

from ....inference.calls.call_sites import entering_calls
from ....inference.flow.branches import may_run
from ....inference.flow.conditions import conditions, subjects
from ....inference.flow.narrowing import allows
from ....inference.syntax.module import FunctionNode, Module
from ....inference.values.attributes import class_chain
from ....inference.values.classes import runs
from ....inference.values.values import Alternative, Class, Frame, Sdk, Step
from ....sdk_use.reach import frame_by, function_around
from ....view import FileView

_MOST = 300


def way_to(
    view: FileView,
    node: ast.AST,
    item: Alternative,
    skips: Callable[[Module, ast.AST], bool],
    *,
    is_shared: bool,
) -> Alternative | None:
    """Return a context with a feasible call path from its handler to a node.

    A context in ``self`` is visible in each method of the class, but a handler reaches only the
    methods it calls; and ``if flag`` runs only for callers that set the flag.

    Args:
        view: the file of the node.
        node: the use of the context.
        item: the context, or what hangs on it.
        skips: tells whether a handler never passes a place.
        is_shared: whether other handlers reach the node too, so that any condition may exclude it.

    Returns:
        ``item`` with the calls of methods behind that of the constructor; None if the handler
        cannot come to the node, or not certainly.
    """
    calls = _calls_to(view, node, item, skips)
    if calls is None or _is_of_others(view, node, item):
        return None
    way = calls or item.via
    places = [*((step.module, step.node) for step in way), (view.module, node)]
    for index, (module, place) in enumerate(places):
        frame = frame_by(view.evaluator, module, place, way[:index])
        if frame is not None and not may_run(view.evaluator, module, place, frame):
            return None
        if is_shared and _is_left_open(view, module, place, frame):
            return None
    known = {step.node for step in item.via}
    further = (step for step in calls if step.node not in known)
    return msgspec.structs.replace(item, via=(*item.via, *further))


def _is_left_open(view: FileView, module: Module, place: ast.AST, frame: Frame | None) -> bool:
    """Tell whether a call may skip a place, by its arguments or by other tests."""
    return any(
        isinstance(part, ast.Call)
        or (isinstance(part, ast.Name) and _may_turn_away(view, module, test, truth, part, frame))
        for test, truth in conditions(module, place, rebound=False)
        for part in ast.walk(test)
    )


def _may_turn_away(
    view: FileView,
    module: Module,
    test: ast.expr,
    truth: bool,
    name: ast.Name,
    frame: Frame | None,
) -> bool:
    """Tell whether a test of a parameter may have the other outcome."""
    evaluator = view.evaluator
    _, found = evaluator.project.lookup(module, name)
    given = [item.value for item in evaluator.values(module, name, frame)]
    if all(it.kind != "param" for it in found) or any(isinstance(it, Sdk) for it in given):
        return False
    return name not in subjects(test) or any(
        allows(evaluator, module, test, name.id, it, truth=not truth) for it in given
    )


def _is_of_others(view: FileView, node: ast.AST, item: Alternative) -> bool:
    """Tell whether the object that holds a context overrides the method around a node."""
    made = [
        each.value
        for step in item.via
        if isinstance(step.node, ast.Call)
        for each in view.evaluator.values(step.module, step.node.func)
        if isinstance(each.value, Class)
    ]
    for function in view.module.functions_around(node) if made else ():
        own = view.evaluator.enclosing_class(view.module, function)
        if own is not None and own in class_chain(view.evaluator, made[-1]):
            return not runs(view.evaluator, made[-1], function)
    return False


def _calls_to(
    view: FileView, node: ast.AST, item: Alternative, skips: Callable[[Module, ast.AST], bool]
) -> tuple[Step, ...] | None:
    """Return the shortest call path from the handler to a node; none if ``item.via`` is one."""
    start = function_around(view.module, node)
    if start is None or item.origin is None or _is_last_callee(view, start, item):
        return ()
    todo: deque[tuple[Module, FunctionNode, tuple[Step, ...]]] = deque([(view.module, start, ())])
    seen: set[ast.AST] = set()
    while todo and len(seen) < _MOST:
        module, function, way = todo.popleft()
        if function is item.origin[1]:
            return way
        if function in seen:
            continue
        seen.add(function)
        outer = function_around(module, function)
        todo.extend([(module, outer, way)] if outer is not None else [])
        name = view.evaluator.project_name(module, function)
        for site in entering_calls(view.evaluator, module, function):
            inside = function_around(site.module, site.call)
            if inside is not None and not skips(site.module, site.call):
                todo.append((site.module, inside, (Step(site.module, site.call, name), *way)))
    return None


def _is_last_callee(view: FileView, function: FunctionNode, item: Alternative) -> bool:
    """Tell whether the last call of a path calls the function."""
    name = view.evaluator.project_name(view.module, function)
    return bool(item.via) and item.via[-1].callee == name
