"""Values that a table by types converts, so that what is returned as it is has another type."""

from __future__ import annotations

import pytest

from .conftest import Lint

TEXT = """
import datetime as dt

{table}


def plain(value):
{body}


@chat.function("f", description="x", action_type="read")
async def f(ctx):
    return ActionResult.success({{"at": plain(dt.datetime.now()), "tags": plain({{1, 2}})}}, "x")
"""
ROWS = "TABLE = [(dt.datetime, lambda it: it.isoformat()), (set, sorted)]"
BY_TYPE = "TABLE = {dt.datetime: lambda it: it.isoformat(), set: sorted}"
WALKED = """
    for kind, convert in TABLE{items}:
        if isinstance(value, kind):
            return convert(value)
    return value
"""
ASKED = """
    convert = TABLE.get(type(value))
    return convert(value) if convert else value
"""
FOUND = """
    if type(value) in TABLE:
        return TABLE[type(value)](value)
    return value
"""


@pytest.mark.parametrize(
    ("table", "body"),
    [
        (ROWS, WALKED.format(items="")),
        (BY_TYPE, WALKED.format(items=".items()")),
        (BY_TYPE, ASKED),
        (BY_TYPE, FOUND),
    ],
)
def test_what_a_table_converts_is_not_returned(lint: Lint, table: str, body: str) -> None:
    """Each type of the table is converted; one that it lacks is returned as it is."""
    text = TEXT.format(table=table, body=body)
    assert () == lint("FED402", text)
    (found,) = lint("FED402", text.replace("set, sorted", "dict, list").replace("set:", "dict:"))
    assert "is a set" in found.message


def test_a_loop_that_ends_early_asks_for_less(lint: Lint) -> None:
    """Behind ``break`` some types may not have been asked for."""
    body = WALKED.format(items="").replace(
        "    return value\n", "        break\n    return value\n"
    )
    assert 2 == len(lint("FED402", TEXT.format(table=ROWS, body=body)))
