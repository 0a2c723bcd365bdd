"""FED305: a cached value that exceeds the cache's size limit."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...inference.calls.call_sites import entering_calls
from ...inference.containers.dicts import fields_of
from ...inference.flow.branches import may_run
from ...inference.flow.conditions import conditions
from ...inference.syntax.arguments import callee_of, given_in
from ...inference.syntax.module import FUNCTIONS, FunctionNode, Module, last_name
from ...inference.values.attributes import class_chain
from ...inference.values.origins import Holder, Written, is_left_alone, written
from ...inference.values.values import Class, Frame
from ...payloads.payloads import Measure
from ...rule import Example, Hit, Rule
from ...sdk_use.guards import caught
from ...view import FileView
from .support.cache_calls import CacheCall, cache_calls

_MOST = 65_536
_SHAPING = frozenset({
    "field_validator", "model_validator", "validator", "root_validator", "field_serializer",
    "model_serializer",
})  # fmt: skip
_OWN_WAYS = frozenset({"__init__", "__new__", "model_dump"})
_ELSEWHERE = frozenset({"exclude", "exclude_if", "alias", "validation_alias", "alias_priority"})
"""Arguments of ``Field`` that exclude a value or rename its key."""
_VALIDATING = frozenset({"model_validate", "parse_obj"})
_PLAIN = frozenset({
    "str", "int", "float", "bool", "dict", "list", "tuple", "None", "Any", "Optional",
    "Union", "List", "Dict", "Tuple", "typing", "object",
})  # fmt: skip
"""Types whose values validation keeps at full size; a set drops duplicates."""


def _check(view: FileView) -> Iterator[Hit]:
    measure = Measure(view.evaluator)
    for call in cache_calls(view, "set"):
        value = call.arguments.get("value")
        for places, given in _given(view, call, value) if value is not None else ():
            sizes = [_size(view, at, measure) for at in places]
            if sizes and min(sizes) > _MOST:
                yield _hit(view, call, min(sizes), given)
                break


def _hit(view: FileView, call: CacheCall, size: int, given: Frame | None) -> Hit:
    place = f" (given in {given.module.source.path.name}:{given.call.lineno})" if given else ""
    severity = "info" if caught(view.module, call.node, "ValueError") else None
    return Hit(
        node=call.node,
        message=f"the value is too large for the cache: set raises ValueError\n"
        f"It has at least {size:,} bytes as JSON{place}; the cache takes {_MOST:,} in {view.sdk}. "
        f"Keep large values in ctx.store.",
        severity=severity if call.certain else "warning",
        chain=view.chain(call.item),
    )


def _given(
    view: FileView, call: CacheCall, value: ast.expr
) -> Iterator[tuple[list[Written], Frame | None]]:
    """Yield the calls that may have made a value; for a parameter once per caller."""
    function, arg = _parameter(view, value)
    if function is None or arg is None:
        yield _made(view, view.module, value), None
        return
    for frame in entering_calls(view.evaluator, view.module, function):
        given = given_in(frame, arg)
        if given is not None and may_run(view.evaluator, view.module, call.node, frame):
            yield _made(view, frame.module, given, frame.outer), frame


def _parameter(view: FileView, value: ast.expr) -> tuple[FunctionNode | None, ast.arg | None]:
    """Return the parameter that holds a value, if nothing changes or measures it first."""
    if not isinstance(value, ast.Name):
        return None, None
    scope, found = view.evaluator.project.lookup(view.module, value)
    arg = found[0].node if len(found) == 1 else None
    if not isinstance(arg, ast.arg) or not isinstance(scope, FUNCTIONS):
        return None, None
    if not is_left_alone(scope) or _may_shrink(view, Holder(view.module, scope, found[0], value)):
        return None, None
    return scope, arg


def _made(
    view: FileView, module: Module, node: ast.expr, frame: Frame | None = None
) -> list[Written]:
    """Return the constructor calls that a value comes from; nothing if one is not known."""
    found = written(view.evaluator, module, node, frame)
    for at in found:
        if _class(view, at) is None or any(_may_shrink(view, each) for each in at.holders):
            return []
    return found


def _may_shrink(view: FileView, holder: Holder) -> bool:
    """Tell whether code tests a value, or may change it, before caching it."""
    mentions = holder.mentions(view.evaluator)
    return _is_tested(holder) or any(not _is_read(holder, each) for each in mentions)


def _is_tested(holder: Holder) -> bool:
    return any(
        isinstance(part, ast.Name) and part.id == holder.use.id
        for test, _ in conditions(holder.module, holder.use)
        for part in ast.walk(test)
    )


def _is_read(holder: Holder, mention: ast.Name) -> bool:
    """Tell whether code only reads a field: ``value.text``, no method call and nothing deeper."""
    field = holder.module.parents.get(mention)
    user = holder.module.parents.get(field) if field is not None else None
    return (
        isinstance(field, ast.Attribute)
        and isinstance(field.ctx, ast.Load)
        and not isinstance(user, (ast.Attribute, ast.Subscript))
        and not (isinstance(user, ast.Call) and user.func is field)
    )


def _class(view: FileView, at: Written) -> Class | None:
    """Return the class that ``Name(…)`` or ``Name.model_validate(…)`` instantiates."""
    callee = at.node.func if isinstance(at.node, ast.Call) else None
    if isinstance(callee, ast.Attribute) and callee.attr in _VALIDATING:
        callee = callee.value
    found = view.evaluator.values(at.module, callee, at.frame) if callee is not None else ()
    return next((item.value for item in found if isinstance(item.value, Class)), None)


def _size(view: FileView, at: Written, measure: Measure) -> int:
    cls = _class(view, at)
    if cls is None or not isinstance(at.node, ast.Call):
        return 0
    named = [item for item in at.node.keywords if item.arg and _keeps(view, cls, item.arg)]
    is_made = last_name(at.node.func) not in _VALIDATING
    wholes = [item.value for item in at.node.keywords if not item.arg] if is_made else at.node.args
    given = [item.value for item in named if is_made]
    given += [whole for whole in wholes if _keeps_all(view, cls, at.part(whole))]
    return sum(measure.of(at.part(item)) for item in given)


def _keeps_all(view: FileView, cls: Class, given: Written) -> bool:
    """Tell whether a model keeps every entry of a dict that the code writes out: ``**rows``."""
    places = written(view.evaluator, given.module, given.node, given.frame)
    if any(_is_tested(holder) for place in places for holder in place.holders):
        return False
    found = [fields_of(view.evaluator, place) for place in places]
    return all(
        fields is not None
        and not fields.dynamic
        and all(_keeps(view, cls, name) for name in fields.values)
        for fields in found
    )


def _keeps(view: FileView, cls: Class, name: str) -> bool:
    """Tell whether a model accepts, keeps and dumps the value of a field unchanged."""
    body = [item for owner in class_chain(view.evaluator, cls) for item in owner.node.body]
    for item in body:
        if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef)) and (
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
JSON with ASCII escapes, in which a Cyrillic letter costs six bytes; also where a helper makes the
value, or gets it from its callers, and of `Name(**rows)` and `Name.model_validate(rows)`. Left
alone: what a validator, a serializer or `exclude=True` may shorten, and objects that the code
changes or measures first. Info where the ValueError is caught.
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
