"""Objects of which some read the skeleton: by a flag, or by a method that a subclass replaces."""

from __future__ import annotations

import pytest

from .conftest import Lint

FLAGGED = """
from dataclasses import dataclass
from typing import Any


{made}
    async def load(self):
        if {test}:
            return await self.read()

    async def read(self):
        return await self.ctx.skeleton.get("n")


{live}
"""
INIT = "class Box:\n    {0}def __init__(self, ctx{1}):\n        self.ctx = ctx\n{2}"
FIELD = "@dataclass\nclass Box:\n    ctx: Any\n    live: bool = False\n"
SUBCLASS = "class Live(Box):\n    {} = {}\n"
BY_FLAG = {
    "an argument": (
        INIT.format("", ", live=False", "        self.live = live\n"), "self.live", "",
        "Box(ctx, live=True)",
    ),
    "a field": (FIELD, "self.live", "", "Box(ctx, True)"),
    "an attribute of the class": (
        INIT.format("live = False\n\n    ", "", ""), "self.live", SUBCLASS.format("live", True),
        "Live(ctx)",
    ),
    "a kind": (
        INIT.format('kind = "panel"\n\n    ', "", ""), 'self.kind == "live"',
        SUBCLASS.format("kind", '"live"'), "Live(ctx)",
    ),
}  # fmt: skip
METHODS = """
class Box:
    def __init__(self, ctx):
        self.ctx = ctx

    async def load(self):
        return await self.read()

    async def read(self):
        return await self.ctx.{}


class Other(Box):
    async def read(self):
        return await {}
"""
READ, COUNT = 'skeleton.get("n")', 'store.count("n")'
GIVEN = """
class Box:
    live = False

    async def load(self, ctx):
        if self.live:
            return await ctx.skeleton.get("n")


class Live(Box):
    live = True
"""
HANDLERS = """

@ext.panel("p")
async def p(ctx):
    return await {}


@ext.skeleton("n", ttl=60)
async def n(ctx):
    return {{"response": await {}}}
"""


def _severities(lint: Lint, text: str, panel: str, skeleton: str) -> list[str]:
    return [item.severity for item in lint("FED201", text + HANDLERS.format(panel, skeleton))]


@pytest.mark.parametrize("how", BY_FLAG)
def test_a_flag_that_only_some_objects_have(lint: Lint, how: str) -> None:
    """It is an error only where no object that lacks it may come there."""
    made, test, live, reading = BY_FLAG[how]
    text = FLAGGED.format(made=made, test=test, live=live)
    assert [] == _severities(lint, text, "Box(ctx).load()", f"{reading}.load()")
    assert ["error"] == _severities(lint, text, f"{reading}.load()", "1")


@pytest.mark.parametrize(
    ("panel", "skeleton", "expected"),
    [("Box().load(ctx)", "Live().load(ctx)", []), ("Live().load(ctx)", "1", ["error"])],
)
def test_a_flag_where_the_context_is_given_to_the_method(
    lint: Lint, panel: str, skeleton: str, expected: list[str]
) -> None:
    """The same for objects that keep no context."""
    assert expected == _severities(lint, GIVEN, panel, skeleton)


@pytest.mark.parametrize(
    ("base", "other", "panel", "skeleton", "expected"),
    [
        (COUNT, f"self.ctx.{READ}", "Box", "Other", []),
        (COUNT, f"self.ctx.{READ}", "Other", "Other", ["error"]),
        (READ, f"self.ctx.{COUNT}", "Other", "Box", []),
        (READ, f"self.ctx.{COUNT}", "Box", "Box", ["error"]),
        (READ, "super().read()", "Other", "Box", ["error"]),
    ],
)
def test_a_method_that_a_subclass_replaces(
    lint: Lint, base: str, other: str, panel: str, skeleton: str, expected: list[str]
) -> None:
    """The object that got the panel's context runs the method of its own class."""
    text = METHODS.format(base, other)
    assert expected == _severities(lint, text, f"{panel}(ctx).load()", f"{skeleton}(ctx).load()")


KIND = """
import enum


class Kind(enum.Enum):
    LIVE = "live"
    KEPT = "kept"


"""


def test_a_member_of_an_enum_that_only_some_objects_have(lint: Lint) -> None:
    """Which of the members an object got is not followed."""
    made = INIT.format("", ", kind: Kind = Kind.KEPT", "        self.kind = kind\n")
    text = KIND + FLAGGED.format(made=made, test="self.kind is Kind.LIVE", live="")
    live = "Box(ctx, Kind.LIVE).load()"
    assert [] == _severities(lint, text, "Box(ctx).load()", live)
    assert ["error"] == _severities(lint, text, live, "1")


ASKED = """
async def last(ctx{}):
    if {}:
        return await ctx.skeleton.get("n")
"""


@pytest.mark.parametrize(
    ("takes", "asked", "plain", "live"),
    [
        (", **o", 'o.get("live")', "ctx", "ctx, live=True"),
        (', how="kept"', 'how in ("live", "both")', "ctx", 'ctx, how="live"'),
        (', how="kept"', 'how.startswith("live")', "ctx", 'ctx, how="live"'),
        (", source=None", "isinstance(source, str)", "ctx", 'ctx, "n"'),
        (", depth=0", "depth > 0", "ctx", "ctx, depth=1"),
        (", how='kept', live=False", "live or how == 'live'", "ctx", "ctx, how='live', live=True"),
    ],
)
def test_a_question_about_what_a_call_gives(
    lint: Lint, takes: str, asked: str, plain: str, live: str
) -> None:
    """Whatever a test asks of a parameter, the call that does not pass it reads nothing."""
    text = ASKED.format(takes, asked)
    assert [] == _severities(lint, text, f"last({plain})", f"last({live})")
    assert ["error"] == _severities(lint, text, f"last({live})", "1")


KEEPERS = """
class Keeper:
    async def put(self, ctx):
        await ctx.cache.set("k", Count(total=1), ttl_seconds=self.life)


class Short(Keeper):
    life = 60


class Long(Keeper):
    life = 900

    {0}


@ext.panel("p")
async def p(ctx):
    await Short().put(ctx)
    await Long().put(ctx)
"""


@pytest.mark.parametrize(
    ("own", "found"),
    [
        ("async def put(self, ctx):\n        self.life = 60", 0),
        ("async def put(self, ctx):\n        await super().put(ctx)", 1),
        ("async def drop(self, ctx):\n        self.n = 60", 1),
    ],
)
def test_self_is_no_object_that_runs_another_method(lint: Lint, own: str, found: int) -> None:
    """Objects of a class that replaces a method never come to the one it replaces."""
    assert found == len(lint("FED302", KEEPERS.format(own)))
