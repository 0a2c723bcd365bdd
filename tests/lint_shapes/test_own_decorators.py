"""Where following values ends: own decorators, tables of functions, many callers."""

from __future__ import annotations

import pytest

from .conftest import Lint

OWN = """
import functools


def logged(function):
    @functools.wraps(function)
    async def inner(*given, **named):
        return await function(*given, **named)

    return inner


def plain(function):
    return lambda *given: function(*given)


def kept(cls):
    return cls

"""
LIBRARY = "\nfrom kit import kept, logged, plain\n"
READING = {
    "FED201": """
@ext.panel("p")
@logged
async def p(ctx):
    return await ctx.skeleton.get("n")
""",
    "FED101": """
@logged
async def load(ctx):
    return ctx.fact_ledger


@ext.panel("p")
async def p(ctx):
    return await load(ctx)
""",
    "FED302": """
@logged
async def keep(ctx, life):
    await ctx.cache.set("k", Count(total=1), ttl_seconds=life)


@ext.panel("p")
async def p(ctx):
    await keep(ctx, 900)
""",
    "FED303": """
@plain
def made():
    return {"total": 1}


@ext.panel("p")
async def p(ctx):
    await ctx.cache.set("k", made(), ttl_seconds=60)
""",
    "FED105": """
@kept
class Service:
    def __init__(self, ctx):
        self.ctx = ctx


@ext.panel("p")
async def p(ctx):
    return Service(ctx).ctx.user.id
""",
}
"""Rule → what it finds below a library's decorator."""


@pytest.mark.parametrize("code", READING)
def test_a_decorator_of_the_extension_may_do_anything(lint: Lint, code: str) -> None:
    """What the function gets and what becomes of its result is known without it alone."""
    assert () == lint(code, OWN + READING[code])
    assert ["error"] == [item.severity for item in lint(code, LIBRARY + READING[code])]


HELPER = """
async def keep(ctx, life):
    await ctx.cache.set("k", Count(total=1), ttl_seconds=life)


@ext.panel("p")
async def p(ctx):
"""


@pytest.mark.parametrize(("calls", "expected"), [(100, ["error"]), (101, [])])
def test_many_callers_tell_nothing(lint: Lint, calls: int, expected: list[str]) -> None:
    """Beyond the limit what a function gets is unknown."""
    text = HELPER + "    await keep(ctx, 900)\n" * calls
    assert expected == [item.severity for item in lint("FED302", text)]


def test_a_function_among_others_in_a_table(lint: Lint) -> None:
    """Who calls a function that stands in a table with others is not known."""
    text = (
        'async def load(ctx):\n    return await ctx.skeleton.get("n")\n\n\n'
        'async def save(ctx):\n    return None\n\n\nACTIONS = {"load": load, "save": save}\n\n\n'
        '@ext.panel("p")\nasync def p(ctx, kind=""):\n    return await %s(ctx)\n'
    )
    assert () == lint("FED201", text % "ACTIONS[kind]")
    assert ["error"] == [item.severity for item in lint("FED201", text % 'ACTIONS["load"]')]
