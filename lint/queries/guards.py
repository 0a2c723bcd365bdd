"""Uses that the code itself protects from an error."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..model.module import FUNCTIONS, Module
from ..view import Access, FileView


def guard(view: FileView, access: Access) -> str:
    """Return what keeps an attribute's use from raising, in words; empty if nothing does."""
    module = view.module
    if access.how == "hasattr":
        return "hasattr"
    child: ast.AST = access.node
    for parent in module.ancestors(child):
        if isinstance(parent, FUNCTIONS):
            break
        if isinstance(parent, ast.Try) and _catches(parent, child, "AttributeError"):
            return "except AttributeError"
        if any(_asks(test, access) for test in _conditions(parent, child)):
            return "hasattr"
        child = parent
    return _early_exit(view, access)


def caught(module: Module, node: ast.AST, *names: str) -> bool:
    """Tell whether an exception of a name is caught around a node, by that name."""
    child = node
    for parent in module.ancestors(node):
        if isinstance(parent, FUNCTIONS):
            return False
        if isinstance(parent, ast.Try) and any(_catches(parent, child, name) for name in names):
            return True
        child = parent
    return False


def _catches(node: ast.Try, child: ast.AST, name: str) -> bool:
    if child not in node.body:
        return False
    return any(name in _exception_names(handler.type) for handler in node.handlers)


def _exception_names(node: ast.expr | None) -> set[str]:
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    return {
        part.attr if isinstance(part, ast.Attribute) else part.id
        for part in parts
        if isinstance(part, ast.Attribute | ast.Name)
    }


def _conditions(parent: ast.AST, child: ast.AST) -> Iterator[ast.expr]:
    """Yield the conditions that hold where ``child`` is evaluated."""
    if (isinstance(parent, ast.If | ast.While) and child in parent.body) or (
        isinstance(parent, ast.IfExp) and child is parent.body
    ):
        yield parent.test
    elif isinstance(parent, ast.BoolOp) and isinstance(parent.op, ast.And):
        yield from parent.values[: parent.values.index(child)] if child in parent.values else ()  # pyright: ignore[reportArgumentType]


def _asks(test: ast.expr, access: Access) -> bool:
    """Tell whether a condition holds ``hasattr(owner, name)`` for the same owner and name."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return any(_asks(part, access) for part in test.values)
    return _is_question(test, access)


def _is_question(test: ast.AST, access: Access) -> bool:
    return (
        isinstance(test, ast.Call)
        and isinstance(test.func, ast.Name)
        and test.func.id in {"hasattr", "getattr"}
        and len(test.args) >= 2
        and isinstance(test.args[1], ast.Constant)
        and test.args[1].value == access.name
        and ast.dump(test.args[0]) == ast.dump(access.owner)
    )


def _early_exit(view: FileView, access: Access) -> str:
    """``if not hasattr(x, "name"): return`` before the use, in the same function."""
    statement = view.module.statement(access.node)
    while statement is not None:
        parent = view.module.parents.get(statement)
        block = getattr(parent, view.module.fields.get(statement, ""), None)
        for before in block if isinstance(block, list) else []:  # pyright: ignore[reportUnknownVariableType]
            if before is statement:
                break
            if isinstance(before, ast.If) and _exits_without(before, access):
                return "hasattr"
        if parent is None or isinstance(parent, FUNCTIONS):
            break
        statement = parent if isinstance(parent, ast.stmt) else view.module.statement(parent)
    return ""


def _exits_without(node: ast.If, access: Access) -> bool:
    test = node.test
    return (
        isinstance(test, ast.UnaryOp)
        and isinstance(test.op, ast.Not)
        and _is_question(test.operand, access)
        and isinstance(node.body[-1], ast.Return | ast.Raise | ast.Continue)
    )
