"""Names, attributes and items as text, to compare what two places read."""

from __future__ import annotations

import ast

OWN_NAMES = frozenset({"self", "cls"})


def is_none(node: ast.AST) -> bool:
    """Tell whether ``None`` is written."""
    return isinstance(node, ast.Constant) and node.value is None


def names_own(node: ast.AST) -> bool:
    """Tell whether an expression is ``self`` or ``cls`` of its method."""
    return isinstance(node, ast.Name) and node.id in OWN_NAMES


def spelled(node: ast.AST) -> str:
    """Return ``page.data`` for ``page.data`` and ``getattr(page, "data", None)``.

    Empty unless it is a name, an attribute or an item with a literal key.
    """
    if isinstance(node, ast.Name):
        return node.id
    owner = owner_of(node)
    text = spelled(owner) if owner is not None else ""
    return f"{text}{_step(node)}" if text else ""


def owner_of(node: ast.AST) -> ast.expr | None:
    """Return ``page`` of ``page.data``, ``page["data"]`` and ``getattr(page, "data")``."""
    if not last_part(node):
        return None
    if isinstance(node, ast.Call):
        return node.args[0]
    return node.value if isinstance(node, (ast.Attribute, ast.Subscript)) else None


def root_of(node: ast.expr) -> ast.Name | None:
    """Return the name with which an attribute or an item begins."""
    owner = owner_of(node)
    while owner is not None:
        node, owner = owner, owner_of(owner)
    return node if isinstance(node, ast.Name) else None


def last_part(node: ast.AST) -> str:
    """Return the name of an attribute or the key of an item; empty for anything else."""
    if isinstance(node, ast.Attribute):
        return node.attr
    key: ast.expr | None = node.slice if isinstance(node, ast.Subscript) else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "getattr":
        key = node.args[1] if len(node.args) > 1 else None
    value = key.value if isinstance(key, ast.Constant) else None
    return value if isinstance(value, str) else ""


def _step(node: ast.AST) -> str:
    name = last_part(node)
    return f"[{name!r}]" if name and isinstance(node, ast.Subscript) else name and f".{name}"
