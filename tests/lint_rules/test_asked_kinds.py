"""Reads of the skeleton behind ``ctx._tool_type``, the question that the SDK itself asks."""

from __future__ import annotations

from collections.abc import Callable

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

HEAD = '''\
from imperal_sdk import Extension

ext = Extension("notes")
KINDS = ("skeleton", "test")
WANTED = "skeleton"


def is_skeleton(ctx):
    """Tell it."""
    return getattr(ctx, "_tool_type", "") == WANTED


def is_made_for(ctx):
    if ctx is None:
        return False
    kind = ctx._tool_type
    return kind in KINDS


'''


BOX = f"""{HEAD}
class Box:
    def __init__(self, ctx):
        self.ctx = ctx
        self.kind = ctx._tool_type
        self.may = ctx._tool_type == "skeleton"

    @property
    def is_asked(self):
        return self.kind == "skeleton"

    async def rows(self):
        return [await self.section(name) for name in ("a", "b")]

    async def section(self, name):
        {{}}
        return await self.ctx.skeleton.get(name)


@ext.panel("notes")
async def notes(ctx):
    box = Box(ctx)
    {{}}
"""


def test_the_chain_shows_where_each_method_is_called(lint: Lint) -> None:
    """Each step stands at its call."""
    (found,) = lint("FED201", BOX.format("", "return await box.rows()"))
    notes = [step.note for step in found.chain]
    assert ["calls Box.__init__", "calls Box.rows", "calls Box.section"] == notes[1:]
