"""What a function returns is worked out once for all calls that give it the same."""

from __future__ import annotations

import ast
from collections import Counter

import pytest

from fedcheck.lint.inference.calls import summaries
from fedcheck.lint.inference.syntax.module import Module
from fedcheck.lint.inference.values.evaluate import LazyEvaluator
from fedcheck.lint.inference.values.values import Const, Display, Frame, Function, Value

CODE = """
from imperal_sdk import Context, Extension

ext = Extension("notes")


def said(ctx, text, loud=False):
    if loud:
        return ctx.store
    return {"said": text}


def passed_on(ctx, text):
    return said(ctx, text)


def same(value):
    return value


@ext.panel("a")
async def a(ctx):
    return [said(ctx, "one"), said(ctx, "two"), said(ctx, "x", loud=True), passed_on(ctx, "x")]


@ext.tool("b")
async def b(ctx):
    return [said(ctx, "four"), said(ctx, "x", True), same(1), same(True), same(1.0), same(1)]
"""


@pytest.fixture
def worked_out(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Return function → for how many calls its result was worked out."""
    found: Counter[str] = Counter()
    returned = summaries.returned

    def counted(evaluator: LazyEvaluator, function: Function, frame: Frame) -> object:
        found[getattr(function.node, "name", "")] += 1
        return returned(evaluator, function, frame)

    monkeypatch.setattr(summaries, "returned", counted)
    return found


def calls(module: Module, name: str) -> list[ast.Call]:
    """Return the calls of a function in the handlers, in order."""
    return [
        call
        for call in module.calls[name]
        if getattr(module.function(call), "name", "") in {"a", "b"}
    ]


def value(made: tuple[LazyEvaluator, Module], call: ast.Call) -> Value:
    """Return the only value of a call."""
    evaluator, module = made
    (item,) = evaluator.values(module, call)
    return item.value


def test_calls_that_give_the_same_are_one(
    made: tuple[LazyEvaluator, Module], worked_out: Counter[str]
) -> None:
    """Which text is said makes no difference to what is asked of the call."""
    quiet = [call for call in calls(made[1], "said") if len(call.args) + len(call.keywords) == 2]
    found = [value(made, call) for call in quiet]
    assert 3 == len(found)
    assert all(isinstance(each, Display) for each in found)
    assert 1 == worked_out["said"]


def test_each_call_keeps_its_own_arguments(made: tuple[LazyEvaluator, Module]) -> None:
    """What a dict holds is read in the call that made it, however it was worked out."""
    evaluator, module = made
    texts: list[object] = []
    for call in (*calls(module, "said"), *calls(module, "passed_on")):
        for item in evaluator.values(module, call):
            if isinstance(item.value, Display) and isinstance(item.value.node, ast.Dict):
                (held,) = item.value.node.values
                (inside,) = evaluator.values(module, held, item.frame)
                assert isinstance(inside.value, Const)
                texts.append(inside.value.value)
    assert ["one", "two", "four", "x"] == texts


def test_each_call_keeps_its_own_handler(made: tuple[LazyEvaluator, Module]) -> None:
    """A store belongs to the handler whose context was given."""
    evaluator, module = made
    handlers = [
        getattr(item.origin[1], "name", "")
        for call in calls(module, "said")
        for item in evaluator.values(module, call)
        if item.origin is not None
    ]
    assert ["a", "b"] == handlers


def test_what_is_equal_but_of_another_type_is_not_the_same(
    made: tuple[LazyEvaluator, Module],
) -> None:
    """``1``, ``True`` and ``1.0`` are three things to give."""
    found = [value(made, call) for call in calls(made[1], "same")]
    assert ["1", "True", "1.0", "1"] == [
        repr(each.value) for each in found if isinstance(each, Const)
    ]
