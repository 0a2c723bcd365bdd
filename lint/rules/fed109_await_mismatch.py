"""FED109: a coroutine that nobody awaits, or an await of a plain value."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edits.mending import add_await, drop_await
from ..model.module import Module, last_name
from ..model.values import Alternative, Function, Sdk, SdkMethod
from ..queries.async_calls import OWNERS, calls_async_function, is_async, is_of_sdk, may_start
from ..queries.loading import never_runs
from ..queries.losses import effect_of
from ..queries.lost_coroutines import loss_of
from ..queries.misused_generators import Misuse, misuses
from ..queries.sdk_names import callee_of, path_of
from ..queries.sdk_objects import is_certain, source_of
from ..queries.uses import (
    HARMLESS,
    Place,
    binder,
    first_harm,
    is_expected,
    is_given,
    is_handed_on,
    knows_better,
)
from ..rule import Example, Hit, Rule
from ..view import FileView

_CLOSED_TO_AWAIT = (ast.Await, ast.GeneratorExp, ast.JoinedStr, ast.Lambda)
_SETTING = ("ConfigClient", "get")
"""Gives what the configuration holds, all of which JSON carries."""
_TAKEN = frozenset({ast.Await, ast.Expr})
"""What awaits a coroutine or drops it."""
_AWAITABLE = ("Awaitable", "Coroutine", "Future", "Any")


def _check(view: FileView) -> Iterator[Hit]:
    for node in view.module.nodes(ast.Expr):
        for call in _dropped(node.value):
            yield from _forgotten(view, call)
    for node in view.module.nodes(ast.Call):
        if type(view.module.parents.get(node)) not in _TAKEN and is_async(view, node):
            yield from _used(view, node)
    for node in view.module.nodes(ast.Await):
        call = node.value
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute | ast.Name):
            yield from _needless(view, node, call)
    for misuse in misuses(view):
        yield _misused(view, misuse)


def _dropped(node: ast.expr) -> Iterator[ast.Call]:
    """Yield the calls whose results a statement drops, also ``[f(x) for x in y]``."""
    parts = [node]
    if isinstance(node, ast.ListComp | ast.SetComp):
        parts = [node.elt]
    elif isinstance(node, ast.DictComp):
        parts = [node.value]
    elif isinstance(node, ast.List | ast.Set | ast.Tuple):
        parts = node.elts
    for part in parts:
        if isinstance(part, ast.Call):
            yield part


def _forgotten(view: FileView, call: ast.Call) -> Iterator[Hit]:
    if may_start(view, call):
        return
    is_function = calls_async_function(view, call)
    for item in view.values(call):
        if is_function or is_of_sdk(item.value):
            yield _never(view, call, item, is_sure=True)
            return
    if is_async(view, call) and not never_runs(view, call):
        item = view.values(call.func)[0]
        yield _never(view, call, item, is_sure=_is_sure(view, call, item))


def _never(view: FileView, call: ast.Call, item: Alternative, *, is_sure: bool) -> Hit:
    return Hit(
        node=call,
        message=f"{source_of(call.func)}() is never awaited: nothing happens in {view.sdk}"
        f"{view.way(item)}. Write await {source_of(call.func)}(…).",
        severity=None if is_sure else "warning",
        chain=view.chain(item),
        fix=add_await(view, call),
    )


# ---- results that are used without await -------------------------------------------------------


def _used(view: FileView, call: ast.Call) -> Iterator[Hit]:
    if is_expected(view, call):
        return
    item = view.values(call.func)[0]
    is_sure = _is_sure(view, call, item)
    place, reads = first_harm(view, call)
    harm, loss = _harm(view.module, place, reads), loss_of(view, call)
    if not harm and (loss is None or (loss.asks and not is_sure)):
        return
    effect = harm or (loss.text if loss else "") or "nobody awaits it: nothing happens"
    is_lost = loss is not None and not loss.likely
    is_lost = is_lost or not (loss or _may_be_awaited(view.module, call, place, reads))
    is_inside = isinstance(view.module.function(call), ast.AsyncFunctionDef)
    yield Hit(
        node=call,
        message=f"{source_of(call.func)}() is not awaited: in {view.sdk} it returns a coroutine"
        f"{view.way(item)}, and {effect}. Write "
        f"{_advice(view.module, call, place)}{'' if is_inside else ' in an async function'}.",
        severity=None if is_sure and is_lost else "warning",
        chain=view.chain(item),
        fix=add_await(view, call) if _is_fixable(view.module, call, reads) else None,
    )


def _harm(module: Module, place: Place | None, reads: list[ast.Name]) -> str:
    """Return what comes of a use of a coroutine; empty if the code may know what it has."""
    if place is None or knows_better(module, place, reads):
        return ""
    goes_on = place.use in HARMLESS and any(is_handed_on(module, read) for read in reads)
    return "" if goes_on else effect_of(module, place)


def _may_be_awaited(
    module: Module, call: ast.Call, place: Place | None, reads: list[ast.Name]
) -> bool:
    """Tell whether somebody may await a coroutine though it was used before."""
    if any(is_handed_on(module, read) for read in reads):
        return True
    is_chosen = isinstance(module.parents.get(call), ast.BoolOp)  # it may be awaited behind it
    is_weak = place is not None and place.use in HARMLESS
    return is_weak and (is_chosen or any(is_given(module, read) for read in reads))


def _is_sure(view: FileView, call: ast.Call, item: Alternative) -> bool:
    for callee in view.values(call.func):
        value = callee.value
        owner = value.owner if isinstance(value, SdkMethod) else value
        if isinstance(owner, Sdk) and not owner.certain:
            return False
        if isinstance(value, Function) and not _is_named(view, call, callee, value):
            return False
    return is_certain(view, call.func, item)


def _is_named(view: FileView, call: ast.Call, item: Alternative, function: Function) -> bool:
    """Tell whether a call names a function itself, and nothing that somebody may give instead."""
    func = call.func
    found = view.extension.project.lookup(view.module, func)[1] if type(func) is ast.Name else ()
    is_given = any(each.kind == "param" for each in found)
    return not item.via and not is_given and last_name(func) == getattr(function.node, "name", "")


def _advice(module: Module, call: ast.Call, place: Place | None) -> str:
    whole = source_of(call)
    awaited = f"await {source_of(call.func)}(…)" if whole.endswith("…") else f"await {whole}"
    name = binder(module.parents.get(call))
    if name:
        sign = ":=" if isinstance(module.parents.get(call), ast.NamedExpr) else "="
        return f"{name} {sign} {awaited}"
    parent = module.parents.get(place.node if place is not None else call)
    if isinstance(parent, ast.GeneratorExp):
        return f"[{awaited} for …]"
    if isinstance(parent, ast.Attribute):
        calls = isinstance(module.parents.get(parent), ast.Call)
        return f"({awaited}).{parent.attr}{'(…)' * calls}"
    return f"({awaited})[…]" if isinstance(parent, ast.Subscript) else awaited


def _is_fixable(module: Module, call: ast.Call, reads: list[ast.Name]) -> bool:
    """Tell whether ``await`` can stand before a call as it is, and nobody awaits it later."""
    if isinstance(module.parents.get(call), ast.Attribute | ast.Subscript | ast.withitem):
        return False
    for up in module.ancestors(call):
        if isinstance(up, ast.stmt):
            break
        if isinstance(up, _CLOSED_TO_AWAIT):
            return False
    return not any(is_handed_on(module, read) or is_given(module, read) for read in reads)


# ---- await before a plain value ---------------------------------------------------------------


def _needless(view: FileView, node: ast.Await, call: ast.Call) -> Iterator[Hit]:
    for item in view.values(call.func):
        returned = _plain(view, item) or _component(view, item) or _setting(view, item, call)
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


def _misused(view: FileView, misuse: Misuse) -> Hit:
    call = misuse.call
    item = view.values(call.func)[0]
    is_inside = isinstance(view.module.function(misuse.node), ast.AsyncFunctionDef)
    return Hit(
        node=misuse.node,
        message=f"{source_of(call.func)}() gives an async generator in {view.sdk}: {misuse.does} "
        f"raises TypeError{view.way(item)}. {misuse.advice}"
        f"{'' if is_inside else ' in an async function'}.",
        severity=None if _is_sure(view, call, item) else "warning",
        chain=view.chain(item),
        fix=drop_await(view, misuse.needless) if misuse.needless else None,
    )


def _component(view: FileView, item: Alternative) -> str:
    """Return what a function or class of ``ui`` returns; empty for everything else."""
    is_of_ui = path_of(item.value).startswith("ui.")
    callee = callee_of(view, item.value) if is_of_ui else None
    known = callee is not None and callee.path.startswith("ui.") and callee.text[0] in "fc"
    return "a component" if known else ""


def _setting(view: FileView, item: Alternative, call: ast.Call) -> str:
    """Return what ``ctx.config.get`` returns, whose type is not written; empty for all else."""
    value = item.value
    if not isinstance(value, SdkMethod) or (value.owner.cls, value.name) != _SETTING:
        return ""
    if not value.certain:
        return ""
    member = view.surface.member(*_SETTING)
    defaults = [*call.args[1:], *(it.value for it in call.keywords if it.arg != "key")]
    is_known = member is not None and not member.is_async
    return "the setting" if is_known and all(map(_is_data, defaults)) else ""


def _is_data(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant | ast.Dict | ast.List | ast.JoinedStr | ast.Tuple)


def _plain(view: FileView, item: Alternative) -> str:
    """Return the type of a synchronous method's result; empty if it may be awaited."""
    value = item.value
    if not isinstance(value, SdkMethod) or value.owner.cls not in OWNERS:
        return ""
    if not value.certain:
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
Finds calls of an async method of the SDK, or of an async function of the extension, that nobody
awaits: as a statement, also `[ctx.notify(x) for x in names]`, or where the result is used, as in
`ctx.http.get(url).json()`, `for d in ctx.store.query("n")`, `if not ctx.store.get("n", "1")`, also
through a name or in a function that gets it; also where only `getattr(page, "data", None)` or the
like is asked, where a component of `ui`, a text, the log or a client of the SDK gets it, as in
`ui.Text(ctx.secrets.get("k"))`, and where a handler returns it: an error for panels and widgets,
whose result the SDK itself takes, else a warning. Not where `asyncio.create_task` or a helper may
start it. Finds `await` before a method that is not async, such as `response.json()`,
`ctx.config.get()` or `ui.Toast(…)`; also before an async generator, as in
`await ctx.store.list_users("n")`, `gather` or `create_task` of one, and `for` without `async`.
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
            holds="the loop raises TypeError. Write await ctx.store.query('a').",
        ),
        Example(
            """
async def load(ctx):
    return await ctx.http.get("a")


@ext.panel("p")
async def p(ctx):
    response = load(ctx)
    return response.json()
""",
            holds="response.json raises AttributeError. Write response = await load(ctx).",
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
        Example(
            """
@ext.schedule("s", cron="0 * * * *")
async def s(ctx):
    for user in await ctx.store.list_users("a"):
        print(user)
""",
            holds="Write async for user in ctx.store.list_users('a').",
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
