"""Functions that run only during import."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ....inference.calls.call_sites import call_sites
from ....inference.syntax.module import FUNCTIONS, FunctionNode, Module, last_name
from ....inference.values.attributes import class_chain
from ....inference.values.values import UNKNOWN, Class, Function
from ....view import FileView

Place = tuple[Module, ast.AST]
"""What runs a function: a call, or the definition of a class or of what it decorates."""

_MOST = 60
_METACLASSES = frozenset({"type", "ABCMeta", "EnumMeta", "EnumType"})
_OF_METACLASS = frozenset({"__new__", "__init__", "__prepare__"})
_OF_SUBCLASS = "__init_subclass__"
_LAZY = frozenset({"map", "filter"})
_EAGER = frozenset({"list", "tuple", "set", "frozenset", "dict", "sorted", "sum"})
"""Builtins that go through all of what they get at once; ``any`` may stop before."""
_MAKERS = frozenset({"type", "new_class", "create_model", "make_dataclass"})
"""Functions that make a class of the bases that they get."""


def runs_only_while_loading(view: FileView, node: ast.AST) -> bool:
    """Tell whether the function around a node runs only during import.

    All its calls are at module level, in class bodies, or in functions of which the same is true;
    ``__init_subclass__`` and methods of a metaclass run for the classes they make.
    """
    start = view.module.function(node)
    todo = [] if start is None else [(view.module, start)]
    seen: set[ast.AST] = set()
    is_run = False
    while todo:
        module, function = todo.pop()
        if function in seen:
            continue
        seen.add(function)
        places = _places(view, module, function) if len(seen) <= _MOST else []
        if not places:
            return False
        around = [(caller, caller.function(place)) for caller, place in places]
        is_run = is_run or any(outer is None for _, outer in around)
        todo += [(caller, outer) for caller, outer in around if outer is not None]
    return is_run


def _places(view: FileView, module: Module, function: FunctionNode) -> list[Place]:
    """Return the places that run a function; empty if unknown."""
    if isinstance(function, ast.Lambda) or view.evaluator.roles(module, function):
        return []
    owner = view.evaluator.enclosing_class(module, function)
    if owner is not None and function.name == _OF_SUBCLASS:
        return [*_extending(view, [owner.node.name])]
    if owner is not None and function.name in _OF_METACLASS and _is_metaclass(view, owner):
        return [*_made_by(view, owner.node.name)]
    return _called_at(view, module, function)


# ---- classes ---------------------------------------------------------------------------------


def _extending(view: FileView, names: list[str]) -> Iterator[Place]:
    """Yield the subclasses of the named classes; their names are added to ``names``."""
    for base in names:
        for module in view.extension.project.naming(base):
            for node in module.nodes(ast.ClassDef):
                if base in _names(node.bases):
                    yield module, node
                    names += [node.name] if node.name not in names else []
            calls = (call for maker in _MAKERS for call in module.calls.get(maker, ()))
            for call in calls:
                if base in {last_name(part) for part in ast.walk(call)}:
                    yield module, call


def _made_by(view: FileView, name: str) -> Iterator[Place]:
    """Yield the classes that a metaclass makes."""
    metaclasses = [name]
    for module, node in [*_extending(view, metaclasses)]:
        if isinstance(node, ast.Call):
            yield module, node
    made: list[str] = []
    for each in metaclasses:
        for module in view.extension.project.naming(each):
            yield from ((module, call) for call in module.calls.get(each, ()))
            for node in module.nodes(ast.ClassDef):
                if each in _names(it.value for it in node.keywords if it.arg == "metaclass"):
                    yield module, node
                    made.append(node.name)
    yield from _extending(view, made)


def _names(nodes: Iterable[ast.expr]) -> set[str]:
    return {last_name(it.value if isinstance(it, ast.Subscript) else it) for it in nodes}


def _is_metaclass(view: FileView, cls: Class) -> bool:
    chain = class_chain(view.evaluator, cls)
    return any(_names(each.node.bases) & _METACLASSES for each in chain)


# ---- calls -----------------------------------------------------------------------------------


def _called_at(
    view: FileView, module: Module, function: ast.FunctionDef | ast.AsyncFunctionDef
) -> list[Place]:
    """Return the calls of a function; empty if it is used otherwise."""
    sites = call_sites(view.evaluator, module, function)
    places: list[Place] = [(caller, call) for caller, call, _ in sites]
    known = {call.func for _, call, _ in sites}
    for caller, use in _uses(view, function.name):
        if use in known or _is_other(view, caller, use, function):
            continue
        place = _call_of(caller, use)
        if place is None:
            return []
        if caller.function(place) is not None or _is_function(view, caller, use, function):
            places.append((caller, place))
    return places


def _uses(view: FileView, name: str) -> Iterator[tuple[Module, ast.expr]]:
    """Yield the uses of a name, also under an import alias."""
    for module in view.extension.project.naming(name):
        taken = (alias for node in module.nodes(ast.ImportFrom) for alias in node.names)
        names = {name, *(alias.asname for alias in taken if alias.name == name and alias.asname)}
        for kind in (ast.Name, ast.Attribute):
            yield from ((module, use) for use in module.nodes(kind) if last_name(use) in names)


def _call_of(module: Module, use: ast.expr) -> ast.AST | None:
    """Return the call or the decorated definition of a use; None for other uses."""
    parent = module.parents[use]
    if isinstance(parent, ast.Attribute) and parent.attr == "__func__":
        use, parent = parent, module.parents[parent]
    if isinstance(parent, ast.Call) and (parent.func is use or _maps_at_once(module, parent, use)):
        return parent
    is_decorator = isinstance(parent, (*FUNCTIONS, ast.ClassDef)) and use in getattr(
        parent, "decorator_list", ()
    )
    return parent if is_decorator else None


def _maps_at_once(module: Module, call: ast.Call, use: ast.expr) -> bool:
    """Tell whether a builtin calls a function at once: ``list(map(f, names))``."""
    if not isinstance(call.func, ast.Name) or call.func.id not in _LAZY or call.args[:1] != [use]:
        return False
    consumer = module.parents.get(call)
    if isinstance(consumer, ast.For):
        return consumer.iter is call
    if isinstance(consumer, ast.Starred):
        return isinstance(module.parents.get(consumer), (ast.List, ast.Tuple, ast.Set))
    return (
        isinstance(consumer, ast.Call)
        and isinstance(consumer.func, ast.Name)
        and consumer.func.id in _EAGER
        and call in consumer.args
    )


def _is_function(view: FileView, module: Module, use: ast.expr, function: ast.AST) -> bool:
    values = (item.value for item in view.evaluator.values(module, use))
    return any(isinstance(value, Function) and value.node is function for value in values)


def _is_other(view: FileView, module: Module, use: ast.expr, function: ast.AST) -> bool:
    """Tell whether a use certainly is of another object with the same name."""
    values = [item.value for item in view.evaluator.values(module, use)]
    is_known = bool(values) and UNKNOWN not in values
    return is_known and not _is_function(view, module, use, function)
