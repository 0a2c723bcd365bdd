"""Attributes that an object gets from somebody else: ``service.ctx = Own(ctx)``."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from weakref import WeakKeyDictionary

from .evaluator import Evaluator
from .module import Module
from .values import Class, Instance

_OWN = frozenset({"self", "cls"})
_SETTERS = ("setattr", "__setattr__")
_KNOWN: WeakKeyDictionary[Evaluator, dict[str, list[tuple[Module, ast.expr]]]] = WeakKeyDictionary()


def is_set_outside(evaluator: Evaluator, chain: Sequence[Class], name: str) -> bool:
    """Tell whether the tree gives an object or a class of a chain an attribute from outside.

    Args:
        evaluator: of the extension.
        chain: the class and those of the tree that it extends.
        name: of the attribute.
    """
    nodes = {owner.node for owner in chain}
    return any(
        _is_of_any(module, owner)
        or any(_class_of(item.value) in nodes for item in evaluator.values(module, owner))
        for module, owner in _owners(evaluator, name)
    )


def _class_of(value: object) -> ast.ClassDef | None:
    cls = value.cls if isinstance(value, Instance) else value
    return cls.node if isinstance(cls, Class) else None


def _is_of_any(module: Module, owner: ast.expr) -> bool:
    """``self`` in a function of no class: in a wrapper of methods, whose objects are not known."""
    return _is_own(owner) and not any(
        isinstance(up, ast.ClassDef) for up in module.ancestors(owner)
    )


def _is_own(owner: ast.expr) -> bool:
    return isinstance(owner, ast.Name) and owner.id in _OWN


def _owners(evaluator: Evaluator, name: str) -> list[tuple[Module, ast.expr]]:
    """Return what is given an attribute of that name, but for ``self.name = …`` of methods."""
    known = _KNOWN.setdefault(evaluator, {})
    if name not in known:
        known[name] = [
            (module, owner)
            for module in evaluator.project.naming(name)
            for owner in (*_stored(module, name), *_set(module, name))
        ]
    return known[name]


def _stored(module: Module, name: str) -> Iterator[ast.expr]:
    for node in module.stored(name):
        if not _is_own(node.value) or _is_of_any(module, node.value):
            yield node.value


def _set(module: Module, name: str) -> Iterator[ast.expr]:
    """Yield ``service`` of ``setattr(service, "ctx", own)``."""
    for call in (call for setter in _SETTERS for call in module.calls.get(setter, ())):
        if len(call.args) == 3 and getattr(call.args[1], "value", None) == name:
            yield call.args[0]
