"""FED201: a handler that may not read the skeleton reads it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial

from ...inference.evaluator import Alternatives
from ...inference.syntax.module import Module
from ...inference.values.values import Alternative, Sdk, SdkMethod
from ...rule import COMPUTED_NAME, Example, Hit, Rule
from ...sdk_use.guards import caught
from ...sdk_use.import_errors import never_runs
from ...sdk_use.sdk_objects import is_certain, source_of
from ...view import FileView, kind_of
from .support.reachability import way_to
from .support.skeletons import only_skeletons

_FORBIDDEN = ("SkeletonAccessForbidden", "PermissionError")
_MAY_READ = frozenset({"skeleton", "alert"})
_INSTEAD = (
    "Let the @ext.skeleton handler keep the data: await ctx.cache.set(key, Model(…), "
    "ttl_seconds=300), and read it here: await ctx.cache.get(key, Model)."
)


def _check(view: FileView) -> Iterator[Hit]:
    for call, callees in view.sdk_calls.items():
        yield from _read(view, call, callees)


def _read(view: FileView, call: ast.Call, callees: Alternatives) -> Iterator[Hit]:
    alerts: list[Alternative] = []
    is_shared = any(kind_of(item.value) in _MAY_READ for item in callees)
    for item in callees:
        owner = item.value.owner if isinstance(item.value, SdkMethod) else None
        if not isinstance(owner, Sdk) or owner.cls != "_SkeletonAccessGuard":
            continue
        if owner.kind in {"", "skeleton"} or _is_guarded(view, call, item):
            continue
        if is_shared and not is_certain(view, call.func, item):
            continue
        if owner.kind == "alert":
            alerts.append(item)
            continue
        whole = way_to(view, call, item, partial(_ends, view), is_shared=is_shared)
        if whole is not None:
            yield _hit(view, call, whole, owner.kind, certain=_is_certain(view, call, item))
            return
    for item in alerts[:1]:
        yield _alert(view, call, item)


def _is_guarded(view: FileView, call: ast.Call, item: Alternative) -> bool:
    """Tell whether the code checks the SDK's own condition before the call."""
    return only_skeletons(view, view.module, call) or any(
        _ends(view, step.module, step.node) for step in item.via
    )


def _ends(view: FileView, module: Module, node: ast.AST) -> bool:
    """Tell whether only skeleton tools reach a call, or nothing does."""
    return only_skeletons(view, module, node) or never_runs(view, node, module)


def _is_certain(view: FileView, call: ast.Call, item: Alternative) -> bool:
    """Tell whether the call is written out, or its callee is the only possible one."""
    is_written = isinstance(call.func, ast.Attribute) and call.func.attr == "get"
    return is_written or is_certain(view, call.func, item)


def _hit(view: FileView, call: ast.Call, item: Alternative, kind: str, *, certain: bool) -> Hit:
    context = Alternative(Sdk("Context", kind), item.via, item.origin)
    expected = caught(view.module, call, *_FORBIDDEN)
    effect = (
        "the handler for that exception always runs"
        if expected
        else "an `except Exception` around it only hides that the data never comes"
    )
    return Hit(
        node=call,
        message=f"{source_of(call)} raises SkeletonAccessForbidden\nIn {view.sdk} only "
        f"@ext.skeleton handlers may read the skeleton; {effect}. {_INSTEAD}",
        severity="info" if expected else None if certain else "warning",
        chain=view.chain(context),
    )


def _alert(view: FileView, call: ast.Call, item: Alternative) -> Hit:
    context = Alternative(Sdk("Context", "alert"), item.via, item.origin)
    return Hit(
        node=call,
        message=f"{source_of(call)} in an alert tool may raise SkeletonAccessForbidden\n"
        f"The sources disagree whether alert tools may read the skeleton; {view.sdk} raises it "
        "unless the kernel calls it as a skeleton tool. Use what the kernel passes to the alert, "
        "or ctx.cache.",
        severity="warning",
        chain=view.chain(context),
    )


