"""What stands under a key, if a computed key may be the same."""

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
KEY = "a"
LIVES = {"a": 900, KEY: 60}


@ext.panel("p")
async def p(ctx):
    await ctx.cache.set("k", Count(total=1), ttl_seconds=LIVES["a"])
""",
            {},
            id="item_under_a_key_that_a_name_may_be",
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
KEY = "b"
LIVES = {KEY: 60, "a": 900}


@ext.panel("p")
async def p(ctx):
    await ctx.cache.set("k", Count(total=1), ttl_seconds=LIVES["a"])
""",
            {},
            ["FED302 error"],
            id="item_behind_a_name_as_key",
        ),
    ],
)
def test_it_is_told(
    lint: Lint, codes: str, text: str, files: dict[str, str], expected: list[str]
) -> None:
    """A breach is told with the severity that is proved."""
    found = lint(codes, text, **files)
    assert expected == [f"{item.code} {item.severity}" for item in found]
