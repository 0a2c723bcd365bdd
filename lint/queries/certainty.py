"""Whether a wrong value is what certainly stands there, or only one of several."""

from __future__ import annotations

import ast
from collections.abc import Callable

from ..model.narrowing import conditions
from ..model.values import Alternative
from ..view import FileView

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
    others = (other for other in view.values(node) if is_same_way(item, other))
    return (
        all(wrong(other) for other in others)
        and not is_bounded(view, node)
        and not _is_bound_again(view, node)
    )


def is_same_way(one: Alternative, other: Alternative) -> bool:
    """Tell whether one run can meet either value: the calls to one lead to the other as well."""
    short, long = sorted((one.via, other.via), key=len)
    return long[len(long) - len(short) :] == short


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
    """Tell whether an attribute of ``self`` or ``cls`` gets values in several places."""
    if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
        return False
    if node.value.id not in {"self", "cls"}:
        return False
    places = 0
    for module in view.evaluator.project.naming(node.attr):
        for use in module.nodes(ast.Attribute):
            places += use.attr == node.attr and isinstance(use.ctx, ast.Store)
        for name in module.nodes(ast.Name):
            stored = name.id == node.attr and isinstance(name.ctx, ast.Store)
            places += stored and isinstance(module.scope(name), ast.ClassDef)
    return places > 1
