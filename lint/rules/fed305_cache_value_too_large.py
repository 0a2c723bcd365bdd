"""FED305: a value that is larger than the cache takes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..model.arguments import callee_of
from ..model.attributes import class_chain
from ..model.module import last_name
from ..model.narrowing import conditions
from ..model.values import Class
from ..model.written import Holder
from ..queries.cache_calls import CacheCall, cache_calls
from ..queries.payloads import Measure
from ..rule import Example, Hit, Rule
from ..view import FileView

_MOST = 65_536
_SHAPING = frozenset({
    "field_validator", "model_validator", "validator", "root_validator", "field_serializer",
    "model_serializer",
})  # fmt: skip
_OWN_WAYS = frozenset({"__init__", "__new__", "model_dump"})
_ELSEWHERE = frozenset({"exclude", "exclude_if", "alias", "validation_alias", "alias_priority"})
"""Arguments of ``Field`` with which a value is left out, or expected under another name."""
_PLAIN = frozenset({
    "str", "int", "float", "bool", "dict", "list", "tuple", "set", "None", "Any", "Optional",
    "Union", "List", "Dict", "Tuple", "typing", "object",
})  # fmt: skip


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
    if not isinstance(node, ast.Name):
        return [node] if isinstance(node, ast.Call) and _class(view, node) else []
    scope, found = view.evaluator.project.lookup(view.module, node)
    calls = [item.value for item in found if item.kind == "assign" and not item.path]
    made = [call for call in calls if isinstance(call, ast.Call) and _class(view, call)]
    holders = [Holder(view.module, scope, item, node) for item in found]
    if len(made) != len(found) or any(_may_shrink(view, holder) for holder in holders):
        return []
    return made


def _may_shrink(view: FileView, holder: Holder) -> bool:
    """Tell whether a test looks at a value, or code may change it, before it is cached."""
    tested = any(
        isinstance(part, ast.Name) and part.id == holder.use.id
        for test, _ in conditions(view.module, holder.use)
        for part in ast.walk(test)
    )
    return tested or any(not _is_read(view, mention) for mention in holder.mentions(view.evaluator))


def _is_read(view: FileView, mention: ast.Name) -> bool:
    """Tell whether a field is only looked at: ``value.text``, no method and nothing deeper."""
    field = view.module.parents.get(mention)
    user = view.module.parents.get(field) if field is not None else None
    return (
        isinstance(field, ast.Attribute)
        and isinstance(field.ctx, ast.Load)
        and not isinstance(user, ast.Attribute | ast.Subscript)
        and not (isinstance(user, ast.Call) and user.func is field)
    )


def _class(view: FileView, call: ast.Call) -> Class | None:
    found = (item.value for item in view.values(call.func))
    return next((value for value in found if isinstance(value, Class)), None)


def _size(view: FileView, call: ast.Call, measure: Measure) -> int:
    cls = _class(view, call)
    return sum(
        measure.of(view.module, item.value)
        for item in call.keywords
        if item.arg and cls is not None and _keeps(view, cls, item.arg)
    )


def _keeps(view: FileView, cls: Class, name: str) -> bool:
    """Tell whether a model takes, keeps and writes out what it is given for a field."""
    body = [item for owner in class_chain(view.evaluator, cls) for item in owner.node.body]
    for item in body:
        if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef) and (
            item.name in _OWN_WAYS
            or _SHAPING & {last_name(callee_of(part)) for part in item.decorator_list}
        ):
            return False
    declared = [
        item for item in body if isinstance(item, ast.AnnAssign) and last_name(item.target) == name
    ]
    return bool(declared) and all(
        {part.id for part in ast.walk(item.annotation) if isinstance(part, ast.Name)} <= _PLAIN
        and not (
            isinstance(item.value, ast.Call)
            and _ELSEWHERE & {each.arg for each in item.value.keywords}
        )
        for item in declared
    )


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
JSON with ASCII escapes, in which a Cyrillic letter costs six bytes. Left alone: what a validator, a
serializer or `exclude=True` may shorten, and objects that the code changes or measures first.
""",
    why="`set` raises ValueError. `get_or_fetch` does so up to SDK 5.9.3; since then it serves the "
    "value and never caches it.",
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
        Example(
            """
from pydantic import Field, field_validator


@ext.cache_model("t")
class T(BaseModel):
    text: str
    raw: str = Field(default="", exclude=True)


@ext.cache_model("c")
class Cut(BaseModel):
    text: str

    @field_validator("text")
    @classmethod
    def cut(cls, value):
        return value[:1000]


@ext.panel("p")
async def p(ctx):
    page = T(text="x" * 70_000)
    page.text = page.text[:1000]
    await ctx.cache.set("k", page, ttl_seconds=60)
    await ctx.cache.set("k", T(text="", raw="x" * 70_000), ttl_seconds=60)
    await ctx.cache.set("k", Cut(text="x" * 70_000), ttl_seconds=60)
    whole = T(text="x" * 70_000)
    if len(whole.model_dump_json()) < 60_000:
        await ctx.cache.set("k", whole, ttl_seconds=60)
"""
        ),
    ),
)
