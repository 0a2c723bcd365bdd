"""What decides which handlers reach a call: each case differs if one condition is left out."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]


@pytest.mark.parametrize(
    ("codes", "text", "files"),
    [
        pytest.param(
            "FED519",
            """
@chat.function("__cron", "Sync", action_type="read")
async def cron(ctx): ...
""",
            {},
            id="private_functions_need_no_description",
        ),
        pytest.param(
            "FED503",
            """
@ext.panel("p")
async def p(ctx):
    ctx.refresh_panels = ["q"]
""",
            {},
            id="panels_set_on_something_else",
        ),
        pytest.param(
            "FED201",
            """
async def a(ctx): ...


async def b(ctx): ...


async def c(ctx):
    return await ctx.skeleton.get("n")


async def d(ctx): ...


STEPS = (a, b, c, d)


@ext.panel("p")
async def p(ctx):
    return await STEPS[1::2][1](ctx)
""",
            {},
            id="every_second_step",
        ),
        pytest.param(
            "FED201",
            """
async def reading(context):
    return await context.skeleton.get("n")


async def plain(context): ...


STEPS = {"n": reading, "m": plain}


async def run(ctx, name):
    key = name
    return await STEPS[key](ctx)


@ext.panel("p")
async def p(ctx):
    return await run(ctx, "m")
""",
            {},
            id="name_that_a_caller_gives_and_a_variable_keeps",
        ),
        pytest.param(
            "FED517",
            """
@ext.panel("p")
async def p(ctx):
    ids = [it for it in (ctx.user.imperal_id,) if it.startswith("__")]
    return await ctx.store.list_users("a") if ids else None
""",
            {},
            id="user_asked_in_a_comprehension",
        ),
        pytest.param(
            "FED201",
            """
async def reading(ctx):
    return await ctx.skeleton.get("n")


async def plain(ctx): ...


STEPS = [reading]
OTHERS = [plain]


@ext.panel("p")
async def p(ctx):
    for step in [each for each in OTHERS if STEPS]:
        await step(ctx)
""",
            {},
            id="list_asked_for_in_a_comprehension",
        ),
        pytest.param(
            "FED402",
            """
@chat.function("f", "Lists the notes of the user", action_type="read")
async def f(ctx):
    data = {"rows": {1}}
    other = list([data])
    other[0]["rows"] = 1
    return ActionResult.success(data=data, summary="s")
""",
            {},
            id="item_of_a_copied_list_is_the_same",
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
            "FED529",
            """
ext.secret("token", "The user's token")


@ext.health_check
async def first(ctx):
    return {"status": "ok", "connected": bool(await ctx.secrets.get("token"))}


@ext.health_check
async def second(ctx):
    return {"status": "ok"}
""",
            {},
            ["FED529 warning"],
            id="only_one_of_two_health_checks_asks",
        ),
        pytest.param(
            "FED517",
            """
def is_allowed(ctx):
    return is_allowed(ctx)


@ext.panel("p")
async def p(ctx):
    if not is_allowed(ctx):
        return await ctx.store.list_users("a")
""",
            {},
            ["FED517 warning"],
            id="question_that_asks_itself",
        ),
        pytest.param(
            "FED402",
            """
from enum import Enum


class Colour(Enum):
    RED = 1


def done(colour):
    if not hasattr(colour, "write"):
        return ActionResult.success(data={"c": colour}, summary="s")


@chat.function("f", "Lists the notes of the user", action_type="read")
async def f(ctx):
    return done(Colour.RED)
""",
            {},
            ["FED402 error"],
            id="member_without_an_attribute",
        ),
    ],
)
def test_it_is_told(
    lint: Lint, codes: str, text: str, files: dict[str, str], expected: list[str]
) -> None:
    """A breach is told with the severity that is proved."""
    found = lint(codes, text, **files)
    assert expected == [f"{item.code} {item.severity}" for item in found]


def test_an_import_of_a_circle_is_not_moved(lint: Lint) -> None:
    """The other file imports this one in a function: at the top one would lack the other."""
    found = lint(
        "FED501",
        """
@ext.panel("p")
async def p(ctx):
    from helpers import load

    return load()
""",
        helpers__py="def load():\n    import main\n\n    return main.ext\n",
    )
    assert [item.fix for item in found] == [None, None]
