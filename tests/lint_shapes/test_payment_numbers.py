"""Numbers of cards and accounts, and all that only looks like one."""

from __future__ import annotations

import random

import pytest

from fedcheck.lint.queries.payment_numbers import payment_number_in

CARD, ACCOUNT = "the number of a payment card", "the number of a bank account"


@pytest.mark.parametrize(
    ("key", "text", "expected"),
    [
        ("", "4539 5787 6362 1486", CARD),
        ("", "4539-5787-6362-1486", CARD),
        ("card_number", "4539578763621486", CARD),
        ("pan", "4539578763621486", CARD),
        ("", "Paid with Visa 4539578763621486.", CARD),
        ("", "Card number: 4539578763621486", CARD),
        ("", "3793 545081 62306", CARD),
        ("to", "DE44500105175407324931", ACCOUNT),
        ("", "Send it to DE44 5001 0517 5407 3249 31, please", ACCOUNT),
        ("", "Account number: DE44500105175407324931", ACCOUNT),
    ],
)
def test_numbers_are_found(key: str, text: str, expected: str) -> None:
    """In groups, under a key that says what they are, behind a word that does."""
    assert expected == payment_number_in(key, text)


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("", "4539578763621486"),
        ("id", "4539578763621486"),
        ("order_id", "4539 5787 6362 1486"),
        ("phone", "4539 5787 6362 1486"),
        ("timestamp", "4539 5787 6362 1486"),
        ("", "Order 4539-5787-6362-1486"),
        ("", "Tracking no. 4539 5787 6362 1486"),
        ("", "+4539 5787 6362 1486"),
        ("", "x-4539-5787-6362-1486-1"),
        ("card_number", "4539578763621487"),
        ("card_number", "1539578763621485"),
        ("card_number", "45395787636214"),
        ("card", "4242 4242 4242 4242"),
        ("card", "4000 0025 0000 3155"),
        ("card", "5555 5555 5555 4444"),
        ("test_card", "4539 5787 6362 1486"),
        ("", "for example 4539 5787 6362 1486"),
        ("card", "**** **** **** 1486"),
        ("", "DE45500105175407324931"),
        ("", "DE4450010517540732493"),
        ("", "DE445001051754073249311"),
        ("", "XX44500105175407324931"),
        ("", "DE89 3704 0044 0532 0130 00"),
        ("", "GB82 WEST 1234 5698 7654 32"),
        ("order_id", "DE44500105175407324931"),
        ("", "Invoice DE44500105175407324931"),
    ],
)
def test_what_only_looks_like_one_is_none(key: str, text: str) -> None:
    """A wrong check digit, another length, another purpose, a number that is made for tests."""
    assert "" == payment_number_in(key, text)


def test_ids_times_and_phone_numbers_are_never_cards() -> None:
    """Each tenth number has the right check digit, so that it alone proves nothing."""
    draw = random.Random(7)  # noqa: S311 - a test
    keys = ["", "id", "order", "value", "number", "user_id", "at", "phone", "created"]
    texts = [str(draw.randrange(10**12, 10**19)) for _ in range(20_000)]
    texts += [f"+{draw.randrange(10**10, 10**12)}" for _ in range(2_000)]

    assert [] == [text for text in texts if payment_number_in(draw.choice(keys), text)]
