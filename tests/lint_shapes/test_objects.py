"""Fields of objects: which of the objects of a class stands in a place."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

WRITTEN = """
class Limits:
    def __init__(self, ttl=900):
        self.ttl = ttl
"""
METHODS = """
    async def keep(self, ctx):
        await self.store(ctx)

    async def store(self, ctx):
        await ctx.cache.set("k", Count(total=1), ttl_seconds=self.ttl)
"""
DATACLASS = """
import dataclasses


@dataclasses.dataclass
class Limits:
    ttl: int = 900
"""
MODEL = """
class Limits(BaseModel):
    ttl: int = 900
"""
CLASSES = (WRITTEN, DATACLASS, MODEL)
TABLE = """

class Table:
    def __init__(self):
        self.limits = Limits(ttl=60)


async def keep(ctx, limits):
    await ctx.cache.set("k", Count(total=1), ttl_seconds=limits.ttl)


def pick(n):
    return long if n else short


long = Limits()
short = Limits(ttl=60)
table = Table()
alias = short
"""
HANDLER = '\n\n@ext.panel("p")\nasync def p(ctx, n=1):\n'
SET = 'await ctx.cache.set("k", Count(total=1), ttl_seconds={}.ttl)'


def _severities(lint: Lint, cls: str, *steps: str) -> list[str]:
    text = cls + TABLE + HANDLER + "".join(f"    {step}\n" for step in steps)
    return [item.severity for item in lint("FED302", text)]


@pytest.mark.parametrize("cls", CLASSES)
@pytest.mark.parametrize(
    ("owner", "severities"),
    [
        ("short", []),
        ("alias", []),
        ("table.limits", []),
        ("Limits(ttl=60)", []),
        ("long", ["error"]),
        ("Limits()", ["error"]),
        ("(long if n else short)", ["warning"]),
    ],
)
def test_a_field_is_that_of_the_object(
    lint: Lint, cls: str, owner: str, severities: list[str]
) -> None:
    """Another object of the class, with another life, says nothing of this one."""
    assert severities == _severities(lint, cls, SET.format(owner))


@pytest.mark.parametrize(
    ("steps", "severities"),
    [
        (["await short.keep(ctx)"], []),
        (["await short.store(ctx)", "await table.limits.keep(ctx)"], []),
        (["await long.keep(ctx)"], ["error"]),
        (["await short.keep(ctx)", "await long.store(ctx)"], ["error"]),
        (["await pick(n).keep(ctx)"], ["error"]),
    ],
)
def test_a_method_runs_for_the_objects_that_call_it(
    lint: Lint, steps: list[str], severities: list[str]
) -> None:
    """Only what these objects hold counts; where one is not known, each of them does."""
    assert severities == _severities(lint, WRITTEN + METHODS, *steps)


@pytest.mark.parametrize(("given", "severities"), [("short", []), ("long", ["error"])])
def test_a_helper_gets_one_of_the_objects(lint: Lint, given: str, severities: list[str]) -> None:
    """The callers of a function say which object its parameter is."""
    assert severities == _severities(lint, DATACLASS, f"await keep(ctx, {given})")


@pytest.mark.parametrize("cls", CLASSES)
@pytest.mark.parametrize(
    ("owner", "severities"), [("short", []), ("Limits(ttl=60)", []), ("long", ["error"])]
)
def test_getattr_asks_the_same_object(
    lint: Lint, cls: str, owner: str, severities: list[str]
) -> None:
    """``getattr(short, "ttl")`` is ``short.ttl``."""
    step = SET.replace("{}.ttl", 'getattr({}, "ttl")').format(owner)
    assert severities == _severities(lint, cls, step)


FAMILY = """
class Base:
    prefix = "{base}"
    life = {life}

    def key(self, name):
        return f"{{self.prefix}}:{{name}}"

    def ttl(self):
        return self.life * self.factor()

    def factor(self):
        return 1

    @classmethod
    def longest(cls):
        return cls.life


class Middle(Base):
    pass


class Own(Middle):
    prefix = "{own}"
    life = 60

    def __init__(self, by=1):
        self.by = by

    def key(self, name):
        return super().key(name.lower())

    def ttl(self):
        found = super().ttl()
        return found

    def factor(self):
        return self.by

    @classmethod
    def longest(cls):
        return super().longest()


@ext.panel("p")
async def p(ctx, n=1):
    own = Own({by})
    print(Own(9).ttl(), Own(by=30).ttl())
    await ctx.cache.set({of}.key("A"), Count(total=1), ttl_seconds={of}.{how}())
