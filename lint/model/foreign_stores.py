"""Attributes that an object gets from somebody else: ``service.ctx = Own(ctx)``."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from .evaluator import Evaluator
from .module import Module, last_name
from .remembered import remembered
from .spelling import names_own
from .unpacking import put_in, unpacked
from .values import UNKNOWN, Alternative, Class, Instance, Value

_SETTERS = ("setattr", "__setattr__")


class _Store(NamedTuple):
    """A place that gives an object an attribute.

    Attributes:
        owner: the object.
        value: what it gets; None if that is not written.
    """

    module: Module
    owner: ast.expr
    value: ast.expr | None


def is_set_outside(evaluator: Evaluator, chain: Sequence[Class], name: str) -> bool:
    """Tell whether the tree gives an object or a class of a chain an attribute from outside.

    Args:
        evaluator: of the extension.
        chain: the class and those of the tree that it extends.
        name: of the attribute.
    """
    return any(True for _ in set_outside(evaluator, chain, name))


def is_set_on(evaluator: Evaluator, value: Value, name: str) -> bool:
    """Tell whether the tree gives one object an attribute: ``settings.LIFE = 60`` of a module."""
    return any(True for _ in set_on(evaluator, value, name))


def set_outside(evaluator: Evaluator, chain: Sequence[Class], name: str) -> Iterator[Alternative]:
    """Yield what the tree gives to such an attribute; unknown where that does not show."""
    nodes = {owner.node for owner in chain}
    for store in _stores(evaluator, name):
        if _is_of_any(store.module, store.owner):
            yield Alternative(UNKNOWN)
        elif _is_owner(evaluator, store, lambda value: _class_of(value) in nodes):
            yield from _given(evaluator, store)


def set_on(evaluator: Evaluator, value: Value, name: str) -> Iterator[Alternative]:
    """Yield what the tree gives to an attribute of one object: ``box.ctx = ctx``."""
    for store in _stores(evaluator, name):
        if _is_owner(evaluator, store, lambda owner: owner == value):
            yield from _given(evaluator, store)


def _is_owner(evaluator: Evaluator, store: _Store, is_it: Callable[[Value], bool]) -> bool:
    return any(is_it(item.value) for item in evaluator.values(store.module, store.owner))


def _given(evaluator: Evaluator, store: _Store) -> Sequence[Alternative]:
    if store.value is None:
        return (Alternative(UNKNOWN),)
    return evaluator.values(store.module, store.value)


def _class_of(value: object) -> ast.ClassDef | None:
    cls = value.cls if isinstance(value, Instance) else value
    return cls.node if isinstance(cls, Class) else None


def _is_of_any(module: Module, owner: ast.expr) -> bool:
    """``self`` in a function of no class: in a wrapper of methods, whose objects are not known."""
    return names_own(owner) and module.class_around(owner) is None


@remembered
def _stores(evaluator: Evaluator, name: str) -> list[_Store]:
    """Return what gives an attribute of that name, but for ``self.name = …`` of methods."""
    return [*_named(evaluator, name), *_set_by_any_name(evaluator)]


def _named(evaluator: Evaluator, name: str) -> Iterator[_Store]:
    for module in evaluator.project.naming(name):
        yield from (*_stored(module, name), *_set(module, name))
        yield from (store for key, store in _put_in(module) if key == name)


def owners(evaluator: Evaluator, name: str) -> Iterator[tuple[Module, ast.expr]]:
    """Yield the objects that get an attribute of that name, but for ``self`` in methods."""
    return ((store.module, store.owner) for store in _named(evaluator, name))


def _stored(module: Module, name: str) -> Iterator[_Store]:
    for node in module.stored(name):
        is_of_class = last_name(node.value) == "cls"  # a class method sets it for each object
        if is_of_class or not names_own(node.value) or _is_of_any(module, node.value):
            statement = module.statement(node)
            is_plain = isinstance(statement, ast.Assign | ast.AnnAssign)
            values = dict(unpacked(statement)) if is_plain else {}
            yield _Store(module, node.value, values.get(node))


def _set(module: Module, name: str) -> Iterator[_Store]:
    """Yield ``service`` of ``setattr(service, "ctx", own)``."""
    for call in (call for setter in _SETTERS for call in module.calls.get(setter, ())):
        if len(call.args) == 3 and getattr(call.args[1], "value", None) == name:
            yield _Store(module, call.args[0], call.args[2])


@remembered
def _put_in(module: Module) -> list[tuple[object, _Store]]:
    """Return (name, what gets it) of ``vars(row)["at"] = now``, ``row.__dict__.update(at=now)``.

    A name that is not written is None.
    """
    asked = (call for call in module.calls.get("vars", ()) if len(call.args) == 1)
    held: list[tuple[ast.expr, ast.expr]] = [(call.args[0], call) for call in asked]
    held += ((node.value, node) for node in module.attributes("__dict__"))
    return [
        (key, _Store(module, owner, value))
        for owner, attributes in held
        if not names_own(owner) or _is_of_any(module, owner)
        for key, value in put_in(module.parents, attributes)
    ]


@remembered
def _set_by_any_name(evaluator: Evaluator) -> list[_Store]:
    """Return what gives attributes whose names are not written: ``setattr(row, key, value)``."""
    found = [
        _Store(module, call.args[0], None)
        for setter in _SETTERS
        for module in evaluator.project.naming(setter)
        for call in module.calls.get(setter, ())
        if len(call.args) == 3 and not isinstance(call.args[1], ast.Constant)
    ]
    for attributes in ("vars", "__dict__"):
        for module in evaluator.project.naming(attributes):
            found += (store for key, store in _put_in(module) if key is None)
    return found
