"""The question that a name keeps the answer of: ``is_list = isinstance(page, list)``."""

from __future__ import annotations

import ast

from .bindings import sole_value
from .evaluator import Evaluator
from .module import Module

_ANSWERS = (ast.Call, ast.Compare, ast.BoolOp, ast.UnaryOp, ast.BinOp, ast.Subscript)


def kept_answer(evaluator: Evaluator, module: Module, test: ast.expr) -> ast.expr:
    """Return the question in place of a name that keeps its answer."""
    if isinstance(test, ast.NamedExpr):
        return test.value
    if not isinstance(test, ast.Name) or test not in module.parents:
        return test
    kept = sole_value(evaluator.project.lookup(module, test)[1])
    return kept if isinstance(kept, _ANSWERS) else test
