"""FED109: a coroutine of the SDK that nobody awaits."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...edits.mending import add_await
from ...inference.syntax.module import last_name
from ...inference.values.values import Sdk, SdkMethod, Value
from ...rule import Example, Hit, Rule
from ...sdk.surface import CLOSED
from ...sdk_use.reach import is_replaced
from ...sdk_use.sdk_names import callee_of, function_calls
from ...sdk_use.sdk_objects import is_certain, source_of
from ...view import FileView

_OWNERS = CLOSED | {"Context", "_SkeletonAccessGuard"}
"""Classes of the SDK whose methods are known to be async or not."""
_OF_COROUTINES = frozenset({"send", "throw", "close", "cr_await", "cr_code", "cr_frame"})


def _check(view: FileView) -> Iterator[Hit]:
    functions = ((call.node, (call.item,)) for call in function_calls(view))
    for call, callees in (*view.sdk_calls.items(), *functions):
        effect = _effect(view, call)
        if effect and all(_is_async(view, item.value) for item in callees):
            item, name = callees[0], source_of(call.func)
            yield Hit(
                node=call,
                message=f"{name}() is never awaited: {effect}\nIt is async in {view.sdk}. "
                f"Write await {name}(…).",
                severity=None if is_certain(view, call.func, item) else "warning",
                chain=view.chain(item),
                fix=add_await(view, call),
            )


def _effect(view: FileView, call: ast.Call) -> str:
    """Return what comes of a call that is not awaited; empty if it may be awaited elsewhere."""
    parent = view.module.parents.get(call)
    if isinstance(parent, ast.Expr):
        return "nothing happens"
    if isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Name):
        name, function = parent.targets[0].id, view.module.function(call)
        stores = view.module.stores(function, name) if function is not None else []
        uses = view.module.reads(function, name) if function is not None else []
        is_own = len(stores) == len(parent.targets) == 1
        said = [_misused(view, use) for use in uses if view.module.function(use) is function]
        return said[0] if is_own and said and len(said) == len(uses) and all(said) else ""
    return _misused(view, call)


def _misused(view: FileView, node: ast.expr) -> str:
    """Return what a use of a coroutine as if it were its result does."""
    parent = view.module.parents.get(node)
    if isinstance(parent, ast.Attribute) and parent.attr not in _OF_COROUTINES:
        return f".{parent.attr} raises AttributeError"
    if isinstance(parent, ast.Subscript) and parent.value is node:
        return "[ ] raises TypeError"
    if isinstance(parent, ast.For | ast.comprehension) and parent.iter is node:
        is_async = isinstance(parent, ast.comprehension) and parent.is_async
        return "" if is_async else "the loop raises TypeError"
    if isinstance(parent, ast.Call) and node in parent.args and last_name(parent.func) == "len":
        return "len() raises TypeError"
    if isinstance(parent, ast.FormattedValue):
        return 'the text shows "<coroutine …>"'
    is_test = isinstance(parent, ast.If | ast.While | ast.IfExp) and parent.test is node
    if is_test or (isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not)):
        return "the test always takes it for true"
    return ""


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
    what="Finds calls of async methods and functions of the SDK that are a statement and not "
    "awaited, and those whose result is used as if it had been awaited: an attribute, an item, a "
    "loop, a test, a text, also through a name that is bound once.",
    why="Nothing is sent or stored: the call makes a coroutine, and nobody runs it. A coroutine "
    "has "
    "none of the attributes of its result, and it is true in every test.",
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
        Example(
            """
@ext.panel("p")
async def p(ctx):
    note = ctx.store.get("notes", "1")
    return note.data
""",
            holds="is never awaited: .data raises AttributeError",
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    if not ctx.secrets.is_set("token"):
        return []
    return ctx.http.get("https://example.com/").json()["items"]
""",
            holds="the test always takes it for true",
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
    work = ctx.store.get("a", "c")
    if ctx.config.get("slow"):
        work.close()
    later = ctx.store.get("a", "d")
    note = await later
    return (await ctx.http.get("https://example.com/")).json(), note.data
"""),
    ),
)
