"""Texts that grow with a conversation."""

from __future__ import annotations

import pytest

from fedcheck.invariants.readings.claims import stands_in
from fedcheck.invariants.readings.growing import GrowingTexts

TEXTS = [f"request-{n} costs {n * 7} EUR" for n in range(100)]


def test_what_stands_in_a_text_is_found_however_many_there_are() -> None:
    """Inside of words, too, but never across two texts."""
    grown = GrowingTexts()
    grown.add(TEXTS[:40])
    grown.add(TEXTS[40:])

    asked = ["request-7 ", "uest-99", "693 EUR", "EURrequest", "request-100", ""]
    assert [any(each in text for text in TEXTS) for each in asked] == [
        each in grown for each in asked
    ]


def test_texts_are_found_by_a_word() -> None:
    """Only those that hold the longest word are looked at; a claim without one, in all."""
    grown = GrowingTexts()
    grown.add(TEXTS)

    assert [TEXTS[7]] == [each for each in grown.with_words_of("49") if "request-7 " in each]
    assert "%" not in grown
    assert [] == list(grown.with_words_of("request_8"))


@pytest.mark.parametrize(
    ("text", "other", "expected"),
    [
        ("36", "you have 36 tasks", True),
        ("36", "you have 136 tasks, and 36", True),
        ("36", "a36", False),
        ("36", "36_", False),
        ("é", "café é", True),
        ("36", "", False),
    ],
)
def test_a_claim_stands_by_itself(text: str, other: str, expected: bool) -> None:
    """Not in the middle of a longer word or number."""
    assert expected == stands_in(text, other)
