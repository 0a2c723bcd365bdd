"""What a pydantic model leaves in the data of a result; each case was tried on the real SDK."""

from __future__ import annotations

import pytest

from .conftest import Lint

HEAD = """
from datetime import date, datetime
from enum import Enum
from typing import Annotated, Any, Optional, Union

from pydantic import ConfigDict, Field, HttpUrl, PlainSerializer, SecretStr
from pydantic import field_serializer, field_validator, model_serializer, model_validator
import imperal_sdk

ISO = Annotated[datetime, PlainSerializer(str)]
NAMES = {"when"}


class State(Enum):
    OPEN = "open"


class Word(str, Enum):
    OPEN = "open"


"""
HANDLER = '\n\n@chat.function("f", "Tells")\nasync def f(ctx, p):\n'
OUT = '    when: datetime\n    name: str = ""'
TYPES = (
    ("datetime", "a datetime"),
    ("date", "a date"),
    ('"datetime"', "a datetime"),
    ("set[str]", "a set"),
    ("frozenset", "a set"),
    ("bytes", "bytes"),
    ("HttpUrl", "a URL object"),
    ("SecretStr", "a SecretStr"),
    ("State", "a member of an Enum"),
    ('Annotated[datetime, Field(description="d")]', "a datetime"),
)
HARMLESS = (
    "str",
    "int",
    "Word",
    "list[str]",
    "tuple[()]",
    "ISO",
    "list[ISO]",
    "Annotated[datetime, PlainSerializer(str)]",
    "Union[datetime, str]",
    "Unknown",
)
SILENT_CLASSES = {
    "serializer": "    @field_serializer('when')\n    def s(self, v): return str(v)",
    "serializer of all": "    @field_serializer('*')\n    def s(self, v): return str(v)",
    "model serializer": "    @model_serializer\n    def s(self): return {}",
    "validator": "    @field_validator('when')\n    @classmethod\n    def v(cls, v): return str(v)",
    "validator before": "    @model_validator(mode='before')\n    @classmethod\n"
    "    def v(cls, d): return d",
    "own dump": "    def model_dump(self, **kw): return super().model_dump(mode='json')",
    "own init": "    def __init__(self, **kw): super().__init__(**kw)",
    "set by itself": "    def fix(self): self.when = str(self.when)",
    "sets all": "    def fix(self):\n        for key in NAMES: setattr(self, key, '')",
}
SILENT_BODIES = {
    "json": "    return ActionResult.success(Out(when=p).model_dump(mode='json'), 's')",
    "no known mode": "    return ActionResult.success(Out(when=p).model_dump(mode=p), 's')",
    "left out": "    return ActionResult.success(Out(when=p).model_dump(exclude={'when'}), 's')",
    "left out there": "    return ActionResult.success(Out(when=p).model_dump(exclude=NAMES), 's')",
    "not taken": "    return ActionResult.success(Out(when=p).model_dump(include={'name'}), 's')",
    "replaced key": "    d = Out(when=p).model_dump()\n    d['when'] = str(d['when'])\n"
    "    return ActionResult.success(d, 's')",
    "popped": "    d = Out(when=p).model_dump()\n    d.pop('when')\n"
    "    return ActionResult.success(d, 's')",
    "replaced in a spread": "    out = Out(when=p)\n"
    "    return ActionResult.success({**out.model_dump(), 'when': str(out.when)}, 's')",
    "replaced in a union": "    out = Out(when=p)\n"
    "    return ActionResult.success(out.model_dump() | {'when': str(out.when)}, 's')",
    "replaced in each": "    rows = [Out(when=x).model_dump() for x in p]\n"
    "    for row in rows:\n        row['when'] = str(row['when'])\n"
    "    return ActionResult.success({'rows': rows}, 's')",
    "replaced attribute": "    out = Out(when=p)\n    out.when = str(out.when)\n"
    "    return ActionResult.success(out.model_dump(), 's')",
    "made anew": "    d = Out(when=p).model_dump()\n"
    "    return ActionResult.success({k: str(v) for k, v in d.items()}, 's')",
    "not checked": "    out = Out.model_construct(when='x')\n"
    "    return ActionResult.success(out.model_dump(), 's')",
    "copied with others": "    out = Out(when=p).model_copy(update={'when': 'x'})\n"
    "    return ActionResult.success(out.model_dump(), 's')",
    "replaced in the result": "    r = ActionResult.success(Out(when=p).model_dump(), 's')\n"
    "    r.data['when'] = str(r.data['when'])\n    return r",
}
FOUND_BODIES = {
    "a call": "    return ActionResult.success(Out(when=p).model_dump(), 's')",
    "the old name": "    return ActionResult.success(Out(when=p).dict(), 's')",
    "a name": "    d = Out(when=p).model_dump()\n    d['n'] = 1\n"
    "    return ActionResult.success(d, 's')",
    "Python's mode": "    return ActionResult.success(Out(when=p).model_dump(mode='python'), 's')",
    "another left out": "    d = Out(when=p).model_dump(exclude={'name'})\n"
    "    return ActionResult.success(d, 's')",
    "within": "    return ActionResult.success({'n': Out(when=p).model_dump()}, 's')",
    "each": "    return ActionResult.success({'n': [Out(when=x).model_dump() for x in p]}, 's')",
    "validated": "    return ActionResult.success(Out.model_validate(p).model_dump(), 's')",
    "a spread": "    return ActionResult.success({**Out(when=p).model_dump(), 'n': 1}, 's')",
    "a union": "    return ActionResult.success(Out(when=p).model_dump() | {'n': 1}, 's')",
}


