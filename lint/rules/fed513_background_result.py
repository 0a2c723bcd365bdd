"""FED513: background work that ends without an ActionResult."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

import msgspec

from ..model.bindings import sole_value
from ..model.blocks import is_endless
from ..model.branches import may_run
from ..model.calling import own_nodes
from ..model.gathered import waited_for
from ..model.handlers import sdk_class
from ..model.models import is_model, known_type
from ..model.module import Module, last_name
from ..model.values import (
    Alternative,
    Const,
    Coroutine,
    External,
    Frame,
    Function,
    Instance,
    Made,
    Sdk,
    SdkClass,
)
from ..model.written import called
from ..queries.endings import never_ends
from ..queries.sdk_calls import SdkCall, sdk_calls
from ..queries.sdk_objects import source_of
from ..rule import Example, Hit, Rule
from ..view import FileView, step_at

_FUTURES = frozenset(
    {"asyncio.gather", "asyncio.shield", "asyncio.create_task", "asyncio.ensure_future"}
)
"""Functions that start work themselves: what they return cannot be started again."""
_AWAITED = {"await asyncio.gather": "a list", "await asyncio.wait": "a tuple"}
"""What is awaited → what comes of it."""
_IN_PLACE = {
    "a function": ("the work never runs", "Call it: background_task(work(ctx))."),
    "an async generator": ("the work never runs", "Return an ActionResult in place of yield."),
    "a future": (
        "its result comes to nobody",
        "Await it in an async function that returns an ActionResult: background_task(work(ctx)).",
    ),
    "a result": ("it raises TypeError", "Leave out await."),
}
"""What stands in place of a coroutine → what comes of it, and what to write."""


def _check(view: FileView) -> Iterator[Hit]:
    for call in sdk_calls(view, "Context", "background_task"):
        given = call.arguments.get("coro")
        places = _made(view, given) if given is not None else []
        for work in places:
            hits = list(_judge(view, call, work))
            yield from (hit for hit in hits if len(places) == 1)
            yield from (_unsure(hit) for hit in hits if len(places) > 1)


def _unsure(hit: Hit) -> Hit:
    """Return a hit on one of several coroutines, of which the others may be right."""
    return msgspec.structs.replace(hit, severity="warning")


def _made(view: FileView, given: ast.expr) -> list[ast.expr]:
    """Return what makes the coroutine, here or where its only name gets it."""
    if isinstance(given, ast.IfExp):
        return [*_made(view, given.body), *_made(view, given.orelse)]
    if not isinstance(given, ast.Name):
        return [given]
    _, found = view.evaluator.project.lookup(view.module, given)
    made = sole_value(found)
    if isinstance(made, ast.Call):
        return [made]
    return [given] if [it.kind for it in found] in (["def"], ["import"]) else []


def _judge(view: FileView, call: SdkCall, work: ast.expr) -> Iterator[Hit]:
    what = _in_place(view, work)
    if what:
        yield _hit_in_place(view, call, work, what)
        return
    inner = waited_for(view.evaluator, view.module, work, None) if _is_waiting(work) else None
    made = inner or work
    if not isinstance(made, ast.Call):
        return
    for function, _ in _started(view, made):
        yield from _judge_function(view, call, made, function)
    if not any(isinstance(item.value, Function) for item in view.values(made.func)):
        yield from _judge_values(view, call, made)


def _in_place(view: FileView, work: ast.expr) -> str:
    """Return what stands in place of a coroutine; empty for one, and for what is not known."""
    found = [item.value for item in view.values(work)]
    if found and all(isinstance(value, Function) or value == _PARTIAL for value in found):
        return "a function"
    if isinstance(work, ast.Await) and found:
        return "a result" if all(isinstance(it, Sdk) or known_type(it) for it in found) else ""
    return _made_by_call(view, work) if isinstance(work, ast.Call) else ""


def _made_by_call(view: FileView, work: ast.Call) -> str:
    """Return what a call makes in place of a coroutine; empty if it may make one."""
    callees = [item.value for item in view.values(work.func)]
    if callees and all(isinstance(it, External) and it.name in _FUTURES for it in callees):
        return "a future"
    yields = [
        isinstance(each.node, ast.AsyncFunctionDef) and each.module.is_generator(each.node)
        for each, _ in called(view.evaluator, view.module, work, None)
    ]
    return "an async generator" if yields and all(yields) else ""


def _started(view: FileView, made: ast.Call) -> list[tuple[Function, Frame]]:
    """Return the functions whose coroutine a call gives: itself, or by a plain function."""
    found = called(view.evaluator, view.module, made, None)
    if len(found) != 1 or isinstance(found[0][0].node, ast.AsyncFunctionDef):
        return found
    maker, frame = found[0]
    results = maker.module.returns(maker.node)
    inner = results[0] if len(results) == 1 else None
    if not isinstance(inner, ast.Call):
        return []
    return called(view.evaluator, maker.module, inner, view.evaluator.frame(frame))


def _is_waiting(work: ast.expr) -> TypeGuard[ast.Call]:
    return isinstance(work, ast.Call) and last_name(work.func) == "wait_for"


def _hit_in_place(view: FileView, call: SdkCall, work: ast.expr, what: str) -> Hit:
    effect, advice = _IN_PLACE[what]
    return Hit(
        node=work,
        message=f"{source_of(work)} is {what} and not a coroutine: the kernel of {view.sdk} "
        "starts what background_task gets with asyncio.create_task, which takes nothing else, so "
        f"{effect}. {advice}",
        severity=None if call.certain else "warning",
        chain=view.chain(call.item),
    )


def _judge_values(view: FileView, call: SdkCall, work: ast.Call) -> Iterator[Hit]:
    """``ctx.store.create(…)``: a coroutine of something else."""
    found = view.values(work)
    results = [
        Alternative(item.value.result) for item in found if isinstance(item.value, Coroutine)
    ]
    what = _wrong(view, tuple(results)) if len(results) == len(found) else ""
    if what:
        yield _hit(view, call, work, what, (view.module, work))


def _judge_function(
    view: FileView, call: SdkCall, work: ast.Call, function: Function
) -> Iterator[Hit]:
    module, node = function.module, function.node
    if not isinstance(node, ast.AsyncFunctionDef) or module.is_generator(node):
        return
    for place, values in _endings(view, module, node):
        what = _wrong(view, values)
        if what:
            yield _hit(view, call, work, what, (module, place))
            return
    if _may_end(view, module, node):
        yield _unsure(_hit(view, call, work, "None at its end", (module, node)))


def _hit(
    view: FileView, call: SdkCall, work: ast.Call, what: str, place: tuple[Module, ast.AST]
) -> Hit:
    return Hit(
        node=work,
        message=f"{source_of(work.func)} returns {what} (line {getattr(place[1], 'lineno', 0)}): "
        f"the kernel of {view.sdk} expects an ActionResult from background work, so the user "
        "gets an error message instead "
        'of the result. Return ActionResult.success(data, "What was done").',
        severity=None if call.certain else "warning",
        chain=(*view.chain(call.item), step_at(*place, f"returns {what}")),
    )


def _endings(
    view: FileView, module: Module, function: ast.AsyncFunctionDef
) -> Iterator[tuple[ast.AST, tuple[Alternative, ...]]]:
    """Yield where a function ends and with which values."""
    exits = [node for node in own_nodes(function) if isinstance(node, ast.Return)]
    for node in exits:
        if not may_run(view.evaluator, module, node, None):
            continue
        found = view.evaluator.values(module, node.value) if node.value else (_NOTHING,)
        yield node, found
    if not exits and not never_ends(view.evaluator, module, function):
        yield function, (_NOTHING,)


def _may_end(view: FileView, module: Module, function: ast.AsyncFunctionDef) -> bool:
    """Tell whether a function that returns may also come to its end: ``if done: return …``."""
    last = function.body[-1]
    is_plain = isinstance(last, ast.If | ast.Try | ast.For | ast.AsyncFor | ast.Expr | ast.Assign)
    is_left = isinstance(last, ast.While) and is_endless(last)
    return (is_plain or is_left) and not never_ends(view.evaluator, module, function)


_NOTHING = Alternative(Const(None))
_PARTIAL = Made("functools.partial")


def _wrong(view: FileView, values: tuple[Alternative, ...]) -> str:
    """Return in words what is returned if it certainly is no ActionResult."""
    words = [_in_words(view, item) for item in values]
    return words[0] if words and all(words) else ""


def _in_words(view: FileView, item: Alternative) -> str:
    value = item.value
    if isinstance(value, Sdk):
        return "" if "Result" in value.cls else f"a {value.cls}"
    if isinstance(value, Instance):
        is_known = is_model(view.evaluator, value.cls) is not None
        is_own = is_known and not sdk_class(view.evaluator, value)
        return f"a {value.cls.node.name}" if is_own else ""
    if isinstance(value, Made) and value.of in _AWAITED:
        return _AWAITED[value.of]
    return "" if isinstance(value, SdkClass) else known_type(value)


RULE = Rule(
    code="FED513",
    name="background-result",
    summary="Background work must return an ActionResult.",
    severity="error",
    triggers=("background_task",),
    since="4.2.12",
    check=_check,
    what="Looks into the coroutine that `ctx.background_task` gets, and reports a `return` of "
    "something that certainly is no ActionResult, a bare `return`, a coroutine without any, and "
    "what stands in place of the coroutine: a function or lambda, an async generator, a future "
    "(`asyncio.gather(…)`), what was awaited before. It is a warning where only one of several "
    "coroutines is wrong, and where a function may also come to its end without a `return`. "
    "A regression guard: no known extension does it.",
    why="The kernel delivers the ActionResult of background work to the chat. For anything else "
    "it writes a critical audit row and delivers a fallback error.",
    example="async def work(ctx):\n    await index(ctx)\n\n\nawait ctx.background_task(work(ctx))",
    instead="async def work(ctx):\n    count = await index(ctx)\n"
    '    return ActionResult.success({"count": count}, "Indexed")'
    "\n\n\nawait ctx.background_task(work(ctx))",
    references=("imperal_sdk.Context.background_task",),
    bad=(
        Example(
            '\nasync def work(ctx):\n    return ActionResult.success({"a": 1}, "x")\n\n\n'
            '@ext.tool("t")\nasync def t(ctx):\n'
            "    await ctx.background_task(lambda: work(ctx))\n",
            holds="is a function and not a coroutine",
        ),
        Example(
            "\nasync def work(ctx):\n    if ctx.user:\n"
            '        return ActionResult.success({"a": 1}, "x")\n\n\n'
            '@ext.tool("t")\nasync def t(ctx):\n    await ctx.background_task(work(ctx))\n',
            severity="warning",
            holds="None at its end",
        ),
        Example(
            '\n@ext.tool("t")\nasync def t(ctx):\n'
            '    await ctx.background_task(ctx.store.create("c", {}))\n',
            holds="a Document",
        ),
        Example(
            '\nasync def work(ctx):\n    await ctx.store.create("c", {})\n\n\n'
            '@ext.tool("t")\nasync def t(ctx):\n'
            "    await ctx.background_task(work(ctx))\n",
            holds="None",
        ),
        Example(
            '\n@ext.tool("t")\nasync def t(ctx):\n    async def work():\n'
            '        if ctx.user:\n            return {"a": 1}\n'
            '        return ActionResult.success({"a": 1}, "x")\n\n'
            '    await ctx.background_task(work(), name="w")\n',
            holds="a dict",
        ),
        Example(
            '\nasync def work(ctx):\n    return "done"\n\n\n@ext.tool("t")\nasync def t(ctx):\n'
            "    job = work(ctx)\n    try:\n        await ctx.background_task(job)\n"
            "    except RuntimeError:\n        job.close()\n",
            holds="a text",
        ),
        Example(
            '\nasync def work(ctx):\n    return 1\n\n\n@ext.tool("t")\nasync def t(ctx):\n'
            "    await ctx.background_task(work(ctx))\n",
            sdk="4.2.12",
            holds="imperal-sdk 4.2.12",
        ),
    ),
    good=(
        Example(
            '\nasync def done(ctx):\n    return ActionResult.success({"a": 1}, "x")\n\n\n'
            "async def work(ctx):\n    try:\n        return await done(ctx)\n    finally:\n"
            '        await ctx.notify("x")\n\n\n@ext.tool("t")\nasync def t(ctx, quick=False):\n'
            "    await ctx.background_task(work(ctx) if quick else done(ctx))\n"
        ),
        Example(
            '\nasync def work(ctx):\n    if not ctx.user:\n        return ActionResult.error("x")\n'
            '    return ActionResult.success({"a": 1}, "x")\n\n\n@ext.tool("t")\n'
            "async def t(ctx):\n"
            "    await ctx.background_task(work(ctx))\n"
        ),
        Example(
            "\nasync def work(ctx) -> ActionResult:\n    return await other(ctx)\n\n\n"
            '@ext.tool("t")\nasync def t(ctx):\n'
            "    await ctx.background_task(work(ctx))\n"
        ),
        Example(
            "\nasync def work(ctx):\n    def inner():\n        return 3\n\n"
            '    return build(inner)\n\n\n@ext.tool("t")\n'
            "async def t(ctx):\n    await ctx.background_task(work(ctx))\n"
        ),
        Example(
            "\nasync def work():\n    pass\n\n\nclass Q:\n"
            "    def background_task(self, c):\n        pass\n\n\n"
            "Q().background_task(work())\n"
        ),
        Example(
            '\nasync def work(ctx):\n    return 1\n\n\n@ext.tool("t")\nasync def t(ctx):\n'
            "    await ctx.background_task(work(ctx))\n",
            sdk="4.2.11",
        ),
        Example(
            "\nasync def one(ctx):\n    return 1\n\n\nasync def two(ctx):\n"
            '    return ActionResult.success({"a": 1}, "x")\n\n\n@ext.tool("t")\n'
            "async def t(ctx, fast=False):\n    job = two(ctx)\n    if fast:\n"
            "        job = other(one(ctx))\n    await ctx.background_task(job)\n"
        ),
    ),
)
