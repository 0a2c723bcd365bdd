"""Handlers whose decorators names keep."""

from __future__ import annotations

import pytest

from .conftest import Lint

HANDLER = """
{kept}


@{decorator}
async def p(ctx):
    await ctx.notify.push("x")
"""


@pytest.mark.parametrize(
    ("kept", "decorator"),
    [
        ("panel = ext.panel", 'panel("p")'),
        ('side = ext.panel("p", slot="left")', "side"),
        ("tool = chat.function", 'tool("p", "Tells")'),
        ("made = ext.panel\nside = made('p')", "side"),
        ("install = ext.on_install", "install"),
    ],
)
def test_a_name_keeps_a_decorator(lint: Lint, kept: str, decorator: str) -> None:
    """The function gets a context all the same."""
    found = lint("FED105", HANDLER.format(kept=kept, decorator=decorator))
    assert [it.severity for it in found] == ["error"]
    assert "p)" in found[0].message


@pytest.mark.parametrize(
    ("kept", "decorator"),
    [
        ("def panel(name):\n    return lambda f: f", 'panel("p")'),
        ("panel = ext.panel\npanel = print", 'panel("p")'),
        ("class Own:\n    def panel(self, n): ...\npanel = Own().panel", 'panel("p")'),
    ],
)
def test_a_name_that_keeps_something_else(lint: Lint, kept: str, decorator: str) -> None:
    """Nobody knows what such a function gets: no handler is told."""
    text = HANDLER.format(kept=kept, decorator=decorator)
    found = lint("FED105", text.replace("(ctx)", "(it)").replace("ctx.", "it."))
    assert found == ()


@pytest.mark.parametrize(
    ("kept", "found"),
    [
        ("notes = ext.skeleton('notes')", 1),
        ("def notes(f):\n    return print", 0),
    ],
)
def test_a_section_behind_a_kept_decorator(lint: Lint, kept: str, found: int) -> None:
    """What such a handler returns is judged like that of others."""
    rows = "[1, 2, 3, 4, 5, 6]"
    text = f'{kept}\n\n\n@notes\nasync def n(ctx):\n    return {{"response": {{"rows": {rows}}}}}\n'
    assert len(lint("FED213", text)) == found