def _severities(lint: Lint, text: str, code: str = "FED402") -> list[str]:
    return [item.severity for item in lint(code, text)]


def _run(lint: Lint, fields: str, body: str, more: str = "") -> list[str]:
    text = f"{HEAD}class Out(BaseModel):\n{fields}\n{more}\n{HANDLER}{body}\n"
    return _severities(lint, text)


def _given(value: str, dump: str = ".model_dump()") -> str:
    return f"    return ActionResult.success(Out({value}){dump}, 's')"


@pytest.mark.parametrize(("written", "what"), TYPES)
def test_what_a_type_keeps(lint: Lint, written: str, what: str) -> None:
    """Whatever a field of such a type is given, its dump holds what JSON cannot carry."""
    text = f"{HEAD}class Out(BaseModel):\n    a: {written}\n{HANDLER}{_given('a=p')}\n"
    found = lint("FED402", text)
    assert [("error", True)] == [
        (it.severity, f"data['a'] is {what}:" in it.message) for it in found
    ]


@pytest.mark.parametrize("written", HARMLESS)
def test_types_that_json_carries(lint: Lint, written: str) -> None:
    """So it does the values of these, or nobody knows."""
    assert [] == _run(lint, f"    a: {written}", _given("a=p"))


@pytest.mark.parametrize("name", FOUND_BODIES)
def test_dumps(lint: Lint, name: str) -> None:
    """A dump is found in each place and by each name."""
    assert ["error"] == _run(lint, OUT, FOUND_BODIES[name])


@pytest.mark.parametrize("name", SILENT_BODIES)
def test_mended_dumps(lint: Lint, name: str) -> None:
    """What is dumped otherwise or replaced later is left alone."""
    assert [] == _run(lint, OUT, SILENT_BODIES[name])


@pytest.mark.parametrize("name", SILENT_CLASSES)
def test_classes_that_dump_otherwise(lint: Lint, name: str) -> None:
    """A class that may change the value or its dump is left alone."""
    assert [] == _run(lint, f"{OUT}\n{SILENT_CLASSES[name]}", _given("when=p"))


