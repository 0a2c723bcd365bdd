"""Whether the calls through which a context came really lead to a place in the code."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Callable, Iterator
from itertools import takewhile

import msgspec

from ..model.attributes import class_chain
from ..model.branches import may_run, turned_by_rest
from ..model.call_sites import all_sites, call_sites, outer_calls
from ..model.conditions import conditions, subjects
from ..model.module import FunctionNode, Module, last_name
from ..model.narrowing import allows
from ..model.subclasses import runs
from ..model.values import (
    Alternative,
    Class,
    Const,
    Decorated,
    EnumMember,
    Frame,
    Function,
    Instance,
    Step,
    frame_of,
)
from ..view import FileView
from .acting_user import owner_of
from .decorated_places import is_left_open
from .reach import function_around
from .unread_tests import asks_for_state, is_left_to_test

_MOST = 300


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
        or _is_of_other_objects(view, node, item, calls)
        or is_left_open(view, node, item)
        or any(_is_kept_beside(view, it.module, it.node) for it in (*item.via, *calls))
        or _is_handed_beside(view, node)
        or _is_one_of_several(view, node, item)
    ):
        return None
    known = {step.node for step in item.via}
    further = (step for step in calls if step.node not in known)
    return msgspec.structs.replace(item, via=(*item.via, *further))


def _is_one_of_several(view: FileView, node: ast.AST, item: Alternative) -> bool:
    """Tell whether something on the way chooses what is called, which may choose another here.

    ``client = ctx.skeleton if live else ctx.store`` in what others call too: a handler that chooses
    itself may choose either.
    """
    known = owner_of(item.value)
    is_wrapped = any(isinstance(it, Decorated) for it in item.via)
    for each in view.values(node.func) if isinstance(node, ast.Call) else ():
        owner = owner_of(each.value)
        is_other = owner is None or known is None or owner.cls != known.cls
        is_known = owner is not None or isinstance(each.value, Function)
        is_here = is_known and item.via and (each.via, each.origin) == (item.via, item.origin)
        if is_other and (is_wrapped or is_here):
            return True
    return False


def _is_kept_beside(view: FileView, module: Module, call: ast.AST) -> bool:
    """Tell whether a call is of what an attribute keeps, which in other objects is another kind.

    ``self.source.load(ctx)`` of a service that gets its source, ``self.read = a if live else b``,
    ``self.readers[self.kind](ctx)``, ``getattr(self, f"read_{self.kind}")()``.
    """
    callee = call.func if isinstance(call, ast.Call) else None
    if isinstance(callee, ast.Call):
        names = callee.args[1:2] if last_name(callee.func) == "getattr" else []
        return any(map(_reads_own, names))
    found = view.evaluator.values(module, callee) if callee is not None else ()
    functions = {item.value.node for item in found if isinstance(item.value, Function)}
    if len(functions) < 2:
        return False
    if isinstance(callee, ast.Subscript):
        return _reads_own(callee.slice)
    if not isinstance(callee, ast.Attribute):
        return False
    is_kept = _reads_own(callee) and all(getattr(it, "name", "") != callee.attr for it in functions)
    owners = [it.value for it in view.evaluator.values(module, callee.value)]
    kinds = {it.cls.node for it in owners if isinstance(it, Instance)}
    return is_kept or (isinstance(callee.value, ast.Attribute) and len(kinds) > 1)


def _reads_own(node: ast.AST) -> bool:
    """Tell whether an expression reads an attribute of the object itself: ``self.kind``."""
    return any(
        isinstance(part, ast.Attribute) and getattr(part.value, "id", "") == "self"
        for part in ast.walk(node)
    )


def _is_handed_beside(view: FileView, node: ast.AST) -> bool:
    """Tell it of all calls of the function around a node."""
    function = function_around(view.module, node)
    sites = all_sites(view.evaluator, view.module, function) if function is not None else ()
    return bool(sites) and all(_is_kept_beside(view, it.module, it.call) for it in sites)


def _calls_to(
    view: FileView, node: ast.AST, item: Alternative, skips: Callable[[Module, ast.AST], bool]
) -> tuple[Step, ...] | None:
    """Return the fewest calls from the handler to a node; none where ``item.via`` holds all."""
    start = function_around(view.module, node)
    if start is None or item.origin is None or _is_last_callee(view, start, item):
        return ()
    goal = item.origin[1]
    replaced = [step.callee for step in item.via if isinstance(step, Decorated)]
    todo: deque[tuple[Module, FunctionNode, ast.AST, tuple[Step, ...]]] = deque()
    todo.append((view.module, start, node, ()))
    seen: set[tuple[ast.AST, ast.AST]] = set()
    while todo and len(seen) < _MOST:
        module, function, place, way = todo.popleft()
        name = view.evaluator.project_name(module, function)
        if function is goal or name in replaced:
            return way
        if (function, place) in seen:
            continue
        seen.add((function, place))
        outer = function_around(module, function)
        todo.extend([(module, outer, place, way)] if outer is not None else [])
        for caller, call in _callers(view, module, function, place):
            inside = function_around(caller, call)
            if inside is not None and not skips(caller, call):
                todo.append((caller, inside, call, (Step(caller, call, name), *way)))
    is_uncalled = len(seen) == 1 and not outer_calls(view.evaluator, view.module, start)
    return () if is_uncalled and not _is_chosen(view.module, start) else None


def _callers(
    view: FileView, module: Module, function: FunctionNode, place: ast.AST
) -> Iterator[tuple[Module, ast.Call]]:
    """Yield the calls of a function that come to a place in it, as far as their flags show it."""
    direct = {it.call: it for it in all_sites(view.evaluator, module, function) if not it.frame}
    for caller, call in outer_calls(view.evaluator, module, function):
        site = direct.get(call)
        frame = Frame(function, caller, call, None, site.bound) if site is not None else None
        if frame and _is_kept_from(view, module, place, view.evaluator.frame(frame)):
            continue
        yield caller, call


def _is_chosen(module: Module, function: FunctionNode) -> bool:
    """``self.read = self._live if new else self._old``, so that others get another method."""
    uses = [it for it in module.attributes(getattr(function, "name", "")) if _is_value(module, it)]
    return any(
        _is_in_kept_table(module, use) or any(True for _ in conditions(module, use)) for use in uses
    )


def _is_in_kept_table(module: Module, use: ast.Attribute) -> bool:
    """``self.readers = {"live": self._live}``."""
    table = module.parents.get(use)
    made = module.parents.get(table) if isinstance(table, ast.Dict) else None
    return isinstance(made, ast.Assign) and isinstance(made.targets[0], ast.Attribute)


def _is_value(module: Module, use: ast.Attribute) -> bool:
    return isinstance(use.ctx, ast.Load) and not isinstance(module.parents.get(use), ast.Call)


def _is_last_callee(view: FileView, function: FunctionNode, item: Alternative) -> bool:
    """Tell whether the last call of a way calls the function, so that nothing is to be asked."""
    return bool(item.via) and item.via[-1].callee == view.evaluator.project_name(
        view.module, function
    )


def _is_ruled_out(view: FileView, node: ast.AST, item: Alternative) -> bool:
    places = [*((step.module, step.node) for step in item.via), (view.module, node)]
    frame: Frame | None = None
    for index, (module, place) in enumerate(places):
        if frame is not None and _is_kept_from(view, module, place, frame):
            return True
        following = places[index + 1] if index + 1 < len(places) else None
        frame = _entered(view, item, index, frame, following)
    return False


def _is_kept_from(view: FileView, module: Module, place: ast.AST, frame: Frame) -> bool:
    """Tell whether a call does not come to a place in the function that it calls."""
    return any(
        not may_run(view.evaluator, module, it, frame) or _is_turned_away(view, module, it, frame)
        for it in _inside(module, place, frame)
    )


def _inside(module: Module, place: ast.AST, frame: Frame) -> Iterator[ast.AST]:
    """Yield a place, and the functions around it that are made in the function of a call."""
    yield place
    yield from takewhile(lambda it: it is not frame.function, module.functions_around(place))


def _is_turned_away(view: FileView, module: Module, place: ast.AST, frame: Frame) -> bool:
    """Tell whether a test keeps a call from a place, or is not read and may do so."""
    for test, truth in conditions(module, place, rebound=False):
        outcomes = _outcomes(view, module, test, frame)
        if outcomes == {not truth}:
            return True
        is_read = outcomes or _is_met(view, module, test, frame, truth=truth)
        if not is_read and is_left_to_test(view, module, test, frame):
            return True
    return False


def _is_met(view: FileView, module: Module, test: ast.expr, frame: Frame, *, truth: bool) -> bool:
    """Tell whether what a call gives certainly makes a test turn out so."""
    return turned_by_rest(view.evaluator, module, test, frame) is truth or any(
        not allows(view.evaluator, module, test, name.id, item.value, truth=not truth)
        for name in subjects(test)
        for item in view.evaluator.values(module, name, frame)
    )


def _is_of_other_objects(
    view: FileView, node: ast.AST, item: Alternative, calls: tuple[Step, ...]
) -> bool:
    """Tell whether the object that got the context may not be the one that comes to the node.

    ``if self.live:`` where some objects have ``live = False``, and a method that another class of
    the object has instead.
    """
    places = [(view.module, node), *((it.module, it.node) for it in (*item.via, *calls))]
    return not _is_own_method(view, node, item) or any(
        asks_for_state(view, module, test)
        if isinstance(test, ast.Call)
        else (not truth) in _outcomes(view, module, test, None)
        for module, place in places
        for test, truth in conditions(module, place, rebound=False)
        if isinstance(
            test.left if isinstance(test, ast.Compare) else test, ast.Attribute | ast.Call
        )
    )


def _is_own_method(view: FileView, node: ast.AST, item: Alternative) -> bool:
    """Tell whether the object whose constructor got the context runs the method of a node."""
    method = next((it for it in view.module.functions_around(node) if _is_method(view, it)), None)
    made = [it for step in item.via for it in _made_by(view, step)][-1:]
    if not isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef) or not made:
        return True
    own = view.evaluator.enclosing_class(view.module, method)
    if own is None or not _is_related(view, own, made[0]):
        return True
    return runs(view.evaluator, made[0], method)


def _is_method(view: FileView, function: FunctionNode) -> bool:
    return isinstance(view.module.parents.get(function), ast.ClassDef)


def _made_by(view: FileView, step: Step) -> list[Class]:
    """Return the class of which a step of a way makes an object."""
    callee = step.node.func if isinstance(step.node, ast.Call) else None
    found = view.evaluator.values(step.module, callee) if callee is not None else ()
    return [it.value for it in found if isinstance(it.value, Class)]


def _is_related(view: FileView, one: Class, other: Class) -> bool:
    return one in class_chain(view.evaluator, other) or other in class_chain(view.evaluator, one)


def _entered(
    view: FileView,
    item: Alternative,
    index: int,
    frame: Frame | None,
    following: tuple[Module, ast.AST] | None,
) -> Frame | None:
    """Return the frame of the function that a step of a way calls.

    Behind a call that makes an object the function goes on.
    """
    if following is None:
        return None
    step = item.via[index]
    module, place = following
    name, around = view.evaluator.project_name, list(module.functions_around(place))
    function = next((it for it in around if name(module, it) == step.callee), None)
    if function is None:
        return next((it for each in around if (it := frame_of(frame, each))), None)
    return _frame(view, module, function, step, frame) if isinstance(step.node, ast.Call) else None


def _frame(
    view: FileView, module: Module, function: FunctionNode, step: Step, outer: Frame | None
) -> Frame:
    assert isinstance(step.node, ast.Call)  # noqa: S101 - the caller looked
    sites = call_sites(view.evaluator, module, function)
    bound = next((owner for _, call, owner in sites if call is step.node), None)
    depth = outer.depth + 1 if outer else 1
    return view.evaluator.frame(Frame(function, step.module, step.node, outer, bound, depth))


def _outcomes(view: FileView, module: Module, test: ast.expr, frame: Frame | None) -> set[bool]:
    """Return what a test may be worth in a call, or in any; nothing if constants do not decide."""
    if isinstance(test, ast.Name | ast.Attribute):
        return {bool(value.value) for value in _constants(view, module, test, frame)}
    if isinstance(test, ast.BoolOp):
        joined = [_outcomes(view, module, part, frame) for part in test.values]
        is_or = isinstance(test.op, ast.Or)
        if {is_or} in joined:
            return {is_or}
        return {not is_or} if all(part == {not is_or} for part in joined) else set()
    if not isinstance(test, ast.Compare) or len(test.ops) > 1:
        return set()
    left = _constants(view, module, test.left, frame)
    right = _constants(view, module, test.comparators[0], frame)
    kinds = {Instance(value.cls) for value in right if isinstance(value, EnumMember)}
    if not kinds.isdisjoint(it.value for it in view.evaluator.values(module, test.left, frame)):
        return {True, False}
    same_kind = len({type(value) for value in (*left, *right)}) == 1
    if not same_kind or len(right) != 1 or not isinstance(test.ops[0], _EQUAL | _UNEQUAL):
        return set()
    return {(value == right[0]) is isinstance(test.ops[0], _EQUAL) for value in left}


_EQUAL = ast.Eq | ast.Is
_UNEQUAL = ast.NotEq | ast.IsNot


def _constants(view: FileView, module: Module, node: ast.expr, frame: Frame | None) -> list[Const]:
    """Return the values of an expression; none if one of them is not known."""
    found = [item.value for item in view.evaluator.values(module, node, frame)]
    known = [value for value in found if isinstance(value, Const)]
    return known if len(known) == len(found) else []
