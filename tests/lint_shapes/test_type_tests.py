"""Helpers that return other things for other types of their argument."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

HEAD = """
import functools
import typing
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from enum import Enum
from uuid import UUID


@functools.singledispatch
def dump(x):
    return str(x)


@dump.register
def _(x: dict):
    return {k: dump(v) for k, v in x.items()}


class Dumper:
    @functools.singledispatchmethod
    def dump(self, x):
        return str(x)

    def shown(self, x):
        return str(x)


def shown(x):
    return str(x)


def plain(x):
    if isinstance(x, Decimal):
        return float(x)
    if isinstance(x, (date, UUID)):
        return str(x)
    if isinstance(x, dict):
        return {k: plain(v) for k, v in x.items()}
    return x


def clean(x):
    if isinstance(x, dict):
        return {k: clean(v) for k, v in x.items()}
    return str(x)


def mapped(x):
    if isinstance(x, Mapping):
        return {k: str(v) for k, v in x.items()}
    return str(x)


def tagged(x):
    if isinstance(x, Enum):
        return x.value
    return dict(x) if isinstance(x, dict) else str(x)


def cased(x):
    match x:
        case dict():
            return x
        case _:
            return str(x)


def always(x):
    if isinstance(x, dict):
        return str(x)
    return repr(x)


@chat.function("f", "Tells")
async def f(ctx, p):
    doc = await ctx.store.get("x", "1")
    r = await ctx.http.get("https://x.example.com")
"""


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ('dump({"n": 1})', []),
        ('Dumper().dump({"n": 1})', []),
        ('shown({"n": 1})', ["error"]),
        ('Dumper().shown({"n": 1})', ["error"]),
        ('plain({"n": Decimal("1.5")})', []),
        ('plain("text")', ["error"]),
        ('clean({"n": 1})', []),
        ("clean(doc.data)", []),
        ("clean(r.json())", []),
        ('clean("text")', ["error"]),
        ('clean(f"{p}")', ["error"]),
        ('mapped({"n": 1})', []),
        ("always(doc.data)", ["error"]),
        ("clean(doc.id)", ["warning"]),
        ("tagged(doc.data)", []),
        ("tagged(str(p))", ["warning"]),
        ("tagged(date.today())", ["error"]),
        ('tagged(Decimal("1"))', ["error"]),
        ("tagged([1])", ["error"]),
        ("tagged(list(p))", ["error"]),
        ("cased(doc.data)", []),
        ('cased("text")', ["error"]),
        ("clean(doc.data) if p else 'none'", ["warning"]),
    ],
)
def test_the_type_of_the_argument_chooses(lint: Lint, data: str, expected: list[str]) -> None:
    """A text is reported where the type is known, and where no other type helps."""
    found = lint("FED401", f'{HEAD}    return ActionResult.success({data}, "x")\n')
    assert expected == [item.severity for item in found]
