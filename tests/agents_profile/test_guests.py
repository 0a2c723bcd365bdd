"""The agent runtimes of examples/agents: what is said of each, and the page about them."""

from __future__ import annotations

from pathlib import Path

import pytest

from fedcheck.invariants.catalog import catalog, clauses
from fedcheck.invariants.vocabulary.toml_file import read_toml

ROOT = Path(__file__).parent.parent.parent
GUESTS = sorted(file.parent for file in (ROOT / "examples" / "agents").glob("*/guest.toml"))


@pytest.mark.parametrize("guest", GUESTS, ids=lambda each: each.name)
def test_what_explains_a_red_verdict_exists(guest: Path) -> None:
    """Each explained clause is one, and each program that shows a finding lies there."""
    reds = read_toml(guest / "guest.toml").get("red", [])

    assert [] == [x for red in reds for x in red["clauses"] if x not in clauses(catalog())]
    assert [] == [red["confirm"] for red in reds if not (guest / red["confirm"]).is_file()]


@pytest.mark.parametrize("guest", GUESTS, ids=lambda each: each.name)
def test_wiring_is_a_few_lines(guest: Path) -> None:
    """A team wires its agent in twenty lines, imports and comments not counted."""
    (wiring,) = guest.glob("my_agent.*")
    text = wiring.read_text("utf-8").split('"""')[-1]
    lines = [x.strip() for x in text.splitlines()]
    counted = [x for x in lines if x and not x.startswith(("import ", "from ", "//", "#"))]

    assert len(counted) <= 20, counted


def test_page_is_about_all_guests() -> None:
    """The page was written from the records of all runtimes that are wired."""
    page = (ROOT / "docs" / "agents.md").read_text("utf-8")

    assert [] == [x.name for x in GUESTS if f"(../examples/agents/{x.name}/)" not in page]
