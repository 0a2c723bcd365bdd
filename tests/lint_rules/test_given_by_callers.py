"""Results whose data several callers give: each is told by itself."""

from __future__ import annotations

from fedcheck.lint.rule import PREAMBLE

from .conftest import Lint

RESULTS = """
from imperal_sdk import ActionResult


def result(summary, **fields):
    BODY
"""
MAIN = """
from datetime import datetime

from results import result

HELP = "word " * 900


@chat.function("f", "Tells")
async def f(ctx, p):
    return result("s", FIRST)


@chat.function("g", "Tells")
async def g(ctx, p):
    return result("s", id=1)
"""


def told(lint: Lint, code: str, body: str, first: str) -> list[str]:
    """Return the messages on a helper of two callers."""
    results = RESULTS.replace("BODY", body)
    return [it.text for it in lint(code, MAIN.replace("FIRST", first), results__py=results)]


LARGE = """
HELP = "word " * 900


def ok(data, summary="s"):
    BODY


@chat.function("f", "Tells")
async def f(ctx, p):
    data = {"help": HELP}
    return ok(data)


@chat.function("g", "Tells")
async def g(ctx, p):
    return ok({"id": 1})
"""
MADE = "return ActionResult.success(data, summary)"


def test_one_caller_that_gives_too_much(lint: Lint) -> None:
    """It is said where the largest part is written."""
    (found,) = lint("FED403", LARGE.replace("BODY", MADE))
    before = (PREAMBLE + LARGE).partition("HELP")[0]
    assert [step.span.line for step in found.chain] == [len(before.splitlines()) + 1]
    fewer = LARGE.replace("return ok(data)", 'data["help"] = ""\n    return ok(data)')
    assert lint("FED403", fewer.replace("BODY", MADE)) == ()
