"""Rows of what the code asks for its type first."""

from __future__ import annotations

import pytest

from .conftest import Lint

FIND = """
@chat.function("f", "Finds")
async def f(ctx, p):
    found = await ctx.store.query("n")
{asked}
    rows = [row for row in {source}]
    return ActionResult.success({{"rows": rows}}, "s")
"""
ASKED = "    if not isinstance(found, list):\n        found = []"


@pytest.mark.parametrize("source", ["list(found)", "found", "sorted(found)", "list(found)[:5]"])
def test_a_page_is_ruled_out(lint: Lint, source: str) -> None:
    """A page is no list: what comes through is empty, in this release."""
    assert lint("FED402", FIND.format(asked=ASKED, source=source)) == ()


@pytest.mark.parametrize("source", ["list(found)", "found", "found.data"])
def test_a_page_is_not_asked(lint: Lint, source: str) -> None:
    """Its rows are documents, which JSON cannot carry."""
    found = lint("FED402", FIND.format(asked="    print(1)", source=source))
    assert [it.severity for it in found] == ["error"]
