"""FED303: a cached value is no pydantic model."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial

from ...inference.syntax.spelling import is_none
from ...inference.values.models import is_model
from ...inference.values.origins import Written
from ...inference.values.values import (
    Alternative,
    Class,
    Const,
    Coroutine,
    Display,
    External,
    Function,
    Instance,
    Made,
    Sdk,
)
from ...payloads.dumps import dumped_as
from ...payloads.payloads import type_of, with_place
from ...rule import Example, Hit, Rule
from ...sdk.surface import DATACLASSES, in_words
from ...sdk_use.certainty import is_alone, is_bounded
from ...sdk_use.guards import caught
from ...sdk_use.sdk_objects import source_of
from ...view import FileView
from .support.cache_calls import CacheCall, cache_calls, wrong_fetcher
from .support.service_responses import answer_of

_INSTEAD = {
    "set": 'Declare @ext.cache_model("name") class Name(BaseModel) and give an instance: Name(…).',
    "get": 'Declare @ext.cache_model("name") class Name(BaseModel) and give the class: Name.',
}
_TYPES = frozenset(
    {"dict", "list", "str", "int", "float", "bool", "tuple", "set", "bytes", "object", "typing.Any"}
)
_GENERIC = frozenset({"typing.Optional", "typing.Union", "typing.List", "typing.Dict"})
_CLASS = "a class, not an instance"
_COROUTINE = "a coroutine that nobody awaits"


def _check(view: FileView) -> Iterator[Hit]:
    for call in cache_calls(view, "set", "get_or_fetch", "get"):
        node = call.arguments.get("value" if call.method == "set" else "model")
        if node is not None:
            yield from _value(view, call, node)
        fetcher = call.arguments.get("fetcher")
        if fetcher is not None:
            yield from _fetcher(view, call, fetcher)


def _fetcher(view: FileView, call: CacheCall, fetcher: ast.expr) -> Iterator[Hit]:
    model = call.arguments.get("model")
    classes = [item.value for item in view.values(model)] if model is not None else []
    cls = classes[0] if len(classes) == 1 and isinstance(classes[0], Class) else None
    faults = [wrong_fetcher(view, item, cls) for item in view.values(fetcher)]
    if not faults or not all(fault.text for fault in faults):
        return
    always = all(fault.always for fault in faults)
    if always or not caught(view.module, call.node, "TypeError"):
        name = cls.node.name if cls else "the model"
        yield Hit(
            node=fetcher,
            message=f"the fetcher is {faults[0].text}\n{source_of(fetcher)}: get_or_fetch raises "
            f"TypeError in {view.sdk} {'whenever nothing is cached' if always else 'then'}. "
            f"Give an async function that returns {name}: async def load() -> {name}.",
            severity=None if call.certain and always else "warning",
            chain=view.chain(call.item),
        )


def _value(view: FileView, call: CacheCall, node: ast.expr) -> Iterator[Hit]:
    at = Written(view.module, node)
    dumped = dumped_as(view, at) if call.method == "set" else ""
    answer = answer_of(view, at) if call.method == "set" and not dumped else ""
    if dumped or answer:
        wrong = f"{dumped or answer}, not a pydantic model"
        advice = "Give the model itself." if dumped else ""
        alone = bool(dumped) or not is_bounded(view, node)
        yield _hit(view, call, node, wrong, advice=advice, alone=alone)
        return
    for item in view.values(node):
        wrong = _wrong(view, call, item)
        if wrong:
            alone = is_alone(view, node, item, partial(_wrong, view, call))
            yield _hit(view, call, node, wrong, alone=alone, item=item)
            return


def _hit(
    view: FileView,
    call: CacheCall,
    node: ast.expr,
    wrong: str,
    *,
    alone: bool,
    advice: str = "",
    item: Alternative | None = None,
) -> Hit:
    source, own = source_of(node), view.chain(item) if item else ()
    return Hit(
        node=node,
        message=f"{_said(source, wrong)}: {call.method} raises TypeError\nJudged for {view.sdk}. "
        f"{advice or _advice(call, source, wrong)}",
        severity=None if call.certain and alone else "warning",
        chain=with_place(view, view.chain(call.item) + own, node),
    )


def _said(source: str, wrong: str) -> str:
    """Return the breach in words: ``rows is a list, not a pydantic model``."""
    if wrong.startswith(f"{source},"):
        return f"{source} is no pydantic model"
    return f"{source} is {wrong}"


def _advice(call: CacheCall, source: str, wrong: str) -> str:
    """Return what to write instead."""
    if call.method != "set":
        return _INSTEAD["get"]
    if wrong == _CLASS:
        return f"Write {source}(…)."
    if wrong == _COROUTINE:
        return f"Write await {source}."
    if wrong.startswith("None,"):
        return "To remove an entry, write await ctx.cache.delete(key)."
    return _INSTEAD["set"]


def _wrong(view: FileView, call: CacheCall, item: Alternative) -> str:
    return _wrong_value(view, item) if call.method == "set" else _wrong_model(view, item)


def _wrong_value(view: FileView, item: Alternative) -> str:
    if isinstance(item.value, Instance) and is_model(view.evaluator, item.value.cls) is False:
        return f"an object of {item.value.cls.node.name}, which is no pydantic model"
    if isinstance(item.value, Class):
        return _CLASS
    if isinstance(item.value, Coroutine):
        return _COROUTINE
    if isinstance(item.value, Sdk) and item.value.cls in DATACLASSES and item.value.certain:
        return f"{in_words(item.value.cls)}, not a pydantic model"
    if item.value == Made("json.loads"):
        return "what json.loads made, not a pydantic model"
    kind = type_of(view, item.value)
    return f"{kind}, not a pydantic model" if kind else ""


def _wrong_model(view: FileView, item: Alternative) -> str:
    value = item.value
    if isinstance(value, Class):
        return "" if is_model(view.evaluator, value) is not False else "no pydantic model"
    if isinstance(value, External) and value.name in _TYPES:
        return f"the type {value.name}, not a pydantic model"
    if isinstance(value, Instance) and is_model(view.evaluator, value.cls):
        return f"an object of {value.cls.node.name}, not its class"
    if isinstance(value, Display) and _is_generic(view, value):
        return "a generic type, not a pydantic model"
    if isinstance(value, Function):
        return "a function, not a pydantic model"
    if isinstance(value, Const):
        return f"{value.value!r}, not a pydantic model"
    return ""


def _is_generic(view: FileView, value: Display) -> bool:
    """Tell whether an expression is a generic and no class: ``list[Count]``, ``Count | None``."""
    node = value.node
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return is_none(node.left) or is_none(node.right)
    if not isinstance(node, ast.Subscript):
        return False
    found = [item.value for item in view.evaluator.values(value.module, node.value)]
    return bool(found) and all(
        isinstance(each, External) and each.name in _TYPES | _GENERIC for each in found
    )


RULE = Rule(
    code="FED303",
    name="cache-value-not-a-model",
    summary="The cache takes instances of pydantic models only.",
    severity="error",
    since="1.6.0",
    triggers=("cache",),
    check=_check,
    what="""
