"""FED513: background work that ends without an ActionResult."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ...inference.calls.calling import own_nodes
from ...inference.calls.handlers import sdk_class
from ...inference.flow.branches import may_run
from ...inference.syntax.bindings import sole_value
from ...inference.values.models import is_model, known_type
from ...inference.values.origins import called
from ...inference.values.values import (
    Const,
    Coroutine,
    Function,
    Instance,
    Made,
    Sdk,
    SdkClass,
    Value,
)
from ...rule import Example, Hit, Rule
from ...sdk_use.calls import sdk_calls
from ...sdk_use.reach import never_ends
from ...sdk_use.sdk_objects import source_of
from ...view import FileView

_AWAITED = {"await asyncio.gather": "a list", "await asyncio.wait": "a tuple"}
"""What is awaited → what follows from it."""


def _check(view: FileView) -> Iterator[Hit]:
    for call in sdk_calls(view, "Context", "background_task"):
        work = call.arguments.get("coro")
        if isinstance(work, ast.Name):
            work = sole_value(view.extension.project.lookup(view.module, work)[1]) or work
        wrong = _wrong(view, work) if work is not None else ""
        if work is not None and wrong:
            yield Hit(
                node=work,
                message=f"{source_of(work)} {wrong}: the kernel of {view.sdk} expects an "
                "ActionResult from background work, so the user gets an error message instead of "
                'the result. Return ActionResult.success(data, "What was done").',
                severity=None if call.certain else "warning",
                chain=view.chain(call.item),
            )


def _wrong(view: FileView, work: ast.expr) -> str:
    """Return what stands in place of work, or what it returns; empty for what may be right."""
    found = [item.value for item in view.values(work)]
    if found and all(isinstance(value, Function) for value in found):
        return "is a function and not the coroutine that a call of it gives"
    if not isinstance(work, ast.Call):
        return ""
    callees = [item.value for item in view.values(work.func)]
    if any(isinstance(value, Function) for value in callees):
        results = list(_results(view, work))
    else:
        results = [[it.result if isinstance(it, Coroutine) else it for it in found]]
    words = (_in_words(view, values) for values in results)
    what = next(filter(None, words), "")
    return f"returns {what}" if what else ""


def _results(view: FileView, work: ast.Call) -> Iterator[list[Value]]:
    """Yield what each ``return`` of the function that is called may give."""
    for function, _ in called(view.evaluator, view.module, work, None):
        module, node = function.module, function.node
        if not isinstance(node, ast.AsyncFunctionDef) or module.is_generator(node):
            continue
        exits = [part for part in own_nodes(node) if isinstance(part, ast.Return)]
        for part in exits:
            if may_run(view.evaluator, module, part, None):
                given = view.evaluator.values(module, part.value) if part.value else ()
                yield [item.value for item in given] if part.value else [Const(None)]
        if not exits and not never_ends(view.evaluator, module, node):
            yield [Const(None)]


def _in_words(view: FileView, values: Sequence[Value]) -> str:
    """Return in words what a value is if it certainly is no ActionResult."""
    words = [_in_word(view, value) for value in values]
    return words[0] if words and all(words) else ""


def _in_word(view: FileView, value: Value) -> str:
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
    name="wrong-background-task-result",
    summary="Background work must return an ActionResult.",
    severity="error",
    triggers=("background_task",),
    since="4.2.12",
    check=_check,
    what="Looks into the coroutine that `ctx.background_task` gets, and reports a `return` of "
    "something that certainly is no ActionResult, a bare `return`, a coroutine without any, and a "
    "function that nobody called. A regression guard: no known extension does it.",
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
            holds="is a function and not the coroutine",
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
