"""The tests that speak of a name where it is used, also from inside a call: ``len(rows) > 5``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .bindings import Binding
from .conditions import conditions
from .evaluator import Evaluator
from .kept_answers import kept_answer
from .module import COMPREHENSIONS, Module
from .remembered import remembered

NameTest = tuple[ast.expr, bool, list[Binding]]
"""A test, whether it is true, and the bindings of the name that it looked at."""


@remembered
def tests_of(evaluator: Evaluator, module: Module, name: ast.Name) -> list[NameTest]:
    """Return the tests of a name whose outcome is known where it is used.

    A test speaks of the values that the name had where the test stands, not of later ones.
    """

    def spoken(part: ast.expr) -> list[ast.Name]:
        return list(_spoken_of(evaluator, module, kept_answer(evaluator, module, part)))

    found: list[NameTest] = []
    for part, truth in conditions(module, name, spoken=spoken):
        test = kept_answer(evaluator, module, part)
        for subject in _spoken_of(evaluator, module, test):
            if subject.id == name.id and subject in module.parents:
                found.append((test, truth, evaluator.project.lookup(module, subject)[1]))
                break
    return found


def _spoken_of(evaluator: Evaluator, module: Module, test: ast.expr) -> Iterator[ast.Name]:
    """Yield the names of which a test speaks, also ``rows`` for ``more = len(rows) - 5``."""
    yield from _subjects(test)
    for part in (test.left, *test.comparators) if isinstance(test, ast.Compare) else ():
        kept = kept_answer(evaluator, module, part)
        if kept is not part:
            yield from _subjects(kept)


def _subjects(test: ast.AST) -> Iterator[ast.Name]:
    """Yield the names of which a test speaks."""
    if isinstance(test, ast.Name):
        yield test
    for part in _parts(test):
        yield from _subjects(part)


def _parts(test: ast.AST) -> list[ast.expr]:
    if isinstance(test, ast.Call):
        owner = [test.func.value] if isinstance(test.func, ast.Attribute) else []
        return [*test.args, *owner]
    if isinstance(test, ast.NamedExpr):
        return [test.target, test.value]
    if isinstance(test, ast.Compare):
        return [test.left, *test.comparators]
    if isinstance(test, ast.BinOp):
        return [test.left, test.right]
    if isinstance(test, COMPREHENSIONS):
        return [test.generators[0].iter]
    if isinstance(test, ast.Subscript):
        return [test.value]
    return [test.operand] if isinstance(test, ast.UnaryOp) else []
