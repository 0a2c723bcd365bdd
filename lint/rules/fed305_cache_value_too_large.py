"""FED305: a value that is larger than the cache takes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..model.values import Class
from ..queries.cache_calls import CacheCall, cache_calls
from ..queries.payloads import Measure
from ..rule import Example, Hit, Rule
from ..view import FileView

_MOST = 65_536


def _check(view: FileView) -> Iterator[Hit]:
    measure = Measure(view.evaluator)
    for call in cache_calls(view, "set"):
        value = call.arguments.get("value")
        sizes = [_size(view, made, measure) for made in _made(view, value)] if value else []
        if sizes and min(sizes) > _MOST:
            yield _hit(view, call, min(sizes))


def _hit(view: FileView, call: CacheCall, size: int) -> Hit:
    return Hit(
        node=call.node,
        message=f"the value has at least {size:,} bytes as JSON; the cache takes {_MOST:,}: set "
        "raises "
        f"ValueError in {view.sdk}{view.way(call.item)}. Keep large values in ctx.store.",
        severity=None if call.certain else "warning",
        chain=view.chain(call.item),
    )


def _made(view: FileView, node: ast.expr) -> list[ast.Call]:
    """Return the calls of a model's class that a value comes from, all or none."""
    if isinstance(node, ast.Name):
        _, found = view.evaluator.project.lookup(view.module, node)
        calls = [item.value for item in found if item.kind == "assign" and not item.path]
        made = [call for call in calls if isinstance(call, ast.Call)]
        return (
            made if len(made) == len(found) and all(_is_class(view, call) for call in made) else []
        )
    return [node] if isinstance(node, ast.Call) and _is_class(view, node) else []


def _is_class(view: FileView, call: ast.Call) -> bool:
    return any(isinstance(item.value, Class) for item in view.values(call.func))


def _size(view: FileView, call: ast.Call, measure: Measure) -> int:
    return sum(measure.of(view.module, item.value) for item in call.keywords if item.arg)


RULE = Rule(
    code="FED305",
    name="cache-value-too-large",
    summary="A cache value has at most 64 KB.",
    severity="error",
    invariant="I-CACHE-VALUE-SIZE-CAP-64KB",
    since="1.6.0",
    triggers=("cache",),
    check=_check,
    what="""
Finds values of `ctx.cache.set` whose known parts alone are larger than 65,536 bytes as compact
JSON with ASCII escapes, in which a Cyrillic letter costs six bytes.
""",
    why="`set` raises ValueError. `get_or_fetch` serves the value and never caches it.",
    example='await ctx.cache.set("page", Page(html="x" * 70_000), ttl_seconds=60)',
    instead='await ctx.store.create("pages", {"html": html})',
    references=("Cache vs store", "SDK sources: cache/client.py"),
    bad=(
        Example(
            """
@ext.cache_model("t")
class T(BaseModel):
    text: str


@ext.panel("p")
async def p(ctx):
    value = T(text="x" * 70_000)
    await ctx.cache.set("k", value, ttl_seconds=60)
"""
        ),
    ),
    good=(
        Example(
            """
@ext.cache_model("t")
class T(BaseModel):
    text: str


@ext.panel("p")
async def p(ctx, s):
    await ctx.cache.set("k", T(text="x" * 60_000 + s), ttl_seconds=60)
"""
        ),
    ),
)
