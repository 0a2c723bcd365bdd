"""Objects of the SDK that ``async with opened(ctx) as name`` binds."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

from .programs import only_error

Lint = Callable[..., tuple[Finding, ...]]

HEAD = """\
from contextlib import asynccontextmanager, contextmanager

from imperal_sdk import Extension
from others import managed

ext = Extension("notes")


class Own:
    async def get(self, name):
        return name


@asynccontextmanager
async def opened(ctx):
    {0}


@contextmanager
def held(ctx, raw=False):
    try:
        yield ctx.skeleton
    finally:
        print("closed")


@managed
async def foreign(ctx):
    yield ctx.skeleton


class Box:
    def __init__(self, ctx):
        self.ctx = ctx

    @asynccontextmanager
    async def inside(self):
        yield self.ctx.skeleton


@ext.{1}("n")
async def n(ctx):
    {2}
"""
ASYNC = 'async with opened(ctx) as s:\n        await s.get("n")'
INNER = 'async with Box(ctx).inside() as s:\n        await s.get("n")'
SYNC = 'with held(ctx) as s:\n        await s.get("n")'
FOREIGN = 'async with foreign(ctx) as s:\n        await s.get("n")'
TWO = 'async with opened(ctx) as (s, t):\n        await s.get("n")'


@pytest.mark.parametrize("use", [ASYNC, INNER, SYNC])
def test_what_a_manager_yields_is_followed(lint: Lint, use: str) -> None:
    """The panel reads the skeleton through it."""
    message = only_error(lint("FED201", HEAD.format("yield ctx.skeleton", "panel", use)))
    assert "s.get('n') raises" == " ".join(message.split()[:2])


@pytest.mark.parametrize("use", [ASYNC, INNER, SYNC])
def test_a_skeleton_handler_may_read_through_it(lint: Lint, use: str) -> None:
    """The manager yields what its caller may use."""
    assert () == lint("FED201", HEAD.format("yield ctx.skeleton", "skeleton", use))


@pytest.mark.parametrize(
    ("yielded", "use"),
    [
        ("yield Own()", ASYNC),
        ("yield", ASYNC),
        ("yield ctx.cache", ASYNC),
        ("yield ctx.skeleton", FOREIGN),
        ("yield ctx.skeleton, 1", TWO),
        ("inner = lambda: (yield ctx.skeleton)\n    yield inner", ASYNC),
    ],
)
def test_what_is_something_else_is_silent(lint: Lint, yielded: str, use: str) -> None:
    """Other objects, managers of others, and several values."""
    assert () == lint("FED201", HEAD.format(yielded, "panel", use))


def test_other_rules_know_it_too(lint: Lint) -> None:
    """A key that the cache rejects."""
    use = "async with opened(ctx) as s:\n        await s.delete('a b')"
    message = only_error(lint("FED301", HEAD.format("yield ctx.cache", "panel", use)))
    assert message.startswith("cache key: it holds ' '")
