"""Results in code that never runs, and the same in code that does."""

from __future__ import annotations

import pytest

from .conftest import Lint

HEAD = """
from datetime import datetime
from typing import TYPE_CHECKING

DEBUG = False
DONE = True


@chat.function("f", "Tells")
async def f(ctx, p):
"""
DATA = {
    "FED401": '"36"',
    "FED402": '{"at": datetime.now()}',
    "FED403": '{"text": "x" * 4_000}',
}
"""Rule → data in which it finds something."""
NEVER = (
    "if False:\n        {}",
    "if DEBUG:\n        {}",
    "if not DONE:\n        {}",
    "if DONE and DEBUG:\n        {}",
    "if TYPE_CHECKING:\n        {}",
    "while False:\n        {}",
    "if DONE:\n        pass\n    else:\n        {}",
    "if DEBUG:\n        if p:\n            {}",
)
SOMETIMES = (
    "{}",
    "if p:\n        {}",
    "if DONE:\n        {}",
    "if DEBUG or p:\n        {}",
    "if DEBUG:\n        pass\n    else:\n        {}",
    "while True:\n        {}",
)


def _severities(lint: Lint, code: str, around: str) -> list[str]:
    made = f'return ActionResult.success({DATA[code]}, "Done")'
    return [item.severity for item in lint(code, f"{HEAD}    {around.format(made)}\n")]


@pytest.mark.parametrize("code", DATA)
@pytest.mark.parametrize("around", NEVER)
def test_a_result_that_is_never_made(lint: Lint, code: str, around: str) -> None:
    """Whatever stands in it reaches nobody."""
    assert [] == _severities(lint, code, around)


@pytest.mark.parametrize("code", DATA)
@pytest.mark.parametrize("around", SOMETIMES)
def test_a_result_that_may_be_made(lint: Lint, code: str, around: str) -> None:
    """A condition that holds, or that nobody knows, makes nothing harmless."""
    assert ["error"] == _severities(lint, code, around)
