"""Whether a wrong value is what certainly stands there, or only one of several."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from ..model.alternatives import is_same_way
from ..model.attributes import class_chain
from ..model.bindings import sole_value
from ..model.conditions import conditions
from ..model.fields import sets_by_name
from ..model.module import Module
from ..model.spelling import names_own
from ..model.subclasses import subclasses
from ..model.values import Alternative, Class
from ..view import FileView
from .sdk_objects import is_attached, keyed_stores

_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn)


def is_alone(
    view: FileView, node: ast.expr, item: Alternative, wrong: Callable[[Alternative], object]
) -> bool:
    """Tell whether no right value can stand in place of a wrong one.

    Args:
        view: the file.
        node: the expression in it.
        item: the wrong one of its values.
        wrong: tells whether a value is wrong.
    """
    given = _given(view, node)
    if given is not None and not is_alone(view, given, item, wrong):
        return False
    others = (
        other
        for other in view.values(node)
        if is_same_way(item, other) or _is_of_some_object(view, node, item)
    )
    return (
        all(wrong(other) for other in others)
        and not is_bounded(view, node)
        and not _is_bound_again(view, node)
    )


def _given(view: FileView, node: ast.expr) -> ast.expr | None:
    """Return the attribute or the name that a name is given: ``ttl = self.ttl``."""
    if not isinstance(node, ast.Name) or node not in view.module.parents:
        return None
    given = sole_value(view.extension.project.lookup(view.module, node)[1])
    is_named = isinstance(given, ast.Attribute | ast.Name)
    return given if is_named and given.lineno < node.lineno else None


def _is_of_some_object(view: FileView, node: ast.expr, item: Alternative) -> bool:
    """Tell whether a value is the one that some call of a class gave to a field.

    Which of the objects stands here is not known: ``Limits(900)`` says nothing of ``Limits(60)``.
    """
    if not isinstance(node, ast.Attribute) or names_own(node.value) or not item.via:
        return False
    step = item.via[-1]
    callee = step.node.func if isinstance(step.node, ast.Call) else None
    made = view.evaluator.values(step.module, callee) if callee is not None else ()
    return any(isinstance(each.value, Class) for each in made)


def is_bounded(view: FileView, node: ast.expr) -> bool:
    """Tell whether a test around a name compares it, so that wrong values may not come here."""
    return isinstance(node, ast.Name) and any(
        isinstance(part, ast.Compare)
        and isinstance(part.ops[0], _ORDERS)
        and any(isinstance(name, ast.Name) and name.id == node.id for name in ast.walk(part))
        for test, _ in conditions(view.module, node)
        for part in ast.walk(test)
    )


def _is_bound_again(view: FileView, node: ast.expr) -> bool:
    """Tell whether an attribute gets values in several places, or from outside its class."""
    if not isinstance(node, ast.Attribute):
        return False
    if not names_own(node.value):
        naming = view.evaluator.project.naming(node.attr)
        return is_attached(view, node.attr, own=False) or any(map(keyed_stores, naming))
    own = view.module.class_around(node)
    family = _family(view, Class(view.module, own)) if own is not None else set[ast.ClassDef]()
    places = [
        stored
        for module in view.evaluator.project.naming(node.attr)
        for stored, cls in _stores(module, node.attr)
        if cls is None or cls in family
    ]
    return len(places) > 1 or any(map(sets_by_name, family))


def _family(view: FileView, cls: Class) -> set[ast.ClassDef]:
    """Return the classes of which objects may be that run a method of a class, and their bases."""
    runs = [cls, *subclasses(view.evaluator, cls)]
    return {base.node for each in runs for base in class_chain(view.evaluator, each)}


def _stores(module: Module, name: str) -> Iterator[tuple[ast.AST, ast.AST | None]]:
    """Yield where an attribute gets a value, each with the class that gives it to its own."""
    for node in module.stored(name):
        yield node, module.class_around(node) if names_own(node.value) else None
    for node in module.names.get(name, ()):
        scope = module.scope(node)
        if isinstance(node.ctx, ast.Store) and isinstance(scope, ast.ClassDef):
            yield node, scope