@pytest.mark.parametrize(
    ("field", "given", "severities"),
    [
        ("a: datetime | None = None", "", []),
        ("a: datetime | None = None", "a=None", []),
        ("a: datetime | None = None", "a=p", ["warning"]),
        ("a: datetime | None = None", "**p", ["warning"]),
        ("a: Optional[datetime] = None", "a=datetime.now()", ["error"]),
        ("a: datetime = None", "", []),
        ("a: datetime = 'never'", "", []),
        ("a: datetime = Field(default_factory=datetime.now)", "", ["error"]),
        ("a: datetime = Field(default_factory=lambda: datetime.now())", "", ["error"]),
        ("a: datetime = Field(default_factory=lambda: str(datetime.now()))", "", []),
        ("a: datetime = Field(exclude=True)", "a=p", []),
        ("a: Any", "a=datetime.now()", ["error"]),
        ("a: Any", "a=p", []),
        ("a: Any", "a=float('nan')", ["error"]),
        ("a: dict", "a={'at': datetime.now()}", ["error"]),
        ("a: list[datetime]", "a=[p]", ["error"]),
        ("a: list[datetime]", "a=p", ["warning"]),
        ("a: list[datetime] = []", "", []),
        ("a: list[str]", "a={'x'}", []),
        ("a: int", "a=1, b=datetime.now()", []),
        ("_a: datetime = datetime.now()", "", []),
    ],
)
def test_what_a_field_is_given(lint: Lint, field: str, given: str, severities: list[str]) -> None:
    """Types that allow None or a list, and defaults, which nothing converts."""
    assert severities == _run(lint, f"    {field}", _given(given))


@pytest.mark.parametrize(
    ("fields", "given", "severities"),
    [
        (OUT, "when=p", ["warning"]),
        ("    a: datetime | None = None", "a=p", []),
        ("    a: str", "a=p", []),
        (f"{OUT}\n{SILENT_CLASSES['serializer']}", "when=p", []),
    ],
)
def test_a_model_that_is_data_itself(
    lint: Lint, fields: str, given: str, severities: list[str]
) -> None:
    """``to_dict()`` dumps it in Python's mode, and what the kernel does then nobody says."""
    assert severities == _run(lint, fields, _given(given, dump=""))


@pytest.mark.parametrize(
    ("big", "given", "severities"),
    [
        ("o: Out", "o=Out(when=p)", ["error"]),
        ("o: Out", "o=p", ["error"]),
        ("o: list[Out]", "o=[Out(when=x) for x in p]", ["error"]),
        ("o: list[Out]", "o=p", ["warning"]),
        ("o: Out | None = None", "", []),
        ("o: list[dict]", "o=[Out(when=x).model_dump(mode='json') for x in p]", []),
        ("o: str", "o=Out(when=p).model_dump_json()", []),
    ],
)
def test_models_in_models(lint: Lint, big: str, given: str, severities: list[str]) -> None:
    """The dump goes through models that fields hold."""
    more = f"\n\nclass Big(BaseModel):\n    {big}\n"
    body = f"    return ActionResult.success(Big({given}).model_dump(), 's')"
    assert severities == _run(lint, OUT, body, more)


def test_bases(lint: Lint) -> None:
    """Models of the SDK may be extended; of other bases nobody knows how they dump."""
    for base, severities in (("imperal_sdk.sdl.Entity", ["error"]), ("elsewhere.Model", [])):
        text = (
            f"{HEAD}import elsewhere\n\n\nclass Out({base}):\n    when: datetime\n"
            f"{HANDLER}{_given('when=p')}\n"
        )
        assert severities == _severities(lint, text)


def test_an_object_of_a_subclass(lint: Lint) -> None:
    """A parameter may hold an object of a subclass, which dumps itself otherwise."""
    shape = "\n\ndef shape(o: Out):\n    return o.model_dump()\n"
    sub = f"\n\nclass Sub(Out):\n{SILENT_CLASSES['serializer']}\n{shape}"
    exact = "    return ActionResult.success(shape(Out(when=p)), 's')"
    assert ["error"] == _run(lint, OUT, exact, shape)
    assert [] == _run(lint, OUT, "    return ActionResult.success(shape(Sub(when=p)), 's')", sub)


def test_a_parameter_of_a_handler(lint: Lint) -> None:
    """Its class says what it holds, unless others extend that."""
    handler = (
        '\n\n@chat.function("f", "Tells")\nasync def f(ctx, p: Out):\n'
        "    return ActionResult.success(p.model_dump(), 's')\n"
    )
    head = f"{HEAD}class Out(BaseModel):\n{OUT}\n"
    sub = f"\n\nclass Sub(Out):\n{SILENT_CLASSES['serializer']}\n"
    assert ["error"] == _severities(lint, head + handler)
    assert [] == _severities(lint, head + sub + handler)


