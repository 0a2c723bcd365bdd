"""FED403: the data of a result is so large that the fact ledger cuts it."""

from __future__ import annotations

from collections.abc import Iterator

from ...inference.values.origins import Written
from ...payloads.payloads import Measure, given_at, kept_calls, largest
from ...rule import Example, Hit, Rule
from ...view import FileView
from .support.results import left

_MOST = 3_000


def _check(view: FileView) -> Iterator[Hit]:
    measure = Measure(view.evaluator)
    for call, data in kept_calls(view):
        size, given = measure.of_largest(Written(view.module, data))
        if size > _MOST:
            rest = left(view, call)
            if rest is not data:
                size = measure.of(Written(view.module, rest)) if rest is not None else 0
        if size > _MOST:
            part = largest(measure, view.evaluator, given)
            yield Hit(
                node=data,
                message=f"data has at least {size:,} characters as JSON: the next turn sees a "
                "part\n"
                f"The fact ledger keeps {_MOST:,} of a turn and cuts the rest. Return ids and "
                "counts, and keep the body in "
                "ctx.store.",
                chain=given_at(view, data, part, "gives its largest part"),
            )


RULE = Rule(
    code="FED403",
    name="result-data-too-large",
    summary="The fact ledger keeps 3,000 characters of a turn.",
    severity="error",
    invariant="I-FACT-LEDGER-PER-TURN-AGG-CAP",
    triggers=("ActionResult", "success"),
    check=_check,
    what="Finds data of `ActionResult.success` whose known parts alone exceed 3,000 characters "
    "as JSON; of a pydantic model the values that its fields are given. What only `@ext.expose` "
    "returns is left alone: no ledger keeps it.",
    why="Later turns see only the beginning, and the model fills the gap with something plausible.",
    example='return ActionResult.success({"text": "x" * 5000}, "Long")',
    instead='return ActionResult.success({"id": document.id, "length": 5000}, "Long")',
    references=("Fact-ledger: Caps and limits",),
    bad=(
        Example(
            """
TEXT = "x" * 4000


@chat.function("f", "Tells")
async def f(ctx, p):
    return ActionResult.success({"text": f"{TEXT}{p}"}, "x")
"""
        ),
        Example(
            """
class Page(BaseModel):
    title: str
    text: str = ""


@chat.function("f", "Tells")
async def f(ctx, p):
    return ActionResult.success(Page(title=p, text="x" * 4000), "x")
"""
        ),
        Example(
            """
@chat.function("f", "Tells")
async def f(ctx, p):
    result = ActionResult.success({"id": 1, "text": "x" * 4000}, "x")
    result.data["id"] = 2
    return result
"""
        ),
    ),
    good=(
        Example(
            """
from pydantic import Field


class Page(BaseModel):
    title: str
    text: str = Field(default="", exclude=True)


@chat.function("f", "Tells")
async def f(ctx, p):
    return ActionResult.success(Page(title=p, text="x" * 4000, more="x" * 4000), "x")
"""
        ),
        Example(
            """
@chat.function("f", "Tells")
async def f(ctx, p):
    result = ActionResult.success({"id": 1, "text": "x" * 4000}, "x")
    result.data["text"] = result.data["text"][:500]
    return result
"""
        ),
        Example(
            """
@chat.function("f", "Tells")
async def f(ctx, p):
    return ActionResult.success({"text": "x" * 2000, "more": p}, "x")
"""
        ),
    ),
)
