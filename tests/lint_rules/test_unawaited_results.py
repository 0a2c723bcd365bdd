"""FED109: coroutines of the SDK that nobody awaits."""

from __future__ import annotations

import pytest

from .conftest import Lint
from .programs import with_body

HEAD = """
from imperal_sdk import Extension

ext = Extension("notes")


@ext.tool("t")
async def t(ctx):
"""


@pytest.mark.parametrize(
    ("body", "fixed"),
    [
        ('ctx.notify("x")', "await ctx"),
        ("def inner():\n    ctx.notify('x')", None),
    ],
)
def test_await_is_added_where_it_can_stand(lint: Lint, body: str, fixed: str | None) -> None:
    """The fix writes await before the call, unless the function around it is not async."""
    (found,) = lint("FED109", with_body(HEAD, body))
    made = found.fix.edits[0].replacement if found.fix is not None else None
    assert fixed == made
