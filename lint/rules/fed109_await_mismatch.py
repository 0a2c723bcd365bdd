"""FED109: a coroutine that nobody awaits, or an await of a plain value."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edits.mending import add_await, drop_await
from ..model.values import Alternative, Coroutine, Sdk, SdkMethod
from ..queries.sdk_names import callee_of, path_of
from ..queries.sdk_objects import CLOSED, is_certain, source_of
from ..rule import Example, Hit, Rule
from ..view import FileView

_OWNERS = CLOSED | {"Context", "_SkeletonAccessGuard"}
_AWAITABLE = ("Awaitable", "Coroutine", "Future", "Any")


def _check(view: FileView) -> Iterator[Hit]:
    for node in view.module.nodes(ast.Expr):
        if isinstance(node.value, ast.Call):
            yield from _forgotten(view, node.value)
    for node in view.module.nodes(ast.Await):
        call = node.value
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute | ast.Name):
            yield from _needless(view, node, call)


def _forgotten(view: FileView, call: ast.Call) -> Iterator[Hit]:
    for item in view.values(call):
        value = item.value
        is_method = isinstance(value, Coroutine) and value.maker.partition(".")[0] in _OWNERS
        if is_method or _is_async_function(view, call):
            yield Hit(
                node=call,
                message=f"{source_of(call.func)}() is never awaited: nothing happens in {view.sdk}"
                f"{view.way(item)}. Write await {source_of(call.func)}(…).",
                chain=view.chain(item),
                fix=add_await(view, call),
            )
            return


def _is_async_function(view: FileView, call: ast.Call) -> bool:
    found = [callee_of(view, item.value) for item in view.values(call.func)]
    return len(found) == 1 and found[0] is not None and found[0].text.startswith("a")


def _needless(view: FileView, node: ast.Await, call: ast.Call) -> Iterator[Hit]:
    for item in view.sdk_calls.get(call, ()) or view.values(call.func):
        returned = _plain(view, item) or _component(view, item)
        if returned:
            yield Hit(
                node=node,
                message=f"{source_of(call.func)}() is not async in {view.sdk} (it returns "
                f"{returned}): "
                f"await raises TypeError{view.way(item)}. Leave out await.",
                severity=None if is_certain(view, call.func, item) else "warning",
                chain=view.chain(item),
                fix=drop_await(view, node),
            )
            return


def _component(view: FileView, item: Alternative) -> str:
    """Return what a function or class of ``ui`` returns; empty for everything else."""
    is_of_ui = path_of(item.value).startswith("ui.")
    callee = callee_of(view, item.value) if is_of_ui else None
    known = callee is not None and callee.path.startswith("ui.") and callee.text[0] in "fc"
    return "a component" if known else ""


def _plain(view: FileView, item: Alternative) -> str:
    """Return the type of a synchronous method's result; empty if it may be awaited."""
    value = item.value
    if not isinstance(value, SdkMethod) or value.owner.cls not in _OWNERS:
        return ""
    if isinstance(value.owner, Sdk) and not value.owner.certain:
        return ""
    member = view.surface.member(value.owner.cls, value.name)
    if member is None or member.is_async or not member.returns or "generator" in member.text:
        return ""
    return "" if any(word in member.returns for word in _AWAITABLE) else member.returns.strip("'\"")


RULE = Rule(
    code="FED109",
    name="await-mismatch",
    summary="Async methods of the SDK are awaited, the others are not.",
    severity="error",
    check=_check,
    what="""
Finds statements that call an async method of the SDK without `await`, and `await` before one that
is not async, such as `response.json()`, `ctx.config.get()` or `ui.Toast(…)`.
""",
    why="Without `await` nothing is sent or stored; with a needless one the handler raises "
    "TypeError.",
    example='ctx.notify("Saved")\ndata = await response.json()',
    instead='await ctx.notify("Saved")\ndata = response.json()',
    safety="Adds or removes `await`.",
    references=("SDK sources",),
    bad=(
        Example("""
@ext.panel("p")
async def p(ctx):
    ctx.store.create("a", {})
"""),
        Example("""
@ext.panel("p")
async def p(ctx):
    ctx.notify("a")
"""),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    r = await ctx.http.get("a")
    return await r.json()
"""
        ),
        Example(
            """
from imperal_sdk import Extension, fresh_token, ui

ext = Extension("notes")


@ext.panel("p")
async def p(ctx):
    fresh_token(ctx, {})
    return ui.Text("a")
""",
            holds="fresh_token() is never awaited",
        ),
        Example(
            """
from imperal_sdk import Extension, ui

ext = Extension("notes")


@ext.panel("p")
async def p(ctx):
    return await ui.Text("a")
""",
            holds="it returns a component",
        ),
    ),
    good=(
        Example(
            """
import asyncio


@ext.panel("p")
async def p(ctx):
    await ctx.notify("a")
    task = ctx.store.get("a", "b")
    await task
    ctx.config.get("x")
    await asyncio.gather(ctx.store.count("a"), ctx.store.count("b"))
"""
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    async for user in ctx.store.list_users("a"):
        print(user)
"""
        ),
        Example(
            """
from imperal_sdk import Extension, fresh_token, ui

from kit import component

ext = Extension("notes")


@ext.panel("p")
async def p(ctx):
    await fresh_token(ctx, {})
    return ui.Stack([await component("a")])
""",
            files={"kit.py": "async def component(text): ...\n"},
        ),
    ),
)
