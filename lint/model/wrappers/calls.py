"""What a wrapper gets when others call what it wraps: ``async def wrapper(ctx, *args)``.

A wrapper stands in a decorator, which gives it back in place of a function. Whoever calls that
function calls the wrapper: the SDK a handler, the tree a helper. This is told only if every use of
the decorator is seen to be one, and if each gives a context; else a wrapper may get anything.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from .. import folding
from ..arguments import argument_at, place_of
from ..bindings import parameters
from ..call_sites import call_sites
from ..evaluator import Evaluator
from ..handlers import registered
from ..module import FUNCTIONS, FunctionNode, Module
from ..roles import CONTEXT_NAMES, Role
from ..values import UNKNOWN, Alternative, Decorated, Frame, Sdk, Step, Value
from .arguments import passes_first
from .decorator_uses import DecoratorUse, uses_of
from .decorators import has_function
from .shapes import Shape, shape_of
from .wrapping import of_decorator, registers

_AWAITED = frozenset({"panel", "widget", "tray", "menu_item", "expose", "function"})
"""Kinds of handlers that the SDK awaits whatever they are; of others it asks whether they are
coroutine functions, which an object is not."""
_OTHER = [Alternative(UNKNOWN)]
_PLACES = frozenset({0, 1})
"""Where a context stands: first, or behind the object of a method."""


def given_in_place(
    evaluator: Evaluator, module: Module, function: FunctionNode, arg: ast.arg
) -> list[Alternative]:
    """Return the contexts that a parameter of a wrapper gets, each with its way.

    Nothing if the function is no wrapper, or one that may get something else; what is unknown if
    it certainly does.
    """
    place = place_of(function, arg)
    return _contexts(evaluator, module, function, arg.arg, place) if place >= 0 else []


def item(
    evaluator: Evaluator, module: Module, node: ast.Subscript, frame: Frame | None
) -> Iterable[Alternative]:
    """Return what ``a[0]`` may be worth, also of a wrapper's ``*args``."""
    owner, index = node.value, getattr(node.slice, "value", None)
    if frame is None and isinstance(owner, ast.Name) and index in _PLACES:
        scope, found = evaluator.project.lookup(module, owner)
        if isinstance(scope, FUNCTIONS) and [it.node for it in found] == [scope.args.vararg]:
            before = len(scope.args.posonlyargs) + len(scope.args.args)
            given = _contexts(evaluator, module, scope, "", before + index)
            if given:
                return given
    return folding.subscript(evaluator, module, node, frame)


def _contexts(
    evaluator: Evaluator, module: Module, function: FunctionNode, name: str, place: int
) -> list[Alternative]:
    """Return the contexts that a wrapper gets in a place, by position or by a name."""
    if module.function(function) is None and getattr(function, "name", "") != "__call__":
        return []
    shape = shape_of(module, function)
    position = place - int(shape.is_object) if shape is not None else -1
    if shape is None or position not in _PLACES:
        return []
    found: list[Alternative] = []
    for use in uses_of(evaluator, shape):
        if shape.is_for_async is not None:
            is_async = _is_async(evaluator, use)
            if is_async is None:
                return []
            if is_async is not shape.is_for_async:
                continue
        given = _given(evaluator, shape, use, name, position)
        if given is None or given == _OTHER:
            return given or []
        found += given
    return found


def _is_async(evaluator: Evaluator, use: DecoratorUse) -> bool | None:
    """Tell whether a decorator gets a coroutine function; None if that is not known.

    It gets what the decorators below it make.
    """
    for decorator in use.function.decorator_list[use.index + 1 :]:
        if registers(evaluator, use.module, decorator):
            continue
        made = of_decorator(evaluator, use.module, decorator)
        inner = [
            part
            for wrapper in made.wrappers
            for part in ast.walk(wrapper.function.node)
            if isinstance(part, FUNCTIONS) and not has_function(part)
        ]
        kinds = {isinstance(part, ast.AsyncFunctionDef) for part in inner}
        is_object = any(getattr(part, "name", "") == "__call__" for part in inner)
        if not made.is_clear or is_object or len(kinds) > 1:
            return None
        if kinds:
            return kinds.pop()
    return isinstance(use.function, ast.AsyncFunctionDef)


def _given(
    evaluator: Evaluator, shape: Shape, use: DecoratorUse, name: str, position: int
) -> list[Alternative] | None:
    """Return what one use gives; None if it may be something else than a context."""
    is_it = any(wrapper.function.node in shape.chain for wrapper in use.made.wrappers)
    if not is_it or not use.made.is_clear or not _comes_through(use, position):
        return None
    callee = evaluator.project_name(shape.module, shape.function)
    step = Decorated(use.module, use.callee, callee)
    above = use.function.decorator_list[: use.index]
    roles = [
        role
        for role in registered(evaluator, use.module, use.function)
        if role.call in above or role.call not in use.function.decorator_list
    ]
    if roles:
        return _of_roles(shape, use, roles, step, position, is_rest=not name)
    return _of_callers(evaluator, use, step, name, position)


def _comes_through(use: DecoratorUse, position: int) -> bool:
    """Tell whether the decorators above hand on what they get in a place."""
    return all(
        made.is_clear and all(passes_first(each, position) for each in made.wrappers)
        for made in use.above
    )


def _of_roles(
    shape: Shape,
    use: DecoratorUse,
    roles: list[Role],
    step: Step,
    position: int,
    *,
    is_rest: bool,
) -> list[Alternative] | None:
    in_class = isinstance(use.module.parents.get(use.function), ast.ClassDef)
    must_be_awaited = shape.is_object and isinstance(shape.function, ast.AsyncFunctionDef)
    for role in roles:
        is_own = role.call in use.function.decorator_list
        if (
            role.context is None
            or place_of(use.function, role.context) != position
            or (is_rest and role.kind == "tool")
            or (in_class and (is_own or shape.is_object))
            or (must_be_awaited and role.kind not in _AWAITED)
        ):
            return None
    origin = (use.module, use.function)
    return [Alternative(Sdk("Context", role.kind), (step,), origin) for role in roles]


def _of_callers(
    evaluator: Evaluator, use: DecoratorUse, step: Step, name: str, position: int
) -> list[Alternative] | None:
    """Return what the calls of a decorated helper give."""
    found: list[Alternative] = []
    sites = call_sites(evaluator, use.module, use.function)
    callee = evaluator.project_name(use.module, use.function)
    for caller, call, bound in sites:
        node = argument_at(call, name, position - int(bound is not None))
        if node is None:
            return None
        for item in evaluator.values(caller, node):
            if not isinstance(item.value, Sdk) or item.value.cls != "Context":
                return None if type(item.value) is Value else _OTHER
            way = (*item.via, Step(caller, call, callee), step)
            found.append(Alternative(item.value, way, item.origin, item.frame))
    return found if sites or _is_context(use.function, position) else None


def _is_context(function: FunctionNode, position: int) -> bool:
    """Tell whether a helper that nobody calls asks for a context in a place."""
    taken = [arg.arg for arg in parameters(function)]
    return any(name in CONTEXT_NAMES for name in taken[position : position + 1])
