"""The question that a condition asks, also where a name keeps its answer or a helper asks it."""

from __future__ import annotations

import ast
import copy
from itertools import islice

from ..model.module import Module, last_name
from ..model.name_tests import kept_answer
from ..model.values import Function
from ..view import FileView

_KEEPING = frozenset({"cache", "lru_cache"})
"""Decorators that leave the answer as it is."""
_SMALL = 60
_DEPTH = 4


def spelt_out(view: FileView, module: Module, test: ast.expr, depth: int = _DEPTH) -> ast.expr:
    """Return a condition with the question in place of a name that keeps its answer.

    A call of a helper that does nothing but ask is replaced by what it asks of its arguments.
    """
    if depth == 0:
        return test
    if isinstance(test, ast.UnaryOp):
        return ast.UnaryOp(test.op, spelt_out(view, module, test.operand, depth - 1))
    if isinstance(test, ast.BoolOp):
        parts = [spelt_out(view, module, part, depth - 1) for part in test.values]
        return ast.BoolOp(test.op, parts)
    if isinstance(test, ast.Compare) and _is_about_none(test):
        left = spelt_out(view, module, test.left, depth - 1)
        return ast.Compare(left, test.ops, test.comparators)
    if test not in module.parents:
        return test
    if isinstance(test, ast.Name):
        kept = kept_answer(view.evaluator, module, test)
        return test if kept is test else spelt_out(view, module, kept, depth - 1)
    return _of_helper(view, module, test, depth) if isinstance(test, ast.Call) else test


def _is_about_none(test: ast.Compare) -> bool:
    right = test.comparators[0]
    return len(test.ops) == 1 and isinstance(right, ast.Constant) and right.value is None


def _of_helper(view: FileView, module: Module, call: ast.Call, depth: int) -> ast.expr:
    """Return what a function of the extension returns for a call, if it does nothing else."""
    if last_name(call.func) in {"hasattr", "getattr"}:
        return call
    found = [item.value for item in view.evaluator.values(module, call.func)]
    helper = found[0] if len(found) == 1 else None
    if not isinstance(helper, Function) or call.keywords:
        return call
    returned, spec = _sole_return(helper), helper.node.args
    names = [arg.arg for arg in (*spec.posonlyargs, *spec.args)]
    if returned is None or len(names) != len(call.args) or spec.vararg or spec.kwonlyargs:
        return call
    asked = spelt_out(view, helper.module, returned, depth - 1)
    if sum(1 for _ in islice(ast.walk(asked), _SMALL)) == _SMALL:
        return call
    given = dict(zip(names, call.args, strict=True))
    return _Given(given).visit(copy.deepcopy(asked)) if given else asked


def _sole_return(helper: Function) -> ast.expr | None:
    node = helper.node
    if isinstance(node, ast.Lambda):
        return node.body
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    decorators = [each.func if isinstance(each, ast.Call) else each for each in node.decorator_list]
    if isinstance(node, ast.AsyncFunctionDef) or not body:
        return None
    if any(last_name(each) not in _KEEPING for each in decorators):
        return None
    return body[0].value if isinstance(body[0], ast.Return) else None


class _Given(ast.NodeTransformer):
    """Puts arguments in the place of the parameters of an expression."""

    def __init__(self, given: dict[str, ast.expr]) -> None:
        self._given = given

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Return the argument for the name of a parameter."""
        return self._given.get(node.id, node)
