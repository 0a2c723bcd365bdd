"""Where a function of the tree is called."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .arguments import standing_for
from .attributes import class_chain
from .class_changes import makes_itself
from .evaluator import Evaluator
from .fields import constructor
from .handed.calls import handed_calls
from .handed.keys import Site, chains, giving
from .module import FunctionNode, Module, last_name
from .remembered import remembered_in_circles
from .spread_parameters import spreads_rest
from .values import Class, Frame, Function, Instance, Value

_CALLERS = 200
_BY_OBJECTS = ("cls", "__class__", "")
"""Names of callees that make one more object of a class: ``type(self)(…)`` has none."""
_Direct = tuple[Module, ast.Call, Value | None]


@remembered_in_circles(meanwhile=())
def call_sites(evaluator: Evaluator, module: Module, function: FunctionNode) -> tuple[_Direct, ...]:
    """Return the calls of a function: (module, call, instance).

    Those that are written with its name, whatever else they may call, and those by tables. Not
    those whose callee another call gave: ``f(ctx)`` calls ``load`` only for the callers of
    ``run(f, ctx)`` that give it; see ``all_sites``.
    """
    found = _direct(evaluator, module, function)
    known = {call for _, call, _ in found}
    others = (
        (site.module, site.call, site.bound)
        for site in all_sites(evaluator, module, function)
        if site.frame is None and not site.is_own and site.call not in known
    )
    return (*found, *others)


@remembered_in_circles(meanwhile=())
def all_sites(evaluator: Evaluator, module: Module, function: FunctionNode) -> tuple[Site, ...]:
    """Return the calls of a function, each with the calls through which its callee came."""
    return tuple(_all_sites(evaluator, module, function))


def entering_calls(evaluator: Evaluator, module: Module, function: FunctionNode) -> list[Frame]:
    """Return the calls of a function, each as that in which its parameters are read."""
    sites = all_sites(evaluator, module, function)
    return [evaluator.frame(site.entering(function, site.frame)) for site in sites]


def outer_calls(
    evaluator: Evaluator, module: Module, function: FunctionNode
) -> list[tuple[Module, ast.Call]]:
    """Return, for each way to call a function, the outermost call of which the way depends."""
    found: list[tuple[Module, ast.Call]] = []
    for site in all_sites(evaluator, module, function):
        place, frame = (site.module, site.call), site.frame
        while frame is not None:
            place, frame = (frame.module, frame.call), frame.outer
        found.append(place)
    return found


@remembered_in_circles(meanwhile=())
def _direct(evaluator: Evaluator, module: Module, function: FunctionNode) -> tuple[_Direct, ...]:
    """Return the calls of a function that are written with its name: (module, call, instance)."""
    return tuple(_named(evaluator, module, function))


def _all_sites(evaluator: Evaluator, module: Module, function: FunctionNode) -> Iterator[Site]:
    seen: set[tuple[ast.Call, Frame | None]] = set()
    for caller, call, bound in _direct(evaluator, module, function):
        for site in _by_frames(evaluator, module, function, Site(caller, call, bound)):
            seen.add((call, site.frame))
            yield site
            if site.frame is None:
                yield from _spread(evaluator, site)
    for site in handed_calls(evaluator, all_sites, module, function):
        if (site.call, site.frame) not in seen and (site.call, None) not in seen:
            yield site


def _by_frames(
    evaluator: Evaluator, module: Module, function: FunctionNode, site: Site
) -> Iterator[Site]:
    """Yield a call once for each way to it that calls the function and not another one.

    What a name or a table picks is left to ``handed_calls``.
    """
    callee = site.call.func
    if len(evaluator.values(site.module, callee)) < 2:
        yield site
    elif isinstance(callee, ast.Attribute):
        around = giving(evaluator, site.module, callee.value)
        if around is None or not all_sites(evaluator, site.module, around):
            yield site
            return
        owner = evaluator.enclosing_class(module, function)
        for frame, _ in chains(evaluator, all_sites, site.module, around):
            found = _calls(evaluator, site.module, site.call, function, owner, frame)
            if frame is not None and found is not None:
                yield Site(site.module, site.call, found[0], frame)
    elif isinstance(callee, ast.Name) and callee.id == getattr(function, "name", ""):
        yield site


def _spread(evaluator: Evaluator, site: Site) -> Iterator[Site]:
    """Yield a call that hands on ``*args`` once for each call of the function around it."""
    around = site.module.function(site.call)
    if around is None or not spreads_rest(evaluator, site.module, site.call):
        return
    for frame, _ in chains(evaluator, all_sites, site.module, around):
        if frame is not None:
            yield Site(site.module, site.call, site.bound, frame)


def _named(evaluator: Evaluator, module: Module, function: FunctionNode) -> Iterator[_Direct]:
    if isinstance(function, ast.Lambda):
        return
    owner = evaluator.enclosing_class(module, function)
    names = [function.name]
    if owner is not None and function.name == "__init__":
        names += [*_classes_of(evaluator, owner.node.name), *_BY_OBJECTS]
    count = 0
    for name in names:
        callers = (module,) if name in _BY_OBJECTS else evaluator.project.naming(name)
        for caller in callers:
            makers = ("partial", "map") if owner is not None else ("partial",)
            later = [it for maker in makers for it in _later(evaluator, caller, name, maker)]
            for node in (*evaluator.project.calls_by_name(caller, name), *later):
                found = _calls(evaluator, caller, node, function, owner)
                if found is not None and count < _CALLERS:
                    count += 1
                    yield caller, node, found[0]


def _later(evaluator: Evaluator, caller: Module, name: str, maker: str) -> Iterator[ast.Call]:
    """Yield ``partial(name, …)`` as the call that it will become, in the same place.

    ``map(name, items)`` becomes one with what nobody knows.
    """
    for node in evaluator.project.calls_by_name(caller, maker):
        if node.args and last_name(node.args[0]) == name:
            args, keywords = node.args[1:], node.keywords
            if maker == "map":
                args, keywords = [ast.Starred(item, ast.Load()) for item in args], []
            yield standing_for(caller, node, node.args[0], args, keywords)


def _classes_of(evaluator: Evaluator, name: str) -> list[str]:
    """Return the names of a class and of those that extend a class of that name."""
    found = [name]
    for base in found:
        for module in evaluator.project.naming(base):
            for node in module.nodes(ast.ClassDef):
                bases = {last_name(item) for item in node.bases}
                if base in bases and node.name not in found:
                    found.append(node.name)
    return found


def _calls(
    evaluator: Evaluator,
    caller: Module,
    node: ast.Call,
    function: FunctionNode,
    owner: Class | None,
    frame: Frame | None = None,
) -> tuple[Value | None] | None:
    """Return the bound instance in a tuple if the call calls the function, else None."""
    for item in evaluator.values(caller, node.func, frame):
        value = item.value
        if isinstance(value, Function) and value.node is function:
            return (value.bound,)
        if owner and isinstance(value, Class) and _constructs(evaluator, value, function):
            return (Instance(value),)
    return None


def _constructs(evaluator: Evaluator, cls: Class, function: FunctionNode) -> bool:
    return makes_itself(evaluator, cls) and constructor(class_chain(evaluator, cls)) is function
