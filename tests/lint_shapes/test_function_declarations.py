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
    return {rule for item in found for rule in re.findall(r"V\d+", item.message)}


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


UNKNOWN = {
    "a model from elsewhere": (
        "from lib import P\n{}async def f(ctx, params: P) -> ActionResult: ...\n"
    ),
    "a result from elsewhere": "from lib import R\n{}async def f(ctx, params: Params) -> R: ...\n",
    "a name that says it": (
        "ActionResultRow = dict\n{}async def f(ctx, params: Params) -> ActionResultRow: ...\n"
    ),
    "a base from elsewhere": (
        "import lib\n\n\nclass P(lib.Base):\n    pass\n\n\n"
        "{}async def f(ctx, params: P) -> ActionResult: ...\n"
    ),
    "one of two models": (
        "try:\n    from lib import P\nexcept ImportError:\n    P = dict\n"
        "{}async def f(ctx, params: P) -> ActionResult: ...\n"
    ),
    "a decorator from elsewhere": "from lib import kept\n{}@kept\nasync def f(ctx): ...\n",
    "a decorator that replaces": (
        "def typed(function):\n    async def inner(ctx, params: Params) -> ActionResult:\n"
        "        ...\n\n    return inner\n\n\n{}@typed\nasync def f(ctx): ...\n"
    ),
    "a class of the extension": (
        "class Own(ChatExtension):\n    def function(self, name, text, **options):\n"
        "        return super().function(name, text, params=None)\n\n\n"
        "chat = Own(ext)\n\n\n{}async def f(ctx, limit: int): ...\n"
    ),
    "hidden options": (
        "from lib import options\n"
        '@chat.function("f", "Lists", **options)\nasync def f(ctx, limit: int): ...\n'
    ),
    "unknown params": (
        "from lib import found\n"
        '@chat.function("f", "Lists", params=found)\n'
        "async def f(ctx, params: Params) -> ActionResult: ...\n"
    ),
    "an unknown action": (
        "from lib import action\n"
        '@chat.function("f", "Lists", action_type=action, chain_callable=False)\n'
        "async def f(ctx, params: Params) -> ActionResult: ...\n"
    ),
    "globals": ("globals()['P'] = Params\n{}async def f(ctx, params: 'P') -> ActionResult: ...\n"),
}


@pytest.mark.parametrize("future", ["", FUTURE], ids=["evaluated", "texts"])
@pytest.mark.parametrize("what", UNKNOWN)
def test_what_is_not_proved_is_not_said(lint: Lint, what: str, future: str) -> None:
    """Types, options and decorators that the code does not show."""
    text = f"{future}{HEAD}\n\n{UNKNOWN[what].format(DECLARED.format(''))}"
    assert () == lint("FED526", text)


LOOSE = {
    "copied annotations": (
        "def kept(function):\n    @wraps(function)\n    async def inner(*args):\n        ...\n\n"
        "    return inner\n\n\n{}@kept\nasync def f(ctx, limit: int) -> ActionResult:\n    ...\n"
    ),
    "a loop": (
        "for name in ('a', 'b'):\n    @chat.function(name, 'Lists the notes of the user')\n"
        "    async def f(ctx, limit: int) -> ActionResult:\n        ...\n"
    ),
    "a chat that is handed over": (
        "def register(chat):\n    {}"
        "    async def f(ctx, limit: int) -> ActionResult:\n        ...\n"
    ),
    "one of two actions": (
        "@chat.function('f', 'Lists', action_type='read' if input() else 'update')\n"
        "async def f(ctx, params: Params) -> ActionResult:\n    ...\n"
    ),
}


@pytest.mark.parametrize("how", LOOSE)
def test_what_is_likely_is_a_warning(lint: Lint, how: str) -> None:
    """Wrapped functions, names that are not known, objects that are handed over."""
    found = lint("FED526", f"{HEAD}\n\n{LOOSE[how].format(DECLARED.format(''))}")
    assert ["warning"] == [item.severity for item in found]


def test_all_of_a_function_is_one_finding_with_one_line(lint: Lint) -> None:
    """Each function has one finding, which keeps what is right of its line."""
    text = (
        f"{HEAD}\n\n{DECLARED.format('')}async def fn_find_note(ctx, params: Own):\n    ...\n\n\n"
        '@chat.function("drop", "Drops", action_type="drop", params={})\n'
        "async def drop_all(ctx):\n    ...\n"
    )
    first, second = (item.message for item in lint("FED526", text))
    assert first.endswith("Write async def fn_find_note(ctx, params: Own) -> ActionResult:")
    assert "Write async def drop_all(ctx, params: DropAllParams) -> ActionResult:" in second
    assert "with class DropAllParams(BaseModel): pass" in second
    assert 'write action_type="write"' in second
    assert "leave params= out" in second


UNSHOWN = "params: FParams) -> ActionResult: with class FParams(BaseModel): …."
LINES = {
    "ctx, params: Optional[Params] = None": ("", "ctx, params: Params) -> ActionResult:"),
    "ctx, params: Own | None": (" -> Params", "ctx, params: Own) -> ActionResult[Params]:"),
    "self, ctx, limit: int": (
        " -> Answer",
        "self, ctx, params: FParams) -> Answer: with class FParams(BaseModel): limit: int.",
    ),
    "ctx, key: str = '', limit: int | None = 5": (
        "",
        (
            "ctx, params: FParams) -> ActionResult: with class FParams(BaseModel): "
            "key: str = ''; limit: int | None = 5."
        ),
    ),
    "ctx, names: list[str]": (
        "",
        "ctx, params: FParams) -> ActionResult: with class FParams(BaseModel): names: list[str].",
    ),
    "ctx, params: dict": ("", f"ctx, {UNSHOWN}"),
    "ctx, key": ("", f"ctx, {UNSHOWN}"),
    "ctx, key: str = load()": ("", f"ctx, {UNSHOWN}"),
    "ctx, _key: str": ("", f"ctx, {UNSHOWN}"),
    "ctx, one: str, two: str, three: str, four: str, five: str, six: str": (
        "",
        f"ctx, {UNSHOWN}",
    ),
    "ctx, rows: 'list[Box[int]]'": (" -> Any", f"ctx, {UNSHOWN}"),
}


@pytest.mark.parametrize("parameters", LINES)
def test_the_line_keeps_the_types_that_are_there(lint: Lint, parameters: str) -> None:
    """Models in unions, returned models and subclasses stay."""
    result, line = LINES[parameters]
    found = lint("FED526", f"{HEAD}\n\n{DECLARED.format('')}def f({parameters}){result}: ...\n")
    assert [f"Write async def f({line}"] == [
        f"W{item.message.rpartition(' W')[2]}" for item in found
    ]
