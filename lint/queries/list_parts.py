"""Which elements a list has whose parts stand in several places: ``[*NAMES, "x"]``, ``a + b``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..model.changed_objects import is_changed
from ..model.known_calls import COLLECTING
from ..model.module import Module, last_name
from ..model.rows import is_mixed
from ..model.values import Display, External, only_value
from ..model.written import written
from ..view import FileView, ProjectView

_DEEPEST = 8

Part = tuple[Module, ast.expr]


def elements_of(
    view: FileView, module: Module, node: ast.expr, depth: int = 0
) -> Iterator[Part | None]:
    """Yield the elements of a list and where each stands; None for parts that are not known."""
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        for part in node.elts:
            if isinstance(part, ast.Starred):
                yield from elements_of(view, module, part.value, depth + 1)
            else:
                yield module, part
    elif isinstance(node, ast.Dict):
        yield from ((module, key) if key is not None else None for key in node.keys)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        yield from elements_of(view, module, node.left, depth + 1)
        yield from elements_of(view, module, node.right, depth + 1)
    elif isinstance(node, ast.Call) and _copied(view, module, node) is not None:
        yield from elements_of(view, module, node.args[0], depth + 1)
    elif isinstance(node, ast.Name | ast.Attribute) and depth < _DEEPEST:
        yield from _behind(view, module, node, depth)
    else:
        yield None


def copies(view: FileView, node: ast.expr) -> list[Part]:
    """Return the calls ``list(NAMES)`` and the like that an expression may be worth."""
    found = written(view.evaluator, view.module, node)
    return [(at.module, at.node) for at in found if _copied(view, at.module, at.node) is not None]


def _copied(view: FileView, module: Module, node: ast.expr) -> ast.expr | None:
    if not isinstance(node, ast.Call) or last_name(node.func) not in COLLECTING or not node.args:
        return None
    callees = {item.value for item in view.evaluator.values(module, node.func)}
    return node.args[0] if callees == {External(last_name(node.func))} else None


def _behind(
    view: FileView, module: Module, node: ast.Name | ast.Attribute, depth: int
) -> Iterator[Part | None]:
    """Follow a name that has one value and keeps it."""
    value = only_value(view.evaluator.values(module, node))
    name = last_name(node)
    if isinstance(value, Display) and not (
        is_changed(module, name) or is_changed(value.module, name)
    ):
        yield from elements_of(view, value.module, value.node, depth + 1)
    else:
        yield None


def is_of_growing(view: ProjectView, module: Module, given: ast.expr) -> bool:
    """Tell whether a loop gives a name, over a list into which code puts more than is written."""
    found = view.project.lookup(module, given)[1] if isinstance(given, ast.Name) else []
    walked = [it.value for it in found if it.kind == "for" and isinstance(it.value, ast.expr)]
    return any(is_mixed(view.evaluator, module, each) for each in walked)
