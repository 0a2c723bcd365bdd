"""FED303: the cache takes pydantic models only."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..model.models import is_model, known_type
from ..model.values import Alternative, Class, Const, Coroutine, External, Function
from ..queries.cache_calls import CacheCall, cache_calls
from ..rule import Example, Hit, Rule
from ..sdk.sdk_objects import source_of
from ..view import FileView

_INSTEAD = 'Declare @ext.cache_model("name") class Name(BaseModel) and give an instance.'


def _check(view: FileView) -> Iterator[Hit]:
    for call in cache_calls(view, "set", "get_or_fetch", "get"):
        name = "value" if call.method == "set" else "model"
        node = call.arguments.get(name)
        if node is not None:
            yield from _value(view, call, node)


def _value(view: FileView, call: CacheCall, node: ast.expr) -> Iterator[Hit]:
    found = view.values(node)
    for item in found:
        wrong = _wrong(view, call, item)
        if wrong:
            alone = not any(
                other.via == item.via and not _wrong(view, call, other) for other in found
            )
            yield Hit(
                node=node,
                message=f"{source_of(node)} is {wrong}: {call.method} raises TypeError in "
                f"{view.sdk}"
                f"{view.way(call.item)}. {_INSTEAD}",
                severity=None if alone and call.certain else "warning",
                chain=tuple(dict.fromkeys(view.chain(call.item) + view.chain(item))),
            )
            return


def _wrong(view: FileView, call: CacheCall, item: Alternative) -> str:
    return _wrong_value(item) if call.method == "set" else _wrong_model(view, item)


def _wrong_value(item: Alternative) -> str:
    if isinstance(item.value, Class):
        return "a class, not an instance"
    if isinstance(item.value, Coroutine):
        return "a coroutine that nobody awaits"
    kind = known_type(item.value)
    return f"{kind}, not a pydantic model" if kind else ""


def _wrong_model(view: FileView, item: Alternative) -> str:
    value = item.value
    if isinstance(value, Class):
        return "" if is_model(view.evaluator, value) is not False else "no pydantic model"
    if isinstance(value, External) and value.name in {
        "dict",
        "list",
        "str",
        "int",
        "float",
        "bool",
    }:
        return f"the type {value.name}, not a pydantic model"
    if isinstance(value, Function):
        return "a function, not a pydantic model"
    if isinstance(value, Const):
        return f"{value.value!r}, not a pydantic model"
    return ""


RULE = Rule(
    code="FED303",
    name="cache-value-not-a-model",
    summary="The cache takes instances of pydantic models only.",
    severity="error",
    since="1.6.0",
    triggers=("cache",),
    check=_check,
    what="""
Finds dicts, lists, texts, numbers and `None` that are given to `ctx.cache.set`, and models of
`get` and `get_or_fetch` that are no pydantic classes.
""",
    why="The call raises TypeError; inside `except Exception` the cache silently never works.",
    example='await ctx.cache.set("notes", [{"id": 1}], ttl_seconds=60)',
    instead='await ctx.cache.set("notes", NoteList(items=notes), ttl_seconds=60)',
    references=("Cache vs store", "SDK sources: cache/client.py"),
    bad=(
        Example(
            """
@ext.panel("p")
async def p(ctx):
    await ctx.cache.set("k", {"a": 1}, ttl_seconds=60)
"""
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    await ctx.cache.set("k", None, ttl_seconds=60)
"""
        ),
        Example(
            """
async def keep(ctx, name: str):
    await ctx.cache.set('k', name, ttl_seconds=60)


@ext.panel("p")
async def p(ctx):
    await keep(ctx, "a")
"""
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    rows = [n for n in range(3)]
    await ctx.cache.set("k", rows, ttl_seconds=60)
"""
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    return await ctx.cache.get("k", dict)
"""
        ),
    ),
    good=(
        Example(
            """
async def load() -> Count:
    return Count(total=1)


@ext.panel("p")
async def p(ctx):
    await ctx.cache.set("k", await load(), ttl_seconds=60)
    old = await ctx.cache.get("k", Count)
    await ctx.cache.set("k", old, ttl_seconds=60)
    await ctx.cache.set("k", old.model_copy(update={"total": 2}), ttl_seconds=60)
"""
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx, model=Count):
    return await ctx.cache.get("k", model)
"""
        ),
    ),
)
