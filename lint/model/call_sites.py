"""Where a function of the tree is called."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .attributes import class_chain
from .class_changes import makes_itself
from .evaluator import Evaluator
from .fields import constructor
from .module import FunctionNode, Module, last_name
from .values import Class, Function, Instance, Value

_CALLERS = 200
_BY_OBJECTS = ("cls", "__class__", "")
"""Names of callees that make one more object of a class: ``type(self)(…)`` has none."""


def call_sites(
    evaluator: Evaluator, module: Module, function: FunctionNode
) -> list[tuple[Module, ast.Call, Value | None]]:
    """Return the calls of a function: (module, call, instance)."""
    cached = evaluator.sites.get(function)
    if cached is None:
        evaluator.sites[function] = []
        cached = evaluator.sites[function] = list(_call_sites(evaluator, module, function))
    return cached


def _call_sites(
    evaluator: Evaluator, module: Module, function: FunctionNode
) -> Iterator[tuple[Module, ast.Call, Value | None]]:
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
            later = ast.copy_location(ast.Call(node.args[0], node.args[1:], node.keywords), node)
            if maker == "map":
                later.args = [ast.Starred(item, ast.Load()) for item in later.args]
                later.keywords = []
            caller.parents[later] = caller.parents[node]
            yield later


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
