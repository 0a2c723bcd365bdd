"""A skeleton read counts for the handlers that come to it, and for no others."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Lint = Callable[..., list[tuple[str, str, int]]]

READ = 'await ctx.skeleton.get("n")'
SKELETON = '@ext.skeleton("n")\nasync def n(ctx):\n    return {{"response": {{"x": bool({0})}}}}\n'
PANEL = '@ext.panel("p")\nasync def p(ctx):\n    return {0}\n'
FLAG = (
    "async def load(ctx, fresh=False):\n    if fresh:\n        return " + READ + "\n    return 1\n"
)
LEAVES = (
    "async def load(ctx, fresh=False):\n    if not fresh:\n        return 1\n    return "
    + READ
    + "\n"
)
KIND = 'async def load(ctx, kind="x"):\n    if kind == "skeleton":\n        return ' + READ + "\n"
DEEP = FLAG + "\n\nasync def outer(ctx, *, live=False):\n    return await load(ctx, fresh=live)\n"
BOX = (
    "class Box:\n    def __init__(self, ctx):\n        self.ctx = ctx\n\n"
    '    async def read(self):\n        return await self.ctx.skeleton.get("n")\n\n'
    "    async def rows(self):\n        return await self.ctx.store.query('c')\n\n"
    "    async def both(self):\n        return await self.rows(), await self.read()\n"
)
CASES = [
    (FLAG, "await load(ctx, True)", "await load(ctx)", "await load(ctx, True)"),
    (FLAG, "await load(ctx, fresh=True)", "await load(ctx, False)", "await load(ctx, 1)"),
    (FLAG, "await load(ctx, fresh=True)", "await load(ctx, fresh=0)", "await load(ctx, *[True])"),
    (LEAVES, "await load(ctx, True)", "await load(ctx)", "await load(ctx, fresh=1)"),
    (
        KIND,
        'await load(ctx, "skeleton")',
        'await load(ctx, "panel")',
        'await load(ctx, "skeleton")',
    ),
    (DEEP, "await outer(ctx, live=True)", "await outer(ctx)", "await outer(ctx, live=True)"),
    (BOX, "await Box(ctx).read()", "await Box(ctx).rows()", "await Box(ctx).read()"),
    (BOX, "await Box(ctx).read()", "await Box(ctx).rows()", "await Box(ctx).both()"),
]


def _found(lint: Lint, helper: str, skeleton: str, panel: str) -> list[tuple[str, str]]:
    parts = [
        "from imperal_sdk import Extension\n\next = Extension('n')\n",
        helper,
        SKELETON.format(skeleton),
        PANEL.format(panel),
    ]
    found = lint({"main.py": "\n\n".join(parts)}, codes=frozenset({"FED201"}))
    return [(code, severity) for code, severity, _ in found]


@pytest.mark.parametrize(("helper", "skeleton", "legal", "_"), CASES)
def test_a_read_that_only_the_skeleton_handler_comes_to_is_legal(
    lint: Lint, helper: str, skeleton: str, legal: str, _: str
) -> None:
    """The panel calls the helper as well, but not so that it reads."""
    assert [] == _found(lint, helper, skeleton, legal)


@pytest.mark.parametrize(("helper", "skeleton", "_", "illegal"), CASES)
def test_a_read_that_a_panel_comes_to_is_an_error(
    lint: Lint, helper: str, skeleton: str, _: str, illegal: str
) -> None:
    """Set flags, and the method that reads."""
    assert [("FED201", "error")] == _found(lint, helper, skeleton, illegal)
