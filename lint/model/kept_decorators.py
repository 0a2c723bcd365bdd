"""Decorators that names keep: ``panel = ext.panel`` … ``@panel("side")``."""

from __future__ import annotations

import ast

from .arguments import callee_of
from .evaluator import Evaluator
from .module import Module


def spelt_out(evaluator: Evaluator, module: Module, node: ast.expr) -> ast.expr:
    """Return ``ext.panel("side")`` for a decorator, or its callee, that a name keeps."""
    if not isinstance(node, ast.Name):
        return node
    _, found = evaluator.project.lookup(module, node)
    binding = found[0] if len(found) == 1 else None
    if binding is None or binding.kind != "assign" or binding.path:
        return node
    return binding.value if isinstance(binding.value, ast.Call | ast.Attribute) else node


def kept_callee(evaluator: Evaluator, module: Module, decorator: ast.expr) -> ast.expr:
    """Return what a decorator calls, or is, with what names keep in their place."""
    callee = callee_of(spelt_out(evaluator, module, decorator))
    return spelt_out(evaluator, module, callee)
