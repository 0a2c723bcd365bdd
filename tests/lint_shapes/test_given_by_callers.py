"""Results whose data several callers give: each is told by itself."""

from __future__ import annotations

import pytest

from fedcheck.lint.rule import PREAMBLE

from .conftest import Lint

RESULTS = """
from imperal_sdk import ActionResult


def result(summary, **fields):
    BODY
"""
GIVEN = "return ActionResult.success(data=fields, summary=summary)"
SPREAD = 'data = {"ok": True, **fields}\n    return ActionResult.success(data, summary)'
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
UPDATED = (
    'data = {"ok": True}\n    data.update(fields)\n    return ActionResult.success(data, summary)'
)
BAD = {
    "FED402": ("at=datetime.now()", "data['at'] is a datetime"),
    "FED403": ("help=HELP", "data has at least 4,5"),
}


def told(lint: Lint, code: str, body: str, first: str) -> list[str]:
    """Return the messages on a helper of two callers."""
    results = RESULTS.replace("BODY", body)
    return [it.message for it in lint(code, MAIN.replace("FIRST", first), results__py=results)]


@pytest.mark.parametrize("code", BAD)
@pytest.mark.parametrize("body", [GIVEN, SPREAD, UPDATED])
def test_fields_that_a_helper_collects(lint: Lint, code: str, body: str) -> None:
    """What one of the callers gives by name becomes data."""
    first, message = BAD[code]
    (found,) = told(lint, code, body, first)
    assert message in found
    assert told(lint, code, body, "id=2") == []


@pytest.mark.parametrize(
    "body",
    [
        f"fields['at'] = str(fields['at'])\n    {GIVEN}",
        f"fields = {{key: str(value) for key, value in fields.items()}}\n    {GIVEN}",
        f"for key in list(fields):\n        fields[key] = str(fields[key])\n    {GIVEN}",
        f"data = fields\n    data['at'] = 'now'\n    {GIVEN}",
        f"mend(fields)\n    {GIVEN}\n\ndef mend(row):\n    row['at'] = 'now'",
    ],
)
def test_fields_that_the_helper_mends(lint: Lint, body: str) -> None:
    """Nothing is said of what may hold something else later."""
    assert told(lint, "FED402", body, "at=datetime.now()") == []


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


@pytest.mark.parametrize(
    "body",
    [
        f"if len(str(data)) > 3000:\n        data = {{'id': 2}}\n    {MADE}",
        f"if len(str(data)) > 3000:\n        return ActionResult.error('x')\n    {MADE}",
        f"data = dict(data, help='')\n    {MADE}",
    ],
)
def test_a_helper_that_sees_to_it(lint: Lint, body: str) -> None:
    """What it looks at may never be handed over as it came."""
    assert lint("FED403", LARGE.replace("BODY", body)) == ()
