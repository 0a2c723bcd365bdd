"""FED109: a coroutine of the SDK that nobody awaits, or an await of a plain value."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...edits.mending import add_await, drop_await
from ...inference.syntax.bindings import sole_value
from ...inference.syntax.module import Module
from ...inference.values.values import Alternative, Sdk, SdkMethod, Value
from ...rule import Example, Hit, Rule
from ...sdk.surface import CLOSED
from ...sdk_use.guards import caught
from ...sdk_use.reach import is_replaced
from ...sdk_use.sdk_names import callee_of, function_calls
from ...sdk_use.sdk_objects import is_certain, source_of
from ...view import FileView
from .support.uses import Use, use_of

_OWNERS = CLOSED | {"Context", "_SkeletonAccessGuard"}
"""Classes of the SDK whose methods are known to be async or not."""
_COROUTINE, _GENERATOR = "a coroutine", "an async generator"
_AWAITABLE = ("Awaitable", "Coroutine", "Future", "Any")
_SETTING = ("ConfigClient", "get")
"""Gives what the configuration holds; its type is not written."""
_RAISING = {
    Use.ATTRIBUTE: "the attribute raises AttributeError",
    Use.ITEM: "[ ] raises TypeError",
    Use.LOOP: "the loop raises TypeError",
    Use.OPERATION: "the operation raises TypeError",
    Use.ORDER: "the comparison raises TypeError",
}
_EFFECTS = {
    **_RAISING,
    Use.TEST: "a coroutine is always true",
    Use.EQUALITY: "the comparison is with the coroutine",
    Use.TEXT: 'the text shows "<coroutine …>"',
}
"""How a coroutine is taken → what follows from it."""
_OF_COROUTINES = frozenset({"close", "send", "throw"})
_LISTS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.List, ast.Set, ast.Tuple)


def _check(view: FileView) -> Iterator[Hit]:
    functions = ((call.node, (call.item,)) for call in function_calls(view))
    for call, callees in (*view.sdk_calls.items(), *functions):
        made = {_made(view, item.value) for item in callees}
        result = made.pop() if len(made) == 1 else ""
        hits: Iterator[Hit] = iter(())
        if result == _COROUTINE:
            hits = _not_awaited(view, call, callees[0])
        elif result:
            hits = _misused(view, call, callees[0], result)
        yield from (hit for hit in hits if not _is_set(view, callees[0].value))


def _made(view: FileView, value: Value) -> str:
    """Return what a call of the SDK returns, as messages name it; empty if it is not known."""
    method = SdkMethod(value, "__call__") if isinstance(value, Sdk) else value
    if isinstance(method, SdkMethod):
        cls, name = method.owner.cls, method.name
        member = view.surface.member(cls, name) if cls in _OWNERS and method.certain else None
        if member is None or not isinstance(method.owner, Sdk):
            return ""
        if member.is_async or "generator" in member.text:
            return _COROUTINE if member.is_async else _GENERATOR
        if (cls, name) == _SETTING:
            return "the setting"
        may_wait = any(word in member.returns for word in _AWAITABLE)
        return "" if may_wait else member.returns.strip("'\"")
    callee = callee_of(view, value)
    if callee is None:
        return ""
    return _COROUTINE if callee.text[0] == "a" else "a component" * callee.path.startswith("ui.")


def _is_set(view: FileView, value: Value) -> bool:
    """Tell whether the extension puts something in a method's place: ``ctx.store.get = fake``."""
    if not isinstance(value, SdkMethod):
        return False
    return is_replaced(view, value.owner.cls, value.name) or any(
        isinstance(item.value, Sdk) and item.value.cls == value.owner.cls
        for module in view.extension.project.naming(value.name)
        for node in module.stored(value.name)
        for item in view.evaluator.values(module, node.value)
    )


# ---- no await ----------------------------------------------------------------------------------


def _not_awaited(view: FileView, call: ast.Call, item: Alternative) -> Iterator[Hit]:
    module, name = view.module, source_of(call.func)
    parent = module.parents.get(call)
    holder = module.parents.get(parent) if isinstance(parent, _LISTS) else parent
    effect, advice = "", f"await {name}(…)"
    if isinstance(holder, ast.Expr):
        told = f"{name}() is never awaited: nothing happens in {view.sdk}{view.way(item)}."
    else:
        effect = _effect(view, call)
        told = f"{name}() is not awaited: in {view.sdk} it returns a coroutine{view.way(item)}, "
        told += f"and {effect}."
        if isinstance(parent, ast.Attribute):
            advice = f"({advice}).{parent.attr}"
        elif isinstance(parent, ast.Subscript):
            advice = f"({advice})[…]"
        elif isinstance(parent, ast.Assign):
            advice = f"{source_of(parent.targets[0])} = {advice}"
    if effect or isinstance(holder, ast.Expr):
        yield Hit(
            node=call,
            message=f"{told} Write {advice}.",
            severity=None if is_certain(view, call.func, item) else "warning",
            chain=view.chain(item),
            fix=add_await(view, call) if isinstance(holder, ast.stmt) else None,
        )


