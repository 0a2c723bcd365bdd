"""Texts for people: cut where nothing matters, counted with the right noun."""

from __future__ import annotations

import pytest

from fedcheck.invariants.vocabulary.text import around, counted, told_apart


def test_values_are_cut_around_where_they_differ() -> None:
    """What is alike is counted; the difference stands in both."""
    expected, got = told_apart("x" * 500 + "one" + "y" * 500, "x" * 500 + "two" + "y" * 500)

    assert "one" in expected
    assert "two" in got
    assert "(460 characters) … " == expected[: expected.index("x")] == got[: got.index("x")]


def test_short_values_are_told_whole() -> None:
    """As JSON, unless they are text."""
    assert ('{"n": 1}', "two") == told_apart({"n": 1}, "two")


@pytest.mark.parametrize("first", [0, 3, 150, 299])
def test_a_cut_text_shows_the_place_and_counts_the_rest(first: int) -> None:
    """At the beginning, in the middle and at the end."""
    text = "".join(chr(0x4E00 + n) for n in range(300))
    cut = around(text, first)

    assert text[first] in cut
    assert 120 == sum(character in text for character in cut)


def test_one_is_no_plural() -> None:
    """Nor are others a singular."""
    assert ("1 FACTS line", "0 FACTS lines") == (counted(1, "FACTS line"), counted(0, "FACTS line"))
