"""Bounds of lists that come through asyncio, early returns and counted comprehensions."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Section = Callable[..., str]

BEFORE = """
import asyncio


async def rows(ctx, n=50):
    return (await ctx.store.query("x", limit=n)).data


def top(xs, n):
    out = []
    for x in xs:
        out.append(x)
        if len(out) >= n:
            return out
    return out


def checked(xs):
    out = []
    for x in xs:
        if x is None:
            return []
        out.append(x)
    return out
"""
NAMES = 'return {"response": {"names": [d.id for d in r]}}'
SHORT = (
    f'r, n = await asyncio.gather(rows(ctx, 5), ctx.store.count("x"))\n{NAMES}',
    f'n, r = await asyncio.gather(ctx.store.count("x"), rows(ctx, 5))\n{NAMES}',
    f"r = await asyncio.wait_for(rows(ctx, 5), 3)\n{NAMES}",
    f"r = await asyncio.shield(rows(ctx, 5))\n{NAMES}",
    f"task = asyncio.create_task(rows(ctx, 5))\nr = await task\n{NAMES}",
    f"task = asyncio.create_task(rows(ctx, 5))\nr, n = await task, 1\n{NAMES}",
    'r = await rows(ctx)\nreturn {"response": {"names": top([d.id for d in r], 5)}}',
    'r = await rows(ctx)\nreturn {"response": {"names": [d.id for i, d in enumerate(r) if i < 5]}}',
    f"r = [d for i, d in enumerate(await rows(ctx), 1) if d and i <= 5]\n{NAMES}",
)  # fmt: skip
LONG = (
    f'r, n = await asyncio.gather(rows(ctx, 9), ctx.store.count("x"))\n{NAMES}',
    f'r, n = await asyncio.gather(rows(ctx, 9), rows(ctx, 5))\n{NAMES}',
    f"r = await asyncio.wait_for(rows(ctx, 9), 3)\n{NAMES}",
    f"task = asyncio.create_task(rows(ctx, 9))\nr = await task\n{NAMES}",
    'r = await rows(ctx)\nreturn {"response": {"names": checked([d.id for d in r])}}',
    'r = await rows(ctx)\nreturn {"response": {"names": [d.id for i, d in enumerate(r) if i < 9]}}',
    'r = await rows(ctx)\nreturn {"response": {"names": [d.id for i, d in enumerate(r) if i > 5]}}',
)  # fmt: skip


@pytest.mark.parametrize("body", SHORT)
def test_a_list_that_something_limits_is_silent(section: Section, body: str) -> None:
    """The limit is found behind asyncio, an early return and a counted loop."""
    assert "FED213" not in section(body, BEFORE)


@pytest.mark.parametrize("body", LONG)
def test_a_list_that_can_be_long_is_reported(section: Section, body: str) -> None:
    """The same ways with another limit, or another reason to return."""
    assert "FED213" in section(body, BEFORE)
