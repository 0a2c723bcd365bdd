"""FED513: background work that ends without an ActionResult."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..model.calling import own_nodes
from ..model.handlers import sdk_class
from ..model.module import Module
from ..model.values import Alternative, Const, Display, Function, Instance, Made
from ..model.written import called
from ..queries.sdk_calls import SdkCall, sdk_calls
from ..queries.sdk_objects import source_of
from ..rule import Example, Hit, Rule
from ..view import FileView, step_at

_PLAIN = frozenset({"str", "int", "float", "bool", "dict", "list", "tuple", "set"})


def _check(view: FileView) -> Iterator[Hit]:
    for call in sdk_calls(view, "Context", "background_task"):
        given = call.arguments.get("coro")
        work = _made(view, given) if given is not None else None
        if work is not None:
            for function, _ in called(view.evaluator, view.module, work, None):
                yield from _judge(view, call, work, function)


def _made(view: FileView, given: ast.expr) -> ast.Call | None:
    """Return the call that makes the coroutine, here or where its only name gets it."""
    if isinstance(given, ast.Name):
        _, found = view.evaluator.project.lookup(view.module, given)
        only = found[0] if len(found) == 1 else None
        made = only.value if only is not None and only.kind == "assign" and not only.path else None
        return made if isinstance(made, ast.Call) else None
    return given if isinstance(given, ast.Call) else None


def _judge(view: FileView, call: SdkCall, work: ast.Call, function: Function) -> Iterator[Hit]:
    if not isinstance(function.node, ast.AsyncFunctionDef):
        return
    wrong = [
        (place, what)
        for place, values in _endings(view, function.module, function.node)
        if (what := _wrong(view, values))
    ]
    if wrong:
        place, what = wrong[0]
        yield Hit(
            node=work,
            message=f"{source_of(work.func)} returns {what} (line {getattr(place, 'lineno', 0)}): "
            f"the kernel of {view.sdk} expects an ActionResult from background work, so the user "
            "gets an error message instead "
            'of the result. Return ActionResult.success(data, "What was done").',
            severity=None if call.certain else "warning",
            chain=(*view.chain(call.item), step_at(function.module, place, f"returns {what}")),
        )


def _endings(
    view: FileView, module: Module, function: ast.AsyncFunctionDef
) -> Iterator[tuple[ast.AST, tuple[Alternative, ...]]]:
    """Yield where a function ends and with which values; nothing if it is a generator."""
    if module.is_generator(function):
        return
    exits = [node for node in own_nodes(function) if isinstance(node, ast.Return)]
    for node in exits:
        found = view.evaluator.values(module, node.value) if node.value else (_NOTHING,)
        yield node, found
    if not exits and not _never_ends(module, function):
        yield function, (_NOTHING,)


def _never_ends(module: Module, function: ast.AsyncFunctionDef) -> bool:
    """Tell whether a function only raises, loops for ever, or stands for one of a subclass."""
    last = function.body[-1]
    if isinstance(last, ast.While):
        return isinstance(last.test, ast.Constant) and bool(last.test.value)
    in_class = isinstance(module.parents.get(function), ast.ClassDef)
    stub = all(isinstance(item, ast.Pass | ast.Expr) for item in function.body)
    return isinstance(last, ast.Raise) or (in_class and stub)


_NOTHING = Alternative(Const(None))


def _wrong(view: FileView, values: tuple[Alternative, ...]) -> str:
    """Return in words what is returned if it certainly is no ActionResult."""
    words = [_in_words(view, item) for item in values]
    return words[0] if words and all(words) else ""


_DISPLAYS: dict[type[ast.expr], str] = {
    ast.Dict: "a dict",
    ast.List: "a list",
    ast.Tuple: "a tuple",
    ast.JoinedStr: "a str",
}


def _in_words(view: FileView, item: Alternative) -> str:
    value = item.value
    if isinstance(value, Const):
        return "None" if value.value is None else f"a {type(value.value).__name__}"
    if isinstance(value, Display):
        return _DISPLAYS.get(type(value.node), "")
    if isinstance(value, Made):
        return f"a {value.of}" if value.of in _PLAIN else ""
    if isinstance(value, Instance) and not sdk_class(view.evaluator, value):
        return f"a {value.cls.node.name}" if not value.cls.node.bases else ""
    return ""


RULE = Rule(
    code="FED513",
    name="background-result",
    summary="Background work must return an ActionResult.",
    severity="error",
    triggers=("background_task",),
    since="4.2.12",
    check=_check,
    what="Looks into the coroutine that `ctx.background_task` gets, and reports a `return` of "
    "something that certainly is no ActionResult, a bare `return`, and a coroutine without any. "
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
            holds="a str",
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
