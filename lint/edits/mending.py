"""Edits that rules propose, made by libcst on the statement that they change."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from ...reports.lint.findings import Fix, Safety
from ..view import FileView
from .concrete import rewrite

Change = Callable[[Any], Any]
"""Takes a libcst node and returns another."""


def fix(
    view: FileView, node: ast.AST, title: str, change: Change, safety: Safety = "safe"
) -> Fix | None:
    """Return a fix that replaces a node; None if libcst cannot do it."""
    edit = rewrite(view.module, node, change)
    return Fix(title=title, safety=safety, edits=(edit,)) if edit is not None else None


def rename_attribute(view: FileView, node: ast.expr, new: str) -> Fix | None:
    """``x.old`` becomes ``x.new``."""

    def change(found: Any) -> Any:
        import libcst as cst

        return found.with_changes(attr=cst.Name(new)) if isinstance(found, cst.Attribute) else found

    return fix(view, node, f"Use {new}", change)


def rename_keyword(
    view: FileView, call: ast.Call, old: str, new: str, safety: Safety
) -> Fix | None:
    """``f(old=1)`` becomes ``f(new=1)``."""

    def change(found: Any) -> Any:
        return found.with_changes(args=_renamed(found.args, old, new))

    return fix(view, call, f"Rename {old}= to {new}=", change, safety)


def rename_call(view: FileView, call: ast.Call, method: str, old: str, new: str) -> Fix | None:
    """``x.ok(old=1)`` becomes ``x.method(new=1)``."""

    def change(found: Any) -> Any:
        import libcst as cst

        if not isinstance(found.func, cst.Attribute):
            return found
        callee = found.func.with_changes(attr=cst.Name(method))
        return found.with_changes(func=callee, args=_renamed(found.args, old, new))

    return fix(view, call, f"Use {method}, with {new}=", change)


def _renamed(args: Any, old: str, new: str) -> list[Any]:
    """Return the arguments of a call of libcst with another name for one."""
    import libcst as cst

    name = cst.Name(new)
    return [
        arg.with_changes(keyword=name)
        if arg.keyword is not None and arg.keyword.value == old
        else arg
        for arg in args
    ]


def call_it(view: FileView, node: ast.expr) -> Fix | None:
    """``x.text`` becomes ``x.text()``."""

    def change(found: Any) -> Any:
        import libcst as cst

        return cst.Call(func=found)

    return fix(view, node, "Call it", change)


def add_await(view: FileView, call: ast.Call) -> Fix | None:
    """``f()`` becomes ``await f()``, inside an async function, ``f().x`` ``(await f()).x``."""
    if not isinstance(view.module.function(call), ast.AsyncFunctionDef):
        return None
    is_operand = isinstance(view.module.parents.get(call), ast.Attribute | ast.Subscript)

    def change(found: Any) -> Any:
        import libcst as cst

        left, right = found.lpar, found.rpar
        if is_operand and not left:
            left, right = [cst.LeftParen()], [cst.RightParen()]
        return cst.Await(expression=found.with_changes(lpar=(), rpar=()), lpar=left, rpar=right)

    return fix(view, call, "Await it", change)
