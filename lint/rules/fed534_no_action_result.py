"""FED534: a chat function that ends without an ActionResult."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..model.branches import may_run
from ..model.models import known_type
from ..model.spelling import root_of
from ..queries.endings import bare_returns, never_ends
from ..queries.handler_calls import Handler, plain_handlers
from ..queries.sdk_calls import arguments
from ..rule import Example, Hit, Rule
from ..view import FileView

_RESULT = "ActionResult"
_RIGHT = f"an {_RESULT}"
_UNCLEAR = (
    ast.Assert, ast.AsyncFor, ast.AsyncWith, ast.For, ast.Match, ast.While, ast.With,
)  # fmt: skip
_ADVICE = "Write return ActionResult.success(data, summary), or ActionResult.error(…)."


def _check(view: FileView) -> Iterator[Hit]:
    for function, role in plain_handlers(view):
        if role.kind != "function" or not isinstance(role.call, ast.Call):
            continue
        if "ui_builder" in arguments(view, role.call, "ChatExtension", "function"):
            continue
        for result in view.module.returns(function):
            kind = _other_kind(view, result)
            if kind and may_run(view.evaluator, view.module, result, None):
                yield _hit(view, result, f"{role.label} {function.name} returns {kind} here")
        yield from _without(view, function, f"{role.label} {function.name}")


def _other_kind(view: FileView, result: ast.expr) -> str:
    """Return what a result certainly is instead of an ActionResult; empty if it may be one."""
    root = root_of(result.func) if isinstance(result, ast.Call) else None
    if root is not None and root.id == _RESULT:
        return ""  # most are written so, and need not be followed
    kinds = [known_type(item.value) for item in view.values(result)]
    return kinds[0] if kinds and all(kinds) and _RIGHT not in kinds else ""


def _without(view: FileView, function: Handler, told: str) -> Iterator[Hit]:
    """Find ``return`` alone, and the end of a body that control may come to."""
    for node in bare_returns(view.module, function):
        yield _hit(view, node, f"{told} returns None here")
    is_open = _is_open(function.body[-1]) and not never_ends(view.evaluator, view.module, function)
    if is_open and not view.module.is_generator(function):
        yield _hit(
            view, function, f"{told} may come to its end without a return, so that it gives None"
        )


def _is_open(last: ast.stmt) -> bool:
    """Tell whether one sees that control passes a statement.

    Loops and contexts may always be left before, and a chain of questions about one value, as
    ``match`` asks them, may name all that it can be.
    """
    if isinstance(last, ast.If):
        return len(last.orelse) != 1 or not isinstance(last.orelse[0], ast.If)
    return not isinstance(last, _UNCLEAR)


def _hit(view: FileView, node: ast.AST, told: str) -> Hit:
    return Hit(
        node=node,
        message=f"{told}, and no ActionResult: only the data of an ActionResult is recorded, so "
        f"later turns know nothing of it, and the validator of {view.sdk} asks for that type (V5). "
        f"{_ADVICE}",
    )


RULE = Rule(
    code="FED534",
    name="no-action-result",
    summary="A chat function returns an ActionResult on each of its ways.",
    severity="warning",
    invariant="I-DISPATCH-RESULT-DATA-PLUMBED",
    triggers=("function",),
    check=_check,
    since="1.0.0",
    what="""
Finds what a `@chat.function` handler certainly returns in place of an `ActionResult`: a dict, a
list, a text, a number, `None`, an empty `return`, and an end of its body that is reached without
one. What the code does not show, functions that build a user interface (`ui_builder=True`),
methods and functions under a further decorator are left alone. The written type is FED526's.
""",
    why="""
The kernel records `ActionResult.data` of each successful call word by word; that is all that later
turns know of it. A dict that is returned as it is has no such data, whatever it holds, and a way
that ends in `None` says neither what was done nor what failed.
""",
    example='@chat.function("count", "Counts the notes", action_type="read")\n'
    "async def count(ctx, params: Params) -> ActionResult:\n"
    '    return {"total": 36}',
    instead='@chat.function("count", "Counts the notes", action_type="read")\n'
    "async def count(ctx, params: Params) -> ActionResult:\n"
    '    return ActionResult.success({"total": 36}, "36 notes")',
    references=("Fact-ledger: What it stores", "SDK sources: validator.py V5"),
    bad=(
        Example(
            """
@chat.function("count", "Counts")
async def count(ctx, params: Count) -> ActionResult:
    return {"total": params.total}
""",
            holds="returns a dict here, and no ActionResult",
        ),
        Example(
            """
@chat.function("count", "Counts")
async def count(ctx, params: Count) -> ActionResult:
    if params.total:
        return ActionResult.success({"total": params.total}, "Counted")
""",
            holds="may come to its end without a return",
        ),
        Example(
            """
@chat.function("count", "Counts")
async def count(ctx, params: Count) -> ActionResult:
    if not params.total:
        return
    return ActionResult.success({"total": params.total}, "Counted")
""",
            holds="returns None here",
        ),
        Example(
            """
def told(total):
    return f"{total} notes"


@chat.function("count", "Counts")
async def count(ctx, params: Count) -> ActionResult:
    return told(params.total)
""",
        ),
    ),
    good=(
        Example(
            """
def failed():
    return ActionResult.error("Not found")


def stopped():
    raise RuntimeError("stopped")


@chat.function("count", "Counts")
async def count(ctx, params: Count) -> ActionResult:
    found, problem = await looked_up(ctx, params.total)
    if problem:
        return problem
    try:
        return ActionResult.success({"total": found}, "Counted")
    except ValueError:
        return failed()


@chat.function("wait", "Waits")
async def wait(ctx, params: Count) -> ActionResult:
    while True:
        if await ctx.store.count("notes"):
            return ActionResult.success({"total": 1}, "Found")


@chat.function("refuse", "Refuses")
async def refuse(ctx, params: Count) -> ActionResult:
    raise PermissionError("no")


@chat.function("show", "Shows", ui_builder=True)
async def show(ctx, params: Count) -> ActionResult:
    return {"type": "Text"}


@ext.tool("plain", description="Plain")
async def plain(ctx):
    return {"total": 1}
"""
        ),
        Example(
            """
from functools import wraps


def answered(function):
    @wraps(function)
    async def inner(ctx, params):
        return ActionResult.success(await function(ctx, params), "Done")

    return inner


@chat.function("count", "Counts")
@answered
async def count(ctx, params: Count) -> ActionResult:
    return {"total": params.total}
"""
        ),
    ),
)
