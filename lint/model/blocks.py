"""The blocks of a statement: those that exclude each other, all run, or are left early."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def branches(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    """Yield the blocks of which at most one runs."""
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
    """Yield the blocks that run in any case, at least perhaps."""
    if isinstance(statement, ast.For | ast.AsyncFor | ast.While):
        yield statement.body
        yield statement.orelse
    elif isinstance(statement, ast.With | ast.AsyncWith):
        yield statement.body
    elif isinstance(statement, ast.Try):
        yield statement.finalbody


JUMPS = frozenset({ast.Return, ast.Raise, ast.Continue, ast.Break})
_LEAVING = frozenset({ast.If, ast.With, ast.AsyncWith, ast.Try})
"""Statements that end with others, which may leave."""


def leaves(node: ast.stmt) -> bool:
    """Tell whether control never comes past a statement."""
    kind = type(node)
    if kind not in _LEAVING:
        return kind in JUMPS
    if isinstance(node, ast.If):
        return bool(node.orelse) and leaves(node.body[-1]) and leaves(node.orelse[-1])
    if isinstance(node, ast.With | ast.AsyncWith):
        return leaves(node.body[-1])
    if isinstance(node, ast.Try):
        ends = [(node.orelse or node.body)[-1], *(handler.body[-1] for handler in node.handlers)]
        return all(leaves(end) for end in ends)
    return False
