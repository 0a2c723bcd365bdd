"""FED408: an exception is answered with the success of the whole function."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...inference.syntax.module import FunctionNode, last_name
from ...payloads.payloads import ResultCall, result_calls
from ...rule import Example, Hit, Rule
from ...view import FileView
from ..extension.support.chat_functions import WRITING, chat_functions

_MISSING = ("notfound", "missing", "exists", "keyerror", "lookup", "conflict")
"""Words of exceptions that say that what was asked for is so already."""


def _check(view: FileView) -> Iterator[Hit]:
    changing = {it.function for it in chat_functions(view) if it.action in WRITING}
    made: dict[FunctionNode, list[ResultCall]] = {}
    for call in result_calls(view):
        function = view.module.function(call.node)
        if function in changing:
            made.setdefault(function, []).append(call)  # pyright: ignore[reportArgumentType]
    for calls in made.values():
        for call in calls:
            caught = _caught(view, call.node)
            if caught is None or not _catches_all(caught):
                continue
            others = [it for it in calls if _caught(view, it.node) is None]
            if any(_is_same(call, other) for other in others):
                yield Hit(
                    node=call.node,
                    message="an exception is answered with the result of a success\n"
                    "What the function was to change is not changed, and the fact ledger records "
                    "that it is: no later turn tries again. Return ActionResult.error(...).",
                )


def _caught(view: FileView, node: ast.AST) -> ast.ExceptHandler | None:
    """Return the handler that returns a result as the last thing it does."""
    returned = view.module.parents.get(node)
    handler = view.module.parents.get(returned) if isinstance(returned, ast.Return) else None
    return handler if isinstance(handler, ast.ExceptHandler) else None


def _catches_all(handler: ast.ExceptHandler) -> bool:
    """Tell whether a handler takes failures, and does nothing but tell of them."""
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    names = [last_name(kind).lower() for kind in kinds if kind is not None]
    rest = handler.body[:-1]
    return not any(word in name for name in names for word in _MISSING) and not any(
        isinstance(part, ast.Await | ast.If) for each in rest for part in ast.walk(each)
    )


def _is_same(call: ResultCall, other: ResultCall) -> bool:
    """Tell whether two results say the same: equal data, or the same model and opening word."""
    if call.data is None or other.data is None:
        return False
    if ast.dump(call.data) == ast.dump(other.data):
        return _opening(call.summary) == _opening(other.summary) != ""
    return (
        isinstance(call.data, ast.Call)
        and isinstance(other.data, ast.Call)
        and ast.dump(call.data.func) == ast.dump(other.data.func)
        and _opening(call.summary) == _opening(other.summary) != ""
    )


def _opening(summary: ast.expr | None) -> str:
    """Return the first word of a text."""
    first = summary.values[0] if isinstance(summary, ast.JoinedStr) and summary.values else summary
    text = first.value if isinstance(first, ast.Constant) else None
    words = text.split() if isinstance(text, str) else []
    return words[0].strip(".,:;!").lower() if words else ""


RULE = Rule(
    code="FED408",
    name="success-on-failure",
    summary="A failed write is no success.",
    severity="warning",
    invariant="I-DISPATCH-RESULT-DATA-PLUMBED",
    triggers=("except",),
    check=_check,
    what="""
Finds functions that are declared `write` or `destructive` and answer an exception with the same
`ActionResult.success` as their success: equal data, or the same model, and a summary that begins
with the same word. An exception that says that the thing is missing or there already is left alone,
and so is a handler that does or asks something first.
""",
    why="The fact ledger records data as what was done. The user is told that the note is deleted, "
    "and it is still there.",
    example='except Exception:\\n    return ActionResult.success({"id": note_id}, "Deleted")',
    instead='except Exception:\\n    return ActionResult.error("The note could not be deleted")',
    references=("SDK sources: README.md", "Fact-ledger: Why it exists"),
    bad=(
        Example(
            """
@chat.function("f", "Drops", action_type="destructive")
async def f(ctx, params):
    try:
        await ctx.store.delete("notes", params.note_id)
        return ActionResult.success({"note_id": params.note_id}, "Note deleted")
    except Exception as e:
        print(e)
        return ActionResult.success({"note_id": params.note_id}, "Note deleted")
"""
        ),
        Example(
            """
@chat.function("f", "Counts on", action_type="write")
async def f(ctx, params):
    try:
        total = (await ctx.http.post("https://example.com")).json()["total"]
    except OSError:
        return ActionResult.success(Count(total=0), summary="Posted.")
    return ActionResult.success(Count(total=total), summary=f"Posted to {params.name}")
"""
        ),
    ),
    good=(
        Example(
            """
class NotFoundError(Exception):
    pass


@chat.function("f", "Drops", action_type="destructive")
async def f(ctx, params):
    try:
        await ctx.store.delete("notes", params.note_id)
    except NotFoundError:
        return ActionResult.success({"note_id": params.note_id}, "Note deleted")
    except Exception:
        return ActionResult.success({"note_id": params.note_id}, "It is left for later")
    return ActionResult.success({"note_id": params.note_id}, "Note deleted")


@chat.function("g", "Counts", action_type="read")
async def g(ctx, params):
    try:
        total = await ctx.store.count("notes")
    except Exception:
        return ActionResult.success({"total": 0}, "Counted")
    return ActionResult.success({"total": total}, "Counted")
"""
        ),
    ),
)
