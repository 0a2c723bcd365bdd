"""Functions whose annotation names a class of the SDK that their body does not return."""

from __future__ import annotations

import pytest

from .conftest import Lint

PROGRAM = """
import json


async def load(ctx, p) -> {0}:
    {1}


@chat.function("f", "Tells")
async def f(ctx, p):
    got = await load(ctx, p)
    {2}
"""
LISTS = (
    "return []",
    'return [{"a": 1}]',
    "return [row for row in p.rows]",
    "rows = []\n    rows.append(p.row)\n    return rows",
    'return json.loads("[]")',
    "return [] if p.none else [1]",
    "if p.none:\n        return None\n    return []",
    'return "text"',
)
"""Bodies that return something that has items."""


@pytest.mark.parametrize("body", LISTS)
def test_what_a_body_certainly_returns_overrules_the_annotation(lint: Lint, body: str) -> None:
    """A list stays a list, whatever the annotation of its function says."""
    used = "for row in got:\n        print(row)"
    assert () == lint("FED111", PROGRAM.format("ActionResult", body, used))


@pytest.mark.parametrize("use", ['got["a"]', 'got.get("a")', "got.items()"])
def test_a_dict_has_what_a_dict_has(lint: Lint, use: str) -> None:
    """Keys and methods of a dict are there."""
    program = PROGRAM.format("ActionResult", 'return {"a": 1}', f"return {use}")
    assert () == (*lint("FED111", program), *lint("FED105", program))


@pytest.mark.parametrize(
    ("typed", "body"),
    [
        ("ActionResult", 'return ActionResult.success({"a": 1}, "x")'),
        ("ActionResult", "return p.go(ctx)"),
        ("ActionResult", "return None"),
        ("Document", 'return await ctx.store.get("n", "1")'),
        ("Document", 'found = await ctx.store.get("n", "1")\n    return found'),
    ],
)
def test_an_annotation_that_may_be_right_is_believed(lint: Lint, typed: str, body: str) -> None:
    """Nothing in the body contradicts it."""
    found = lint("FED111", PROGRAM.format(typed, body, "for row in got:\n        print(row)"))
    assert ["error"] == [item.severity for item in found]


def test_one_way_that_keeps_the_promise_is_a_warning(lint: Lint) -> None:
    """The loop raises for the results only that are one."""
    body = 'if p.none:\n        return ActionResult.error("none")\n    return []'
    found = lint(
        "FED111", PROGRAM.format("ActionResult", body, "for row in got:\n        print(row)")
    )
    assert ["warning"] == [item.severity for item in found]
