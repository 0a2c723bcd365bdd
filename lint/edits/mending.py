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

    def renamed(arg: Any) -> Any:
        import libcst as cst

        is_old = arg.keyword is not None and arg.keyword.value == old
        return arg.with_changes(keyword=cst.Name(new)) if is_old else arg

    def change(found: Any) -> Any:
        return found.with_changes(args=[renamed(arg) for arg in found.args])

    return fix(view, call, f"Rename {old}= to {new}=", change, safety)


def call_it(view: FileView, node: ast.expr) -> Fix | None:
    """``x.text`` becomes ``x.text()``."""

    def change(found: Any) -> Any:
        import libcst as cst

        return cst.Call(func=found)

    return fix(view, node, "Call it", change)


def add_await(view: FileView, call: ast.Call) -> Fix | None:
    """``f()`` becomes ``await f()``, inside an async function."""
    if not isinstance(view.module.function(call), ast.AsyncFunctionDef):
        return None

    def change(found: Any) -> Any:
        import libcst as cst

        outer = {"lpar": found.lpar, "rpar": found.rpar}
        return cst.Await(expression=found.with_changes(lpar=(), rpar=()), **outer)

    return fix(view, call, "Await it", change)


def drop_await(view: FileView, node: ast.Await) -> Fix | None:
    """``await f()`` becomes ``f()``; the parentheses stay."""

    def change(found: Any) -> Any:
        inner = found.expression
        return inner.with_changes(lpar=(*found.lpar, *inner.lpar), rpar=(*inner.rpar, *found.rpar))

    return fix(view, node, "Leave out await", change)
