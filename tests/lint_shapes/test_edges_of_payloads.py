"""What decides what a result or a section holds: each case differs if one condition is left out."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]


@pytest.mark.parametrize(
    ("codes", "text", "files"),
    [
        pytest.param(
            "FED402",
            """
from datetime import datetime


class Row(BaseModel):
    at: list[datetime]


@chat.function("f", "Lists the notes of the user", action_type="read")
async def f(ctx):
    return ActionResult.success(data=Row(at=[]).model_dump(), summary="s")
""",
            {},
            id="empty_list_of_a_model",
        ),
        pytest.param(
            "FED213",
            """
@ext.skeleton("n")
async def n(ctx):
    return {"response": {"title": repr(ctx.user)[:50]}}
""",
            {},
            id="cut_text_of_a_call",
        ),
        pytest.param(
            "FED213",
            """
@ext.skeleton("n")
async def n(ctx):
    rows = None
    if ctx.user:
        rows = [1, 2]
    return {"response": {"rows": [row for row in rows]}}
""",
            {},
            id="none_has_no_entries",
        ),
        pytest.param(
            "FED402",
            """
from vendor import sorted


@chat.function("f", "Lists the notes of the user", action_type="read")
async def f(ctx):
    return ActionResult.success(data={"rows": sorted([{1}])}, summary="s")
""",
            {},
            id="sorted_of_another_package",
        ),
        pytest.param(
            "FED402",
            """
@chat.function("f", "Lists the notes of the user", action_type="read")
async def f(ctx):
    result = ActionResult.success(data={"a": {1}}, summary="s")
    result.data.update(await load())
    return result
""",
            {},
            id="data_updated_by_what_is_not_known",
        ),
        pytest.param(
            "FED402",
            """
@chat.function("f", "Lists the notes of the user", action_type="read")
async def f(ctx):
    more = await load()
    result = ActionResult.success(data={**more, "a": {1}}, summary="s")
    result.data["b"] = 1
    return result
""",
            {},
            id="set_that_a_spread_may_replace_in_changed_data",
        ),
        pytest.param(
            "FED303",
            """
@ext.panel("p")
async def p(ctx):
    response = await ctx.http.get("https://example.com")
    await ctx.cache.set("k", response.json().pop("a"), ttl_seconds=60)
""",
            {},
            id="what_pop_takes_out_of_an_answer",
        ),
        pytest.param(
            "FED303",
            """
class Base:
    kind = 1


class Long(Base):
    pass


async def keep(ctx, value):
    if isinstance(value, dict):
        await ctx.cache.set("k", value, ttl_seconds=60)


@ext.panel("p")
async def p(ctx):
    await keep(ctx, Long())
""",
            {},
            id="object_of_our_own_class_is_no_dict",
        ),
        pytest.param(
            "FED213",
            """
@ext.skeleton("n")
async def n(ctx):
    params = {"limit": 50, "page_size": len(SIZE)}
    found = await ctx.http.get("https://example.com", params=params)
    return {"response": {"rows": [row for row in found.json()]}}
""",
            {},
            id="one_of_two_limits_is_not_known",
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
            "FED402",
            """
def done(data):
    return ActionResult.success(data=data, summary="s")


@chat.function("f", "Lists the notes of the user", action_type="read")
async def f(ctx):
    return done({1, 2})


@chat.function("g", "Lists the notes of the user", action_type="read")
async def g(ctx):
    return done({"a": 1})
""",
            {},
            ["FED402 error"],
            id="set_that_one_caller_gives",
        ),
        pytest.param(
            "FED402",
            """
from enum import Enum


class Named(Enum):
    def label(self):
        return 1


class Colour(Named):
    RED = 1


@chat.function("f", "Lists the notes of the user", action_type="read")
async def f(ctx):
    return ActionResult.success(data={"colour": Colour.RED}, summary="s")
""",
            {},
            ["FED402 error"],
            id="member_of_an_enum_that_extends_our_own",
        ),
        pytest.param(
            "FED213",
            """
@ext.skeleton("n")
async def n(ctx):
    found = await ctx.store.query("notes")
    data = {"rows": [1], "more": [row.id for row in found]}
    if len(data["rows"]) > 2:
        data["more"] = data["more"][:2]
    return {"response": data}
""",
            {},
            ["FED213 warning"],
            id="other_list_is_asked_for_its_length",
        ),
        pytest.param(
            "FED402",
            """
@chat.function("f", "Lists the notes of the user", action_type="read")
async def f(ctx):
    doc = await ctx.store.get("a", "b")
    return ActionResult.success(data={"rows": [doc]}, summary="s")
""",
            {},
            ["FED402 error"],
            id="document_in_a_list_display",
        ),
        pytest.param(
            "FED403",
            """
class Page(BaseModel):
    text: str = ""


class Book(BaseModel):
    first: Page
    second: Page | None = None
    more: list[Page] = []


LONG = Page(text="x" * 70_000)


@chat.function("f", "Lists the notes of the user", action_type="read")
async def f(ctx):
    return ActionResult.success(data=Book(first=LONG).model_dump(), summary="s")


@chat.function("g", "Lists the notes of the user", action_type="read")
async def g(ctx):
    book = Book(first=Page(), second=Page(text="x" * 70_000))
    return ActionResult.success(data=book.model_dump(), summary="s")


@chat.function("h", "Lists the notes of the user", action_type="read")
async def h(ctx):
    book = Book(first=Page(), more=[Page(text="x" * 70_000)])
    return ActionResult.success(data=book.model_dump(), summary="s")
""",
            {},
            ["FED403 error", "FED403 error", "FED403 error"],
            id="long_text_in_fields_of_models",
        ),
        pytest.param(
            "FED403",
            """
class Page(BaseModel):
    text: str = "x" * 70_000


@chat.function("f", "Lists the notes of the user", action_type="read")
async def f(ctx):
    return ActionResult.success(data=Page().model_dump(), summary="s")
""",
            {},
            ["FED403 error"],
            id="long_default_of_a_field",
        ),
        pytest.param(
            "FED402",
            """
from datetime import datetime


class Row(BaseModel):
    at: dict[str, datetime]


@chat.function("f", "Lists the notes of the user", action_type="read")
async def f(ctx):
    data = Row(at={"a": datetime.now()}).model_dump()
    return ActionResult.success(data=data, summary="s")
""",
            {},
            ["FED402 warning"],
            id="dates_in_a_mapping_of_a_model",
        ),
        pytest.param(
            "FED213",
            """
@ext.skeleton("n")
async def n(ctx):
    rows = []
    with load():
        rows.extend([1, 2, 3, 4, 5, 6])
    return {"response": {"rows": rows}}
""",
            {},
            ["FED213 warning"],
            id="rows_added_in_a_with",
        ),
    ],
)
def test_it_is_told(
    lint: Lint, codes: str, text: str, files: dict[str, str], expected: list[str]
) -> None:
    """A breach is told with the severity that is proved."""
    found = lint(codes, text, **files)
    assert expected == [f"{item.code} {item.severity}" for item in found]
