"""What texts and lists of texts are made of, and where names take their values from."""

from __future__ import annotations

import ast

from ..model.bindings import Binding
from ..model.module import Module
from .echo_parts import source


def inner_texts(node: ast.expr) -> list[ast.expr] | None:
    """Return the texts of which a text is made; None if it is none that is taken apart."""
    if isinstance(node, ast.Constant):
        return []
    if isinstance(node, ast.JoinedStr):
        return [it.value for it in node.values if isinstance(it, ast.FormattedValue)]
    if isinstance(node, ast.BinOp):
        return _of_operation(node)
    if isinstance(node, ast.NamedExpr):
        return [node.value]
    found = inner_lists(node)
    return None if found == [node] else found


def _of_operation(node: ast.BinOp) -> list[ast.expr] | None:
    if isinstance(node.op, ast.Add):
        return [node.left, node.right]
    if isinstance(node.op, ast.Mod):
        return node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
    return [] if isinstance(node.op, ast.Mult) else None


def formatted(call: ast.Call) -> list[ast.expr]:
    """Return what ``"…".format(…)`` puts into the text."""
    return [*call.args, *(item.value for item in call.keywords)]


def inner_lists(node: ast.expr) -> list[ast.expr]:
    """Return the lists of which a list is made; the node itself if it is not taken apart."""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        return [node.value]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return [node.left, node.right]
    if isinstance(node, ast.IfExp):
        return [node.body, node.orelse]
    if isinstance(node, ast.BoolOp):
        return node.values
    return [node]


def text_of(binding: Binding) -> ast.expr | None:
    """Return what a binding gives to a name as a whole, or adds to it."""
    if isinstance(binding.node, ast.AugAssign):
        return binding.node.value if isinstance(binding.node.op, ast.Add) else None
    return binding.assigned


def method_of(module: Module, use: ast.Name) -> tuple[str, ast.Call | None]:
    """Return the method that is called on a name, and the call; neither for another use."""
    part = module.parents.get(use)
    call = module.parents.get(part) if isinstance(part, ast.Attribute) else None
    if isinstance(part, ast.Attribute) and isinstance(call, ast.Call) and call.func is part:
        return part.attr, call
    return "", None


def came_from(binding: Binding) -> ast.expr | None:
    """Return the expression from which a binding takes its value."""
    if isinstance(binding.node, ast.AugAssign):
        return binding.node.value
    came: ast.AST | None = None
    if binding.kind == "for":
        came = _gone_through(binding)
    elif binding.kind == "assign":
        came = source(binding)
    return came if isinstance(came, ast.expr) else None


def _gone_through(binding: Binding) -> ast.AST | None:
    """Return what a loop goes through, of ``zip`` and ``enumerate`` the part of its variable."""
    value = binding.value or getattr(binding.node, "iter", None)
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Name):
        return value
    first = binding.path[0] if binding.path else None
    if value.func.id == "zip" and first is not None and first < len(value.args):
        return value.args[first]
    if value.func.id == "enumerate" and value.args:
        return None if first == 0 else value.args[0]
    return None if value.func.id == "range" else value
