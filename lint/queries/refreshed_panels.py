"""Which panels a result asks to refresh, as far as the code shows it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..model.alternatives import is_same_way
from ..model.calling import constant_text
from ..model.changed_objects import is_changed, names_of
from ..model.module import last_name
from ..model.removed_keys import comes_by
from ..model.unpacking import unpacked
from ..model.values import Display, External, Made, SdkMethod
from ..model.written import Holder, Written, written
from ..view import FileView, ProjectView
from .list_items import added
from .list_parts import Part, copies, elements_of
from .panels import KEYWORD

_LISTS = (ast.List, ast.Tuple, ast.BinOp)
_KEEPING = frozenset({"append", "extend", "insert", "sort", "reverse", "copy", "count", "index"})
"""Methods that take nothing out of a list."""


def refreshed_panels(view: FileView, given: ast.expr) -> Iterator[tuple[str, ast.expr, bool]]:
    """Yield the names in a list, and whether it is no other list on the same way.

    The node is the name's own if it stands in this file. Nothing is yielded of a list from which
    the code may take names before it is used.
    """
    places = written(view.evaluator, view.module, given)
    is_last = isinstance(view.module.parents.get(given), ast.Assign)
    is_left = is_last or not view.extension.once(_are_set_later)
    if not is_left or any(_may_lose(view, at) for at in places):
        return
    found = view.values(given)
    for item in found:
        certain = all(other is item or not is_same_way(item, other) for other in found)
        value = item.value
        lists = copies(view, given) if isinstance(value, Made) else []
        if isinstance(value, Display) and isinstance(value.node, _LISTS):
            lists = [(value.module, value.node)]
        parts = [part for at in lists for part in elements_of(view, *at) if part is not None]
        for name, node in _named(view, given, parts):
            yield name, node, certain
    later = [(it.module, it.node) for at in places for it in added(view.evaluator, at)]
    for name, node in _named(view, given, later):
        yield name, node, len(places) == 1


def _named(view: FileView, given: ast.expr, parts: list[Part]) -> Iterator[tuple[str, ast.expr]]:
    for module, node in parts:
        name = constant_text(view.evaluator, module, node)
        if name is not None:
            yield name, node if module is view.module else given


def _are_set_later(extension: ProjectView) -> bool:
    """Tell whether code gives a result that is made already other panels."""
    return any(
        KEYWORD in module.changed_names or module.stored(KEYWORD)
        for module in extension.project.naming(KEYWORD)
    )


def _may_lose(view: FileView, at: Written) -> bool:
    """Tell whether names may be taken out of a list between its display and its use."""
    modules = view.extension.project.naming
    if any(is_changed(module, name) for name in _shared(at) for module in modules(name)):
        return True
    return (
        any(
            _takes_out(view, holder, mention) and comes_by(holder, mention)
            for holder in at.holders
            for mention in holder.mentions(view.evaluator)
        )
        or any(
            _takes_out(view, holder, mention)
            for holder in at.holders
            if not isinstance(holder.scope, ast.Module)
            for mention in holder.inside(view.evaluator)
        )
        or any(_is_changed_otherwise(holder) for holder in at.holders)
    )


def _is_changed_otherwise(holder: Holder) -> bool:
    """``other = panels; other.pop()``, where the list is not read by that name."""
    others = names_of(holder.module, holder.use.id) - {holder.use.id}
    return not others.isdisjoint(holder.module.changed_names)


def _shared(at: Written) -> Iterator[str]:
    """Yield the globals and attributes that hold a list: many functions may change it."""
    yield from (it.use.id for it in at.holders if isinstance(it.scope, ast.Module))
    given = at.module.parents.get(at.node)
    for target, _ in unpacked(given) if isinstance(given, ast.Assign | ast.AnnAssign) else ():
        if isinstance(target, ast.Attribute) or at.module.function(target) is None:
            yield last_name(target)


def _takes_out(view: FileView, holder: Holder, name: ast.Name) -> bool:
    parent = holder.module.parents.get(name)
    if isinstance(parent, ast.Attribute):
        return parent.attr not in _KEEPING
    if isinstance(parent, ast.Subscript):
        return parent.value is name and not isinstance(parent.ctx, ast.Load)
    if isinstance(parent, ast.Call):
        callees = [item.value for item in view.evaluator.values(holder.module, parent.func)]
        return not all(isinstance(value, External | SdkMethod) for value in callees)
    return isinstance(parent, ast.Assign | ast.AnnAssign | ast.NamedExpr | ast.keyword)
