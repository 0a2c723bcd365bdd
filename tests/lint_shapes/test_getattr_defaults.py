"""``getattr`` with a default in helpers that take documents and other things."""

from __future__ import annotations

from .conftest import Lint

HEAD = """
class Note(BaseModel):
    title: str = ""


async def found(ctx):
    row = await ctx.store.get("n", "1")
    return Note() if row is None else row


@ext.panel("p")
async def p(ctx):
    note = await found(ctx)
    row = await ctx.store.get("n", "1")
    return {0}
"""


def _told(lint: Lint, value: str) -> list[str]:
    return [item.severity for item in lint("FED105", HEAD.format(value))]


def test_one_of_several_objects(lint: Lint) -> None:
    """``getattr`` gives its default always where no other object may stand there."""
    assert ["warning"] == _told(lint, 'getattr(row, "title", None)')
    assert ["info"] == _told(lint, 'getattr(note, "title", None)')