"""


@pytest.mark.parametrize("how", ["ttl", "longest"])
@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, []),
        ({"own": "o p"}, ["FED301"]),
        ({"of": "Base()"}, ["FED301", "FED302"]),
        ({"of": "Base()", "base": "b", "life": 30}, []),
    ],
)
def test_super_is_the_object_itself(
    lint: Lint, how: str, changed: dict[str, object], expected: list[str]
) -> None:
    """A method of the base reads what the class of the object says, however it is called."""
    parts = {"base": "b c", "life": 900, "own": "o", "by": "2", "of": "own", "how": how}
    found = lint("FED301 FED302", FAMILY.format(**(parts | changed)))
    assert [(code, "error") for code in expected] == sorted((it.code, it.severity) for it in found)


def test_super_calls_the_methods_of_the_object(lint: Lint) -> None:
    """What the base calls on ``self`` is what the subclass has put in its place."""
    parts = {"base": "b", "life": 30, "own": "o", "by": "9", "of": "own", "how": "ttl"}
    (found,) = lint("FED301 FED302", FAMILY.format(**parts))
    assert ("FED302", "error", True) == (found.code, found.severity, " is 540, " in found.message)


PAYLOADS = """
import datetime
from decimal import Decimal
from pathlib import Path


class Store:
    def __init__(self, value):
        self.value = value
        self.items = {{}}

    def put(self, key, value):
        self.items[key] = value
        return self

    def dump(self):
        return {{"value": self.value}}


@dataclasses.dataclass
class Row:
    at: object = None

    def raw(self):
        return {{"at": self.at}}


def clean(value):
    if isinstance(value, (str, int)) or value is None:
        return value
    return str(value)


def sent(store):
    return store.dump()


other = [Store({{1, 2}}).put("a", 1).dump(), Row(datetime.date.today()).raw(), sent(Store({{3}}))]


@chat.function("f", description="Shows what is kept")
async def f(ctx, n=1):
    mended = {{"at": datetime.date.today()}}
    mended["at"] = str(mended["at"])
    emptied = {{"at": datetime.date.today()}}
    emptied.pop("at")
    broken = {{"at": "now"}}
    broken["at"] = datetime.date.today()
    kept = {made}
    return ActionResult.success({{"kept": kept}}, "Done")
"""


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        ('Store("a").dump()', []),
        ("Store({1}).dump()", ["error"]),
        ('Store("a").put("k", "v").put("z", 1).dump()', []),
        ('Store({1}).put("k", "v").dump()', ["error"]),
        ('Row("now").raw()', []),
        ("Row(datetime.date.today()).raw()", ["error"]),
        ('sent(Store("a"))', []),
        ("sent(Store({1}))", ["error"]),
        ("clean(datetime.date.today())", []),
        ('clean(Path("a"))', []),
        ("clean(Decimal(1))", []),
        ("Store(mended).dump()", []),
        ("Row(mended).raw()", []),
        ("Row(at=emptied).raw()", []),
        ("Store(broken).dump()", ["error"]),
        ("Row(broken).raw()", ["error"]),
    ],
)
def test_a_method_tells_of_its_own_object(lint: Lint, made: str, expected: list[str]) -> None:
    """What ``dump()`` returns for one object says nothing of another one."""
    text = "import dataclasses\n" + PAYLOADS.format(made=made)
    assert expected == [item.severity for item in lint("FED402", text)]


ROWS = """
import dataclasses
import datetime


@dataclasses.dataclass
class Row:
    name: str = "n"
    at: object = None

    def raw(self):
        return {{"name": self.name, "at": self.at}}


other = Row(at={other})


@chat.function("f", description="Shows the rows")
async def f(ctx, n=1):
    rows = {rows}
    return ActionResult.success({{"rows": [row.raw() for row in rows]}}, "Done")
"""


@pytest.mark.parametrize(
    ("other", "rows", "expected"),
    [
        ("datetime.date.today()", '[Row(name=x, at="now") for x in ("a", "b")]', []),
        ("datetime.date.today()", '[Row(at="now"), Row()]', []),
        ("None", "[Row(name=x, at=datetime.date.today()) for x in ctx.names]", ["error"]),
        ("datetime.date.today()", "[Row(at=datetime.date.today())]", ["error"]),
    ],
)
def test_objects_of_a_list_are_not_those_elsewhere(
    lint: Lint, other: str, rows: str, expected: list[str]
) -> None:
    """Which object a loop gives is not known: only what all of the class hold says something."""
    found = lint("FED402", ROWS.format(other=other, rows=rows))
    assert expected == [item.severity for item in found]
