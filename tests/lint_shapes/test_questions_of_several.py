"""What ``all`` and ``any`` answer, if some of the parts are spread from elsewhere."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]


@pytest.mark.parametrize(
    ("codes", "text", "files"),
    [
        pytest.param(
            "FED302",
            """
async def keep(ctx, life):
    if all([*load(), isinstance(life, str)]):
        await ctx.cache.set("k", Count(total=1), ttl_seconds=life)


@ext.panel("p")
async def p(ctx):
    await keep(ctx, 900)
""",
            {},
            id="all_of_some_and_one_that_fails",
        ),
        pytest.param(
            "FED302",
            """
async def keep(ctx, life):
    if not any([*load(), isinstance(life, int)]):
        await ctx.cache.set("k", Count(total=1), ttl_seconds=life)


@ext.panel("p")
async def p(ctx):
    await keep(ctx, 900)
""",
            {},
            id="none_of_some_and_one_that_holds",
        ),
    ],
)
def test_it_stays_silent(lint: Lint, codes: str, text: str, files: dict[str, str]) -> None:
    """Nothing is told where nothing is proved."""
    assert () == lint(codes, text, **files)


@pytest.mark.parametrize(
    ("codes", "text", "files", "expected"),
    [
        pytest.param(
            "FED302",
            """
async def keep(ctx, life):
    if any([*load(), isinstance(life, str)]):
        await ctx.cache.set("k", Count(total=1), ttl_seconds=life)


@ext.panel("p")
async def p(ctx):
    await keep(ctx, 900)
""",
            {},
            ["FED302 error"],
            id="any_of_some_that_may_hold",
        ),
        pytest.param(
            "FED302",
            """
async def keep(ctx, life):
    if all([*load()]):
        await ctx.cache.set("k", Count(total=1), ttl_seconds=life)


@ext.panel("p")
async def p(ctx):
    await keep(ctx, 900)
""",
            {},
            ["FED302 error"],
            id="all_of_some_that_may_hold",
        ),
    ],
)
def test_it_is_told(
    lint: Lint, codes: str, text: str, files: dict[str, str], expected: list[str]
) -> None:
    """A breach is told with the severity that is proved."""
    found = lint(codes, text, **files)
    assert expected == [f"{item.code} {item.severity}" for item in found]
