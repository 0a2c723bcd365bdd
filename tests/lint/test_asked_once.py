"""What is asked of one place again and again, for each call that leads there, and how it ends."""

from __future__ import annotations

import ast
from collections import Counter

import pytest

from fedcheck.lint.inference.flow import narrowing
from fedcheck.lint.inference.syntax import bindings
from fedcheck.lint.inference.syntax.memo import OutOfTime
from fedcheck.lint.inference.syntax.module import Module
from fedcheck.lint.inference.values.evaluate import LazyEvaluator

CODE = """
LIMIT = 1
LIMIT = 2


def kept(x):
    if x is None:
        return 0
    return x


def used():
    return [kept(1), kept(2), kept(3), LIMIT, LIMIT]
"""


def test_tests_of_a_name_are_looked_for_once(
    made: tuple[LazyEvaluator, Module], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each call gives a name another value; what the code asks of it stays the same."""
    evaluator, module = made
    asked: Counter[ast.AST] = Counter()
    found = narrowing.conditions

    def counted(module: Module, node: ast.AST, **options: object) -> object:
        asked[node] += 1
        return found(module, node, **options)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(narrowing, "conditions", counted)
    values = [
        evaluator.values(module, call)[0].value
        for call in module.nodes(ast.Call)
        if ast.unparse(call).startswith("kept")
    ]
    assert 3 == len(set(values))
    assert {1} == set(asked.values())


def test_known_answers_take_time_too(made: tuple[LazyEvaluator, Module]) -> None:
    """Whoever asks the same thing in circles is stopped as well."""
    evaluator, module = made
    (name, *_) = module.names["LIMIT"]
    evaluator.values(module, name)
    evaluator.project.clock.start(0.0)
    with pytest.raises(OutOfTime):
        evaluator.values(module, name)


def test_only_the_last_binding_of_a_module_is_seen(made: tuple[LazyEvaluator, Module]) -> None:
    """A function runs when its module is loaded."""
    evaluator, module = made
    found = evaluator.project.table(module.tree)["LIMIT"]
    assert [3] == [it.node.lineno for it in bindings.settled(module.tree, found)]  # pyright: ignore[reportAttributeAccessIssue]
