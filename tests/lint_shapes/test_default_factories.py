"""Dicts that make their own values: what stands in them is what the factory makes."""

from __future__ import annotations

import pytest

from .conftest import Lint

MAIN = """
from collections import defaultdict


def plain(found):
    for key, value in list(found.items()):
        found[key] = sorted(value)
    return found


@chat.function("f", "Tells")
async def f(ctx, p):
    found = defaultdict(FACTORY)
    for row in p:
        found[row["stage"]].METHOD(row["id"])
    return ActionResult.success(DATA, "s")
"""


def told(lint: Lint, factory: str, method: str, data: str) -> list[str]:
    """Return the severities of what is said of a filled dict."""
    made = MAIN.replace("FACTORY", factory).replace("METHOD", method).replace("DATA", data)
    found = lint("FED402", made)
    assert all("[…] is a set" in it.message for it in found)
    return [it.severity for it in found]


@pytest.mark.parametrize("data", ["found", "dict(found)", '{"found": found}', '{"f": dict(found)}'])
def test_a_dict_of_sets(lint: Lint, data: str) -> None:
    """The factory itself says what is refused."""
    assert told(lint, "set", "add", data) == ["error"]
    assert told(lint, "lambda: set()", "add", data) == ["error"]
    assert told(lint, "list", "append", data) == []
    assert told(lint, "set", "add", data.replace("found", "plain(found)")) == []


@pytest.mark.parametrize(
    "data",
    [
        "{key: sorted(value) for key, value in found.items()}",
        '{"n": len(found), "all": list(found)}',
        '{"first": sorted(found["new"])}',
    ],
)
def test_what_is_made_of_it(lint: Lint, data: str) -> None:
    """Lists, keys and counts are carried."""
    assert told(lint, "set", "add", data) == []


@pytest.mark.parametrize(
    "mended",
    [
        "for key in found:\n        found[key] = sorted(found[key])\n    ",
        "found = {key: sorted(value) for key, value in found.items()}\n    ",
        "found.update({key: sorted(value) for key, value in found.items()})\n    ",
        "plain(found)\n    ",
    ],
)
def test_a_dict_that_is_mended(lint: Lint, mended: str) -> None:
    """What is put in the place of the sets counts."""
    made = MAIN.replace("FACTORY", "set").replace("METHOD", "add").replace("DATA", "found")
    assert lint("FED402", made.replace("return Action", f"{mended}return Action")) == ()


def test_a_dict_that_nothing_fills(lint: Lint) -> None:
    """It holds nothing, so that nothing is refused."""
    made = MAIN.replace("FACTORY", "set").replace("DATA", "found")
    assert lint("FED402", made.replace('found[row["stage"]].METHOD(row["id"])', "pass")) == ()
