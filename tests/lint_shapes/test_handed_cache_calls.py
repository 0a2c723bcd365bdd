"""What a helper of ``*args`` hands on to the cache is judged where it is given."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Lint

CODES = "FED301 FED302 FED303 FED304"
MAIN = """
from imperal_sdk import Extension
from pydantic import BaseModel
from kit import Keeper, keep, later, retry

ext = Extension("notes")


@ext.cache_model("count")
class Count(BaseModel):
    total: int = 0


class Other(BaseModel):
    total: int = 0


async def middle(ctx, *a, **kw):
    await retry(ctx.cache.set, KEY, *a, **kw)


async def run(ctx):
    {0}


@ext.panel("p")
async def p(ctx):
    await run(ctx)
"""
KIT = """
async def retry(fn, *args, **kwargs):
    for _ in range(3):
        try:
            return await fn(*args, **kwargs)
        except OSError:
            continue


async def keep(ctx, *args, **kwargs):
    await ctx.cache.set(*args, **kwargs)


async def later(fn, *args, **kwargs):
    kwargs["ttl_seconds"] = min(kwargs.get("ttl_seconds", 60), 300)
    await fn(slug(args[0]), *args[1:], **kwargs)


class Keeper:
    def __init__(self, ctx):
        self.ctx = ctx

    async def safe(self, fn, *args, **kwargs):
        try:
            return await fn(*args, **kwargs)
        except Exception:
            return None
"""
FILL = """
    async def fill(self, value):
        await self.safe(self.ctx.cache.set, "notes", value, ttl_seconds=900)
"""
LINE = 23
SET = "await retry(ctx.cache.set, "


def _found(lint: Lint, body: str, key: str = '"mid"') -> list[tuple[str, str, int]]:
    text = MAIN.replace("KEY", key).format(body)
    found = lint(CODES, text, kit__py=KIT)
    return [(item.code, item.severity, item.span.line) for item in found]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (f'{SET}"all notes", Count(), ttl_seconds=60)', "FED301"),
        (f'{SET}key="all notes", value=Count(), ttl_seconds=60)', "FED301"),
        ('k = f"u:{ctx.user.email}"; await retry(ctx.cache.get, k, Count)', "FED301"),
        (f'{SET}"k", Count(), ttl_seconds=900)', "FED302"),
        (f'{SET}"k", Count(), 2)', "FED302"),
        (f'{SET}"k", {{"a": 1}}, ttl_seconds=60)', "FED303"),
        (f'{SET}"k", Other(), ttl_seconds=60)', "FED304"),
        ('await keep(ctx, "all notes", Count(), ttl_seconds=60)', "FED301"),
        ('await keep(ctx, "k", Count(), ttl_seconds=900)', "FED302"),
        ("await middle(ctx, Count(), ttl_seconds=900)", "FED302"),
        ('await Keeper(ctx).safe(ctx.cache.set, "all notes", Count())', "FED301"),
    ],
)
def test_what_a_caller_gives_is_judged_there(lint: Lint, body: str, code: str) -> None:
    """The helper always makes the call, so the cache gets just that."""
    assert [(code, "error", LINE)] == _found(lint, body)


def test_each_call_is_judged_alone(lint: Lint) -> None:
    """Other callers of the helper are right, and what one in the middle gives counts as well."""
    body = f'{SET}"k", Count(), ttl_seconds=60); {SET}"k", Count(), ttl_seconds=900)'
    assert [("FED302", "error", LINE)] == _found(lint, body)
    body = "await middle(ctx, Count()); await middle(ctx, Count(), ttl_seconds=9)"
    assert [("FED301", "error", 19)] == _found(lint, body, '"a b"')


def test_a_method_of_the_kit_counts_too(lint: Lint) -> None:
    """``self.safe(self.ctx.cache.set, …)`` is judged in the file in which it stands."""
    text = MAIN.replace("KEY", '"mid"').format("await Keeper(ctx).fill(Count())")
    found = lint("FED302", text, kit__py=KIT + FILL)
    assert [("kit.py", "error")] == [(Path(item.path).name, item.severity) for item in found]


@pytest.mark.parametrize(
    "body",
    [
        f'{SET}"k", Count(), ttl_seconds=60)',
        "await retry(ctx.cache.get, 'k', Count)",
        "await retry(ctx.store.set, 'all notes', {})",
        "await retry(other.set, 'all notes', {}, ttl_seconds=900)",
        "await retry(ctx.cache.set if ctx.x else ctx.store.set, 'all notes', {})",
        "await later(ctx.cache.set, 'all notes', Count(), ttl_seconds=900)",
        "await keep(Fake(), 'all notes', {}, ttl_seconds=900)",
        "await retry(ctx.cache.set, *given)",
        "if False:\n        await retry(ctx.cache.set, 'all notes', Count())",
    ],
)
def test_what_may_be_right_is_left_alone(lint: Lint, body: str) -> None:
    """Another method or object, a helper that changes what it gets, a call that never runs."""
    assert [] == _found(lint, body)
