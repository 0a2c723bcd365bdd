"""FED402: data that JSON cannot carry."""

from __future__ import annotations

from collections.abc import Iterator

from ..queries.payloads import refusals, result_calls
from ..rule import Example, Hit, Rule
from ..view import FileView


def _check(view: FileView) -> Iterator[Hit]:
    for call in result_calls(view):
        if call.data is None:
            continue
        for refusal in refusals(view.evaluator, view.module, call.data):
            yield Hit(
                node=call.data,
                message=f"{refusal.where} is {refusal.what}: JSON cannot carry it, so the "
                "result is "
                "lost when the kernel serialises it. Convert it first: str(), list(), "
                ".isoformat(), "
                "round().",
                severity=None if refusal.certain else "warning",
            )


RULE = Rule(
    code="FED402",
    name="data-not-json",
    summary="`ActionResult.data` holds only what JSON can carry.",
    severity="error",
    invariant="I-CROSS-TURN-FACT-LEDGER-DEEP-SERIALIZED",
    triggers=("ActionResult", "success"),
    check=_check,
    what="""
Finds sets, bytes, datetimes, complex numbers, NaN and infinity, tuples as keys, functions, classes
and forgotten coroutines inside the data of `ActionResult.success`, however deep.
""",
    why="The kernel serialises data as JSON for the fact ledger and the narrator; these values "
    "fail.",
    example='return ActionResult.success({"at": datetime.now()}, "Now")',
    instead='return ActionResult.success({"at": datetime.now().isoformat()}, "Now")',
    references=("Fact-ledger: What it stores",),
    bad=(
        Example(
            """
from datetime import datetime


@chat.function("f", "Tells")
async def f(ctx, p):
    return ActionResult.success({"a": [{"at": datetime.now()}]}, "x")
""",
            holds="a datetime",
        ),
        Example(
            """
@chat.function("f", "Tells")
async def f(ctx, p):
    tags = {"a", "b"}
    return ActionResult.success({"tags": tags}, "x")
"""
        ),
        Example(
            """
@chat.function("f", "Tells")
async def f(ctx, p):
    return ActionResult.success({"rate": float("nan"), (1, 2): b""}, "x")
"""
        ),
        Example(
            """
async def load():
    return 1


@chat.function("f", "Tells")
async def f(ctx, p):
    return ActionResult.success({"a": load()}, "x")
""",
            holds="coroutine",
        ),
    ),
    good=(
        Example(
            """
from datetime import datetime


@chat.function("f", "Tells")
async def f(ctx, p):
    tags = {"a", "b"}
    return ActionResult.success({"at": datetime.now().isoformat(), "tags": sorted(tags),
                                 "n": {1: (1, 2)}, "m": Count(total=1).model_dump()}, "x")
"""
        ),
    ),
)
