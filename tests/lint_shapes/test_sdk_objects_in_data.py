"""Objects of the SDK inside the data of a result: each case was tried on SDK 6.3.7."""

from __future__ import annotations

import pytest

from .conftest import Lint

HEAD = (
    "import imperal_sdk.sdl as sdl\n\n\n"
    "class Note(sdl.Entity):\n    size: int = 0\n\n\n"
    "class Long(Note):\n    pages: int = 1\n\n\n"
    '@chat.function("f", "Tells")\nasync def f(ctx, p):\n'
    "    note = Note(id='1', title='a')\n    plain = sdl.Entity(id='1', title='a')\n"
)


def _found(lint: Lint, data: str, code: str = "FED402") -> list[tuple[str, str]]:
    found = lint(code, f"{HEAD}    return ActionResult.success({data}, 's')\n")
    return [(it.severity, it.message.partition(" is ")[2].partition(":")[0]) for it in found]


@pytest.mark.parametrize(
    "data", ["[note]", "{'n': note}", "{'n': plain}", "[Long(id='1', title='a')]", "{'n': [plain]}"]
)
def test_models_of_the_sdk_inside_data(lint: Lint, data: str) -> None:
    """``to_dict()`` leaves entities inside a dict or a list, as it leaves all models."""
    assert [("warning", "a pydantic model")] == _found(lint, data)


@pytest.mark.parametrize(
    "data",
    [
        "note",
        "plain",
        "sdl.EntityList[Note](items=[note])",
        "{'n': note.model_dump()}",
        "{'n': [plain.model_dump(mode='json')]}",
        "{'n': note.title}",
        "{'n': sdl.nobody(1)}",
    ],
)
def test_models_of_the_sdk_that_are_dumped(lint: Lint, data: str) -> None:
    """``to_dict()`` dumps a model that is data itself."""
    assert [] == _found(lint, data)


@pytest.mark.parametrize(
    ("call", "what"),
    [
        ("billing.get_subscription()", "a SubscriptionInfo"),
        ("billing.get_auto_topup()", "an AutoTopupSettings"),
        ("billing.get_balance()", "a BalanceInfo"),
        ("http.get('u')", "an HTTPResponse"),
    ],
)
def test_dataclasses_of_the_sdk(lint: Lint, call: str, what: str) -> None:
    """JSON carries none of the SDK's dataclasses, and the cache takes none."""
    assert [("error", what)] == _found(lint, f"{{'x': await ctx.{call}}}")
    body = f"    x = await ctx.{call}\n    await ctx.cache.set('k', x, ttl_seconds=60)\n"
    found = lint("FED303", f"{HEAD}{body}")
    assert [("error", True)] == [
        (it.severity, f"x is {what}, not a pydantic model" in it.message) for it in found
    ]


def test_rows_of_dataclasses(lint: Lint) -> None:
    """A list of them is refused as well; their fields are not."""
    rows = "await ctx.billing.list_plans()"
    assert [("error", "a PlanInfo")] == _found(lint, f"{{'x': {rows}}}")
    assert [] == _found(lint, f"{{'x': [each.name for each in {rows}]}}")
    assert [] == _found(lint, "{'x': (await ctx.billing.get_subscription()).plan_name}")
    assert [] == _found(lint, "{'x': await ctx.billing.set_auto_topup(True)}")


def test_what_is_cached_of_the_sdk(lint: Lint) -> None:
    """An entity is a model, which the cache takes once it is registered; its dump is a dict."""
    body = "    await ctx.cache.set('k', {}, ttl_seconds=60)\n"
    assert not lint("FED303", HEAD + body.format("note"))
    assert ["error"] == [it.severity for it in lint("FED304", HEAD + body.format("note"))]
    assert ["error"] == [it.severity for it in lint("FED303", HEAD + body.format("note.dict()"))]
