"""``getattr`` with a default in helpers that take documents and other things."""

from __future__ import annotations

import pytest

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


@pytest.mark.parametrize(
    ("asked", "severity"),
    [
        ("if callable(getattr(d, 'get', None)):", "info"),
        ("read = getattr(d, 'get', None)\n    if callable(read):", "info"),
        ("read = getattr(d, 'get', None)\n    if read is not None:", "info"),
        ("read = getattr(d, 'read', None)\n    if callable(read):", "warning"),
    ],
)
def test_a_method_that_is_asked_for(lint: Lint, asked: str, severity: str) -> None:
    """A method of the SDK is never None; what is missing always is."""
    text = f"""
def shown(d, name):
    {asked}
        return 1
    return getattr(d, name, "none")


@ext.panel("p")
async def p(ctx):
    row = await ctx.store.get("n", "1")
    return shown(row, "title")
"""
    found = [item for item in lint("FED105", text) if "title" in item.message]
    assert [severity] == [item.severity for item in found]


@pytest.mark.parametrize(
    ("value", "expected"), [("dt.datetime.now()", []), ("{1}", ["warning"]), ("3", [])]
)
def test_a_method_that_the_value_has(lint: Lint, value: str, expected: list[str]) -> None:
    """The default of ``getattr`` is for values that have no such method."""
    text = f"""
import datetime as dt


def plain(value):
    return getattr(value, "isoformat", lambda: value)()


@chat.function("f", "Tells")
async def f(ctx, p):
    return ActionResult.success({{"at": plain({value})}}, "ok")
"""
    assert expected == [item.severity for item in lint("FED402", text)]
