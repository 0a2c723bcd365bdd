"""What is known of constants, texts, times, tables and constructors without running anything."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

_TTL = """
import math
import os
from dataclasses import dataclass
from datetime import timedelta

TABLE = {{"long": 900, "short": 60}}
GROWING = {{"life": 900}}
GROWING["life"] = 60
TWICE = 900
TWICE = 60
OUTSIDE = 900
globals()["OUTSIDE"] = 60
HANDED = {{"life": 900}}
READ = {{"life": 900}}


def shorten(table, read):
    for key in read:
        table[key] = min(read[key], 300)


shorten(HANDED, read=READ)
NESTED = {{"a": {{"life": 900}}, "b": {{"life": 900}}}}
NESTED["a"]["life"] = 60
WALKED = [{{"life": 900}}]
for row in WALKED:
    row["life"] = 60
STILL = {{"a": {{"life": 900}}}}
for each in STILL.values():
    print(each["life"])


def clamped(life):
    if life > 300:
        return 300
    return life


@dataclass
class Life:
    seconds: int = 900


@ext.panel("p")
async def p(ctx, n=1):
    base = 60
    base *= 60
    short = 900
    while short > 300:
        short //= 2
    await ctx.cache.set("k", Count(total=1), ttl_seconds={})
"""


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("timedelta(minutes=10).seconds", ["error"]),
        ("timedelta(minutes=5).seconds", []),
        ("int(timedelta(minutes=10).total_seconds())", ["error"]),
        ("timedelta(seconds=60).total_seconds()", ["error"]),
        ("timedelta(hours=1) // timedelta(seconds=1)", ["error"]),
        ("timedelta(minutes=1) * 2", ["error"]),
        ("2 ** 10", ["error"]),
        ("1 << 8", []),
        ("math.ceil(300.5)", ["error"]),
        ("[60]", ["error"]),
        ("base", ["error"]),
        ("short", []),
        ('TABLE["long"]', ["error"]),
        ('TABLE.get("long", 60)', ["error"]),
        ('TABLE.get("none", 60)', []),
        ('GROWING["life"]', []),
        ("TWICE", []),
        ("OUTSIDE", ["warning"]),
        ('HANDED["life"]', []),
        ('READ["life"]', ["error"]),
        ('NESTED["a"]["life"]', []),
        ('WALKED[0]["life"]', []),
        ('STILL["a"]["life"]', ["error"]),
        ("clamped(900)", []),
        ("clamped(200 + 1)", []),
        ("Life().seconds", ["error"]),
        ("Life(60).seconds", []),
        ('int(os.getenv("LIFE", "900"))', ["warning"]),
        ('int(os.getenv("LIFE", "60"))', []),
    ],
)
def test_a_life_is_computed(lint: Lint, written: str, expected: list[str]) -> None:
    """Times, tables that stay as written, and tests are followed; what changes is not."""
    assert expected == [item.severity for item in lint("FED302", _TTL.format(written))]


_TUNE = "def clamp(table, other=None):\n    table.update({{key: 60 for key in table}})\n"
_CONF = "LIVES = {{'a': 900}}\n{}\n"
_KEEPS = """
{}


@chat.function("f", "Finds")
async def f(ctx):
    await ctx.cache.set("n", Count(total=1), ttl_seconds=LIVES["a"])
"""


@pytest.mark.parametrize(
    ("main", "conf", "expected"),
    [
        ("import tune\nLIVES = {'a': 900}\ntune.clamp(LIVES)", "", []),
        ("from tune import clamp\nLIVES = {'a': 900}\nclamp(table=LIVES)", "", []),
        ("from conf import LIVES", "from tune import clamp as fit\nfit(LIVES)", []),
        ("import conf\nimport tune\nfrom conf import LIVES\ntune.clamp(conf.LIVES)", "", []),
        ("from tune import clamp\nLIVES = {'a': 900}\nclamp({}, LIVES)", "", ["error"]),
        ("from conf import LIVES", "", ["error"]),
    ],
)
def test_a_helper_of_another_file_changes_a_table(
    lint: Lint, main: str, conf: str, expected: list[str]
) -> None:
    """What a file gives to a function that changes it stays unknown; other parameters do not."""
    text = _KEEPS.replace("{}", main)
    found = lint("FED302", text, tune__py=_TUNE.format(), conf__py=_CONF.format(conf))
    assert expected == [item.severity for item in found]


_KEY = """
import hashlib
import json
import re
from datetime import date, datetime

from pydantic import Field


class Params(BaseModel):
    query: str = ""
    text: str = Field("", pattern="^[a-z]+$")
    number: int = 0


def made(query):
    return "s:{{}}".format(query.strip())


@chat.function("f", "Finds")
async def f(ctx, params: Params):
    await ctx.cache.get({}, Count)
