"""A function of the extension that says of which kind a value is: ``if not is_json(v): …``."""

from __future__ import annotations

import pytest

from .conftest import Lint

TEXT = """
import datetime
import json


{0}


@chat.function("f", description="x", action_type="read")
async def f(ctx):
    v = datetime.datetime.now()
    if not is_json(v):
        v = str(v)
    return ActionResult.success(data={{"n": v}}, summary="x")
"""
PLAIN = "def is_json(x):\n    return isinstance(x, (str, int, list, dict)) or x is None"
RETURNS = """
def is_json(x):
    if isinstance(x, (str, int)):
        return True
    if isinstance(x, list):
        return all(is_json(each) for each in x)
    return False
"""
DUMPS = """
def is_json(x):
    try:
        json.dumps(x{0})
        {1}
    except {2}:
        return False
    return True
"""


@pytest.mark.parametrize(
    "question",
    [
        PLAIN,
        RETURNS,
        DUMPS.format("", "print(x)", "TypeError"),
        DUMPS.format("", "return True", "(TypeError, ValueError)"),
        "def is_json(x):\n    return not isinstance(x, datetime.date)",
    ],
)
def test_the_answer_is_known(lint: Lint, question: str) -> None:
    """A datetime is always made a text; the same question about something else says nothing."""
    text = TEXT.format(question)
    assert () == lint("FED402", text)
    (found,) = lint("FED402", text.replace("not is_json(v)", "not is_json(ctx)"))
    assert "warning" == found.severity


@pytest.mark.parametrize(
    ("question", "severity"),
    [
        (PLAIN.replace("(str", "(datetime.datetime, str"), "error"),
        ("def is_json(x):\n    return isinstance(x, str) or x.year > 2000", "warning"),
        (
            "def is_json(x):\n    return other(x)\n\n\ndef other(x):\n    return is_json(x)",
            "warning",
        ),
        ("def is_json(x):\n    x = str(x)\n    return isinstance(x, str)", "warning"),
        (f"@functools.cache\n{PLAIN}", "warning"),
        (f"@wrapped\n{PLAIN}", "warning"),
        (DUMPS.format(", default=str", "print(x)", "TypeError"), "warning"),
        (DUMPS.format("", "print(x)", "ValueError"), "warning"),
        ("def is_json(x):\n    if isinstance(x, str):\n        return True", "warning"),
    ],
)
def test_the_answer_may_be_another_one(lint: Lint, question: str, severity: str) -> None:
    """It says that a datetime is fine, or nobody can tell what it says."""
    (found,) = lint("FED402", TEXT.format(question))
    assert severity == found.severity
