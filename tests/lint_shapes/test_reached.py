"""The skeleton read on the ways by which handlers come to it."""

from __future__ import annotations

import pytest

from .conftest import Lint
from .reached import Code, found, show
from .reached_by_given import GIVEN
from .reached_by_objects import OBJECTS

WAYS = [pytest.param(code, id=how) for how, code in (OBJECTS | GIVEN).items()]
PANEL = '@ext.panel("p")'


@pytest.mark.parametrize("code", WAYS)
def test_a_panel_may_not_read(lint: Lint, code: Code) -> None:
    """The read is an error whatever leads to it."""
    assert {"error"} == {item.severity for item in found(lint, code, PANEL)}


@pytest.mark.parametrize("code", WAYS)
def test_the_way_begins_at_the_handler(lint: Lint, code: Code) -> None:
    """The message and the chain name the handler that comes there."""
    for item in found(lint, code, PANEL):
        assert f"{PANEL} show" in item.message
        assert f"{PANEL} show gets the context" == item.chain[0].note


@pytest.mark.parametrize("code", WAYS)
@pytest.mark.parametrize("handler", ['@ext.skeleton("p", ttl=60)', ""])
def test_a_skeleton_handler_may(lint: Lint, code: Code, handler: str) -> None:
    """The same code is right where only a skeleton handler runs it, or nobody."""
    assert [] == found(lint, code, handler)


@pytest.mark.parametrize("then", ["", "await given(given, ctx)"])
@pytest.mark.parametrize(("handler", "expected"), [(PANEL, ["error"] * 38), ("", [])])
def test_functions_that_hand_each_other_around(
    lint: Lint, then: str, handler: str, expected: list[str]
) -> None:
    """Each of many reads, gives itself to the next one, and may call what it was given."""
    text = "".join(
        f"async def f{i}(given, ctx):\n"
        f"    await f{(i + 1) % 38}(f{i}, ctx)\n"
        f'    await ctx.skeleton.get("notes")\n'
        f"    {then}\n"
        for i in range(38)
    )
    marked = found(lint, text + show("return await f0(f1, ctx)"), handler)
    assert expected == [item.severity for item in marked]
