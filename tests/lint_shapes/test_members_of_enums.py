"""Members of an Enum as data: the linter says what json does."""

from __future__ import annotations

import enum
import json
import sys
from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

from .programs import with_body

Lint = Callable[..., tuple[Finding, ...]]

BASES = ["Enum", "Flag", "str, Enum", "int, Enum", "float, Enum", "IntEnum", "IntFlag"]
if sys.version_info >= (3, 11):
    BASES.append("StrEnum")
CLASS = "class State({bases}):\n    OPEN = {value}\n\n\n"
HANDLER = '@chat.function("f", "Tells")\nasync def f(ctx, p):\n    return ActionResult.success('


@pytest.mark.parametrize("bases", BASES)
@pytest.mark.parametrize("data", ['{"a": State.OPEN}', "{State.OPEN: 1}", '{"a": [State.OPEN]}'])
def test_what_json_refuses_is_reported(lint: Lint, bases: str, data: str) -> None:
    """As a value, as a key and in a list, for each kind of Enum."""
    text = CLASS.format(bases=bases, value='"1"' if "str" in bases.lower() else "1")
    names = dict(vars(enum))
    exec(text, names)  # noqa: S102 - the class above
    try:
        json.dumps(eval(data, names))  # noqa: S307 - the data above
        expected: list[str] = []
    except TypeError:
        expected = ["error"]

    found = lint("FED402", f'from enum import *\n\n\n{text}{HANDLER}{data}, "x")\n')
    plain = lint("FED402", f"import enum\n\n\n{text.replace('(', '(enum.')}{HANDLER}{data}, 'x')\n")

    assert [] == [item.severity for item in found]  # nobody knows what a star brings
    if "," not in bases:
        assert expected == [item.severity for item in plain]
    named = ", ".join(word.strip() for word in bases.split(",") if word.strip() in vars(enum))
    imported = lint("FED402", f'from enum import {named}\n\n\n{text}{HANDLER}{data}, "x")\n')
    assert expected == [item.severity for item in imported]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ('State("open")', ["error"]),
        ("state(ctx)", ["error"]),
        ("State.OPEN.value", []),
        ("State.OPEN.name", []),
        ("str(State.OPEN)", []),
        ('getattr(State.OPEN, "value", State.OPEN)', []),
        ("[each for each in State]", ["warning"]),
        ("State[p]", ["warning"]),
        ("State[p].value", []),
        ("[each.value for each in State]", []),
        ("{each.name: each.value for each in State}", []),
        ("[len(State), p in State]", []),
        ("open(ctx)", []),
        ("Other.OPEN", []),
        ("State.shown(ctx)", []),
    ],
)
def test_what_stands_for_a_member(lint: Lint, given: str, expected: list[str]) -> None:
    """Calls and helpers count; values, names and classes that extend something unknown do not."""
    text = (
        "from enum import Enum\n\nfrom elsewhere import Kind\n\n\n"
        + CLASS.format(bases="Enum", value='"open"')
        + "    def shown(self):\n        return 1\n\n\n"
        + CLASS.format(bases="Kind, Enum", value='"open"').replace("State", "Other")
        + "def state(ctx):\n    return State.OPEN\n\n\n"
        + f'{HANDLER}{{"a": {given}}}, "x")\n'
    )

    assert expected == [item.severity for item in lint("FED402", text)]


READS = """
from enum import Enum


async def load(ctx):
    return await ctx.skeleton.get("a")


class Op(Enum):
    NAME = "name"

    async def read(self, ctx):
        return await ctx.skeleton.get(self.name)

    async def count(self, ctx):
        return await ctx.store.count(self.value)


@ext.skeleton("s")
async def s(ctx):
    return {"response": [await load(ctx), await Op.NAME.read(ctx)]}


@ext.panel("p")
async def p(ctx):
"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return await Op.NAME.read(ctx)", ["error"]),
        ("return await Op.NAME.count(ctx)", []),
    ],
)
def test_methods_of_the_members_of_an_enum(lint: Lint, body: str, expected: list[str]) -> None:
    """A method of a member is called; the skeleton handler calls others."""
    assert expected == [item.severity for item in lint("FED201", with_body(READS, body))]
