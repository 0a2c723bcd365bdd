"""Data that ``json.dumps`` was tried on before it is handed over."""

from __future__ import annotations

import pytest

from .conftest import Lint

TEXT = """
import datetime
import json


{helper}


@chat.function("f", description="x", action_type="read")
async def f(ctx):
    data = {{"at": datetime.datetime.now(), "n": 1}}
    v = datetime.datetime.now()
{body}
"""
SAFE = """
def safe(v):
    try:
        json.dumps(v{given})
    except {caught}:
        return {other}
    return v
"""
OK = """
def ok(data):
    try:
        size = len(json.dumps(data, ensure_ascii=False))
    except (TypeError, ValueError):
        return ActionResult.error("x")
    return ActionResult.success(data, "x")
"""
TRIED = """
    try:
        json.dumps(data{given})
    except (TypeError, ValueError):
        {handled}
{between}
    return ActionResult.success({result}, "x")
"""
INSIDE = """
    try:
        json.dumps(data)
        return ActionResult.success(data, "x")
    except {caught}:
        return ActionResult.error("x")
"""
REBOUND = """
    rows = {}
    for key, v in data.items():
        try:
            json.dumps(v)
        except TypeError:
            v = str(v)
        rows[key] = v
    return ActionResult.success({"rows": rows}, "x")
"""


def _tried(
    given: str = "", handled: str = "return None", between: str = "", result: str = "data"
) -> str:
    body = TRIED.format(given=given, handled=handled, between=between, result=result)
    return TEXT.format(helper="", body=body)


def _safe(given: str = "", caught: str = "TypeError", other: str = "str(v)") -> str:
    helper = SAFE.format(given=given, caught=caught, other=other)
    body = '    return ActionResult.success({"at": safe(v)}, "x")'
    return TEXT.format(helper=helper, body=body)


@pytest.mark.parametrize(
    "text",
    [
        _tried(),
        _tried(", ensure_ascii=False"),
        _tried(result='{"rows": [data]}'),
        _tried(between="    print(len(data))"),
        TEXT.format(helper=OK, body="    return ok(data)"),
        TEXT.format(helper="", body=INSIDE.format(caught="Exception")),
        TEXT.format(helper="", body=REBOUND),
        _safe(),
        _safe(caught="(ValueError, TypeError)"),
    ],
)
def test_what_passed_is_json(lint: Lint, text: str) -> None:
    """The result is made only of what ``json.dumps`` took."""
    assert () == lint("FED402", text)


@pytest.mark.parametrize(
    ("text", "severity"),
    [
        (_tried(", default=str"), "error"),
        (_tried(handled="print(1)"), "error"),
        (_tried(between='    data["at"] = datetime.date.today()'), "error"),
        (_tried(between="    data = {'at': v}"), "error"),
        (_tried(result='{"at": v}'), "error"),
        (TEXT.format(helper="", body=INSIDE.format(caught="KeyError")), "error"),
        (_safe(", default=str"), "warning"),
        (_safe(other="v"), "error"),
    ],
)
def test_other_trials_say_nothing(lint: Lint, text: str, severity: str) -> None:
    """It converts, ends nothing, was of something else, or the data are changed behind it."""
    assert severity in {found.severity for found in lint("FED402", text)}


MADE_INSIDE = """
    try:
        data = {{"at": datetime.datetime.now()}}
        {tried}
        {then}
    except TypeError:
        {handled}
    {between}
    return ActionResult.success(data, "x")
"""


@pytest.mark.parametrize(
    ("tried", "then", "handled", "between", "expected"),
    [
        ("json.dumps(data)", "pass", "return None", "pass", []),
        ("json.dumps(data)", "pass", 'data = {"n": 1}', "pass", []),
        ("json.dumps(data)", 'return ActionResult.success(data, "x")', "return None", "pass", []),
        ('json.dumps({"n": 1})', "pass", "return None", "pass", ["error"]),
        ("json.dumps(data)", "pass", "pass", "pass", ["warning"]),
        ("json.dumps(data)", "pass", "return None", 'data["at"] = v', ["error"]),
        ("json.dumps(data)", "pass", "return None", 'data = {"at": v}', ["error"]),
        ("print(data) if v else json.dumps(data)", "pass", "return None", "pass", []),
    ],
)
def test_data_that_the_try_makes_itself(
    lint: Lint, tried: str, then: str, handled: str, between: str, expected: list[str]
) -> None:
    """Whatever stands before ``json.dumps`` in the ``try``; what a handler gives is its own."""
    body = MADE_INSIDE.format(tried=tried, then=then, handled=handled, between=between)
    assert expected == [item.severity for item in lint("FED402", TEXT.format(helper="", body=body))]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('kept = "2024" or {{1, 2}}', []),
        ('kept = ("" or "a") or {{1, 2}}', []),
        ('kept = "" or {{1, 2}}', ["error"]),
        ('kept = "a" and {{1, 2}}', ["error"]),
        ('kept = "" and {{1, 2}}', []),
        ("kept = (v or 1) or {{1, 2}}", ["warning"]),
    ],
)
def test_behind_a_constant_that_decides_nothing_counts(
    lint: Lint, body: str, expected: list[str]
) -> None:
    """``"2024" or …`` is always the text."""
    text = body.format() + '\n    return ActionResult.success({"kept": kept}, "x")'
    found = lint("FED402", TEXT.format(helper="", body=f"    {text}\n"))
    assert expected == [item.severity for item in found]
