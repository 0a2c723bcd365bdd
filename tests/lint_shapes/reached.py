"""How the small extensions are made whose handlers come to a read of the skeleton."""

from __future__ import annotations

from fedcheck.reports.lint.findings import Finding

from .conftest import Lint

READS = """
async def load(ctx):
    return await ctx.skeleton.get("notes")

async def save(ctx):
    return None

"""
"""A function that reads, and one that does not."""


def found(lint: Lint, code: str | tuple[str, dict[str, str]], handler: str) -> list[Finding]:
    """Return what FED201 says of code in which ``@HANDLER`` stands for a decorator."""
    text, files = (code, {}) if isinstance(code, str) else code
    return [*lint("FED201", text.replace("@HANDLER", handler), **files)]


_TWO = """

@ext.skeleton("p", ttl=60)
async def fill(ctx, kind=""):
    {fill}


@ext.panel("p")
async def show(ctx, kind=""):
    {show}
"""


def two_handlers(fill: str, show: str) -> str:
    """Return a skeleton handler and a panel that do something each."""
    return _TWO.format(fill=fill, show=show)
