"""Dicts that code fills under tuples; each case was run with json."""

from __future__ import annotations

import pytest

from .conftest import Lint

MAIN = """
from collections import Counter, OrderedDict, defaultdict


def named(found):
    for key in list(found):
        found[":".join(key)] = found.pop(key)


@chat.function("f", "Tells")
async def f(ctx, p):
    found = MADE
    for row in p:
        key = (row["stage"], row["owner"])
        FILLED
    data = {"found": found}
    CHANGE
    return ActionResult.success(DATA, "s")
"""
COUNTED = "found[row['stage'], row['owner']] += 1"


def told(
    lint: Lint,
    made: str = "{}",
    filled: str = "found[key] = 1",
    data: str = "data",
    change: str = "pass",
) -> list[str]:
    """Return the severities of what is said of a filled dict."""
    parts = {"MADE": made, "FILLED": filled, "CHANGE": change, "DATA": data}
    main = MAIN
    for name, text in parts.items():
        main = main.replace(name, text)
    found = lint("FED402", main)
    assert all("has a tuple as its key" in it.message for it in found)
    return [it.severity for it in found]


@pytest.mark.parametrize(
    ("made", "filled"),
    [
        ("{}", "found[key] = 1"),
        ("{}", "found[key] = found.get(key, 0) + 1"),
        ("dict()", "found[row['stage'], row['owner']] = row['id']"),
        ("defaultdict(int)", COUNTED),
        ("Counter()", COUNTED),
        ("OrderedDict()", "found[key] = 1"),
    ],
)
def test_a_dict_that_is_filled_under_tuples(lint: Lint, made: str, filled: str) -> None:
    """As a whole, within other data, and copied."""
    for data in ("found", "data", '{"found": dict(found)}'):
        assert told(lint, made, filled, data) == ["error"]


@pytest.mark.parametrize(
    "filled",
    [
        "found[row['id']] = key",
        "found[f'{key[0]}:{key[1]}'] = 1",
        "found[':'.join(key)] = 1",
        "found.setdefault(row['stage'], []).append(key)",
    ],
)
def test_other_keys(lint: Lint, filled: str) -> None:
    """A tuple as a value is a list."""
    assert told(lint, filled=filled) == []


@pytest.mark.parametrize(
    "change",
    [
        "named(found)",
        "data['found'] = {':'.join(key): n for key, n in found.items()}",
        "data = {':'.join(key): n for key, n in found.items()}",
        "found.clear()",
        "for key in list(found):\n        found[':'.join(key)] = found.pop(key)",
        "for key in list(found):\n        del found[key]",
    ],
)
def test_keys_that_are_taken_out(lint: Lint, change: str) -> None:
    """Nothing is said where the dict may hold others in the end."""
    assert told(lint, change=change) == []


def test_something_that_is_no_dict(lint: Lint) -> None:
    """A class of the tree may take its keys as it likes."""
    assert told(lint, "Grid()") == []
    assert told(lint, data='{"n": len(found), "all": [*found.values()]}') == []
