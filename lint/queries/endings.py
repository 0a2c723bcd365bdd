"""Statements and functions past which control never comes."""

from __future__ import annotations

import ast

from ..model.blocks import leaves
from ..model.calling import own_nodes
from ..model.evaluator import Evaluator
from ..model.module import FunctionNode, Module, last_name
from ..model.settled_tests import settled_outcome
from ..model.values import External, Function
from ..model.written import is_left_alone

_DEEPEST = 8
_NEVER = frozenset({"NoReturn", "Never"})
_LEAVING = frozenset({
    "sys.exit", "os._exit", "os.abort", "exit", "quit", "typing.assert_never",
    "typing_extensions.assert_never",
})  # fmt: skip


def never_passes(evaluator: Evaluator, module: Module, node: ast.stmt, depth: int = 0) -> bool:
    """Tell whether control never comes past a statement, a call of what always raises included.

    Args:
        evaluator: of the extension.
        module: where the statement stands.
        node: the statement.
        depth: how many helpers lie around it.
    """
    if isinstance(node, ast.Expr):
        return _never_returns(evaluator, module, node.value, depth)

    def ends(block: list[ast.stmt]) -> bool:
        return bool(block) and never_passes(evaluator, module, block[-1], depth)

    if isinstance(node, ast.If):
        taken = settled_outcome(evaluator.project, module, node.test)
        return (taken is False or ends(node.body)) and (taken is True or ends(node.orelse))
    if isinstance(node, ast.With | ast.AsyncWith):
        return node not in module.swallowing and ends(node.body)
    if isinstance(node, ast.Try):
        blocks = [node.orelse or node.body, *(handler.body for handler in node.handlers)]
        return ends(node.finalbody) or all(map(ends, blocks))
    if isinstance(node, ast.Match):
        return _takes_all(node) and all(ends(case.body) for case in node.cases)
    return leaves(node, module.swallowing)


def never_ends(
    evaluator: Evaluator, module: Module, function: ast.FunctionDef | ast.AsyncFunctionDef
) -> bool:
    """Tell whether a function never comes to its end, or stands for one of a subclass."""
    in_class = isinstance(module.parents.get(function), ast.ClassDef)
    stub = all(isinstance(item, ast.Pass) or _is_text(item) for item in function.body)
    return (in_class and stub) or never_passes(evaluator, module, function.body[-1])


def bare_returns(module: Module, function: ast.AST) -> list[ast.Return]:
    """Return the places where a function itself returns without a value."""
    nodes = (node for node in module.nodes(ast.Return) if node.value is None)
    return [node for node in nodes if module.function(node) is function]


def _is_text(item: ast.stmt) -> bool:
    return isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant)


def _takes_all(node: ast.Match) -> bool:
    last = node.cases[-1]
    is_open = isinstance(last.pattern, ast.MatchAs) and last.pattern.pattern is None
    return is_open and last.guard is None


def _never_returns(evaluator: Evaluator, module: Module, node: ast.expr, depth: int) -> bool:
    awaited = isinstance(node, ast.Await)
    call = node.value if isinstance(node, ast.Await) else node
    if not isinstance(call, ast.Call) or depth > _DEEPEST:
        return False
    found = [item.value for item in evaluator.values(module, call.func)]
    functions = [value for value in found if isinstance(value, Function)]
    if functions:
        return len(functions) == len(found) and all(
            isinstance(value.node, ast.AsyncFunctionDef) is awaited
            and _always_raises(evaluator, value.module, value.node, depth)
            for value in functions
        )
    outside = [value.name for value in found if isinstance(value, External)]
    return not awaited and bool(outside) and len(outside) == len(found) and {*outside} <= _LEAVING


def _always_raises(
    evaluator: Evaluator, module: Module, function: FunctionNode, depth: int
) -> bool:
    if isinstance(function, ast.Lambda) or not is_left_alone(function):
        return False
    said = function.returns
    name = said.value if isinstance(said, ast.Constant) else last_name(said) if said else ""
    if str(name).rpartition(".")[2] in _NEVER:
        return True
    returns = any(isinstance(part, ast.Return) for part in own_nodes(function))
    if returns or module.is_generator(function):
        return False
    return never_passes(evaluator, module, function.body[-1], depth + 1)
