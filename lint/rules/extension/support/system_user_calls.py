"""SDK calls that a handler makes as the system user, who may not make them."""

from __future__ import annotations

import ast
from collections import deque

import msgspec

from ....inference.calls.call_sites import call_sites
from ....inference.evaluator import Evaluator
from ....inference.flow.branches import may_run
from ....inference.flow.conditions import conditions
from ....inference.syntax.memo import remembered
from ....inference.syntax.module import FunctionNode, Module
from ....inference.values.values import Alternative, Frame, Step, Value
from ....sdk_use.reach import acting, function_around, owner_of
from .system_user import asks_who, names_user

_MOST = 300


class _Link(msgspec.Struct, frozen=True, eq=False):
    """A call and its callee."""

    caller: Module
    call: ast.Call
    module: Module
    function: FunctionNode
    bound: Value | None


class _Way(msgspec.Struct, frozen=True, eq=False):
    """The calls from a function to another one, outermost first."""

    module: Module
    function: FunctionNode
    links: tuple[_Link, ...] = ()


class _Ways(msgspec.Struct, frozen=True, eq=False):
    """All call paths to a function.

    Attributes:
        is_cut: whether there are more.
    """

    found: list[_Way]
    is_cut: bool


def possible_way(
    evaluator: Evaluator, module: Module, callee: ast.Attribute, item: Alternative
) -> Alternative | None:
    """Return a value of a callee with a feasible call path from a handler, or None.

    Flags of calls rule out branches: in ``def sync(ctx, everyone=False)`` the code under
    ``if everyone`` runs only for callers that set it. Beyond a test of who runs the code, and
    where the same call may act for a user, the answer is unknown, so None. A value may have
    several call paths, of which it carries one.

    Args:
        evaluator: of the extension.
        module: the file of the call.
        callee: what is called, a method of an object of the SDK.
        item: one of its values.
    """
    owner = owner_of(item.value)
    function = module.function(callee)
    if owner is None or function is None or item.origin is None:
        return item
    owners = (owner_of(each.value) for each in evaluator.values(module, callee))
    if any(each is not None and each.scoped is not owner.scoped for each in owners):
        return None
    ways = _ways(evaluator, module, function)
    to_try = [way for way in ways.found if _is_kind(evaluator, way, owner.kind)]
    to_try.sort(key=lambda way: (not _is_own(way, item), not _is_from(way, item)))
    for way in to_try:
        if _leads(evaluator, way, module, callee, owner.kind):
            is_other = _is_own(to_try[0], item) or not _is_from(way, item)
            return _by(evaluator, item, way) if is_other and not _is_own(way, item) else item
    return item if ways.is_cut or not to_try else None


def _is_own(way: _Way, item: Alternative) -> bool:
    """Tell whether a call path is the one of a value."""
    return _is_from(way, item) and _calls(way) == [step.node for step in item.via]


def _is_from(way: _Way, item: Alternative) -> bool:
    return item.origin is not None and way.function is item.origin[1]


def _by(evaluator: Evaluator, item: Alternative, way: _Way) -> Alternative:
    steps = (
        Step(link.caller, link.call, evaluator.project_name(link.module, link.function))
        for link in way.links
    )
    return Alternative(item.value, tuple(steps), (way.module, way.function), item.frame)


def _calls(way: _Way) -> list[ast.AST]:
    return [link.call for link in way.links]


def _is_kind(evaluator: Evaluator, way: _Way, kind: str) -> bool:
    return any(role.kind == kind for role in evaluator.roles(way.module, way.function))


def _leads(evaluator: Evaluator, way: _Way, module: Module, callee: ast.AST, kind: str) -> bool:
    """Tell whether a handler of a kind may go a call path; not past a test of who runs it."""
    frame: Frame | None = None
    for link in way.links:
        if not _reaches(evaluator, kind, link.caller, link.call, frame):
            return False
        depth = frame.depth + 1 if frame else 1
        frame = evaluator.frame(
            Frame(link.function, link.caller, link.call, frame, link.bound, depth)
        )
    return _reaches(evaluator, kind, module, callee, frame)


def _reaches(
    evaluator: Evaluator, kind: str, module: Module, node: ast.AST, frame: Frame | None
) -> bool:
    return may_run(evaluator, module, node, frame) and not any(
        (acting(kind) and asks_who(evaluator, module, test))
        or names_user(evaluator, module, test, frame, truth=truth)
        for test, truth in conditions(module, node, rebound=False)
    )


@remembered
def _ways(evaluator: Evaluator, module: Module, function: FunctionNode) -> _Ways:
    """Return the acyclic call paths from all handlers, the shortest first."""
    todo = deque([_Way(module, function)])
    found: list[_Way] = []
    for _ in range(_MOST):
        if not todo:
            break
        way = todo.popleft()
        if evaluator.roles(way.module, way.function):
            found.append(way)
        sites = call_sites(evaluator, way.module, way.function)
        outer = None if sites else function_around(way.module, way.function)
        if outer is not None:
            todo.append(_Way(way.module, outer, way.links))
        taken = set(_calls(way))
        for caller, call, bound in sites:
            inside = caller.function(call)
            if inside is not None and call not in taken:
                link = _Link(caller, call, way.module, way.function, bound)
                todo.append(_Way(caller, inside, (link, *way.links)))
    return _Ways(found, bool(todo))
