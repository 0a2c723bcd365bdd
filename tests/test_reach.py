"""The table of reach: what would not be seen is told, and the page is that of the data."""

from __future__ import annotations

from typing import Any

import pytest

from fedcheck.conformance.audit.reach import Reach, reaches
from fedcheck.conformance.reach import DATA, PAGE, known, page
from fedcheck.fixtures.breaches import BREACHES, Breach
from fedcheck.fixtures.breaches.agents import WHY
from fedcheck.fixtures.breaches.seams import CACHE_FITS, CAPPED
from fedcheck.fixtures.breaches.table import by_name
from fedcheck.invariants.vocabulary.errors import CatalogError

MEND = "count again: python -m fedcheck.conformance.reach --write"
LEAST_BREACHES = 400
SAMPLE = [BREACHES[each.breach] for each in known()[::60] if each.is_reached and each.clause]


def _reworded(right: list[str], _payloads: Any) -> list[str]:
    return [payload.replace("…[truncated", "…[cut") for payload in right]


def test_the_page_is_that_of_the_data_and_names_every_breach() -> None:
    """Nobody has to count to see that a breach was entered and never counted."""
    assert list(BREACHES) == [each.breach for each in known()], MEND
    assert page(known()) == PAGE.read_text(encoding="utf-8"), MEND
    assert len(BREACHES) >= LEAST_BREACHES
    agents = {each.breach for each in known() if each.channel.startswith("agent ")}
    unjudged = {each.breach for each in known() if not each.clause and each.breach in agents}
    assert set(WHY) == unjudged
    assert all(each.is_reached for each in known() if each.breach in agents)
    assert DATA.read_bytes().isascii()


def test_what_the_data_say_is_so() -> None:
    """A sample is reached and seen by the fixed scenarios alone."""
    found = list(reaches(SAMPLE, examples=0))

    assert [] == [each for each in found if not (each.values and each.clause)]
    assert [each.name for each in SAMPLE] == [each.breach for each in found]


def test_what_is_not_reached_or_not_judged_is_told() -> None:
    """A function that is right everywhere reaches nothing; how a marker is worded is free."""
    right, free = (
        Breach("cap/right", CACHE_FITS, lambda right, _text: right),
        Breach("cap/reworded", CAPPED, _reworded),
    )

    nothing, unseen = reaches([right, free], examples=0)

    assert Reach("cap/right", 0, 0) == nothing
    assert unseen.is_reached
    assert not unseen.clause
    told = page([nothing, unseen])
    assert "\nNot reached: `cap/right`.\n" in told
    assert "\nNot judged: `cap/right`, `cap/reworded`.\n" in told


def test_two_breaches_of_one_name_are_refused() -> None:
    """The second would hide the first."""
    breach = next(iter(BREACHES.values()))

    with pytest.raises(CatalogError, match="entered twice"):
        by_name(breach, breach)


@pytest.mark.slow
@pytest.mark.release
def test_every_possible_breach_is_reached_and_judged() -> None:
    """All but those that the page names as open: a kernel that has one would get away with it."""
    open_ones = {each.breach for each in known() if not (each.is_reached and each.clause)}
    found = list(reaches(BREACHES.values()))

    unseen = {each.breach for each in found if not (each.is_reached and each.clause)}
    assert set() == unseen - open_ones, MEND
