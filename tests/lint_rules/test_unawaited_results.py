"""FED109: coroutines of the SDK that nobody awaits, and what is awaited in vain."""

from __future__ import annotations

import pytest

from .conftest import Lint
from .programs import with_body

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
