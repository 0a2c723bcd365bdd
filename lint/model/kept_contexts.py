"""Contexts that no call gives on: in a ``ContextVar``, a global or its items, behind ``with``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .bindings import Binding
from .evaluator import Alternatives, Evaluator
from .handed.uses import uses, variable_of
from .module import Module, last_name
from .swallowing import MANAGERS
from .values import UNKNOWN, Alternative, Frame, Function, Sdk, Value

_GETTING = "contextvars.ContextVar().get"
_DEEPEST = 6
_SAME = {"typing.cast": 1, "copy.copy": 0}
"""Functions that return an argument as it is → its place."""


def of_call(
    evaluator: Evaluator, module: Module, node: ast.Call, callee: str, frame: Frame | None
) -> Alternatives:
    """Return the objects of the SDK that a call of a function from elsewhere gives back.

    Args:
        evaluator: of the extension.
        module: the file of the call.
        node: the call.
        callee: dotted name of what is called.
        frame: the call in which it is to be read.

    Returns:
        Nothing if no such object is known.
    """
    if callee == _GETTING:
        found = tuple(_set_in(evaluator, module, node))
        return (*found, Alternative(UNKNOWN)) if found else ()
    place = _SAME.get(callee)
    if place is None or len(node.args) <= place:
        return ()
    return _of_sdk(evaluator.values(module, node.args[place], frame))


def _set_in(evaluator: Evaluator, module: Module, node: ast.Call) -> Iterator[Alternative]:
    """Yield what ``VARIABLE.set(…)`` gives to the variable of ``VARIABLE.get()``."""
    owner = node.func.value if isinstance(node.func, ast.Attribute) else None
    for variable in variable_of(evaluator, module, owner) if isinstance(owner, ast.Name) else ():
        for place, use in uses(evaluator, variable):
            read = place.parents.get(use)
            call = place.parents.get(read) if isinstance(read, ast.Attribute) else None
            is_set = isinstance(read, ast.Attribute) and read.attr == "set"
            if is_set and isinstance(call, ast.Call) and call.func is read and call.args:
                yield from _of_sdk(evaluator.values(place, call.args[0]))


def of_binding(
    evaluator: Evaluator, module: Module, binding: Binding, frame: Frame | None
) -> Alternatives:
    """Return the objects of the SDK that ``global name`` or ``with … as name`` binds."""
    if binding.kind != "with" or not isinstance(binding.value, ast.Call) or binding.path:
        return _of_global(evaluator, module, binding)
    found = [
        item
        for callee in evaluator.values(module, binding.value.func, frame)
        for item in _entered(evaluator, module, binding.value, callee.value, frame)
    ]
    return tuple(item if isinstance(item.value, Sdk) else Alternative(UNKNOWN) for item in found)


def _entered(
    evaluator: Evaluator, module: Module, call: ast.Call, callee: Value, frame: Frame | None
) -> Alternatives:
    """Return what a function under ``@contextmanager`` yields."""
    decorators = getattr(callee.node, "decorator_list", []) if isinstance(callee, Function) else []
    names = [last_name(item) for item in decorators]
    depth = frame.depth + 1 if frame else 1
    if not isinstance(callee, Function) or len(names) != 1 or names[0] not in MANAGERS:
        return (Alternative(UNKNOWN),)
    if depth > _DEEPEST:
        return (Alternative(UNKNOWN),)
    inner = evaluator.frame(Frame(callee.node, module, call, frame, callee.bound, depth))
    where = callee.module
    yields = [part for part in where.nodes(ast.Yield) if where.function(part) is callee.node]
    given = [part.value for part in yields if part.value is not None]
    found = tuple(item for each in given for item in evaluator.values(where, each, inner))
    return found or (Alternative(UNKNOWN),)


def _of_global(evaluator: Evaluator, module: Module, binding: Binding) -> Alternatives:
    """Return what a function gives to a name that it declares as global, if that is of the SDK."""
    function = module.function(binding.node)
    name = binding.value.id if isinstance(binding.value, ast.Name) else ""
    found: list[Alternative] = []
    for use in module.names.get(name, ()) if isinstance(binding.node, ast.Global) else ():
        parent = module.parents.get(use)
        is_given = isinstance(parent, ast.Assign) and use in parent.targets
        if isinstance(parent, ast.Assign) and is_given and module.function(use) is function:
            found += _of_sdk(evaluator.values(module, parent.value))
    return (*found, Alternative(UNKNOWN))


def of_item(evaluator: Evaluator, module: Module, node: ast.Subscript) -> Alternatives:
    """Return the objects of the SDK that functions put under a key of a dict of the module."""
    owner, key = node.value, node.slice
    if not isinstance(owner, ast.Name) or not isinstance(key, ast.Constant):
        return ()
    return tuple(
        item
        for variable in variable_of(evaluator, module, owner)
        if isinstance(variable.scope, ast.Module)
        for place, use in uses(evaluator, variable)
        for item in _put(evaluator, place, use, key.value)
    )


def _put(evaluator: Evaluator, module: Module, use: ast.expr, key: object) -> Alternatives:
    target = module.parents.get(use)
    statement = module.parents.get(target) if isinstance(target, ast.Subscript) else None
    if not isinstance(target, ast.Subscript) or not isinstance(statement, ast.Assign):
        return ()
    is_put = target in statement.targets and getattr(target.slice, "value", None) == key
    return _of_sdk(evaluator.values(module, statement.value)) if is_put else ()


def _of_sdk(found: Alternatives) -> Alternatives:
    return tuple(item for item in found if isinstance(item.value, Sdk))
