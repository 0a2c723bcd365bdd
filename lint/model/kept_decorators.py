"""Decorators that names keep: ``panel = ext.panel`` … ``@panel("side")``."""

from __future__ import annotations

import ast

from .arguments import callee_of
from .bindings import sole_value
from .evaluator import Evaluator
from .module import Module


def spelt_out(evaluator: Evaluator, module: Module, node: ast.expr) -> ast.expr:
    """Return ``ext.panel("side")`` for a decorator, or its callee, that a name keeps."""
    if not isinstance(node, ast.Name):
        return node
    kept = sole_value(evaluator.project.lookup(module, node)[1])
    return kept if isinstance(kept, ast.Call | ast.Attribute) else node


def kept_callee(evaluator: Evaluator, module: Module, decorator: ast.expr) -> ast.expr:
    """Return what a decorator calls, or is, with what names keep in their place."""
    callee = callee_of(spelt_out(evaluator, module, decorator))
    return spelt_out(evaluator, module, callee)
