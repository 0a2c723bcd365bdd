"""What a test of a value's type, and of its truth, leaves of it: in a payload and elsewhere.

Each expression was run on SDK 6.3.7: ``json.dumps`` takes what is silent and refuses what is an
error; a warning may be either.
"""

from __future__ import annotations

import pytest

from .conftest import Lint

HEAD = """
import asyncio
import base64
import inspect
import types
import uuid
from abc import ABC
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, is_dataclass
from datetime import date, datetime, time
from decimal import Decimal
from typing import Generic, Protocol, TypeVar, runtime_checkable
from uuid import UUID, uuid4

TIMES = (datetime, date)


class Box:
    def __init__(self):
        self.at = datetime.now()


class Out(BaseModel):
    at: int = 1


class Plain:
    def to_dict(self):
        return {}


class Tags(dict):
    pass


class Mutable:
    def __init__(self):
        self.at = datetime.now()


def safe(value):
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    return value


def plain(value):
    if isinstance(value, (str, int, float, bool)) or value is None:
        return value
    return str(value)


def either(value):
    return value if value is None or isinstance(value, date) else str(value)


def cased(value):
    match value:
        case str() | int() as text:
            return text and value
        case datetime() | date():
            return value.isoformat()
        case _:
            return value


def guarded(value):
    match value:
        case datetime(year=2000) | str():
            return str(value)
        case _:
            return value


@runtime_checkable
class Timed(Protocol):
    def isoformat(self): ...


class Registered(ABC):
    pass


class Told(type):
    def __instancecheck__(cls, found):
        return True


class Telling(metaclass=Told):
    pass


class Generics(Generic[TypeVar("T")]):
    pass


@dataclass
class Row:
    at: int = 1


Registered.register(datetime)


def marked(value):
    match value:
        case None | True | False:
            return value
        case _:
            return str(value)


def fields(value):
    return asdict(value) if is_dataclass(value) else value


def tried(value):
    try:
        return value.isoformat()
    except AttributeError:
        return value


def tried_twice(value):
    try:
        return value.isoformat().year
    except AttributeError:
        return value


def tried_all(value):
    try:
        return value.isoformat()
    except Exception:
        return value


class Dated(BaseModel):
    at: datetime | None = None


def body(resp):
    if isinstance(resp.json, dict):
        return resp.json
    return resp.json()


def method(resp):
    if isinstance(resp.json, dict):
        return resp.json()
    return resp.json


def waiting(ctx):
    return ctx.skeleton.get("k")


async def read(found):
    if inspect.isawaitable(found):
        found = await found
    return found


async def unread(found):
    if not inspect.isawaitable(found):
        found = await found
    return found


async def load():
    return 1


@chat.function("f", "Tells")
async def f(ctx, p):
    resp = await ctx.http.get("u")
    at, day, uid = datetime.now(), date.today(), uuid4()
    err, keys, raw, box = ValueError("x"), set(p), b"x", Box()
    row = {"at": datetime.now()}
    out, own, tags = Out(), Plain(), Tags()
    page = await ctx.store.query("n")
    doc = await ctx.store.get("n", "1")
    is_body = isinstance(resp.json, dict)
    task = asyncio.create_task(load())
"""
CORRECT = (
    "at.isoformat() if isinstance(at, (datetime, date)) else at",
    "day.isoformat() if isinstance(day, (datetime, date)) else day",
    "at.isoformat() if isinstance(at, date) else at",
    "str(at) if any([isinstance(at, datetime)]) else at",
    "at if all((at, isinstance(at, str))) else str(at)",
    "str(at) if any(isinstance(at, kind) for kind in (bytes, datetime)) else at",
    "str(at) if any(isinstance(at, kind) for kind in TIMES) else at",
    "at if any([isinstance(at, kind) for kind in [str, int]]) else str(at)",
    "at.isoformat() if isinstance(at, TIMES) else at",
    "at.isoformat() if isinstance(at, datetime | date) else at",
    "at if isinstance(at, str) else str(at)",
    "at if isinstance(at, (str, int)) else str(at)",
    "at if type(at) is str else str(at)",
    "at if type(at) in (str, int) else str(at)",
    "at.isoformat() if at else at",
    "at if not at else at.isoformat()",
    "at if at is None else str(at)",
    "marked(at)", "1 if at is True else str(at)",
    "fields(Row())", "fields(doc)['data']",
    "tried(at)", "tried(1)",
    "at and at.isoformat()", "Dated().at and Dated().at.isoformat()",
    "doc and doc.data", "(doc and doc.data) or {}",
    "doc.data if doc else doc", "resp and resp.body",
    "str(uid) if isinstance(uid, uuid.UUID) else uid",
    "uid if isinstance(uid, str) else str(uid)",
    "str(uid) if isinstance(uid, (UUID, Decimal)) else uid",
    "str(err) if isinstance(err, Exception) else err",
    "str(err) if isinstance(err, (KeyError, ValueError)) else err",
    "err if isinstance(err, str) else str(err)",
    "sorted(keys) if isinstance(keys, (set, frozenset)) else keys",
    "sorted(keys) if isinstance(keys, Iterable) else keys",
    "raw.decode() if isinstance(raw, (bytes, bytearray)) else raw",
    "resp.json() if callable(resp.json) else resp.json",
    "resp.json() if isinstance(resp.json, types.MethodType) else resp.json",
    "resp.json() if isinstance(resp.json, Callable) else resp.json",
    "resp.json() if hasattr(resp.json, '__call__') else resp.json",
    "resp.json if isinstance(resp.json, (dict, list)) else resp.json()",
    "resp.json if type(resp.json) is dict else resp.json()",
    "resp.json if is_body else resp.json()",
    "resp.json() if callable(getattr(resp, 'json', None)) else getattr(resp, 'json', {})",
    "box.at.isoformat() if isinstance(box.at, datetime) else box.at",
    "row['at'].isoformat() if isinstance(row['at'], datetime) else row['at']",
    "safe(at)", "safe(day)", "plain(at)", "plain(uid)", "cased(at)", "body(resp)",
    "await read(waiting(ctx))", "await read({'a': 1})",
    "load.__name__ if callable(load) else load", "Box.__name__ if isinstance(Box, type) else Box",
    "at.replace(second=0).date().isoformat()",
    "page.model_dump() if isinstance(page, BaseModel) else page",
    "doc if isinstance(doc, (dict, BaseModel)) else doc.data",
    "out.model_dump() if isinstance(out, BaseModel) else out",
    "out.model_dump() if isinstance(out, (Plain, Out)) else out",
    "out.model_dump() if hasattr(out, 'model_dump') else out",
    "[x.model_dump() if isinstance(x, BaseModel) else x for x in [out]]",
    "own.to_dict() if isinstance(own, Plain) else own",
    "own.to_dict() if hasattr(own, 'to_dict') else own",
    "own if isinstance(own, dict) else own.to_dict()",
)  # fmt: skip
BREACHES = {
    "at.isoformat() if isinstance(at, str) else at": "error",
    "at.isoformat() if isinstance(at, (str, time)) else at": "error",
    "at if isinstance(at, date) else str(at)": "error",
    "at if any(isinstance(at, kind) for kind in (date, str)) else str(at)": "error",
    "str(at) if any(isinstance(at, kind) for kind in [str]) else at": "error",
    "at if isinstance(at, TIMES) else str(at)": "error",
    "at if at else str(at)": "error",
    "str(at) if at is None else at": "error",
    "at if type(at) is not str else str(at)": "error",
    "day.isoformat() if isinstance(day, datetime) else day": "error",
    "str(uid) if isinstance(uid, Decimal) else uid": "error",
    "str(err) if isinstance(err, (KeyError, TypeError)) else err": "error",
    "list(keys) if isinstance(keys, Mapping) else keys": "warning",
    "keys if not keys else 1": "warning",
    "at.isoformat() and at": "warning",
    "tried(uid)": "warning",
    "tried_twice(at)": "warning",
    "tried_all(at)": "warning",
    "at.isoformat() if isinstance(at, Generics) else at": "error",
    "at.isoformat() if isinstance(at, Out) else at": "error",
    "doc.data if isinstance(doc, Out) else doc": "error",
    "at.isoformat() if isinstance(at, Timed) else at": "warning",
    "at.isoformat() if isinstance(at, Registered) else at": "warning",
    "at.isoformat() if isinstance(at, Telling) else at": "warning",
    "doc.data if isinstance(doc, Telling) else doc": "warning",
    "1 if at is True else at": "warning",
    "fields(at)": "error",
    "fields(own)": "warning",
    "doc.id and doc": "warning",
    "page and {}": "warning",
    "raw.decode() if isinstance(raw, str) else raw": "error",
    "resp.json if callable(resp.json) else resp.json()": "error",
    "resp.json() if isinstance(resp.json, dict) else resp.json": "error",
    "resp.json if not is_body else resp.json()": "error",
    "box.at.isoformat() if isinstance(box.at, str) else box.at": "error",
    "row['at'].isoformat() if isinstance(row['at'], str) else row['at']": "error",
    "safe(uid)": "error",
    "either(at)": "error",
    "guarded(at)": "warning",
    "method(resp)": "error",
    "await unread(waiting(ctx))": "error",
    "task if isinstance(task, asyncio.Task) else 1": "warning",
    "at.replace(second=0).date()": "error",
    "base64.b64encode(raw)": "error",
    "page if isinstance(page, BaseModel) else 1": "warning",
    "out.model_dump() if isinstance(out, dict) else out": "warning",
    "out if hasattr(out, 'model_dump') else {}": "warning",
    "own.to_dict() if isinstance(own, Out) else own": "warning",
    "own.to_dict() if hasattr(own, 'as_dict') else own": "warning",
    "own.to_dict() if isinstance(own, dict) else own": "error",
    "doc if isinstance(doc, Mapping) else doc.data": "warning",
    "doc.data if isinstance(doc, (dict, BaseModel)) else doc": "error",
}
"""Data → how it is reported."""


