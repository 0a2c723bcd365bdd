"""FED109: coroutines of the SDK that nobody awaits, and what is awaited in vain."""

from __future__ import annotations

import pytest

from .conftest import Lint
from .programs import only_error, with_body

HEAD = """
import asyncio
import inspect

from imperal_sdk import Extension, fresh_token, ui

ext = Extension("notes")


def fake(*given):
    return {"a": 1}


@ext.tool("t")
async def t(ctx):
"""

ATTRIBUTE = "the attribute raises AttributeError. Write "


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ('ctx.notify("x")', "ctx.notify() is never awaited: nothing happens"),
        ("fresh_token(ctx, {})", "fresh_token() is never awaited: nothing happens"),
        ('[ctx.notify(x) for x in "ab"]', "is never awaited"),
        ('{x: ctx.notify(x) for x in "ab"}', "is never awaited"),
        ('for row in ctx.store.query("n"): print(row)', "the loop raises TypeError"),
        ('rows = [row for row in ctx.store.query("n")]', "the loop raises TypeError"),
        ('d = ctx.http.get("u").json()', f"{ATTRIBUTE}(await ctx.http.get(…)).json."),
        ('d = await ctx.store.query("n").data', f"{ATTRIBUTE}(await ctx.store.query(…)).data."),
        ('d = ctx.store.get("n", "1")["x"]', "Write (await ctx.store.get(…))[…]."),
        ('if not ctx.store.get("n", "1"): return', "a coroutine is always true"),
        ('n = ctx.store.count("n") + 1', "the operation raises TypeError"),
        ('n = ctx.store.count("n") > 3', "the comparison raises TypeError"),
        ('n = ctx.secrets.get("k") == "x"', "the comparison is with the coroutine"),
        ("n = f\"{ctx.store.count('n')}\"", 'the text shows "<coroutine …>"'),
        ('r = ctx.http.get("u")\nx = r.json()', f"{ATTRIBUTE}r = await ctx.http.get(…)."),
        ('r = ctx.store.query("n")\nif r: x = r.data', f"{ATTRIBUTE}r = await"),
        ('r = await ctx.http.get("u")\nreturn await r.json()', "await raises TypeError"),
        ('return await ui.Text("a")', "returns a component in"),
        ('return await ctx.config.get("a")', "returns the setting in"),
        ("for u in ctx.store.list_users('n'): print(u)", "Write async for … in ctx.store"),
        ("x = await ctx.store.list_users('n')", "Write async for … in ctx.store.list_users('n')."),
        ("async for u in await ctx.store.list_users('n'): print(u)", "Leave out await."),
    ],
)
def test_a_coroutine_taken_for_its_result_is_an_error(lint: Lint, body: str, said: str) -> None:
    """Each is one error, which says what comes of it; the same code with await is none."""
    assert said in only_error(lint("FED109", with_body(HEAD, body)))


@pytest.mark.parametrize(
    "body",
    [
        'await ctx.notify("x")',
        "await fresh_token(ctx, {})",
        'page = (await ctx.store.query("n")).data',
        "async for u in ctx.store.list_users('n'): print(u)",
        "rows = [u async for u in ctx.store.list_users('n')]",
        'return (await ctx.http.get("u")).json()',
        'return ctx.config.get("a")',
        'asyncio.create_task(ctx.notify("a"))',
        'await asyncio.gather(*[ctx.store.get("n", x) for x in "ab"])',
        'c = ctx.store.get("n", "1")\nprint(c.cr_frame)\nc.close()',
        'c = ctx.store.get("n", "1")\nif c: return await c',
        'c = ctx.store.get("n", "1")\nc = await c\nprint(c.data)',
        'c = ctx.store.get("n", "1")\nif inspect.isawaitable(c): c = await c\nprint(c.data)',
        'c = ctx.store.get("n", "1")\nif hasattr(c, "data"): return c.data\nreturn await c',
        'c = ctx.store.get("n", "1")\ntry: c.data\nexcept AttributeError: pass',
        'try: ctx.store.get("n", "1").data\nexcept AttributeError: pass',
        'try: await ctx.store.list_users("n")\nexcept TypeError: pass',
        'ctx.store.query = fake\nprint(ctx.store.query("n")["a"])',
        'client = ctx.store if ctx.user else fake\nclient.query("n")',
    ],
)
def test_what_may_be_right_is_left_alone(lint: Lint, body: str) -> None:
    """What is awaited, handed on, asked what it is, expected to fail, or not of the SDK alone."""
    assert () == lint("FED109", with_body(HEAD, body))


def test_a_context_without_a_caller_is_left_alone(lint: Lint) -> None:
    """Where only the name of a parameter says that it is the context, nothing is certain."""
    body = "\n\nasync def load(ctx):\n    return ctx.store.query('n').data\n"
    assert [] == [it.severity for it in lint("FED109", with_body(HEAD, "return None") + body)]


@pytest.mark.parametrize(
    ("body", "fixed"),
    [
        ('ctx.notify("x")', "await ctx"),
        ('[ctx.notify(x) for x in "ab"]', "await ctx"),
        ('for row in ctx.store.query("n"): print(row)', "await ctx"),
        ('r = ctx.store.query("n")\nreturn r.data', "await ctx"),
        ('d = ctx.store.query("n").data', None),
        ("def inner():\n    ctx.notify('x')", None),
        ('r = await ctx.http.get("u")\nreturn await r.json()', "r"),
    ],
)
def test_await_is_added_where_it_can_stand(lint: Lint, body: str, fixed: str | None) -> None:
    """The fix writes await before the call, unless that is another value or no async function."""
    (found,) = lint("FED109", with_body(HEAD, body))
    made = found.fix.edits[0].replacement if found.fix is not None else None
    assert fixed == made
