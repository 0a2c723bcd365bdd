"""Correct code that is close to what FED531, FED532 and FED536 find."""

from __future__ import annotations

import pytest

from .conftest import Lint

CODES = "FED531 FED532 FED536"
PANEL = "@ext.panel('p')\nasync def p(ctx, **params):\n    "
OWN_CALLS = (
    "class Own(Extension):\n    async def call_tool(self, name, ctx, **given):\n"
    "        return await self._tools[name].func(**given)\n\n\nown = Own('notes')\n\n\n"
    "@own.tool('a')\nasync def a(title: str):\n    return {'title': title}\n"
)
REPLACED = (
    "kept = ext.panel\n\n\ndef panel(name):\n    def given(function):\n"
    "        async def run(ctx):\n            return function(ctx)\n\n"
    "        kept(name)(run)\n        return function\n\n    return given\n\n\n"
    "ext.panel = panel\n\n\n@ext.panel('a')\ndef a(ctx):\n    return {}\n"
)
PROGRAMS = {
    "own dispatch": OWN_CALLS,
    "own decorator": REPLACED,
    "registered again": "@ext.panel('a')\ndef old(ctx):\n    return {}\n\n\n"
    "@ext.panel('a')\nasync def new(ctx):\n    return {}\n",
    "only a link": "@ext.menu_item('m', path='/x')\ndef m():\n    return None\n",
    "written wrong": "@ext.tool('a')\nasync def a(it: dict):\n    return {'x': it.user.email}\n",
    "never used": "@ext.tool('a')\nasync def a(it: str):\n    del it\n    return {}\n",
    "bounded": f"import math\n\n\n{PANEL}low = float('inf')\n    for row in (3, 1):\n"
    "        low = min(low, row)\n    await ctx.store.create('n', {'low': low})\n",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_correct_code_is_left_alone(lint: Lint, name: str) -> None:
    """Each was told once, by an error or a warning."""
    assert [] == [(item.code, item.message) for item in lint(CODES, PROGRAMS[name])]
