"""The skeleton read on the ways by which handlers come to it."""

from __future__ import annotations

import pytest

from .conftest import Lint
from .reached import found, show

PANEL = '@ext.panel("p")'


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
