"""FED302: a call passes a time to live that the cache rejects."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator

from ....reports.lint.findings import Edit, Fix
from ...inference.values.models import known_type
from ...inference.values.values import Alternative, Const
from ...rule import Example, Hit, Rule
from ...sdk_use.certainty import is_alone, is_bounded
from ...sdk_use.sdk_objects import source_of
from ...view import FileView, span_of
from .support.cache_calls import CacheCall, cache_calls

_LEAST, _MOST = 5, 300
_MAY_PASS = frozenset({"", "an int", "a bool"})


def _check(view: FileView) -> Iterator[Hit]:
    for call in cache_calls(view, "set", "get_or_fetch"):
        ttl = call.arguments.get("ttl_seconds") or call.arguments.get("ttl")
        if ttl is not None:
            yield from _ttl(view, call, ttl)


def _ttl(view: FileView, call: CacheCall, ttl: ast.expr) -> Iterator[Hit]:
    for item in view.values(ttl) if not is_bounded(view, ttl) else ():
        wrong = _wrong(item)
        if wrong:
            alone = is_alone(view, ttl, item, _wrong)
            yield Hit(
                node=call.node,
                message=f"ttl_seconds={source_of(ttl)} is {_said(ttl, wrong)}\n"
                f"{_effect(view, call)}{_from(item)}. {_advice(item, call)}",
                severity=None if alone and call.certain else "warning",
                fix=_fix(view, ttl, item),
                chain=view.chain(call.item) + view.chain(item),
            )
            return


def _fix(view: FileView, ttl: ast.expr, item: Alternative) -> Fix | None:
    """Replace a number that the call writes out; a longer minimum is for a person to decide."""
    value = item.value.value if isinstance(item.value, Const) else None
    parts = (ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop)
    is_written = ttl in view.module.parents and all(isinstance(it, parts) for it in ast.walk(ttl))
    if not is_written or not isinstance(value, int | float) or isinstance(value, bool):
        return None
    if math.isnan(value):
        return None
    new = round(min(max(value, _LEAST), _MOST))
    edit = Edit(span=span_of(view.module, ttl), replacement=str(new))
    return Fix(title=f"Write {new}", safety="unsafe" if value < _LEAST else "safe", edits=(edit,))


def _wrong(item: Alternative) -> str:
    value = item.value
    if isinstance(value, Const):
        if isinstance(value.value, bool) or not isinstance(value.value, int):
            return f"{value.value!r}, not an int"
        return (
            "" if _LEAST <= value.value <= _MOST else f"{value.value}, outside {_LEAST} to {_MOST}"
        )
    kind = known_type(value)
    return f"{kind}, not an int" if kind not in _MAY_PASS else ""


def _said(ttl: ast.expr, wrong: str) -> str:
    """Leave out the value if the code shows it: ``ttl_seconds=600 is outside …``."""
    return wrong.removeprefix(f"{source_of(ttl)}, ")


def _advice(item: Alternative, call: CacheCall) -> str:
    """Return what to write instead."""
    value = item.value.value if isinstance(item.value, Const) else None
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        if value > _MOST:
            return f"Write ttl_seconds={_MOST}; what must live longer belongs in ctx.store."
        if value < _LEAST:
            or_delete = ", or await ctx.cache.delete(key)" if call.method == "set" else ""
            return f"Write ttl_seconds={_LEAST}{or_delete}."
        if value >= _LEAST:  # all but NaN
            return f"Write ttl_seconds={round(value)}."
    return f"Write an int from {_LEAST} to {_MOST}: ttl_seconds=60."


def _from(item: Alternative) -> str:
    if not item.via:
        return ""
    step = item.via[-1]
    line = getattr(step.node, "lineno", 0)
    return f" (given in {step.module.source.path.name}:{line})"


def _effect(view: FileView, call: CacheCall) -> str:
    if call.method == "set":
        return f"With that set raises ValueError in {view.sdk}"
    if view.surface.at_least("5.9.4"):
        return f"{view.sdk} serves the value and never caches it"
    return f"With that get_or_fetch raises ValueError in {view.sdk}"


RULE = Rule(
    code="FED302",
    name="invalid-cache-ttl",
    summary="A cache entry lives 5 to 300 seconds, given as an int.",
    severity="error",
    invariant="I-CACHE-TTL-CAP-300S",
    since="1.6.0",
    triggers=("cache",),
    check=_check,
    what="""
Follows `ttl_seconds` of `ctx.cache.set` and `get_or_fetch` through literals, constants of other
modules, expressions, timedeltas, `**given` and parameters of wrappers.
""",
    why="""
`set` raises ValueError. `get_or_fetch` does so up to SDK 5.9.3; since then it serves the value and
never caches it, so that every call is slow.
""",
    example='await ctx.cache.set("notes:count", count, ttl_seconds=3600)',
    instead='await ctx.cache.set("notes:count", count, ttl_seconds=300)',
    safety="A number that the call writes out becomes the nearest one that is taken; unsafe where "
    "the entry lives longer then than it did.",
    references=("Cache vs store", "SDK sources: cache/client.py"),
    bad=(
        Example(
            """
