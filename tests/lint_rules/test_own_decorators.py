"""Where following values ends: own decorators, tables of functions, many callers."""

from __future__ import annotations

import pytest

from .conftest import Lint

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
