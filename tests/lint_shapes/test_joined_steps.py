"""Where a function is in a list that is made of several, or that grows in place."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]


@pytest.mark.parametrize(
    ("codes", "text", "files"),
    [
        pytest.param(
            "FED201",
            """
async def plain(ctx): ...


async def reading(ctx):
    return await ctx.skeleton.get("n")


STEPS = [plain] + [reading]


@ext.panel("p")
async def p(ctx):
    return await STEPS[0](ctx)
""",
            {},
            id="first_of_two_joined_lists",
        ),
        pytest.param(
            "FED201",
            """
async def plain(ctx): ...


async def reading(ctx):
    return await ctx.skeleton.get("n")


STEPS = [plain]
STEPS.extend([reading])


@ext.panel("p")
async def p(ctx):
    return await STEPS[0](ctx)
""",
            {},
            id="first_of_an_extended_list",
        ),
        pytest.param(
            "FED201",
            """
async def plain(ctx): ...


async def reading(ctx):
    return await ctx.skeleton.get("n")


STEPS = [plain, *[reading]]


@ext.panel("p")
async def p(ctx):
    return await STEPS[0](ctx)
""",
            {},
            id="first_of_a_list_that_holds_another",
        ),
        pytest.param(
            "FED201",
            """
async def plain(ctx): ...


async def reading(ctx):
    return await ctx.skeleton.get("n")


STEPS = [plain]
STEPS += [reading]


@ext.panel("p")
async def p(ctx):
    return await STEPS[0](ctx)
""",
            {},
            id="first_of_a_list_that_grew_in_place",
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
            "FED101",
            """
def show(context):
    return context.fact_ledger


STEPS = []
STEPS += [show]


@ext.panel("p")
async def p(ctx):
    for step in STEPS:
        step(ctx)
""",
            {},
            ["FED101 error"],
            id="steps_added_in_place",
        ),
        pytest.param(
            "FED201",
            """
async def plain(ctx): ...


async def reading(ctx):
    return await ctx.skeleton.get("n")


STEPS = [reading] + [plain]


@ext.panel("p")
async def p(ctx):
    return await STEPS[0](ctx)
""",
            {},
            ["FED201 error"],
            id="first_of_the_left_list",
        ),
        pytest.param(
            "FED201",
            """
async def reading(context):
    return await context.skeleton.get("n")


STEPS = {}
STEPS |= {"n": reading}


@ext.panel("p")
async def p(ctx):
    return await STEPS["n"](ctx)
""",
            {},
            ["FED201 error"],
            id="entry_merged_in_place",
        ),
    ],
)
def test_it_is_told(
    lint: Lint, codes: str, text: str, files: dict[str, str], expected: list[str]
) -> None:
    """A breach is told with the severity that is proved."""
    found = lint(codes, text, **files)
    assert expected == [f"{item.code} {item.severity}" for item in found]
