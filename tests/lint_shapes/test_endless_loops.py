"""``while True`` ends where it breaks, with what holds there."""

from __future__ import annotations

import pytest

from .conftest import Lint

SET = """
from contextlib import suppress


@ext.panel("p")
async def p(ctx, n: int = 3):
    v = {{}}
    while True:
{0}
    await ctx.cache.set("k", v, ttl_seconds=60)
"""
WORK = """
async def work(ctx, n):
    while True:
        await ctx.progress(1)
{0}


@chat.function("f", description="x", action_type="read")
async def f(ctx, n: int = 3):
    await ctx.background_task(work(ctx, n))
"""


def _inside(body: str) -> str:
    return "".join(f"        {line}\n" for line in body.splitlines())


@pytest.mark.parametrize(
    "body",
    [
        "v = Count(total=1)\nif v.total:\n    break",
        "try:\n    v = Count(total=int('a'))\n    break\nexcept ValueError:\n    continue",
        "with suppress(ValueError):\n    v = Count(total=int('a'))\n    break",
        "v = {}\nif n:\n    v = Count(total=1)\n    break",
        "for i in range(n):\n    if i:\n        break\nelse:\n    v = Count(total=1)\n    break",
        "while True:\n    v = {}\n    if n:\n        v = Count(total=1)\n        break\nbreak",
        "match n:\n    case 1:\n        v = Count(total=1)\n        break\n    case _: return",
    ],
)
def test_it_breaks_with_a_model(lint: Lint, body: str) -> None:
    """What the name held before the loop, or on another way, does not come out."""
    assert () == lint("FED303", SET.format(_inside(body)))


@pytest.mark.parametrize(
    ("body", "severity"),
    [
        ("v = {}\nif n:\n    break\nv = Count(total=1)", "error"),
        ("if n == 5:\n    break\nv = Count(total=1)\nif n:\n    break", "warning"),
        ("v = Count(total=1)\ntry:\n    break\nfinally:\n    v = {}", "warning"),
        ("v = Count(total=1)\nif n:\n    v = {}\nif v:\n    break", "warning"),
        ("v = Count(total=1)\nwhile n:\n    v = {}\n    break\nif v:\n    break", "warning"),
    ],
)
def test_it_may_break_with_a_dict(lint: Lint, body: str, severity: str) -> None:
    """The dict holds at one ``break``, or at all of them."""
    (found,) = lint("FED303", SET.format(_inside(body)))
    assert severity == found.severity


def test_what_is_replaced_at_last_may_hold(lint: Lint) -> None:
    """``finally`` runs behind ``break``: the model comes out, so a dict is not certain."""
    body = "v = {}\ntry:\n    break\nfinally:\n    v = Count(total=1)"
    (found,) = lint("FED303", SET.format(_inside(body)))
    assert "warning" == found.severity


RESULT = 'return ActionResult.success(data={"n": 1}, summary="x")'


def test_background_work_breaks_off(lint: Lint) -> None:
    """Behind ``break`` the work ends, and returns nothing."""
    (found,) = lint("FED513", WORK.format(_inside("if n:\n    break")))
    assert "error" == found.severity


@pytest.mark.parametrize("body", [f"if n:\n    {RESULT}", "await ctx.progress(2)"])
def test_background_work_goes_on(lint: Lint, body: str) -> None:
    """Without ``break`` it never comes to its end."""
    assert () == lint("FED513", WORK.format(_inside(body)))


@pytest.mark.parametrize(("body", "count"), [("if n:\n    break", 1), ("n += 1", 0)])
def test_a_fetcher_breaks_off(lint: Lint, body: str, count: int) -> None:
    """It returns None, which get_or_fetch refuses."""
    text = f"""
async def load(n=1):
    while True:
{_inside(body)}

@ext.panel("p")
async def p(ctx):
    return await ctx.cache.get_or_fetch("k", Count, load)
"""
    assert count == len(lint("FED303", text))
