"""Random programs that are linted and run: what is told as an error really happens."""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from fedcheck.lint.engine.engine import CheckResult

Check = Callable[..., CheckResult]

START = """\
from imperal_sdk import ActionResult, ChatExtension, Extension
from pydantic import BaseModel

ext = Extension("notes", capabilities=["notes:read"])
chat = ChatExtension(ext, tool_name="notes", description="Notes")


@ext.cache_model("count")
class Count(BaseModel):
    total: int = 0


"""
PARTS = """\
import dataclasses
import datetime
import enum
import functools
import hashlib
import json
import math
import re
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

HOUR = 3600
TAGS = {"a", "b"}
NOW = datetime.datetime(2024, 1, 1)


class Kind(enum.Enum):
    PLAIN = "plain"
    ODD = "o d"
    LONG = 900


@dataclasses.dataclass
class Row:
    name: object = "n"
    ttl: int = 60

    def raw(self):
        return {"name": self.name}

    def to_dict(self):
        return {"name": str(self.name)}


class Pair(NamedTuple):
    key: str
    ttl: int = 30


class Base:
    prefix = "b c"
    life = 900

    def key(self, name):
        return f"{self.prefix}:{name}"

    def ttl(self):
        return self.life // self.parts()

    def parts(self):
        return 1


class Own(Base):
    prefix = "own"

    def __init__(self, by=15):
        self.by = by

    def key(self, name):
        return super().key(slug(name))

    def ttl(self):
        return super().ttl()

    def parts(self):
        return self.by or 1


class Store:
    def __init__(self, value):
        self.value = value
        self.items = {}

    def put(self, key, value):
        self.items[key] = value
        return self

    def dump(self):
        return {"value": self.value, "items": self.items}


def clamp(x, low=5, high=300):
    return max(low, min(high, x))


def limited(x):
    if x is None:
        return 60
    if x < 5:
        return 5
    return x if x <= 300 else 300


def slug(text, sep="-"):
    return re.sub("[^a-z0-9]+", sep, text.lower()).strip(sep) or "none"


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def joined(*parts, sep=":"):
    return sep.join(str(part) for part in parts)


def options(given=None, **more):
    return {"ttl": 60, "key": "k", **(given or {}), **more}


def clean(value):
    if isinstance(value, dict):
        return {str(key): clean(each) for key, each in value.items()}
    if isinstance(value, (list, tuple, set)):
        return [clean(each) for each in value]
    if isinstance(value, (str, int)) or value is None:
        return value
    return str(value)


def stamp(value):
    return value.isoformat() if hasattr(value, "isoformat") else value


def same(value):
    return value


def rows_of(value):
    found = []
    for n in range(2):
        found.append({"n": n, "value": value})
    return found


"""
GRAMMAR = {
    "int": """5 | 30 | 60 | 300 | 301 | 0 | -1 | HOUR | Kind.LONG.value | Base.life | len(<text>)
        <int> + <int> | <int> * 2 | <int> // 2 | <int> or <int> | min(<int>, <int>)
        max(<int>, <int>) | clamp(<int>) | clamp(<int>, high=<int>) | limited(<int>)
        <int> if <test> else <int> | Row(ttl=<int>).ttl | getattr(Row(ttl=<int>), "ttl")
        Pair("k", <int>).ttl | Own(<int>).ttl() | Base().ttl() | options(ttl=<int>)["ttl"]
        options({"ttl": <int>})["ttl"] | {"a": <int>, "b": <int>}["a"] | [<int>, <int>][1]
        {"a": <int>}.get("b", <int>) | (lambda x: x + 1)(<int>) | sum([<int>, <int>])
        functools.partial(clamp, high=<int>)(<int>) | dataclasses.replace(Row(ttl=<int>)).ttl""",
    "text": """"a" | "user" | "k:1" | "a b" | "t/x" | "é" | "under_score" | Kind.ODD.value
        Kind.PLAIN.value | <text> + <text> | ":".join([<text>, <text>]) | "p:%s" % <text>
        "{}-{}".format(<text>, <int>) | slug(<text>) | digest(<text>) | joined(<text>, <int>)
        <text>.replace(" ", "_") | <text>.strip() | <text>.lower() | <text>[:3] | str(<int>)
        <text> or <text> | <text> if <test> else <text> | Row(name=<text>).name
        getattr(Row(name=<text>), "name") | Pair(<text>).key | Own().key(<text>)
        Base().key(<text>) | options(key=<text>)["key"] | {"a": <text>}["a"] | same(<text>)
        "".join(c for c in <text> if c.isascii() and c.isalnum())""",
    "data": """1 | "x" | None | 1.5 | [] | {} | NOW | TAGS | b"x" | Decimal("1.5") | Path("a")
        Kind.PLAIN | Row() | 1j | math.nan | same | NOW.isoformat() | sorted(TAGS) | str(NOW)
        float(Decimal("1.5")) | Kind.PLAIN.value | str(<data>) | clean(<data>) | stamp(<data>)
        same(<data>) | [<data>, <data>] | {"k": <data>} | {"k": <data>, "z": <data>}["k"]
        (<data> if <test> else None) or <data> | <data> if <test> else <data>
        rows_of(<data>) | Row(<data>).name
        Row(<data>).raw() | Row(<data>).to_dict() | dataclasses.asdict(Row(<data>))
        Store(<data>).dump() | Store(1).put("k", <data>).dump() | Pair(<data>)._asdict()
        {key: str(each) for key, each in {"a": <data>}.items()} | {**{"a": <data>}, "a": <data>}
        json.loads(json.dumps({"a": <data>}, default=str))
        [stamp(x) for x in (<data>, <data>)]""",
    "step": """<name> = <any> | <int=> = <int> | <text=> = <text> | <data=> = <data>
        <int=>, <text=> = <int>, <text> | <int=> = <int>; <int.> += <int> | <text=> = <text>
        <data=> = {"a": <data>}; <data.>["a"] = <data> | <data=> = [<data>]; <data.>.append(<data>)
        <data=> = {"a": <data>}; <data.>["a"] = clean(<data.>["a"])
        <data=> = {"a": <data>}; <data.>.update(b=<data>) | <int=> = <int>; <int.> = clamp(<int.>)
        <data=> = {"a": <data>}; <data.>.pop("a") | <text=> = <text>; <text.> = slug(<text.>)""",
}
"""Kind of expression → ways to make one; ``<kind=>`` makes a name, ``<kind.>`` is the last one."""
WAYS = {
    kind: [way.strip() for line in text.splitlines() for way in line.split(" | ")]
    for kind, text in GRAMMAR.items()
}
HANDLER = """
@chat.function("f{number}", description="Does something")
async def f{number}(ctx, n: int = 0):
{steps}
    await ctx.cache.set({key}, Count(total=1), ttl_seconds={ttl})
    return ActionResult.success({{"data": {data}}}, "Done")
"""
TESTS = ("n & 1", "n & 2", "n & 4")
"""What nobody knows; each once in a program, which runs with all their outcomes."""