"""


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ('"{}/{}".format("a", params.number)', ["error"]),
        ('"{}:{}".format("a", params.number)', []),
        ('"p/%d" % params.number', ["error"]),
        ('"p-%05d" % params.number', []),
        ('"%(n)s" % {"n": 1}', []),
        ('".".join(["a", "b"])', ["error"]),
        ('"-".join(["a", "b"])', []),
        ('" a ".strip()', []),
        ("str(datetime.now())", ["error"]),
        ("datetime.now().isoformat()", ["error"]),
        ('datetime.now().isoformat(timespec="seconds")', []),
        ("datetime.utcnow().replace(microsecond=0).isoformat()", []),
        ('date.today().strftime("%d.%m.%Y")', ["error"]),
        ('date.today().strftime("%Y-%m-%d")', []),
        ('f"{datetime.now():%H.%M}"', ["error"]),
        ("str([1])", ["error"]),
        ('json.dumps({"a": 1})', ["error"]),
        ("json.dumps(params.number)", []),
        ('f"{params.query!r}"', ["error"]),
        ("made(params.query)", ["warning"]),
        ("made(params.text)", []),
        ('"s:%s" % params.query', ["warning"]),
        ('f"s:{params.query}" if params.query in ("a", "b") else "s"', []),
        ('f"s:{params.query}" if re.fullmatch("[a-z]+", params.query) else "s"', []),
        ('f"s:{params.query}" if params.query else "s"', ["warning"]),
    ],
)
def test_a_key_is_put_together(lint: Lint, written: str, expected: list[str]) -> None:
    """Templates, formats and tests are read; what may be allowed is not reported."""
    assert expected == [item.severity for item in lint("FED301", _KEY.format(written))]


@pytest.mark.parametrize(
    ("before", "call", "expected"),
    [
        ("kw = {'ttl_seconds': 900}", "ctx.cache.set('k', Count(total=1), **kw)", 1),
        ("kw = dict(ttl_seconds=900)", "ctx.cache.set('k', Count(total=1), **kw)", 1),
        ("kw = {'ttl_seconds': 60}", "ctx.cache.set('k', Count(total=1), **kw)", 0),
        (
            "kw = {'ttl_seconds': 900}\n    kw['ttl_seconds'] = 60",
            "ctx.cache.set('k', Count(total=1), **kw)",
            0,
        ),
        ("args = ('k', Count(total=1), 900)", "ctx.cache.set(*args)", 1),
    ],
)
def test_spread_arguments_are_seen(lint: Lint, before: str, call: str, expected: int) -> None:
    """A dict that is only spread says which keywords a call gets."""
    text = f'\n@ext.panel("p")\nasync def p(ctx):\n    {before}\n    await {call}\n'
    assert expected == len(lint("FED302", text))


_READ = """
from dataclasses import dataclass
from functools import partial
from typing import Any


async def load(ctx):
    return await ctx.skeleton.get("notes")


TABLE = {"load": load}


@dataclass
class Reader:
    ctx: Any

    async def load(self):
        return await self.ctx.skeleton.get("tags")

    @classmethod
    async def of(cls, ctx):
        return await ctx.skeleton.get("folders")
"""


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ('await TABLE["load"](ctx)', 1),
        ("await partial(load, ctx)()", 1),
        ("await Reader(ctx).load()", 1),
        ("await Reader.of(ctx)", 1),
        ("await ctx.store.count('notes')", 0),
    ],
)
@pytest.mark.parametrize(("kind", "counts"), [("panel", True), ("skeleton", False)])
def test_a_read_is_reached(
    lint: Lint, call: str, kind: str, expected: int, *, counts: bool
) -> None:
    """Tables, partial, dataclasses and classmethods hand the context on."""
    text = f'{_READ}\n\n@ext.{kind}("notes")\nasync def p(ctx):\n    {call}\n'
    found = [item for item in lint("FED201", text) if item.severity == "error"]
    assert (expected if counts else 0) == len(found)


_EQUIPPING = """
def equip(given):
    given.http = Mine()


class Equipped:
    def __init__(self, given):
        self.given = given
        self.given.http, self.old = Mine(), self.given.http


"""


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        ("ctx.http = Mine()", 0),
        ("c = ctx\n    c.http = Mine()", 0),
        ("equip(ctx)", 0),
        ("Equipped(ctx)", 0),
        ('setattr(ctx, "http", Mine())', 0),
        ("mine = Mine()", 1),
        ("mine = Mine()\n    mine.http = ctx.http", 1),
        ('setattr(Mine(), "http", Mine())', 1),
        ('setattr(ctx, "files", Mine())', 1),
        ('vars(ctx)["http"] = Mine()', 0),
        ("ctx.__dict__.update(http=Mine())", 0),
        ('print(vars(ctx)["http"])', 1),
    ],
)
def test_a_replaced_client_is_not_the_sdks(lint: Lint, setting: str, expected: int) -> None:
    """Who puts a client of their own into the context knows its limits."""
    text = (
        "\nclass Mine:\n    async def get(self, url, timeout): ...\n\n\n"
        f"{_EQUIPPING if 'quip' in setting else ''}"
        f'@ext.panel("p")\nasync def p(ctx):\n    {setting}\n'
        '    await ctx.http.get("https://x", timeout=600)\n'
    )
    assert expected == len(lint("FED508", text))


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ('from state import LIVES\n\nLIVES["a"] = 60', []),
        ("from state import LIVES as own\n\nown.update(a=60)", []),
        ('import state\n\nstate.LIVES["a"] = 60', []),
        ('LIVES = {}\nLIVES["a"] = 60', ["error"]),
        ('from state import LIVES\n\nprint(LIVES["a"])', ["error"]),
    ],
)
def test_a_table_that_a_third_file_changes(lint: Lint, change: str, expected: list[str]) -> None:
    """Whoever imports a table may change it for all; a table of the same name is another one."""
    text = (
        "from imperal_sdk import Extension\nfrom pydantic import BaseModel\n"
        'from state import LIVES\nimport tune\n\next = Extension("n")\n\n\n'
        '@ext.cache_model("c")\nclass C(BaseModel):\n'
        '    n: int\n\n\n@ext.panel("p")\nasync def p(ctx):\n'
        '    await ctx.cache.set("k", C(n=1), ttl_seconds=LIVES["a"])\n'
    )
    found = lint("FED302", text, tune__py=change, state__py='LIVES = {"a": 900}\n')
    assert expected == [item.severity for item in found]
