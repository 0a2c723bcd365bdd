"""What decides whether a key or a life is known: each case differs if one condition is left out."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]


@pytest.mark.parametrize(
    ("codes", "text", "files"),
    [
        pytest.param(
            "FED301",
            """
@ext.panel("p")
async def p(ctx, **given):
    await ctx.cache.set("k:%(id)s" % {"id": "a b", **given}, Count(total=1), ttl_seconds=60)
""",
            {},
            id="percent_key_that_a_spread_replaces",
        ),
        pytest.param(
            "FED301",
            """
import re

CLEAN = re.compile(r"[^a-z]")


@ext.panel("p")
async def p(ctx, name: str):
    await ctx.cache.set("k:" + CLEAN.sub("-", string=name), Count(total=1), ttl_seconds=60)
""",
            {},
            id="text_of_sub_by_its_keyword",
        ),
        pytest.param(
            "FED301",
            """
import json


@ext.panel("p")
async def p(ctx):
    await ctx.cache.set("k:" + json.dumps(obj={"a": 1}), Count(total=1), ttl_seconds=60)
""",
            {},
            id="json_of_a_keyword",
        ),
        pytest.param(
            "FED301",
            """
def dumps(value):
    return "a"


@ext.panel("p")
async def p(ctx):
    await ctx.cache.set("k:" + dumps({"a": 1}), Count(total=1), ttl_seconds=60)
""",
            {},
            id="dumps_of_our_own",
        ),
        pytest.param(
            "FED301",
            """
class P(BaseModel):
    query: str


@chat.function("f", "Lists the notes of the user", action_type="read")
async def f(ctx, params: P):
    return await ctx.cache.get("k:" + "-".join(params.query.strip()), Count)
""",
            {},
            id="letters_of_a_stripped_text",
        ),
        pytest.param(
            "FED302",
            """
from collections import namedtuple

NAME = "life"
Slot = namedtuple("Slot", ["key", NAME])


@ext.panel("p")
async def p(ctx):
    slot = Slot("k", 900)
    await ctx.cache.set("k", Count(total=1), ttl_seconds=slot[1])
""",
            {},
            id="named_tuple_with_a_computed_name",
        ),
        pytest.param(
            "FED302",
            """
LIFE = 900
del LIFE


@ext.panel("p")
async def p(ctx):
    await ctx.cache.set("k", Count(total=1), ttl_seconds=LIFE)
""",
            {},
            id="deleted_name",
        ),
        pytest.param(
            "FED302",
            """
LIVES = {"a": 60, **OTHER}


@ext.panel("p")
async def p(ctx):
    await ctx.cache.set("k", Count(total=1), ttl_seconds=LIVES.get("b", 900))
""",
            {},
            id="default_of_get_where_a_spread_may_hold_the_key",
        ),
        pytest.param(
            "FED302",
            """
LIVES = {"a": 900, **OTHER}


@ext.panel("p")
async def p(ctx):
    await ctx.cache.set("k", Count(total=1), ttl_seconds=LIVES["a"])
""",
            {},
            id="item_that_a_spread_may_replace",
        ),
        pytest.param(
            "FED301",
            """
@ext.panel("p")
async def p(ctx, flag=False):
    parts = ["a"] if flag else ["b"]
    return await ctx.cache.get("-".join(parts), Count)
""",
            {},
            id="one_of_two_lists_of_parts",
        ),
        pytest.param(
            "FED301",
            """
from pydantic import RootModel


class Ids(RootModel[int]):
    pass


@ext.panel("p")
async def p(ctx):
    return await ctx.cache.get(Ids(1).model_dump_json(), Count)
""",
            {},
            id="json_of_a_root_model",
        ),
        pytest.param(
            "FED302",
            """
@ext.panel("p")
async def p(ctx):
    life = max([3, 60], default=2)
    await ctx.cache.set("k", Count(total=1), ttl_seconds=life)
""",
            {},
            id="largest_of_written_numbers",
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
            "FED301",
            """
class P(BaseModel):
    query: str


@chat.function("f", "Lists the notes of the user", action_type="read")
async def f(ctx, params: P, prefix="a"):
    return await ctx.cache.get(prefix and params.query, Count)
""",
            {},
            ["FED301 warning"],
            id="free_text_behind_another_name",
        ),
        pytest.param(
            "FED302",
            """
class Slot(BaseModel):
    key: str
    life: int


SLOT = Slot(key="k", life=900)
COPY = SLOT.model_copy()


@ext.panel("p")
async def p(ctx):
    await ctx.cache.set("k", Count(total=1), ttl_seconds=COPY.life)
""",
            {},
            ["FED302 error"],
            id="copy_of_a_model_without_changes",
        ),
        pytest.param(
            "FED302",
            """
LIFE = 900


@ext.panel("p")
async def p(ctx):
    global LIFE
    await ctx.cache.set("k", Count(total=1), ttl_seconds=LIFE)
""",
            {},
            ["FED302 warning"],
            id="life_declared_global_where_it_is_read",
        ),
        pytest.param(
            "FED302",
            """
class Keeper:
    def __init__(self, life, short=False):
        self.ttl = life
        if self.ttl > 300:
            print("long")
        if short:
            self.ttl = 60

    async def keep(self, ctx):
        await ctx.cache.set("k", Count(total=1), ttl_seconds=self.ttl)


@ext.panel("p")
async def p(ctx):
    await Keeper(900).keep(ctx)
""",
            {},
            ["FED302 warning"],
            id="field_that_a_test_only_asks_for",
        ),
    ],
)
def test_it_is_told(
    lint: Lint, codes: str, text: str, files: dict[str, str], expected: list[str]
) -> None:
    """A breach is told with the severity that is proved."""
    found = lint(codes, text, **files)
    assert expected == [f"{item.code} {item.severity}" for item in found]