class Program:
    """A handler, made at random."""

    def __init__(self, dice: random.Random) -> None:
        self._dice = dice
        self._tests = list(TESTS)
        self._names: dict[str, list[str]] = {"int": [], "text": [], "data": []}
        self._count = 0

    def text(self, number: int) -> str:
        """Return its text."""
        steps = [self._made("step", 1) for _ in range(self._dice.randrange(1, 6))]
        lines = [f"    {line.strip()}" for step in steps for line in step.split(";")]
        return HANDLER.format(
            number=number,
            steps="\n".join(lines),
            key=self._made("text", 0),
            ttl=self._made("int", 0),
            data=self._made("data", 0),
        )

    def _made(self, kind: str, depth: int) -> str:
        if kind == "test":
            return self._tests.pop(0) if self._tests else "True"
        names = self._names.get(kind, [])
        if names and self._dice.random() < 0.2:
            return self._dice.choice(names)
        ways = [way for way in WAYS[kind] if depth < 4 or "<" not in way]
        way = self._dice.choice(ways)
        pending: list[tuple[str, str]] = []
        made = re.sub(r"<(\w+[=.]?)>", lambda it: self._filled(it[1], depth, pending), way)
        for owner, name in pending:
            self._names[owner].append(name)
        return f"({made})" if kind != "step" and " " in way and "(" not in way[:9] else made

    def _filled(self, hole: str, depth: int, pending: list[tuple[str, str]]) -> str:
        if hole == "name":
            self._count += 1
            return f"unused{self._count}"
        if hole == "any":
            return self._made(self._dice.choice(["int", "text", "data"]), depth + 1)
        if hole.endswith("="):
            self._count += 1
            pending.append((hole[:-1], f"v{self._count}"))
            return pending[-1][1]
        if hole.endswith("."):
            return pending[-1][1]
        return self._made(hole, depth + 1)


