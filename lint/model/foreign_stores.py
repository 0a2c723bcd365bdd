"""Attributes that an object gets from somebody else: ``service.ctx = Own(ctx)``."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from .evaluator import Evaluator
from .module import Module, last_name
from .remembered import remembered
from .spelling import names_own
from .unpacking import put_in
from .values import Class, Instance, Value

_Owner = tuple[Module, ast.expr]
_SETTERS = ("setattr", "__setattr__")
_HOLDERS = ("vars", "__dict__")


def is_set_outside(evaluator: Evaluator, name: str, chain: Iterable[Class] = ()) -> bool:
    """Tell whether the tree gives an attribute from outside to any object, or one of a class.

    Args:
        evaluator: of the extension.
        name: of the attribute.
        chain: the class, and those that it extends; only of these it counts if the code does not
            write the name: ``setattr(row, key, value)``.
    """
    nodes = {cls.node for cls in chain}
    return bool(owners(evaluator, name)) or any(
        _class_of(item.value) in nodes
        for module, owner in _of_any_name(evaluator)
        for item in evaluator.values(module, owner)
    )


@remembered
def owners(evaluator: Evaluator, name: str) -> tuple[_Owner, ...]:
    """Return the objects that get an attribute of a name, but by ``self.name = …`` of methods."""
    found: list[_Owner] = []
    for module in evaluator.project.naming(name):
        stored = (node.value for node in module.stored(name))
        found += ((module, owner) for owner in stored if _is_foreign(module, owner))
        found += ((module, owner) for owner in _named(module, name))
    return tuple(found)


def _is_foreign(module: Module, owner: ast.expr) -> bool:
    """Tell whether an expression is another object than the one whose method this is.

    A class method stores for every object, and a function of no class into an unknown one.
    """
    is_own = names_own(owner) and last_name(owner) != "cls"
    return not is_own or module.class_around(owner) is None


@remembered
def _of_any_name(evaluator: Evaluator) -> tuple[_Owner, ...]:
    """Return the objects that get attributes whose names are not written."""
    found = dict.fromkeys(
        module for word in (*_SETTERS, *_HOLDERS) for module in evaluator.project.naming(word)
    )
    return tuple((module, owner) for module in found for owner in _named(module, None))


def _named(module: Module, name: str | None) -> Iterator[ast.expr]:
    """``row`` of ``setattr(row, "at", now)``, ``vars(row)["at"] = now``, ``row.__dict__``."""
    for call in (call for setter in _SETTERS for call in module.calls.get(setter, ())):
        if len(call.args) == 3 and getattr(call.args[1], "value", None) == name:
            yield call.args[0]
    held = [(call.args[0], call) for call in module.calls.get("vars", ()) if call.args]
    held += [(node.value, node) for node in module.attributes("__dict__")]
    for owner, attributes in held:
        keys = [key for key, _ in put_in(module.parents, attributes)]
        if name in keys and _is_foreign(module, owner):
            yield owner


def _class_of(value: Value) -> ast.ClassDef | None:
    cls = value.cls if isinstance(value, Instance) else value
    return cls.node if isinstance(cls, Class) else None