def test_models_that_name_each_other(lint: Lint) -> None:
    """Many ways through models end, and say the first thing that may stand there."""
    names = [f"M{index}" for index in range(24)]
    fields = "".join(f"    {name.lower()}: {name} | None = None\n" for name in names)
    fields += "".join(f"    l{name.lower()}: list[{name}] = []\n" for name in names)
    classes = "".join(
        f"\n\nclass {name}(BaseModel):\n    at: datetime | None = None\n{fields}" for name in names
    )
    body = f"    return ActionResult.success({names[-1]}(**p).model_dump(), 's')"
    assert ["warning"] == _run(lint, OUT, body, classes)


@pytest.mark.parametrize(
    ("body", "code", "severities"),
    [
        ("Out(a='x' * 4000)", "FED403", ["error"]),
        ("Out(a='x' * 4000).model_dump(mode='json')", "FED403", ["error"]),
        ("Out(a='x' * 4000).model_dump(exclude={'a'})", "FED403", []),
        ("Out(b='x' * 4000)", "FED403", []),
        ("Out(a='x' * 4000 if p else '')", "FED403", []),
        ("Out(a='x' * 4000) if p else Out(a='')", "FED403", []),
    ],
)
def test_sizes(lint: Lint, body: str, code: str, severities: list[str]) -> None:
    """Texts that fields are given count as those of a dict do."""
    for more, expected in (("", severities), (f"\n{SILENT_CLASSES['serializer of all']}", [])):
        text = (
            f"{HEAD}class Out(BaseModel):\n    a: str = ''\n    n: int = 0{more}\n"
            f"{HANDLER}    return ActionResult.success({body}, 's')\n"
        )
        assert expected == _severities(lint, text, code)


COMPUTED = """
    name: str = ""

    @computed_field{args}
    @property
    def when(self){returns}:
        return self.name
"""


@pytest.mark.parametrize(
    ("args", "returns", "what"),
    [
        ("", " -> datetime", "a datetime"),
        ("()", " -> set[str]", "a set"),
        ("(return_type=bytes)", "", "bytes"),
        ("(return_type=datetime)", " -> Any", "a datetime"),
    ],
)
def test_a_computed_field(lint: Lint, args: str, returns: str, what: str) -> None:
    """Its type tells what the dump holds, but pydantic only warns of another value."""
    model = COMPUTED.format(args=args, returns=returns)
    start = f"{HEAD}from pydantic import computed_field\n\n\nclass Out(BaseModel):{model}{HANDLER}"
    for data in ("Out().model_dump()", '{"out": Out(name="x").model_dump()}', "Out()"):
        (found,) = lint("FED402", f'{start}    return ActionResult.success({data}, "x")\n')
        assert ("warning", True) == (found.severity, what in found.message)
    for data in (
        'Out().model_dump(mode="json")',
        'Out().model_dump(exclude={"when"})',
        "Out().name",
    ):
        assert () == lint(
            "FED402", f'{start}    return ActionResult.success({{"a": {data}}}, "x")\n'
        )


@pytest.mark.parametrize(
    "model",
    [
        COMPUTED.format(args="", returns=" -> str"),
        COMPUTED.format(args="", returns=""),
        COMPUTED.format(args="", returns=" -> datetime").replace("@computed_field", "@other"),
        COMPUTED.format(args="", returns=" -> datetime").replace("    @computed_field\n", ""),
        COMPUTED.format(args="", returns=" -> datetime")
        + "\n    @field_serializer('when')\n    def s(self, v): return str(v)\n",
    ],
)
def test_what_computes_nothing_that_is_lost(lint: Lint, model: str) -> None:
    """Texts, plain properties, fields that are serialised."""
    start = f"{HEAD}from pydantic import computed_field\n\n\nclass Out(BaseModel):{model}{HANDLER}"
    assert () == lint(
        "FED402", f'{start}    return ActionResult.success(Out().model_dump(), "x")\n'
    )