RULE = Rule(
    code="FED201",
    name="skeleton-read-outside-handler",
    summary="Only `@ext.skeleton` handlers may read the skeleton.",
    severity="error",
    invariant="I-SKELETON-LLM-ONLY",
    since="1.6.0",
    triggers=("skeleton", COMPUTED_NAME),
    check=_check,
    what="""
Finds `ctx.skeleton.get` that a handler other than `@ext.skeleton` can reach, through helpers,
files, methods, closures, lambdas, aliases and contexts that objects keep. The message shows the
way. Silent where a flag may keep the handler away, where the code chooses what it calls, below
decorators that the extension defines, and behind a question such as
`ctx._tool_type == "skeleton"`, which is what the SDK itself asks.
Handlers of `@ext.tool("skeleton_refresh_…")` count as skeleton handlers; in `skeleton_alert_…` it
is a warning, because the sources disagree.
""",
    why="""
Since SDK 1.6.0 the call raises SkeletonAccessForbidden. Where it is caught, the panel is empty or
the function answers from nothing.
""",
    example='@ext.panel("notes")\nasync def notes(ctx):\n    data = await '
    'ctx.skeleton.get("notes")',
    instead='@ext.panel("notes")\nasync def notes(ctx):\n    data = await '
    'ctx.cache.get("notes", Count)',
    references=("Skeletons", "Context channels: During"),
    bad=(
        Example(
            """
@ext.panel("notes")
async def notes(ctx):
    return await ctx.skeleton.get("n")
"""
        ),
        Example(
            """
from imperal_sdk import Extension
from helpers import load

ext = Extension('n')


@ext.tool("t")
async def tool(ctx):
    return await load(ctx)
""",
            {
                "helpers.py": """\
class Box:
    def __init__(self, ctx):
        self.ctx = ctx

    async def read(self):
        s = self.ctx.skeleton
        return await s.get('n')


async def load(ctx):
    return await Box(ctx).read()
"""
            },
            holds="load",
        ),
        Example(
            """
@ext.tool("skeleton_alert_notes")
async def a(ctx):
    return await ctx.skeleton.get("n")
""",
            severity="warning",
        ),
        Example(
            """
@ext.panel("notes")
async def notes(ctx):
    fetch = lambda: ctx.skeleton.get("n")
    return await fetch()
"""
        ),
        Example(
            """
from imperal_sdk.errors import SkeletonAccessForbidden
from imperal_sdk import Extension

ext = Extension('n')


@ext.panel("notes")
async def notes(ctx):
    try:
        return await ctx.skeleton.get("n")
    except SkeletonAccessForbidden:
        return None
""",
            severity="info",
        ),
        Example(
            """
async def load(ctx):
    return await ctx.skeleton.get("n")


@ext.panel("notes")
async def notes(ctx):
    return await load(*[ctx])
""",
            holds="calls load",
        ),
        Example(
            """
async def load(key, ctx):
    return await ctx.skeleton.get(key)


@ext.panel("notes")
async def notes(ctx):
    given = ("n", ctx)
    return await load(*given)
""",
            holds="calls load",
        ),
        Example(
            """
class Notes:
    def __init__(self, ext):
        ext.panel("notes")(self.show)

    async def show(self, ctx, **kwargs):
        return await ctx.skeleton.get("n")


Notes(ext)
""",
            holds='@ext.panel("notes") show',
        ),
        Example(
            """
from imperal_sdk import Extension
import handlers

ext = Extension("n")
ext.on_install(handlers.seed)
""",
            {"handlers.py": "async def seed(ctx):\n    return await ctx.skeleton.get('n')\n"},
            holds="@ext.on_install seed",
        ),
    ),
    good=(
        Example(
            """
class Notes:
    async def refresh(self, ctx, **kwargs):
        return {"response": await ctx.skeleton.get("notes")}

    async def show(self, ctx, **kwargs):
        return None


class Others:
    async def show(self, ctx, **kwargs):
        return await ctx.skeleton.get("notes")


async def load(first, ctx=None):
    return await ctx.skeleton.get("notes") if ctx else None


ext.skeleton("notes")(Notes().refresh)
ext.panel("notes")(Notes().show)
registry.panel("others")(Others().show)


@ext.panel("tags")
async def tags(ctx, **kwargs):
    given = (ctx,)
    await load(*[ctx])
    return await load(*given, *kwargs)
"""
        ),
        Example(
            """
async def load(ctx):
    return await ctx.skeleton.get("n")


async def clear(ctx):
    await ctx.cache.delete("n")


ACTIONS = {"load": load, "clear": clear}


async def act(ctx, action):
    return await ACTIONS[action](ctx)


@ext.skeleton("n")
async def n(ctx):
    return {"response": await act(ctx, "load")}


@ext.panel("notes")
async def notes(ctx):
    await act(ctx, "clear")
"""
        ),
        Example(
            """
@ext.skeleton("notes")
async def notes(ctx):
    async def old():
        return await ctx.skeleton.get("notes")
    return {"response": await old()}
"""
        ),
        Example(
            '\n@ext.tool("skeleton_refresh_notes")\nasync def notes(ctx):\n'
            '    """Reads ctx.skeleton.get too."""\n    return await ctx.skeleton.get("notes")\n'
        ),
        Example("""
async def helper(ctx):
    return await ctx.skeleton.get("notes")
"""),
    ),
)
