"""FED526 against the SDK's own validator, on declarations of every kind."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

from .declaration_parts import HEAD, refused

Lint = Callable[..., tuple[Finding, ...]]

FUTURE = "from __future__ import annotations\n"
PARAMETERS = (
    "ctx",
    "ctx, params",
    "ctx, *args, **kwargs",
    "ctx, params: Params",
    "ctx, params: 'Params'",
    "ctx, params: Own = Own()",
    "ctx, *, params: Same",
    "ctx, *params: Params",
    "ctx, **params: Params",
    "ctx, params: Box[int]",
    "ctx, params: Annotated[Params, 1]",
    "ctx, params: 'Annotated[Params, 1]'",
    "ctx, limit: int, params: Params",
    "ctx, params: Params | None",
    "ctx, params: Optional[Params] = None",
    "ctx, params: 'Optional[Params]' = None",
    "ctx, params: Union[Params, Own]",
    "ctx, params: list[Params]",
    "ctx, params: dict",
    "ctx, params: 'dict'",
    "ctx, params: Any",
    "ctx, params: None",
    "ctx, params: Plain",
    "ctx, params: Row",
    "ctx, params: Shape",
    "ctx, limit: int = 0, title: str = ''",
    "ctx: Context, params: Params",
    "context: Context, params: Params",
    "context: Context, limit: int",
    "ctx: 'Typed', params: Params",
    "ctx: 'Typed', params: 'Params'",
    "ctx, params: Params, more: 'Later' = None",
    "self, params: Params",
    "self: Params, ctx",
)
RESULTS = (
    "",
    " -> ActionResult",
    ' -> "ActionResult"',
    " -> imperal_sdk.ActionResult",
    " -> Other",
    " -> Alias",
    " -> Answer",
    " -> ActionResult[Params]",
    ' -> ActionResult["Params"]',
    " -> ActionResult | None",
    " -> Optional[Other]",
    " -> 'Other'",
    " -> Union[ActionResult, dict]",
    " -> Annotated[ActionResult, 1]",
    " -> Params",
    " -> 'Params'",
    " -> Box[int]",
    " -> Params | None",
    " -> list[Params]",
    " -> dict",
    " -> 'dict'",
    " -> dict[str, Any]",
    " -> None",
    " -> Any",
    " -> Plain",
    " -> imperal_sdk.Context",
)
OPTIONS = (
    ", action_type='read'",
    ", action_type='write'",
    ", action_type='destructive'",
    ", action_type='delete'",
    ", action_type=ACTION",
    ", action_type=''",
    ", action_type=None",
    ", params=None",
    ", params=NOTHING",
    ", params={}",
    ", params={'limit': {'type': 'integer'}}",
    ", {'limit': {}}",
    ", chain_callable=False",
    ", action_type='write', chain_callable=False",
    ", action_type='write', chain_callable=NO",
    ", action_type='destructive', chain_callable=0",
    ", action_type='write', chain_callable=None",
    ", action_type='write', chain_callable=True",
    ", ui_builder=True",
)
MIXED = (
    (", data_model=Params", "ctx, params: Params", ""),
    (", data_model=Params", "ctx, params", " -> dict"),
    (", data_model=Row", "ctx, params", " -> dict"),
    (", action_type='update', params={}", "ctx, params: Params", ""),
    (", action_type='write', chain_callable=False", "ctx", " -> Params"),
)
CASES = [("", "ctx, params: Params", result) for result in RESULTS]
CASES += [("", written, " -> ActionResult") for written in PARAMETERS]
CASES += [(option, "ctx, params: Params", " -> ActionResult") for option in OPTIONS]
CASES += MIXED
JUDGED = frozenset({"V4", "V5", "V17", "V18", "V19"})
DECLARED = '@chat.function("list_notes", "Lists the notes of the user"{})\n'
BODY = '    """Lists."""\n    return ActionResult.success({}, "x")\n'


def _said(found: tuple[Finding, ...]) -> set[str]:
    assert {"error"} >= {item.severity for item in found}
    return {rule for item in found for rule in re.findall(r"V\d+", item.text)}


@pytest.mark.parametrize("future", ["", FUTURE], ids=["evaluated", "texts"])
@pytest.mark.parametrize(("option", "parameters", "result"), CASES)
def test_the_linter_and_the_validator_agree(
    lint: Lint,
    monkeypatch: pytest.MonkeyPatch,
    option: str,
    parameters: str,
    result: str,
    future: str,
) -> None:
    """What the validator refuses is in the message, and nothing else is."""
    text = (
        f"{future}{HEAD}\n\n{DECLARED.format(option)}"
        f"async def list_notes({parameters}){result}:\n{BODY}"
        "\n\nclass Later(BaseModel):\n    pass\n"
    )
    assert refused(text, monkeypatch, JUDGED) == _said(lint("FED526", text))


PLACES = {
    "a local model": (
        "def register():\n    class Local(BaseModel):\n        pass\n\n    {}"
        "    async def f(ctx, params: Local) -> ActionResult:\n        ...\n\n\nregister()\n"
    ),
    "a model of a class": (
        "class Notes:\n    class Inner(BaseModel):\n        pass\n\n    {}"
        "    async def f(self, ctx, params: Inner) -> ActionResult:\n        ...\n"
    ),
    "a function that runs later": (
        "def register():\n    {}    async def f(ctx, params: Below) -> ActionResult:\n"
        "        ...\n\n\nclass Below(BaseModel):\n    pass\n\n\nregister()\n"
    ),
    "a method": (
        "class Notes:\n    {}    async def f(self, ctx, limit: int) -> Params:\n        ...\n"
    ),
    "a branch": (
        "if NO:\n    Late = Params\nelse:\n    Late = Own\n\n\n{}"
        "async def f(ctx, params: Late) -> ActionResult:\n    ...\n"
    ),
    "a call": (
        "async def f(ctx, limit: int) -> dict:\n    ...\n\n\n"
        'chat.function("f", "Lists the notes of the user")(f)\n'
    ),
    "a decorator above": (
        '@ext.expose("f")\n{}async def f(ctx, limit: int) -> ActionResult:\n    ...\n'
    ),
    "a decorator of the SDK below": (
        '{}@ext.expose("f")\nasync def f(ctx, limit: int) -> ActionResult:\n    ...\n'
    ),
    "implicit actions": (
        "implicit = Extension('other', actions_explicit=False)\n"
        "other = ChatExtension(implicit)\n\n\n"
        "@other.function('f', 'Drops the notes of the user', action_type='write',\n"
        "                chain_callable=False)\n"
        "async def f(ctx, params: Params) -> ActionResult:\n    ...\n"
    ),
    "a name that hides": (
        '@chat.function("__f", "Lists the notes of the user", action_type="write",\n'
        "               chain_callable=False)\nasync def f(ctx) -> dict:\n    ...\n"
    ),
}


@pytest.mark.parametrize("future", ["", FUTURE], ids=["evaluated", "texts"])
@pytest.mark.parametrize("place", PLACES)
def test_the_place_of_a_declaration_is_seen(
    lint: Lint, monkeypatch: pytest.MonkeyPatch, place: str, future: str
) -> None:
    """Models that the module does not hold, methods, calls, other decorators."""
    text = f"{future}{HEAD}\n\n{PLACES[place].format(DECLARED.format(''))}"
    assert refused(text, monkeypatch, JUDGED) == _said(lint("FED526", text))