def _effect(view: FileView, call: ast.Call) -> str:
    """Return what happens where the code takes a coroutine for its result.

    It is taken where it stands, or by the name that holds it; then all that is done with the name
    must be of that kind, and one of it raise.
    """
    module = view.module
    parent = module.parents.get(call)
    target = parent.targets[0] if isinstance(parent, ast.Assign) else None
    if not isinstance(target, ast.Name):
        use = _use(module, call)
        return _EFFECTS[use] if use else ""
    reads: list[ast.Name] = []
    for read in module.names.get(target.id, ()):
        found = view.extension.project.lookup(module, read)[1]
        if isinstance(read.ctx, ast.Load) and any(binding.value is call for binding in found):
            if sole_value(found) is not call:
                return ""
            reads.append(read)
    uses = {_use(module, read) for read in reads}
    raising = next((text for use, text in _RAISING.items() if use in uses), "")
    return raising if None not in uses else ""


def _use(module: Module, node: ast.expr) -> Use | None:
    """Return how a value is used; None for ``task.close()``, and where an error is expected."""
    parent = module.parents.get(node)
    name = parent.attr if isinstance(parent, ast.Attribute) else ""
    use = use_of(module, node)
    if use not in _EFFECTS or name in _OF_COROUTINES or name.startswith("cr_"):
        return None
    return None if caught(module, node, "TypeError", "AttributeError") else use


# ---- await or for in vain ----------------------------------------------------------------------


def _misused(view: FileView, call: ast.Call, item: Alternative, result: str) -> Iterator[Hit]:
    """Report ``await`` of what is no coroutine, and ``for`` through an async generator."""
    parents = view.module.parents
    parent = parents.get(call)
    awaited = parent if isinstance(parent, ast.Await) else None
    around = parents.get(awaited) if awaited else parent
    is_async_loop = isinstance(around, ast.AsyncFor) or bool(getattr(around, "is_async", False))
    needs_loop = result == _GENERATOR and not is_async_loop
    if not awaited and not (needs_loop and _use(view.module, call) is Use.LOOP):
        return
    if not caught(view.module, call, "TypeError"):
        advice = f"Write async for … in {source_of(call)}" if needs_loop else "Leave out await"
        yield Hit(
            node=awaited or call,
            message=f"{source_of(call.func)}() returns {result} in {view.sdk}: "
            f"{'await' if awaited else 'the loop'} raises TypeError{view.way(item)}. {advice}.",
            severity=None if is_certain(view, call.func, item) else "warning",
            chain=view.chain(item),
            fix=drop_await(view, awaited) if awaited and not needs_loop else None,
        )


RULE = Rule(
    code="FED109",
    name="missing-or-wrong-await",
    summary="Async methods of the SDK are awaited, the others are not.",
    severity="error",
    check=_check,
    what="""
Finds calls of async methods and functions of the SDK that nobody awaits: as a statement, also
`[ctx.notify(x) for x in names]`, or where the result is used, as in `ctx.http.get(url).json()`,
`for d in ctx.store.query("n")`, `if not ctx.store.get("n", "1")`, also through a name that is used
in no other way. Finds `await` before a method that is not async, such as `response.json()`,
`ctx.config.get()` or `ui.Toast(…)`; also before an async generator, as in
`await ctx.store.list_users("n")`, and `for` through one without `async`.
""",
    why="Without `await` nothing is sent or stored, and the code has a coroutine in place of the "
    "result: attributes, `[ ]` and loops raise, and a test is always true. With a needless one the "
    "handler raises TypeError.",
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
@ext.panel("p")
async def p(ctx):
    return [row for row in ctx.store.query("a")]
""",
            holds="the loop raises TypeError. Write await ctx.store.query(…).",
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    response = ctx.http.get("a")
    return response.json()
""",
            holds="the attribute raises AttributeError. Write response = await ctx.http.get(…).",
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
            holds="returns a component",
        ),
        Example(
            """
@ext.schedule("s", cron="0 * * * *")
async def s(ctx):
    for user in await ctx.store.list_users("a"):
        print(user)
""",
            holds="Write async for … in ctx.store.list_users('a').",
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
