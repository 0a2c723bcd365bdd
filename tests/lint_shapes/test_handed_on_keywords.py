"""Keyword arguments that a wrapper hands on as ``**kwargs``."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.lint.rule import PREAMBLE
from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

HANDLER = '\n\n@ext.panel("p")\nasync def p(ctx):\n    await put(ctx, "k", Count(total=1), {})\n'


@pytest.mark.parametrize(
    ("body", "given", "expected"),
    [
        ('await ctx.cache.set("k", value, **kw)', "ttl_seconds=900", ["error"]),
        ('await ctx.cache.set("k", value, **kw)', "ttl_seconds=90", []),
        ('await ctx.cache.set("k", value, **kw)', "", []),
        ('await ctx.cache.set("k", value, **kw)', '**{"ttl_seconds": 900}', ["error"]),
        ("await ctx.cache.set(*(key, value), **kw)", "ttl_seconds=900", ["error"]),
        ('await ctx.cache.set("k", value, kw["ttl_seconds"])', "ttl_seconds=900", ["error"]),
        ('await ctx.cache.set("k", value, kw.get("ttl_seconds", 60))', "ttl_seconds=1", ["error"]),
        ('await ctx.cache.set("k", value, kw.get("ttl_seconds", 60))', "", []),
        ('await ctx.cache.set("k", value, kw.get("ttl_seconds", 900))', "", ["error"]),
        (
            'kw["ttl_seconds"] = 60\n    await ctx.cache.set("k", value, **kw)',
            "ttl_seconds=900",
            [],
        ),
        (
            'kw.update(ttl_seconds=60)\n    await ctx.cache.set("k", value, **kw)',
            "ttl_seconds=1",
            [],
        ),
        ('limit(kw)\n    await ctx.cache.set("k", value, **kw)', "ttl_seconds=900", []),
        ('await ctx.cache.set("k", value, **{**kw, "ttl_seconds": 60})', "ttl_seconds=900", []),
        ('await ctx.cache.set("k", value, 60)', "ttl_seconds=900", []),
    ],
)
def test_what_a_wrapper_hands_on(lint: Lint, body: str, given: str, expected: list[str]) -> None:
    """An entry of ``**kw`` is what the callers give, as long as nothing changes ``kw``."""
    wrapper = f"async def put(ctx, key, value, **kw):\n    {body}\n"
    found = lint("FED302", wrapper + HANDLER.format(f"{given}"))

    assert expected == [item.severity for item in found]


def test_each_caller_is_told_apart(lint: Lint) -> None:
    """One good caller does not hide the bad one, which is marked."""
    wrapper = 'async def put(ctx, key, value, **kw):\n    await ctx.cache.set("k", value, **kw)\n'
    other = HANDLER.format("ttl_seconds=1").replace("def p(", "def q(").replace('"p"', '"q"')
    text = wrapper + HANDLER.format("ttl_seconds=60") + other
    found = lint("FED302", text)

    line = (
        (PREAMBLE + text)
        .splitlines()
        .index('    await put(ctx, "k", Count(total=1), ttl_seconds=1)')
    )
    assert [line + 1] == [item.span.line for item in found]
