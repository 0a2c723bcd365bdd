"""Of which other dicts a dict takes its entries."""

from __future__ import annotations

import ast

from .evaluator import Evaluator
from .module import last_name
from .values import External, Made, only_value
from .written import Written

_LISTING = frozenset({"dataclasses.asdict", "vars", "dict"})
LISTED = frozenset(Made(name) for name in _LISTING)
"""What ``asdict(deal)``, ``vars(deal)`` and ``dict(note)`` are worth."""
_PLAIN = (ast.Constant, ast.Tuple, ast.List, ast.Set, ast.Dict, ast.expr_context)
_UNLIKE = (ast.IsNot, ast.NotEq, ast.NotIn)


def sources_of(node: ast.expr) -> list[ast.expr]:
    """Return ``row`` of ``{**row}``, ``dict(row)``, ``row | {…}`` and a comprehension of it."""
    if isinstance(node, ast.Dict):
        return [value for key, value in zip(node.keys, node.values, strict=True) if key is None]
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    if isinstance(node, ast.Call) and last_name(node.func) == "dict":
        return [*node.args, *(item.value for item in node.keywords if item.arg is None)]
    source = copied(node) if isinstance(node, ast.DictComp) else None
    return [source] if source is not None else []


def copied(node: ast.DictComp) -> ast.expr | None:
    """Return ``row`` of ``{k: v for k, v in row.items() if v is not None}``.

    What asks for keys, or for types, may leave out anything.
    """
    loop, made = node.generators[0], (node.key, node.value)
    call = loop.iter
    if len(node.generators) > 1 or not isinstance(loop.target, ast.Tuple):
        return None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return None
    names = [part.id for part in (*loop.target.elts, *made) if isinstance(part, ast.Name)]
    is_same = len(names) == 4 and names[:2] == names[2:] and call.func.attr == "items"
    return call.func.value if is_same and all(_asks(it, names[1]) for it in loop.ifs) else None


def _asks(test: ast.expr, name: str) -> bool:
    """Tell whether a test asks only whether a value is there: ``v``, ``v not in (None, "")``."""
    if isinstance(test, ast.Compare):
        others = [part for it in test.comparators for part in ast.walk(it)]
        is_plain = all(isinstance(it, _PLAIN) for it in others)
        return is_plain and isinstance(test.ops[0], _UNLIKE) and _asks(test.left, name)
    return isinstance(test, ast.Name) and test.id == name


def listed_object(evaluator: Evaluator, at: Written) -> tuple[ast.expr | None, str]:
    """Return (the object whose fields a dict lists, by what): ``vars(deal)``, ``deal.__dict__``.

    None for other calls, and with a factory for dicts.
    """
    node = at.node
    if isinstance(node, ast.Attribute):
        return (node.value, "vars") if node.attr == "__dict__" else (None, "")
    if not isinstance(node, ast.Call) or len(node.args) != 1 or node.keywords:
        return None, ""
    callee = only_value(evaluator.values(at.module, node.func, at.frame))
    if not isinstance(callee, External) or isinstance(node.args[0], ast.Starred):
        return None, ""
    return (node.args[0], callee.name.rpartition(".")[2]) if callee.name in _LISTING else (None, "")