@pytest.mark.parametrize("data", CORRECT)
def test_what_a_test_rules_out_is_not_in_the_data(lint: Lint, data: str) -> None:
    """The branch that would hand over the value never runs."""
    assert () == lint("FED402", f'{HEAD}    return ActionResult.success({{"x": {data}}}, "x")\n')


@pytest.mark.parametrize("data", BREACHES)
def test_what_a_test_does_not_cover_is_reported(lint: Lint, data: str) -> None:
    """A test for another type leaves the value where it was."""
    found = lint("FED402", f'{HEAD}    return ActionResult.success({{"x": {data}}}, "x")\n')
    assert [BREACHES[data]] == [item.severity for item in found]


@pytest.mark.parametrize(("store", "expected"), [("self.at = datetime.now()", 1), ("pass", 0)])
def test_an_attribute_that_gets_another_value_is_not_ruled_out(
    lint: Lint, store: str, expected: int
) -> None:
    """What the function stores itself may stand there, whatever was asked before."""
    cls = HEAD.replace(
        "class Mutable:",
        "class Mutable:\n    def fresh(self):\n        if isinstance(self.at, str):\n"
        f"            {store}\n            return self.at\n        return 'x'\n",
    )
    found = lint(
        "FED402", f'{cls}    return ActionResult.success({{"x": Mutable().fresh()}}, "x")\n'
    )
    assert expected == len(found)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("tags if isinstance(tags, dict) else 'none'", ["warning"]),
        ("tags if isinstance(tags, (list, str)) else 'none'", ["error"]),
        ("own if isinstance(own, dict) else 'none'", ["error"]),
    ],
)
def test_an_object_of_a_class_that_extends_dict_is_one(
    lint: Lint, data: str, expected: list[str]
) -> None:
    """What a class of the tree extends counts, also outside of it."""
    found = lint("FED401", f'{HEAD}    return ActionResult.success({data}, "x")\n')
    assert expected == [item.severity for item in found]