Finds dicts, lists, texts, numbers, `None`, `response.json()`, `document.data` and parts of both,
`model.model_dump()` and objects of classes that are no pydantic models, such as dataclasses, that
are given to `ctx.cache.set`, models of `get` and `get_or_fetch` that are no pydantic classes, and
fetchers that return something else than the model, `response.json()` or nothing for one, or cannot
be awaited. A fetcher that returns the model in one way and something else in another, such as
`return Note(…) if response.ok else None`, or comes to its end in another, is a warning.
""",
    why="The call raises TypeError; inside `except Exception` the cache silently never works.",
    example='await ctx.cache.set("notes", [{"id": 1}], ttl_seconds=60)',
    instead='await ctx.cache.set("notes", NoteList(items=notes), ttl_seconds=60)',
    references=("Cache vs store", "SDK sources: cache/client.py"),
    bad=(
        Example(
            """
from functools import partial


@ext.panel("p")
async def p(ctx):
    save = partial(ctx.cache.set, ttl_seconds=60)
    await save("notes", {"total": 1})
""",
            holds="a dict, not a pydantic model",
        ),
        Example(
            """
from collections import namedtuple

Total = namedtuple("Total", "total")


@ext.panel("p")
async def p(ctx):
    await ctx.cache.set("notes", Total(1), ttl_seconds=60)
""",
            holds="set raises TypeError",
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    async def load():
        return {"total": 1}

    return await ctx.cache.get_or_fetch("k", Count, load)
""",
            holds="whenever nothing is cached",
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    return await ctx.cache.get_or_fetch("k", Count, lambda: Count(total=1))
""",
            holds="get_or_fetch raises",
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    return await ctx.cache.get("k", list[Count])
""",
            holds="a generic type",
        ),
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
        Example(
            """
from dataclasses import dataclass


@dataclass
class Row:
    total: int


@ext.panel("p")
async def p(ctx):
    await ctx.cache.set("k", Row(1), ttl_seconds=60)
""",
            holds="an object of Row",
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    count = Count(total=1)
    entry = count.model_dump()
    await ctx.cache.set("k", entry, ttl_seconds=60)
""",
            holds="Give the model itself",
        ),
        Example(
            """
async def keep(ctx, value):
    if not value:
        value = Count(total=0)
    await ctx.cache.set("k", value, ttl_seconds=60)


@ext.panel("p")
async def p(ctx):
    await keep(ctx, {"total": 1})
""",
            severity="warning",
        ),
    ),
    good=(
        Example(
            """
from functools import partial


@ext.panel("p")
async def p(ctx):
    save = partial(ctx.cache.set, ttl_seconds=60)
    await save("notes", Count(total=1))
    load = partial(ctx.cache.get, model=Count)
    return await load("notes")
"""
        ),
        Example(
            """
async def load(number):
    return Count(total=number)


@ext.panel("p")
async def p(ctx):
    value = {"total": 1}
    if isinstance(value, dict):
        value = Count(**value)
    await ctx.cache.set("k", value, ttl_seconds=60)
    return await ctx.cache.get_or_fetch("k", Count, lambda: load(2))
"""
        ),
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
