"""Tests that name the class of an object."""

from __future__ import annotations

import ast

_EQUAL = (ast.Is, ast.Eq, ast.In)
_EITHER_WAY = (ast.Is, ast.IsNot, ast.Eq, ast.NotEq)
_OTHER = (ast.IsNot, ast.NotEq, ast.NotIn)


class SameType(ast.Call):
    """``isinstance`` that asks for the class itself: what extends it is another one."""


def as_question(test: ast.expr, *, truth: bool) -> tuple[ast.expr, bool]:
    """Return ``isinstance(x, Page)`` for ``type(x) is Page``, and whether it is true.

    Another test is returned as it is.
    """
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return test, truth
    asked, other, compared = test.left, test.comparators[0], test.ops[0]
    if isinstance(other, ast.Call) and isinstance(compared, _EITHER_WAY):
        asked, other = other, asked
    if not isinstance(asked, ast.Call) or not isinstance(compared, (*_EQUAL, *_OTHER)):
        return test, truth
    if not isinstance(asked.func, ast.Name) or asked.func.id != "type" or len(asked.args) != 1:
        return test, truth
    question = SameType(ast.Name("isinstance"), [asked.args[0], other], [])
    return question, truth is isinstance(compared, _EQUAL)