@pytest.mark.parametrize(("name", "expected"), [("isinstance", "warning"), ("is_kind", "error")])
def test_a_question_of_the_extension_itself(lint: Lint, name: str, expected: str) -> None:
    """What the extension calls ``isinstance`` says what it likes."""
    text = HEAD.replace(
        "class Dated(", f"def {name}(value, kind):\n    return True\n\n\nclass Dated("
    )
    data = "str(at) if isinstance(at, str) else at"
    found = lint("FED402", f'{text}    return ActionResult.success({{"x": {data}}}, "x")\n')
    assert [expected] == [item.severity for item in found]


GIVEN = """
async def helper(p, extra):
    data = {{"a": 1}}
    {0}
    return ActionResult.success(data, "x")


@chat.function("f", "Tells")
async def f(ctx, p):
    if p.plain:
        return await helper(p, None)
    {1}
"""


@pytest.mark.parametrize(
    ("body", "call", "expected"),
    [
        ('if not extra:\n        data["b"] = extra', 'return await helper(p, {"b": {1}})', 0),
        ('if not extra:\n        data["b"] = extra', "return await helper(p, [{1}])", 0),
        ('if extra:\n        data["b"] = extra', 'return await helper(p, {"b": {1}})', 1),
        ('if not extra:\n        data["b"] = extra', "return await helper(p, set())", 1),
        (
            'extra.pop("c", None)\n    if not extra:\n        data["b"] = {1}',
            'return await helper(p, {"c": 1})',
            1,
        ),
    ],
)
def test_a_filled_display_is_true(lint: Lint, body: str, call: str, expected: int) -> None:
    """What is written out with something in it is true, unless the code takes that out."""
    assert expected == len(lint("FED402", GIVEN.format(body, call)))
