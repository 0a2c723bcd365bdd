"""Functions inside a handler that change what it holds."""

from __future__ import annotations

import pytest

from .conftest import Lint
from .test_same_meaning import responding


@pytest.mark.parametrize(
    "statements",
    [
        'def fix():\n    d["a"] = sorted(d["a"])\nfix()\nreturn respond(d)',
        'def fix():\n    d.pop("a")\n    return respond(d)\nreturn fix()',
        "def fix():\n    d.update(a=1)\nfix()\nreturn respond(keep(d))",
        "def fix():\n    for k in list(d):\n        d[k] = str(d[k])\nfix()\nreturn respond(d)",
    ],
)
def test_a_function_inside_mends_a_dict(lint: Lint, statements: str) -> None:
    """Nobody says when it runs, so that what it replaces is not told."""
    assert lint("FED402", responding(statements)) == ()


@pytest.mark.parametrize(
    "statements",
    [
        'def fix():\n    d["t"] = 1\nfix()\nreturn respond(d)',
        'def fix():\n    print(d["a"], d.get("a"))\nfix()\nreturn respond(d)',
        'def fix():\n    d = {}\n    d["a"] = 1\nfix()\nreturn respond(d)',
    ],
)
def test_a_function_inside_leaves_a_set(lint: Lint, statements: str) -> None:
    """What it does not write to stays as it was."""
    assert [it.severity for it in lint("FED402", responding(statements))] == ["error"]
