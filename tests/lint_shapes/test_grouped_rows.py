"""Rows that code puts into lists, each under its key; each case was run with json."""

from __future__ import annotations

import pytest

from .conftest import Lint

MAIN = """
from collections import defaultdict
from datetime import datetime


def plain(groups):
    for rows in groups.values():
        for row in rows:
            row["at"] = str(row["at"])


@chat.function("f", "Tells")
async def f(ctx, p):
    page = await ctx.store.query("deals")
    groups = MADE
    for doc in page.data:
        kind, row = doc.data["kind"], {"id": doc.id, "at": datetime.now()}
        GROUPED
    CHANGE
    return ActionResult.success(DATA, "s")
"""
WAYS = [
    ("{}", "groups.setdefault(kind, []).append(_)"),
    ("{}", "if kind not in groups:\n            groups[kind] = []\n        groups[kind].append(_)"),
    ("dict()", "groups.setdefault(kind, list()).append(_)"),
    ("defaultdict(list)", "groups[kind].append(_)"),
    ("{'new': [], 'old': []}", "groups[kind].append(_)"),
]


def told(
    lint: Lint, made: str, filled: str, data: str = "groups", change: str = "pass"
) -> list[tuple[str, str]]:
    """Return the severities of what is said of groups, and of which part."""
    parts = {"MADE": made, "GROUPED": filled, "CHANGE": change, "DATA": data}
    main = MAIN
    for name, text in parts.items():
        main = main.replace(name, text)
    return [(it.severity, it.message.partition(":")[0]) for it in lint("FED402", main)]


@pytest.mark.parametrize(("made", "filled"), WAYS)
def test_rows_in_groups(lint: Lint, made: str, filled: str) -> None:
    """A part of a row, or the row itself."""
    found = told(lint, made, filled.replace("_", "row"))
    assert found == [("error", "data[…][…]['at'] is a datetime")]
    ((severity, text),) = told(lint, made, filled.replace("_", "doc"), '{"groups": dict(groups)}')
    assert text == "data['groups'][…][…] is a Document"
    assert severity in {"error", "warning"}
    assert told(lint, made, filled.replace("_", "doc.id")) == []
    assert told(lint, made, filled.replace("_", "{**row, 'at': str(row['at'])}")) == []


@pytest.mark.parametrize(
    "change",
    [
        "plain(groups)",
        "for rows in groups.values():\n        for row in rows:\n            row['at'] = ''",
        "for key in groups:\n        groups[key] = [row['id'] for row in groups[key]]",
        "groups = {key: len(rows) for key, rows in groups.items()}",
        "groups.clear()",
    ],
)
def test_groups_that_are_changed(lint: Lint, change: str) -> None:
    """Nothing is said where other rows may stand there in the end."""
    for made, filled in WAYS:
        assert told(lint, made, filled.replace("_", "row"), change=change) == []


def test_what_is_made_of_groups(lint: Lint) -> None:
    """Counts and keys are carried."""
    for made, filled in WAYS:
        data = '{"kinds": sorted(groups), "n": {key: len(rows) for key, rows in groups.items()}}'
        assert told(lint, made, filled.replace("_", "row"), data) == []
        mended = f"{filled.replace('_', 'row')}\n        row['at'] = str(row['at'])"
        assert told(lint, made, mended) == []
