"""What other handlers give to the same helpers says nothing of what a panel reads."""

from __future__ import annotations

import pytest

from .conftest import Lint
from .reached import READS, found, two_handlers
from .reached_by_others import OTHERS
from .reached_if_asked import CHOSEN

UNTOLD = frozenset(
    {
        "make",
        "action init",
        "action init go",
        "router",
        "class init given",
        "starargs",
        "dispatch self.kind",
        "pairs",
        "asked",
        "asked in",
        "asked in unknown",
        "asked later",
        "loop is",
        "loop key",
        "loop key continue",
        "loop comp",
    }
)
"""Shapes of which nothing says who reads: they are left alone in either case."""
CASES = [(what, case) for cases in (OTHERS, CHOSEN) for what, case in cases.items()]
ALL = [pytest.param(*case, id=what) for what, case in CASES]
TOLD = [pytest.param(*case, id=what) for what, case in CASES if what not in UNTOLD]


@pytest.mark.parametrize(("before", "reads", "other"), ALL)
def test_what_a_panel_does_not_read_is_left_alone(
    lint: Lint, before: str, reads: str, other: str
) -> None:
    """The skeleton handler reads by the same helpers as the panel, which asks for other things."""
    assert [] == found(lint, READS + before + two_handlers(reads, other))


@pytest.mark.parametrize(("before", "reads", "other"), TOLD)
def test_the_same_is_found_the_other_way_round(
    lint: Lint, before: str, reads: str, other: str
) -> None:
    """Where the panel reads and the skeleton handler does not, it is an error."""
    marked = found(lint, READS + before + two_handlers(other, reads))
    assert {"error"} == {item.severity for item in marked}
