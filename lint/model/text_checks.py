"""Whether the code looks into a text before it uses it, whatever it may find there."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from .blocks import ran_before
from .conditions import conditions
from .evaluator import Evaluator
from .module import Module, last_name
from .values import Function

_SHALLOW = frozenset({"len", "bool", "strip", "isinstance"})
"""Functions that say nothing of the letters of a text."""


def is_looked_into(
    evaluator: Evaluator, module: Module, node: ast.expr, names: Collection[str]
) -> bool:
    """Tell whether a test around a node asks for the letters of a text, or a call before it does.

    Args:
        evaluator: of the extension.
        module: the file of the node.
        node: what is made of the text, or the text.
        names: expressions that stand for the text: ``query``, ``params.query``.
    """
    return any(looks_into(test, names) for test, _ in conditions(module, node)) or any(
        _is_check(evaluator, module, call, names) for call in _calls_before(module, node)
    )


def looks_into(test: ast.expr, names: Collection[str]) -> bool:
    """Tell whether a test, or a part of it, compares a text or hands it on."""
    return any(
        isinstance(part, ast.Call | ast.Compare) and _asks_for(part, names)
        for part in ast.walk(test)
    )


def _asks_for(test: ast.Call | ast.Compare, names: Collection[str]) -> bool:
    if isinstance(test, ast.Compare):
        parts = [test.left, *test.comparators]
        plain = isinstance(test.ops[0], ast.Eq | ast.NotEq | ast.In | ast.NotIn)
        return plain and any(ast.unparse(part) in names for part in parts)
    parts = [*test.args, *([test.func.value] if isinstance(test.func, ast.Attribute) else [])]
    return last_name(test.func) not in _SHALLOW and any(
        ast.unparse(part) in names for part in parts
    )


def _calls_before(module: Module, node: ast.AST) -> Iterator[ast.Call]:
    """Yield the calls that stand alone before a node, in its blocks: ``ensure(query)``."""
    for before in ran_before(module, node):
        call = before.value if isinstance(before, ast.Expr) else None
        call = call.value if isinstance(call, ast.Await) else call
        if isinstance(call, ast.Call):
            yield call


def _is_check(evaluator: Evaluator, module: Module, call: ast.Call, names: Collection[str]) -> bool:
    """Tell whether a call gives a text to a function of the tree that may raise."""
    given = [*call.args, *(item.value for item in call.keywords)]
    if not any(ast.unparse(part) in names for part in given):
        return False
    return any(
        isinstance(item.value, Function)
        and any(isinstance(part, ast.Raise | ast.Assert) for part in ast.walk(item.value.node))
        for item in evaluator.values(module, call.func)
    )
