"""A flag that is asked again: what was given where it held is replaced where it holds again."""

from __future__ import annotations

import pytest

from .conftest import Lint

TEXT = """
@ext.panel("p")
async def p(ctx, flag: bool = False, other: bool = False, text: str = "", rows: list = []):
    v = Count(total=1)
{0}
    await ctx.cache.set("k", v, ttl_seconds=60)
"""
ROUNDS = """
@ext.panel("p")
async def p(ctx, rows: list, skip: bool = False):
    v = Count(total=1)
    for row in rows:
        {0}
        if row:
            v = {{}}
        if skip:
            continue
        if row:
            v = Count(**v)
        await ctx.cache.set("k", v, ttl_seconds=60)
"""


def _indented(body: str) -> str:
    return "".join(f"    {line}\n" for line in body.splitlines())


@pytest.mark.parametrize(
    "body",
    [
        "if flag:\n    v = {}\nprint(v)\nif flag:\n    v = Count(**v)",
        "if flag:\n    v = {}\nelse:\n    v = Count(total=2)\nif flag:\n    v = Count(**v)",
        "if not flag:\n    v = {}\nif flag:\n    print(v)\nelse:\n    v = Count(**v)",
        "if text != 'a':\n    v = {}\nif text != 'a':\n    v = Count(**v)",
        "if flag and other:\n    v = {}\nif flag:\n    v = Count(**v)",
        "if flag:\n    if other:\n        v = {}\nif flag:\n    v = Count(total=2)",
        "if flag:\n    v = {}\ntry:\n    print(v)\nfinally:\n    if flag:\n        v = Count(**v)",
    ],
)
def test_it_is_replaced(lint: Lint, body: str) -> None:
    """No way leaves the dict."""
    assert () == lint("FED303", TEXT.format(_indented(body)))


@pytest.mark.parametrize(
    "body",
    [
        "if flag:\n    v = {}\nif other:\n    v = Count(**v)",
        "if flag:\n    v = {}\nif not flag:\n    v = Count(total=2)",
        "if flag:\n    v = {}\nflag = not flag\nif flag:\n    v = Count(**v)",
        "if flag:\n    v = {}\nif flag and other:\n    v = Count(**v)",
        "if flag:\n    v = Count(total=2)\nelse:\n    v = {}\nif flag:\n    v = Count(total=3)",
        "if flag:\n    v = {}\ntry:\n    if flag:\n        v = Count(**v)\nexcept E:\n    pass",
    ],
)
def test_it_may_be_left(lint: Lint, body: str) -> None:
    """Another flag, another outcome, or a way around the second condition."""
    (found,) = lint("FED303", TEXT.format(_indented(body)))
    assert "warning" == found.severity


@pytest.mark.parametrize(("first", "count"), [("v = Count(total=2)", 0), ("print(v)", 1)])
def test_an_earlier_round_had_another_flag(lint: Lint, first: str, count: int) -> None:
    """What it left is not replaced by this one, unless the round begins with something else."""
    assert count == len(lint("FED303", ROUNDS.format(first)))
