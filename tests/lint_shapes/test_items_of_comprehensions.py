"""Objects of the tree that a comprehension made, and what is read of them one by one."""

from __future__ import annotations

import pytest

from .conftest import Lint

MAIN = """
from dataclasses import asdict, dataclass
from datetime import datetime


@dataclass
class Deal:
    id: str
    opened: datetime

    def row(self):
        return {"id": self.id, "opened": self.opened}


class Note(BaseModel):
    id: str
    opened: datetime


class Text:
    def __init__(self, deal):
        self.id = self.opened = str(deal)

    def row(self):
        return {"id": self.id}


async def load(ctx) -> list[Deal]:
    page = await ctx.store.query("deals")
    return [Deal(it.id, datetime.fromisoformat(it.data["at"])) for it in page.data]


@chat.function("f", "Tells")
async def f(ctx, p):
    deals = await load(ctx)
    notes = [Note(**it) for it in p]
    CHANGE
    return ActionResult.success({"rows": ROWS}, "s")
"""
BAD = [
    "[asdict(it) for it in deals]",
    "[it.row() for it in deals]",
    '[{"id": it.id, "opened": it.opened} for it in deals]',
    "[it.model_dump() for it in notes]",
    "[dict(it) for it in notes]",
]


def told(lint: Lint, rows: str, change: str = "pass") -> list[str]:
    """Return the severities of what is said of a result."""
    found = lint("FED402", MAIN.replace("ROWS", rows).replace("CHANGE", change))
    assert all("['opened'] " in it.message for it in found)
    return [it.severity for it in found]


@pytest.mark.parametrize("rows", BAD)
def test_an_item_of_a_comprehension(lint: Lint, rows: str) -> None:
    """It is what the comprehension makes; of what ``asdict`` lists only the type is known."""
    assert told(lint, rows) == ["warning" if "asdict" in rows else "error"]


@pytest.mark.parametrize("rows", BAD)
@pytest.mark.parametrize(
    "change",
    [
        "deals, notes = [Text(it) for it in deals], [Text(it) for it in notes]",
        "for it in deals:\n        it.opened = ''\n    for it in notes:\n        it.opened = ''",
        "deals.append(p), notes.append(p)\n    return ActionResult.success({}, 's')",
        "for i, it in enumerate(deals):\n        deals[i], notes[i] = Text(it), Text(it)",
    ],
)
def test_an_item_that_is_replaced(lint: Lint, rows: str, change: str) -> None:
    """What code puts in its place may be something else."""
    assert told(lint, rows, change) == []


def test_a_loop_over_what_a_comprehension_made(lint: Lint) -> None:
    """As in a comprehension."""
    grown = "rows = []\n    for it in deals:\n        rows.append(asdict(it))"
    assert told(lint, "rows", grown) == ["warning"]


def test_a_cached_model(lint: Lint) -> None:
    """``@ext.cache_model(…)`` leaves the class what it is; other decorators may not."""
    rows, class_ = "[it.model_dump() for it in notes]", "class Note"
    main = MAIN.replace("ROWS", rows).replace("CHANGE", "pass")
    for decorator, count in (('@ext.cache_model("note")', 1), ("@print", 0)):
        found = lint("FED402", main.replace(class_, f"{decorator}\n{class_}"))
        assert len(found) == count
