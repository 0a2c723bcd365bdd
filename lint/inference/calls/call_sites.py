"""Where a function is called, and what its callers give to its parameters."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..containers.rows import given_rows
from ..evaluator import Evaluator
from ..limits import CALLERS
from ..syntax.arguments import standing_for
from ..syntax.memo import remembered_in_circles
from ..syntax.module import FunctionNode, Module, last_name
from ..values.attributes import class_chain
from ..values.changed_objects import makes_itself
from ..values.fields import constructor
from ..values.values import UNKNOWN, Alternative, Class, Frame, Function, Instance, Step, Value
from .call_arguments import argument

_BY_OBJECTS = ("cls", "__class__", "")
"""Names of callees that make one more object of a class: ``type(self)(…)`` has none."""
_Site = tuple[Module, ast.Call, Value | None]


@remembered_in_circles(meanwhile=())
def call_sites(evaluator: Evaluator, module: Module, function: FunctionNode) -> tuple[_Site, ...]:
    """Return the calls written with a function's name: (module, call, instance).

    Some may call another function of that name. A function passed as a value is not followed.
    """
    return tuple(_named(evaluator, module, function))


def entering_calls(evaluator: Evaluator, module: Module, function: FunctionNode) -> list[Frame]:
    """Return the calls that certainly call this function, each as a frame for its parameters.

    None if there are many.
    """
    sites = call_sites(evaluator, module, function)
    return [
        evaluator.frame(Frame(function, caller, call, None, bound))
        for caller, call, bound in (sites if len(sites) <= CALLERS else ())
        if _calls_no_other(evaluator, caller, call.func, function)
    ]


def _calls_no_other(
    evaluator: Evaluator, caller: Module, callee: ast.expr, function: FunctionNode
) -> bool:
    """Tell whether a call always calls the same function: no table, flag or subclass chooses."""
    is_name = isinstance(callee, ast.Name) and callee.id == getattr(function, "name", "")
    return is_name or len(evaluator.values(caller, callee)) < 2


def _named(evaluator: Evaluator, module: Module, function: FunctionNode) -> Iterator[_Site]:
    if isinstance(function, ast.Lambda):
        return
    owner = evaluator.enclosing_class(module, function)
    names = [function.name]
    if owner is not None and function.name == "__init__":
        names += [*_classes_of(evaluator, owner.node.name), *_BY_OBJECTS]
    for name in names:
        callers = (module,) if name in _BY_OBJECTS else evaluator.project.naming(name)
        for caller in callers:
            makers = ("partial", "map") if owner is not None else ("partial",)
            later = [it for maker in makers for it in _later(evaluator, caller, name, maker)]
            for node in (*evaluator.project.calls_by_name(caller, name), *later):
                found = _calls(evaluator, caller, node, function, owner)
                if found is not None:
                    yield caller, node, found[0]


def _later(evaluator: Evaluator, caller: Module, name: str, maker: str) -> Iterator[ast.Call]:
    """Yield the call that ``partial(name, …)`` will make, in the same place.

    For ``map(name, items)`` the argument of that call is unknown.
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
) -> tuple[Value | None] | None:
    """Return the bound instance in a tuple if the call calls the function, else None."""
    for item in evaluator.values(caller, node.func):
        value = item.value
        if isinstance(value, Function) and value.node is function:
            return (value.bound,)
        if owner and isinstance(value, Class) and _constructs(evaluator, value, function):
            return (Instance(value),)
    return None


def _constructs(evaluator: Evaluator, cls: Class, function: FunctionNode) -> bool:
    return makes_itself(evaluator, cls) and constructor(class_chain(evaluator, cls)) is function


def from_callers(
    evaluator: Evaluator, module: Module, function: FunctionNode, arg: ast.arg
) -> list[Alternative]:
    """Return the arguments that all calls give to a parameter, each with its call path."""
    if len(call_sites(evaluator, module, function)) > CALLERS:
        return [Alternative(UNKNOWN)]
    name = evaluator.project_name(module, function)
    found: list[Alternative] = []
    for frame in entering_calls(evaluator, module, function):
        step = Step(frame.module, frame.call, name)
        found += [
            Alternative(item.value, (*item.via, step), item.origin, item.frame)
            for item in argument(evaluator, module, function, arg, frame)
        ]
    if isinstance(function, ast.Lambda):
        found += given_rows(evaluator, module, function)
    return found
