"""FED109: a coroutine of the SDK that nobody awaits."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...edits.mending import add_await
from ...inference.values.values import Sdk, SdkMethod, Value
from ...rule import Example, Hit, Rule
from ...sdk.surface import CLOSED
from ...sdk_use.reach import is_replaced
from ...sdk_use.sdk_names import callee_of, function_calls
from ...sdk_use.sdk_objects import is_certain, source_of
from ...view import FileView

_OWNERS = CLOSED | {"Context", "_SkeletonAccessGuard"}
"""Classes of the SDK whose methods are known to be async or not."""


def _check(view: FileView) -> Iterator[Hit]:
    functions = ((call.node, (call.item,)) for call in function_calls(view))
    for call, callees in (*view.sdk_calls.items(), *functions):
        is_statement = isinstance(view.module.parents.get(call), ast.Expr)
        if is_statement and all(_is_async(view, item.value) for item in callees):
            item, name = callees[0], source_of(call.func)
            yield Hit(
                node=call,
                message=f"{name}() is never awaited: nothing happens\nIt is async in {view.sdk}. "
                f"Write await {name}(…).",
                severity=None if is_certain(view, call.func, item) else "warning",
                chain=view.chain(item),
                fix=add_await(view, call),
            )


def _is_async(view: FileView, callee: Value) -> bool:
    """Tell whether a call gives a coroutine; not of a method that the extension replaces."""
    method = SdkMethod(callee, "__call__") if isinstance(callee, Sdk) else callee
    if not isinstance(method, SdkMethod):
        function = callee_of(view, method)
        return function is not None and function.text[0] == "a"
    cls, name = method.owner.cls, method.name
    member = view.surface.member(cls, name) if cls in _OWNERS and method.certain else None
    is_async = isinstance(method.owner, Sdk) and member is not None and member.is_async
    return is_async and not is_replaced(view, cls, name)


RULE = Rule(
    code="FED109",
    name="missing-await",
    summary="Calls of async methods of the SDK are awaited.",
    severity="error",
    check=_check,
    what="Finds statements that call an async method or function of the SDK and do not await it.",
    why="Nothing is sent or stored: the call makes a coroutine, and nobody runs it.",
    example='ctx.notify("Saved")',
    instead='await ctx.notify("Saved")',
    safety="Adds `await`.",
    references=("SDK sources",),
    bad=(
        Example("""
@ext.panel("p")
async def p(ctx):
    ctx.store.create("a", {})
"""),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    ctx.notify("a")
""",
            holds="Write await ctx.notify(…).",
        ),
        Example(
            """
from imperal_sdk import Extension, fresh_token

ext = Extension("notes")


@ext.panel("p")
async def p(ctx):
    fresh_token(ctx, {})
""",
            holds="fresh_token() is never awaited",
        ),
    ),
    good=(
        Example("""
import asyncio


@ext.panel("p")
async def p(ctx):
    await ctx.notify("a")
    task = ctx.store.get("a", "b")
    await task
    ctx.config.get("x")
    await asyncio.gather(ctx.store.count("a"), ctx.store.count("b"))
"""),
    ),
)