class Cache:
    """Keeps what it was given last."""

    async def set(self, key: object, value: object, *, ttl_seconds: object) -> None:
        self.got = key, ttl_seconds


def outcomes(function: Callable[..., Any]) -> Iterator[set[str]]:
    """Run a handler with all flags, and yield the codes of what was wrong each time."""
    for flags in range(2 ** len(TESTS)):
        cache = Cache()
        data = asyncio.run(function(SimpleNamespace(cache=cache), flags))
        key, ttl = cache.got
        wrong: set[str] = set()
        if not (isinstance(key, str) and re.fullmatch(r"[A-Za-z0-9_:-]{1,128}", key)):
            wrong.add("FED301")
        if type(ttl) is not int or not 5 <= ttl <= 300:
            wrong.add("FED302")
        try:
            json.dumps(data, allow_nan=False)
        except (TypeError, ValueError):
            wrong.add("FED402")
        yield wrong


def really(text: str, number: int) -> dict[int, set[str]]:
    """Return handler → codes of what is wrong in one of its runs; none for those that raise."""
    same = SimpleNamespace(function=lambda *_, **__: lambda it: it)
    result = SimpleNamespace(success=lambda data, _: data)
    names: dict[str, Any] = {"chat": same, "Count": SimpleNamespace, "ActionResult": result}
    exec(compile(text, "programs", "exec"), names)  # noqa: S102 - it is our own
    found: dict[int, set[str]] = {}
    for each in range(number):
        try:
            found[each] = set().union(*outcomes(names[f"f{each}"]))
        except (TypeError, ValueError, KeyError, AttributeError, ArithmeticError):  # noqa: PERF203
            continue
    return found


@pytest.mark.parametrize("seed", range(6))
def test_what_is_told_as_an_error_happens(check_files: Check, seed: int) -> None:
    """In one of the runs; and enough is told for that to say something."""
    dice = random.Random(seed)  # noqa: S311 - no secret hangs on it
    handlers = [Program(dice).text(number) for number in range(60)]
    known = really(PARTS + "".join(handlers), len(handlers))

    result = check_files(
        {"main.py": START + PARTS + "".join(handlers)},
        codes=frozenset({"FED301", "FED302", "FED402"}),
    )

    assert () == result.notes
    line, of_line = (START + PARTS).count("\n"), dict[int, int]()
    for number, text in enumerate(handlers):
        of_line |= {line + n: number for n in range(1, text.count("\n") + 1)}
        line += text.count("\n")
    told = {(of_line[it.span.line], it.code) for it in result.findings if it.severity == "error"}
    wrong = [(code, handlers[n]) for n, code in told if n in known and code not in known[n]]
    assert [] == wrong
    assert {"FED301", "FED302", "FED402"} == {code for _, code in told}
    assert len(told) > 25
