"""``type(x) is date`` is not true of a datetime, which extends date; ``isinstance`` is."""

from __future__ import annotations

import pytest

from .conftest import Lint

TEXT = """
import datetime


class Plain:
    pass


class Own(Plain):
    pass


@chat.function("f", description="x", action_type="read")
async def f(ctx):
    now = datetime.datetime.now()
    {0}
    return ActionResult.success(data={{"n": now}}, summary="x")


@ext.panel("p")
async def p(ctx):
    v = {1}
    {2}
    await ctx.cache.set("k", v, ttl_seconds=60)
"""
MADE = "now = now.isoformat()"


@pytest.mark.parametrize(
    ("test", "count"),
    [
        ("type(now) is datetime.datetime", 0),
        ("type(now) in (datetime.date, datetime.datetime)", 0),
        ("type(now) is not datetime.date", 0),
        ("isinstance(now, datetime.date)", 0),
        ("type(now) is datetime.date", 1),
        ("type(now) == datetime.date", 1),
        ("type(now) in (datetime.date, str)", 1),
        ("type(now) is not datetime.datetime", 1),
        ("not isinstance(now, datetime.date)", 1),
    ],
)
def test_a_datetime_is_no_date_itself(lint: Lint, test: str, count: int) -> None:
    """It is made a text only where the test holds."""
    found = lint("FED402", TEXT.format(f"if {test}: {MADE}", "Count(total=1)", ""))
    assert ["error"] * count == [item.severity for item in found]


@pytest.mark.parametrize(
    ("made", "test", "count"),
    [
        ("True", "type(v) is int", 1),
        ("True", "isinstance(v, int)", 0),
        ("True", "type(v) is bool", 0),
        ("Own()", "type(v) is Plain", 1),
        ("Own()", "type(v) is Own", 0),
        ("Own()", "type(v) is not Plain", 0),
    ],
)
def test_what_is_of_another_class_is_not_changed(
    lint: Lint, made: str, test: str, count: int
) -> None:
    """A bool is an int, an Own is a Plain, but neither of that class itself."""
    text = TEXT.format(MADE, made, f"if {test}: v = Count(total=1)")
    assert count == len(lint("FED303", text))


@pytest.mark.parametrize(
    ("test", "count"),
    [
        ("type(user) is UserContext", 1),
        ("isinstance(user, BaseModel)", 1),
        ("type(user) is BaseModel", 0),
        ("type(user) is dict", 0),
    ],
)
def test_an_object_of_the_sdk_is_of_its_class_itself(lint: Lint, test: str, count: int) -> None:
    """UserContext extends BaseModel: what stands behind ``is BaseModel`` never runs."""
    text = f"""
from imperal_sdk import Extension, UserContext
from pydantic import BaseModel

ext = Extension("notes")


@ext.panel("p")
async def p(ctx):
    user = ctx.user
    if {test}:
        user.nope
"""
    assert count == len(lint("FED105", text))
