"""FED401: data that is no dict."""

from __future__ import annotations

from collections.abc import Iterator

from ..model.models import known_type
from ..queries.payloads import result_calls, type_of_field
from ..queries.result_changes import left
from ..queries.sdk_objects import source_of
from ..rule import Example, Hit, Rule
from ..view import FileView

_WRONG = frozenset({"a text", "an int", "a float", "a bool", "bytes"})


def _check(view: FileView) -> Iterator[Hit]:
    for call in result_calls(view):
        if call.data is None:
            continue
        found = view.values(call.data)
        kinds = [known_type(item.value) or type_of_field(view, item.value) for item in found]
        wrong = next((kind for kind in kinds if kind in _WRONG), "")
        if not wrong or left(view, call) is not call.data:
            continue
        alone = all(kind in _WRONG or item.via for kind, item in zip(kinds, found, strict=True))
        yield Hit(
            node=call.data,
            message=f"data is {wrong} ({source_of(call.data)}): the platform wants a dict, so the "
            "classifier finds no field in it next turn. Write ActionResult.success"
            '({"field": value}, summary).',
            severity=None if alone else "warning",
        )


RULE = Rule(
    code="FED401",
    name="data-plain-text",
    summary="`ActionResult.data` is a dict or a model.",
    severity="error",
    invariant="I-DISPATCH-RESULT-DATA-PLUMBED",
    triggers=("ActionResult", "success"),
    check=_check,
    what="Finds texts, numbers and bytes as the data of `ActionResult.success`.",
    why="""
The wire contract allows an object only, and the fact ledger keeps data verbatim: prose in it has no
fields that a later turn could refer to.
""",
    example='return ActionResult.success("36 tasks", "36 tasks")',
    instead='return ActionResult.success({"total": 36}, "36 tasks")',
    references=("Fact-ledger: What you do not do", "SDK sources: types/contracts.py"),
    bad=(
        Example(
            """
@chat.function("f", "Asks")
async def f(ctx, p):
    answer = await ctx.ai.complete("Sum up")
    return ActionResult.success(answer.text, "x")
"""
        ),
        Example(
            """
@chat.function("f", "Counts")
async def f(ctx, p):
    return ActionResult.success("36", "x")
"""
        ),
        Example(
            """
@chat.function("f", "Counts")
async def f(ctx, p):
    text = f"{p} tasks"
    return ActionResult.success(data=text, summary="x")
"""
        ),
    ),
    good=(
        Example(
            """
@chat.function("f", "Counts")
async def f(ctx, p):
    return ActionResult.success(Count(total=1) if p else {}, "x")
"""
        ),
        Example(
            """
@chat.function("f", "Lists")
async def f(ctx, p):
    return ActionResult.success([], "none")
"""
        ),
    ),
)