from functools import partial


class Keeper:
    def __init__(self, ctx):
        self.save = partial(ctx.cache.set, ttl_seconds=600)

    async def keep(self):
        await self.save("notes", Count(total=1))


@ext.panel("p")
async def p(ctx):
    await Keeper(ctx).keep()
""",
            holds="ttl_seconds=600 is outside",
        ),
        Example(
            """
from typing import NamedTuple

Slot = NamedTuple("Slot", [("key", str), ("ttl", int)])
SLOT = Slot("notes", ttl=600)


@ext.panel("p")
async def p(ctx):
    await ctx.cache.set(SLOT.key, Count(total=1), ttl_seconds=SLOT.ttl)
""",
            holds="SLOT.ttl is 600",
        ),
        Example(
            """
from datetime import timedelta


@ext.panel("p")
async def p(ctx):
    given = {"ttl_seconds": timedelta(minutes=10).seconds}
    await ctx.cache.set("k", Count(total=1), **given)
""",
            holds="is 600, outside 5 to 300",
        ),
        Example(
            '\n@ext.panel("p")\nasync def p(ctx):\n'
            '    await ctx.cache.get_or_fetch("k", Count, load, ttl_seconds=600)\n',
            sdk="5.9.3",
            holds="get_or_fetch raises ValueError",
        ),
        Example(
            '\n@ext.panel("p")\nasync def p(ctx):\n'
            '    await ctx.cache.get_or_fetch("k", Count, load, ttl_seconds=600)\n',
            sdk="5.9.4",
            holds="never caches it",
        ),
        Example(
            """
class Keeper:
    life = 600

    async def keep(self, ctx, value):
        await ctx.cache.set("k", value, ttl_seconds=self.life)


class Brief(Keeper):
    life = 60


@ext.panel("p")
async def p(ctx):
    await Keeper().keep(ctx, Count(total=1))
""",
            severity="warning",
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    await ctx.cache.set("k", Count(total=1), ttl_seconds=600)
""",
            holds="raises ValueError",
        ),
        Example(
            """
from imperal_sdk import Extension
from pydantic import BaseModel
from settings import LIFE

ext = Extension("n")


@ext.cache_model("c")
class Count(BaseModel):
    total: int


async def keep(ctx, value, ttl):
    await ctx.cache.set('k', value, ttl)


@ext.panel("p")
async def p(ctx):
    await keep(ctx, Count(total=1), LIFE * 60)
""",
            {"settings.py": "LIFE = 10\n"},
            holds="600, outside",
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    await ctx.cache.get_or_fetch("k", Count, lambda: None, ttl_seconds=1)
""",
            holds="never caches",
        ),
        Example(
            """
from datetime import timedelta


@ext.panel("p")
async def p(ctx):
    await ctx.cache.set("k", Count(total=1), ttl_seconds=timedelta(minutes=1))
"""
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    await ctx.cache.set("k", Count(total=1), ttl_seconds=60.0)
"""
        ),
        Example(
            """
import math


@ext.panel("p")
async def p(ctx):
    await ctx.cache.set("k", Count(total=1), ttl_seconds=math.inf * 0)
""",
            holds="is nan, not an int",
        ),
    ),
    good=(
        Example(
            """
from collections import namedtuple
from functools import partial

Slot = namedtuple("Slot", ("key", "ttl"))
SLOT = Slot("notes", 60)


@ext.panel("p")
async def p(ctx):
    save = partial(ctx.cache.set, ttl_seconds=600)
    await save("notes", Count(total=1), ttl_seconds=SLOT.ttl)
    await save("notes", Count(total=1), ttl_seconds=SLOT._replace(ttl=30).ttl)
"""
        ),
        Example(
            """
def clamped(life):
    if life > 300:
        return 300
    return life


@ext.panel("p")
async def p(ctx):
    await ctx.cache.set("k", Count(total=1), ttl_seconds=clamped(900))
"""
        ),
        Example(
            """
async def keep(ctx, value, ttl=900):
    if ttl <= 300:
        await ctx.cache.set('k', value, ttl_seconds=ttl)


@ext.panel("p")
async def p(ctx):
    await keep(ctx, Count(total=1))
"""
        ),
        Example(
            """
DEAD_TTL = 900


@ext.skeleton("s", ttl=600)
async def s(ctx):
    await ctx.cache.set("k", Count(total=1), ttl_seconds=min(600, 300))
    return {"response": {}}
"""
        ),
        Example(
            """
async def keep(ctx, value, ttl=60):
    await ctx.cache.set('k', value, ttl_seconds=ttl)


@ext.panel("p")
async def p(ctx):
    await keep(ctx, Count(total=1), 120)
"""
        ),
    ),
)
