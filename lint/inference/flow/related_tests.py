"""Correlated conditions: ``if a: x = y`` … ``if a: use(x)``."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ..syntax.bindings import Binding
from ..syntax.module import FUNCTIONS, Module
from ..syntax.spelling import spelled
from .conditions import conditions


def are_related(module: Module, use: ast.Name, found: Sequence[Binding]) -> bool:
    """Tell whether conditions around the bindings of a name and around its use share a subject.

    Then the reaching bindings are unknown. Tests of the name itself do not count: narrowing.py.
    """
    if len(found) < 2:
        return False
    asked = {test for test, _ in conditions(module, use, rebound=False)}
    around = set(module.ancestors(use))
    given = {it for each in found for it in _around(module, each.node) if it not in around}
    tests = asked | {branch.test for branch in given}
    return any(
        not names.isdisjoint(_names(test)) and not _is_one_choice(module, branch, test)
        for branch in given
        if (names := {it for it in _names(branch.test) if it.partition(".")[0] != use.id})
        for test in tests
    )


def _around(module: Module, node: ast.AST) -> Iterator[ast.If]:
    for up in module.ancestors(node):
        if isinstance(up, FUNCTIONS):
            return
        if isinstance(up, ast.If):
            yield up


def _is_one_choice(module: Module, branch: ast.If, test: ast.expr) -> bool:
    """Tell whether a test belongs to the same ``if`` … ``elif`` chain as a branch."""
    other = next((up for up in module.ancestors(test) if isinstance(up, ast.stmt)), branch)
    return other is branch or other in module.ancestors(branch) or branch in module.ancestors(other)


def _names(test: ast.expr) -> set[str]:
    """Return the names and attributes that a test reads."""
    parts = [part for part in ast.walk(test) if isinstance(part, ast.Name | ast.Attribute)]
    owners = {spelled(part.value) for part in parts if isinstance(part, ast.Attribute)}
    return {spelled(part) for part in parts} - owners - {""}
