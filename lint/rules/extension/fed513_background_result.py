"""FED513: background work that ends without an ActionResult."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...inference.syntax.bindings import sole_value
from ...inference.values.models import known_type
from ...inference.values.values import Coroutine, Function, Sdk, Value
from ...rule import Example, Hit, Rule
from ...sdk.surface import in_words
from ...sdk_use.calls import sdk_calls
from ...sdk_use.reach import never_ends
from ...sdk_use.sdk_objects import source_of
from ...view import FileView


def _check(view: FileView) -> Iterator[Hit]:
    for call in sdk_calls(view, "Context", "background_task"):
        work = call.arguments.get("coro")
        if isinstance(work, ast.Name):
            work = sole_value(view.extension.project.lookup(view.module, work)[1]) or work
        words = _words(view, work) if work is not None else []
        wrong = next(filter(None, words), "")
        if work is not None and wrong:
            yield Hit(
                node=work,
                message=f"{source_of(work)} {wrong}: the user gets an error, and no result\n"
                f"The kernel of {view.sdk} expects an ActionResult from background work. "
                'Return ActionResult.success(data, "What was done").',
                severity=None if call.certain and all(words) else "warning",
                chain=view.chain(call.item),
            )


def _words(view: FileView, work: ast.expr) -> list[str]:
    """Say for each value of the argument what is wrong; empty for what may be right."""
    found = [item.value for item in view.values(work)]
    if found and all(isinstance(value, Function) for value in found):
        return ["is a function, no coroutine"]
    callees = view.values(work.func) if isinstance(work, ast.Call) else ()
    if any(_never_ends(view, item.value) for item in callees):
        return []
    return [_returned(value.result) if isinstance(value, Coroutine) else "" for value in found]


def _never_ends(view: FileView, callee: Value) -> bool:
    """Tell whether a function of the extension runs for ever, so that it returns nothing."""
    if not isinstance(callee, Function) or not isinstance(callee.node, ast.AsyncFunctionDef):
        return False
    module, node = callee.module, callee.node
    return not module.returns(node) and never_ends(view.evaluator, module, node)


def _returned(value: Value) -> str:
    """Say what work returns if it certainly is no ActionResult."""
    kind = known_type(value)
    if isinstance(value, Sdk):
        kind = "" if "Result" in value.cls else in_words(value.cls)
    return f"returns {kind}" if kind else ""


RULE = Rule(
    code="FED513",
    name="wrong-background-task-result",
    summary="Background work must return an ActionResult.",
    severity="error",
    triggers=("background_task",),
    since="4.2.12",
    check=_check,
    what="Looks into the coroutine that `ctx.background_task` gets, and reports a `return` of "
    "something that certainly is no ActionResult, a coroutine without any, and a function that "
    "nobody called. A regression guard: no known extension does it.",
    why="The kernel delivers the ActionResult of background work to the chat. For anything else "
    "it writes a critical audit row and delivers a fallback error.",
    example="async def work(ctx):\n    await index(ctx)\n\n\nawait ctx.background_task(work(ctx))",
    instead="async def work(ctx):\n    count = await index(ctx)\n"
    '    return ActionResult.success({"count": count}, "Indexed")'
    "\n\n\nawait ctx.background_task(work(ctx))",
    references=("imperal_sdk.Context.background_task",),
    bad=(
        Example(
            """
async def work(ctx):
    await ctx.store.create("c", {})


@ext.tool("t")
async def t(ctx):
    await ctx.background_task(work(ctx))
""",
            holds="returns None",
        ),
        Example(
            """
async def work(ctx):
    return "done"


@ext.tool("t")
async def t(ctx):
    job = work(ctx)
    await ctx.background_task(job)
""",
            sdk="4.2.12",
            holds="The kernel of imperal-sdk 4.2.12",
        ),
        Example(
            """
async def work(ctx):
    return ActionResult.success({"a": 1}, "x")


@ext.tool("t")
async def t(ctx):
    await ctx.background_task(work)
""",
            holds="is a function, no coroutine",
        ),
    ),
    good=(
        Example(
            """
async def done(ctx):
    return ActionResult.success({"a": 1}, "x")


async def work(ctx):
    if not ctx.user:
        return ActionResult.error("x")
    return await done(ctx)


@ext.tool("t")
async def t(ctx, quick=False):
    await ctx.background_task(work(ctx) if quick else done(ctx))
"""
        ),
        Example(
            """
async def work(ctx):
    def inner():
        return 3

    return build(inner)


@ext.tool("t")
async def t(ctx):
    await ctx.background_task(work(ctx))
"""
        ),
        Example(
            """
async def work(ctx):
    return 1


@ext.tool("t")
async def t(ctx):
    await ctx.background_task(work(ctx))
""",
            sdk="4.2.11",
        ),
    ),
)
