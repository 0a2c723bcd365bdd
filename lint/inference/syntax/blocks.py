"""The blocks of statements: exclusive, sequential, or left early."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from itertools import takewhile

from .module import FUNCTIONS, Module, block_of


def branches(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    """Yield the exclusive blocks: at most one runs."""
    if isinstance(statement, ast.If):
        yield statement.body
        rest = statement.orelse
        while len(rest) == 1 and isinstance(rest[0], ast.If):
            yield rest[0].body
            rest = rest[0].orelse
        yield rest
    elif isinstance(statement, ast.Match):
        yield from (case.body for case in statement.cases)
    elif isinstance(statement, ast.Try):
        yield [*statement.body, *statement.orelse]
        yield from (handler.body for handler in statement.handlers)


def sequels(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    """Yield the blocks that do not exclude another one."""
    if isinstance(statement, LOOPS):
        yield statement.body
        yield statement.orelse
    elif isinstance(statement, (ast.With, ast.AsyncWith)):
        yield statement.body
    elif isinstance(statement, ast.Try):
        yield statement.finalbody


def ran_before(module: Module, node: ast.AST) -> Iterator[ast.stmt]:
    """Yield the statements that certainly ran before a node in its function."""
    child = node
    for up in module.ancestors(node):
        block = block_of(up, child) if isinstance(child, ast.stmt) else []
        yield from takewhile(lambda it, last=child: it is not last, block)
        if isinstance(up, FUNCTIONS):
            return
        child = up


LOOPS = (ast.For, ast.AsyncFor, ast.While)
Loop = ast.For | ast.AsyncFor | ast.While
JUMPS = frozenset({ast.Return, ast.Raise, ast.Continue, ast.Break})
_LEAVING = frozenset({ast.If, ast.While, ast.With, ast.AsyncWith, ast.Try})
"""Statements that end with others, which may leave."""
ENDING = JUMPS | _LEAVING
"""Statements past which control may never come."""


def leaves(node: ast.stmt, swallowing: Collection[ast.AST]) -> bool:
    """Tell whether control never reaches the place after a statement.

    Args:
        node: the statement.
        swallowing: the ``with`` statements of its file that may swallow exceptions.
    """
    kind = type(node)
    if kind not in _LEAVING:
        return kind in JUMPS
    if isinstance(node, ast.If):
        ends = [node.body[-1], *node.orelse[-1:]]
        return bool(node.orelse) and all(leaves(end, swallowing) for end in ends)
    if isinstance(node, ast.While):
        return is_endless(node) and not has_break(node)
    if isinstance(node, (ast.With, ast.AsyncWith)):
        return node not in swallowing and leaves(node.body[-1], swallowing)
    if isinstance(node, ast.Try):
        ends = [(node.orelse or node.body)[-1], *(handler.body[-1] for handler in node.handlers)]
        return all(leaves(end, swallowing) for end in ends)
    return False


def is_endless(loop: Loop) -> bool:
    """Tell whether a loop says ``while True``."""
    test = loop.test if isinstance(loop, ast.While) else None
    return isinstance(test, ast.Constant) and bool(test.value)


def has_break(loop: Loop) -> bool:
    """Tell whether a loop may be left by ``break``."""
    return any(True for _ in breaks_of(loop))


def breaks_of(loop: Loop) -> Iterator[ast.Break]:
    """Yield the ``break`` statements of a loop, not those of loops inside it."""
    for statement in loop.body:
        yield from _breaks(statement)


def _breaks(node: ast.AST) -> Iterator[ast.Break]:
    if isinstance(node, ast.Break):
        yield node
    elif not isinstance(node, (ast.expr, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        for part in node.orelse if isinstance(node, LOOPS) else ast.iter_child_nodes(node):
            yield from _breaks(part)
