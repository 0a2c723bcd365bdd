"""FED201: a handler comes to a read only by calls that lead there, with the object that it made."""

from __future__ import annotations

import pytest

from .conftest import Lint

HANDLERS = """


@ext.skeleton("n")
async def n(ctx):
    return {{"response": {{"x": bool(await {skeleton})}}}}


@ext.panel("p")
async def p(ctx):
    return await {panel}
"""
PROPERTY = """
class Box:
    def __init__(self, source):
        self._source = source

    @property
    def section(self):
        return self._source
"""
METHODS = """
class Box:
    def __init__(self, ctx):
        self.ctx = ctx

    async def read(self):
        return await self.ctx.skeleton.get("n")

    async def both(self, live=False):
        if live:
            return await self.read()
        return await self.ctx.store.get("n")
"""
MADE = """
class Box:
    def __init__(self, ctx):
        self.ctx = ctx

    async def read(self):
        return await self.ctx.skeleton.get("n")


async def load(ctx, live=False):
    box = Box(ctx)
    if live:
        return await box.read()
    return 1
"""
OWN = 'Box(ctx.skeleton).section.get("n")'
CASES = [
    (PROPERTY, OWN, 'Box(ctx.store).section.get("n")', OWN),
    (METHODS, "Box(ctx).both(True)", "Box(ctx).both()", "Box(ctx).both(live=1)"),
    (MADE, "load(ctx, True)", "load(ctx)", "load(ctx, live=True)"),
]


@pytest.mark.parametrize(("helper", "skeleton", "panel", "reading"), CASES)
def test_a_panel_answers_only_for_its_own_calls(
    lint: Lint, helper: str, skeleton: str, panel: str, reading: str
) -> None:
    """What the skeleton handler makes or asks for says nothing of the panel's call."""
    legal = helper + HANDLERS.format(skeleton=skeleton, panel=panel)
    illegal = helper + HANDLERS.format(skeleton=skeleton, panel=reading)
    assert () == lint("FED201", legal)
    (found,) = lint("FED201", illegal)
    assert ("error", True) == (found.severity, "panel" in found.message)


GATED = """
LIVE = {live}


async def load(ctx):
    return await ctx.skeleton.get("n")


@ext.panel("p")
async def p(ctx):
    if not LIVE:
        return 1
    return await load(ctx)
"""


def test_a_constant_keeps_a_handler_from_its_call(lint: Lint) -> None:
    """``if not LIVE: return`` before the call, where LIVE is always False or always True."""
    assert () == lint("FED201", GATED.format(live=False))
    assert ["error"] == [it.severity for it in lint("FED201", GATED.format(live=True))]
