"""Numbers as English words: how a draft may say a count."""

from __future__ import annotations

import re

_ONES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
    *("eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")

NUMBER_WORD = re.compile(
    rf"(?<![\w-])(?:(?:{'|'.join(_TENS)})(?:[- ](?:{'|'.join(_ONES[1:10])}))?"
    rf"|{'|'.join(_ONES[:1:-1])})(?![\w-])",
    re.IGNORECASE,
)
"""A number from two to ninety-nine; one may mean anybody, and nobody says zero."""


def in_words(number: int) -> str:
    """Return a number from 0 to 99 in words."""
    if number < len(_ONES):
        return _ONES[number]
    ten, one = divmod(number, 10)
    return _TENS[ten - 2] + (f"-{_ONES[one]}" if one else "")


def worth(word: str) -> int:
    """Return the number that a match of ``NUMBER_WORD`` says."""
    first, _, rest = word.casefold().replace(" ", "-").partition("-")
    tens = 10 * (_TENS.index(first) + 2) if first in _TENS else _ONES.index(first)
    return tens + (_ONES.index(rest) if rest else 0)
