"""Handlers that stand in a class as static methods: their first parameter is the context."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

from .programs import only_error

Lint = Callable[..., tuple[Finding, ...]]

READ = 'return await ctx.skeleton.get("n")'
ABOVE = "    @staticmethod\n    @ext.{}\n    async def f(ctx, **kwargs):\n        {}\n"
BELOW = "    @ext.{}\n    @staticmethod\n    async def f(ctx, **kwargs):\n        {}\n"
LATER = "    @staticmethod\n    async def f(ctx, **kwargs):\n        {1}\n\n\next.{0}(Tools.f)\n"


@pytest.mark.parametrize("form", [ABOVE, BELOW, LATER], ids=["above", "below", "later"])
@pytest.mark.parametrize("kind", ['tool("t")', 'panel("p")', 'webhook("/in")'])
def test_a_read_in_a_static_handler_is_found(lint: Lint, form: str, kind: str) -> None:
    """The decorator gets the plain function, and gives it the context first."""
    message = only_error(lint("FED201", f"\nclass Tools:\n{form.format(kind, READ)}"))
    assert "ctx.skeleton.get('n') raises" == " ".join(message.split()[:2])


@pytest.mark.parametrize("form", [ABOVE, BELOW, LATER], ids=["above", "below", "later"])
def test_a_static_skeleton_handler_may_read(lint: Lint, form: str) -> None:
    """It is one like others."""
    body = form.format('skeleton("n")', READ)
    assert () == lint("FED201", f"\nclass Tools:\n{body}")


def test_a_method_has_its_object_first(lint: Lint) -> None:
    """The context of a plain method comes second."""
    text = (
        "\nclass Tools:\n    async def f(self, ctx, **kwargs):\n        await self.skeleton.get()\n"
        f"        {READ}\n\n\next.panel('p')(Tools().f)\n"
    )
    assert "ctx.skeleton" in only_error(lint("FED201", text))
