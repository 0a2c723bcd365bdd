"""Whether code changes a display, an object or a class after its definition."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..evaluator import Evaluator
from ..syntax.arguments import argument_node, callee_of
from ..syntax.bindings import parameters
from ..syntax.memo import remembered, remembered_in_circles
from ..syntax.module import FUNCTIONS, FunctionNode, Module, last_name
from .attributes import class_chain
from .values import Class, Display, External, Function, Instance, Made, Sdk, SdkMethod

_DISPLAYS = (ast.Dict, ast.List, ast.Tuple, ast.Set)


def is_changed(module: Module, name: str) -> bool:
    """Tell whether a file changes a name's object in place, also by an alias or a parameter."""
    names = names_of(module, name)
    return not (module.changed_names.isdisjoint(names) and _handed(module).isdisjoint(names))


@remembered
def _handed(module: Module) -> frozenset[str]:
    """Return the names that a file passes to its own functions that change that parameter."""
    given = (
        argument_node(call, function, arg, skip=0)
        for function, arg in _changing(module)
        for call in module.calls.get(getattr(function, "name", ""), ())
    )
    return frozenset(last_name(node) for node in given if node is not None)


def _changing(module: Module) -> Iterator[tuple[FunctionNode, ast.arg]]:
    """Yield (function, parameter) for each parameter that a function changes in place."""
    for owner in module.changed:
        function = module.function(owner) if isinstance(owner, ast.Name) else None
        if function is not None:
            yield from ((function, it) for it in parameters(function) if it.arg == last_name(owner))


def names_of(module: Module, name: str) -> set[str]:
    """Return the aliases of a name in a file: ``t = TABLE``, ``a = b = []``."""
    return _shared_names(module).get(name, {name})


@remembered
def _shared_names(module: Module) -> dict[str, set[str]]:
    known: dict[str, set[str]] = {}
    for node in module.nodes(ast.Assign):
        parts = (*node.targets, node.value)
        names = {part.id for part in parts if isinstance(part, ast.Name)}
        if len(names) > 1:
            joined = names.union(*(known[each] for each in names if each in known))
            known.update(dict.fromkeys(joined, joined))
    return known


def may_differ(evaluator: Evaluator, module: Module, owner: ast.expr, value: Display) -> bool:
    """Tell whether a display is changed through the name that is read, or an alias."""
    name = last_name(owner)
    return (
        is_changed(module, name)
        or is_changed(value.module, name)
        or _is_rewritten(evaluator, value.module, value.node)
    )


@remembered
def _is_rewritten(evaluator: Evaluator, module: Module, node: ast.AST) -> bool:
    """Tell whether any file changes a display through the names that are bound to it."""
    outer, parent = node, module.parents.get(node)
    while isinstance(parent, _DISPLAYS):
        outer, parent = parent, module.parents.get(parent)
    given = getattr(parent, "targets", None) or [getattr(parent, "target", None)]
    names = {last_name(target) for target in given if isinstance(target, ast.expr)} - {""}
    if any(is_changed(module, name) for name in names):
        return True
    if outer is not node and not names.isdisjoint(_changed_inside(module)):
        return True
    is_global = isinstance(module.parents.get(parent), ast.Module) if parent is not None else False
    return is_global and any(
        _is_given_away(evaluator, module, name) or _is_changed_by_others(evaluator, module, name)
        for name in names
    )


@remembered
def _changed_inside(module: Module) -> set[str]:
    """Return the names whose parts a file changes, also in a loop over them."""
    changed = {name for owner in module.changed for name in _named_in(owner)}
    loops = (*module.nodes(ast.For), *module.nodes(ast.comprehension))
    walked = (it.iter for it in loops if not changed.isdisjoint(_named_in(it.target)))
    return changed.union(*map(_named_in, walked))


def _named_in(node: ast.expr) -> set[str]:
    return {last_name(part) for part in ast.walk(node)} - {""}


def _is_changed_by_others(evaluator: Evaluator, module: Module, name: str) -> bool:
    """Tell whether a file that imports a global changes it."""
    for other in evaluator.project.naming(name):
        local = {
            alias.asname or name
            for statement in other.nodes(ast.ImportFrom)
            for alias in statement.names
            if alias.name == name
        }
        owners = (owner for owner in other.changed if isinstance(owner, ast.Attribute))
        is_it = any(is_changed(other, each) for each in local) or name in map(last_name, owners)
        given = is_it or any(_is_given_away(evaluator, other, each) for each in {name, *local})
        if given and other is not module:
            return True
    return False


@remembered_in_circles(meanwhile=False)
def _is_given_away(evaluator: Evaluator, module: Module, name: str) -> bool:
    """Tell whether a file passes a name's object to a function of another file that changes it."""
    for given in (*module.names.get(name, ()), *module.attributes(name)):
        up = module.parents.get(given)
        call = module.parents.get(up) if isinstance(up, ast.keyword) else up
        if not isinstance(call, ast.Call) or call.func is given:
            continue
        for function in (item.value for item in evaluator.values(module, call.func)):
            if isinstance(function, Function) and any(
                changer is function.node
                and argument_node(call, changer, arg, skip=int(function.bound is not None)) is given
                for changer, arg in _changing(function.module)
            ):
                return True
    return False


def is_kept(evaluator: Evaluator, module: Module, cls: ast.ClassDef) -> bool:
    """Tell whether the decorators of a class return the class itself."""
    return all(
        isinstance(item.value, (External, Made, SdkMethod))
        for decorator in cls.decorator_list
        for item in evaluator.values(module, callee_of(decorator))
        if last_name(callee_of(decorator)) != "cache_model"
    )


@remembered_in_circles(meanwhile=True)
def makes_itself(evaluator: Evaluator, cls: Class) -> bool:
    """Tell whether calling a class makes an instance with the arguments of the call."""
    chain = list(class_chain(evaluator, cls))
    return not any(_makes_other(evaluator, each, chain) for each in chain)


def _makes_other(evaluator: Evaluator, cls: Class, chain: list[Class]) -> bool:
    for item in cls.node.keywords:
        for made in evaluator.values(cls.module, item.value) if item.arg == "metaclass" else ():
            owners = class_chain(evaluator, made.value) if isinstance(made.value, Class) else ()
            if any(_has(owner.node, "__call__") for owner in owners):
                return True
    found = [
        made.value
        for method in cls.node.body
        if isinstance(method, FUNCTIONS) and getattr(method, "name", "") == "__new__"
        for result in cls.module.returns(method)
        for made in evaluator.values(cls.module, result)
    ]
    return any(
        value.cls not in chain
        if isinstance(value, Instance)
        else isinstance(value, (Sdk, Function))
        for value in found
    )


def _has(cls: ast.ClassDef, name: str) -> bool:
    return any(getattr(item, "name", "") == name for item in cls.body)
