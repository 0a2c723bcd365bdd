"""A sequence that looks its items up behaves as one that holds them."""

from __future__ import annotations

import pytest

from fedcheck.reports.record.on_demand import OnDemand

LETTERS = ["a", "b", "c", "d"]


def test_items_slices_and_ends_are_those_of_a_list() -> None:
    """In the order of its places; also from behind, and of a slice."""
    found = OnDemand(LETTERS.__getitem__, [3, 1, 0])

    assert ["d", "b", "a"] == list(found)
    assert (3, "a", True) == (len(found), found[-1], "b" in found)
    assert ["b", "a"] == found[1:] == [*found][1:]
    assert [] == found[3:]
    assert not found[3:]
    with pytest.raises(IndexError):
        found[3]


def test_it_equals_any_sequence_with_the_same_items() -> None:
    """And nothing else."""
    found = OnDemand(LETTERS.__getitem__, range(4))

    assert found == LETTERS
    assert tuple(LETTERS) == found
    assert found != LETTERS[:3]
    assert found != [*LETTERS[:3], "e"]
    assert found != {*LETTERS}


def test_nothing_is_looked_up_before_it_is_asked_for() -> None:
    """A slice asks for nothing, and what is asked for twice is looked up twice."""
    asked: list[int] = []
    found = OnDemand(lambda place: asked.append(place) or place, range(10))
    some = found[4:6]
    assert [] == asked
    assert [4, 5, 4] == [*some, some[0]]
    assert [4, 5, 4] == asked
