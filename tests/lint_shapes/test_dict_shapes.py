"""Which fields a skeleton section has."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Section = Callable[..., str]

SIX = '"a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6'
SEVEN_FIELDS = (
    f'return {{"response": {{{SIX}, "g": 7}}}}',
    f'data = {{{SIX}}}\ndata["g"] = 7\nreturn {{"response": data}}',
    f'data = {{{SIX}}}\nreturn {{"response": {{**data, "g": 7}}}}',
    f'data = {{{SIX}}}\nreturn {{"response": data | {{"g": 7}}}}',
    f'data = {{{SIX}}}\ndata.update({{"g": 7}})\nout = {{"response": data}}\nreturn out',
    f"data = {{{SIX}}}\ndata.update(g=7)\nreturn dict(response=data)",
    f'data = {{{SIX}}}\ndata.setdefault("g", 7)\nreturn {{"response": data}}',
    f'key = "g"\ndata = {{{SIX}}}\ndata[key] = 7\nreturn {{"response": data}}',
    f'data = {{{SIX}}}\nif ctx.user:\n    data["g"] = 7\nreturn {{"response": data}}',
)
SIX_FIELDS = (
    f'return {{"response": {{{SIX}}}}}',
    f'return {{"response": {{{SIX}, "_at": 7}}}}',
    f'data = {{{SIX}}}\ndata["a"] = 7\nreturn {{"response": data}}',
    f'data = {{{SIX}}}\nout = {{"response": dict(data)}}\ndata["g"] = 7\nreturn out',
    f'data = {{{SIX}}}\ndata = {{"g": 7}}\nreturn {{"response": data}}',
    (
        'data = {"a": 1}\nif ctx.user:\n    data["b"] = data["c"] = data["d"] = 1\n'
        'else:\n    data["e"] = data["f"] = data["g"] = 1\nreturn {"response": data}'
    ),
    f'data = {{{SIX}}}\ndata.update(await load(ctx))\nreturn {{"response": data}}',
    (
        f'def other():\n    data = {{{SIX}}}\n    data["g"] = 7\n    return data\n'
        'return {"response": {"total": len(other())}}'
    ),
)


@pytest.mark.parametrize("body", SEVEN_FIELDS)
def test_the_seventh_field_is_reported(section: Section, body: str) -> None:
    """Displays, item assignments, updates and merges are added up."""
    got = section(body)
    assert got.startswith("FED211 ")
    assert "never sees 'g'." in got


@pytest.mark.parametrize("body", SIX_FIELDS)
def test_six_fields_are_silent(section: Section, body: str) -> None:
    """Branches exclude each other, private keys and other names do not count."""
    assert section(body) == ""


def test_the_fields_of_a_model_count(section: Section) -> None:
    """``model_dump`` gives the fields that the class and its bases in the tree name."""
    fields = "".join(f"    f{number}: int = 0\n" for number in range(5))
    models = (
        f"class Base(BaseModel):\n{fields}\n\nclass State(Base):\n    _x: int = 0\n"
        "    kind: str = ''\n    last: str = ''\n"
    )
    assert "has 7 fields" in section('return {"response": State().model_dump()}', models)
    assert section('return {"response": State().model_dump(include={"kind"})}', models) == ""


def test_a_nested_dict_is_named_with_a_way_out(section: Section) -> None:
    """The message offers a flat key that is made of the names that stand there."""
    got = section('today = {"spend": 1.5}\nreturn {"response": {"today": today}}')
    assert got.startswith("FED212 ")
    assert '"today_spend": …' in got


def test_a_section_is_judged_at_each_return(section: Section) -> None:
    """Each return of the handler has its own finding; returns of nested functions have none."""
    body = (
        "def inner():\n    return {'response': {'x': {'y': 1}}}\n"
        'if ctx.user:\n    return {"response": {"a": {"b": 1}}}\n'
        'return {"response": {"c": {"d": 1}, "e": str(inner)}}'
    )
    assert section(body).count("FED212") == 2


def test_texts_are_measured_by_what_is_certain(section: Section) -> None:
    """A cut text is not long; the fixed part of an f-string is."""
    assert "FED214" in section('return {"response": {"a": f"{ctx.user}' + "x" * 501 + '"}}')
    assert section('return {"response": {"a": f"{ctx.user}' + "x" * 499 + '"}}') == ""
    assert section('return {"response": {"a": ("x" * 900)[:80]}}') == ""


SHAPES = """\
from pydantic import BaseModel, Field, RootModel, field_serializer, model_serializer


class Owner(BaseModel):
    name: str = "a"


class Sum(BaseModel):
    total: int = 0
    owner: Owner = Owner()


class Kept(BaseModel):
    total: int = 0
    owner: Owner = Field(default_factory=Owner)


class Perhaps(BaseModel):
    total: int = 0
    owner: Owner | None = None


class Hidden(BaseModel):
    total: int = 0
    owner: Owner = Field(default_factory=Owner, exclude=True)


class Told(BaseModel):
    total: int = 0
    owner: Owner = Owner()

    @field_serializer("owner")
    def told(self, owner):
        return owner.name


class Name(RootModel[str]):
    pass


class Named(BaseModel):
    total: int = 0
    owner: Name = Name("a")


class Short(BaseModel):
    name: str = "a"

    @model_serializer
    def short(self):
        return self.name


class Shortened(BaseModel):
    total: int = 0
    owner: Short = Short()


class Flat(BaseModel):
    total: int = 0
    owner: str = "a"


def model():
    return Sum(total=1)


def dumped():
    return Sum(total=1, owner=Owner(name="b")).model_dump()
"""
FROM_SHAPES = "import shapes\nfrom imperal_sdk import Extension\n\next = Extension('n')\n"


@pytest.mark.parametrize(
    "value",
    [
        "shapes.Sum(total=1).model_dump()",
        "shapes.Sum(total=1).model_dump(mode='json')",
        "shapes.Kept().model_dump()",
        "shapes.model().model_dump()",
        "shapes.dumped()",
        "{'owner': shapes.Owner().model_dump()}",
    ],
)
def test_a_model_inside_a_dumped_one(section: Section, value: str) -> None:
    """Its dump is a dict, also where another file makes it."""
    got = section(f'return {{"response": {value}}}', FROM_SHAPES, shapes__py=SHAPES)
    assert got.startswith("FED212 section 'n': 'owner' is a nested dict")
    assert 'Lift what matters: "owner_name": …' in got


@pytest.mark.parametrize(
    "value",
    [
        "shapes.Flat(total=1).model_dump()",
        "shapes.Perhaps(total=1).model_dump()",
        "shapes.Hidden(total=1).model_dump()",
        "shapes.Told(total=1).model_dump()",
        "shapes.Named(total=1).model_dump()",
        "shapes.Shortened(total=1).model_dump()",
        "shapes.Sum(total=1).model_dump(exclude={'owner'})",
        "shapes.Owner().model_dump()",
    ],
)
def test_a_model_that_may_be_no_dict_there(section: Section, value: str) -> None:
    """What is left out, written as a text, or may be absent."""
    got = section(f'return {{"response": {value}}}', FROM_SHAPES, shapes__py=SHAPES)
    assert "FED212" not in got
