"""Ages in a text, in the ways in which people and programs write lengths of time."""

from __future__ import annotations

import re

_UNITS = {
    86_400.0: r"days?|d|дней|дня|день|дн",
    3_600.0: r"hours?|hrs?|h|часов|часа|час|ч",
    60.0: r"minutes?|mins?|min|m|минут[аы]?|мин|м",
    1.0: r"seconds?|secs?|sec|s|секунд[аы]?|сек|с",
    0.001: r"milliseconds?|millis|ms",
}
_NAMES = "|".join(_UNITS.values())
_NUMBER = r"\d+(?:\.\d+)?"
_END = r"(?!(?!T\d)[^\W\d_])"
"""No letter follows, but for what parts the days from the hours in ``P1DT2H``."""
_ONE = rf"{_NUMBER}\s?(?:{_NAMES}){_END}"
_PARTS = rf"(?<![\w.])(?:PT?)?(?P<parts>(?:{_ONE}[ ,]*(?:(?:and|и) )?T?)+)"
_CLOCK = r"(?<![\w:.])(?P<clock>(?:\d+:)?\d\d?:\d\d)(?![\w:])"
_WORD = r"(?<![^\W\d_])(?:cached|aged?|refreshed)"
_AGO = r"\s*(?:ago|old)\b"
_WAYS = tuple(
    re.compile(way, re.IGNORECASE)
    for way in (
        rf"{_PARTS}{_AGO}",
        rf"{_WORD}\W{{0,4}}{_PARTS}",
        rf"{_CLOCK}{_AGO}",
        rf"{_WORD}\W{{0,4}}{_CLOCK}",
        _PARTS,
        rf"{_WORD}(?:[\s_]?age)?[\s_(]*(?P<unit>{_NAMES})?(?:[\s_]?ago)?\W{{1,4}}(?P<plain>{_NUMBER})(?![\w:.-])",
    )
)
_PART = re.compile(rf"({_NUMBER})\s?({_NAMES}){_END}", re.IGNORECASE)
_ENDINGS = {re.compile(names, re.IGNORECASE): seconds for seconds, names in _UNITS.items()}


def age_in(text: str) -> float | None:
    """Return the age that a text states, in seconds, or ``None``.

    ``145s``, ``2m25s``, ``1h02m``, ``PT2M25S``, ``2:25 ago`` and ``age_seconds=145`` are read, with
    spaces and written-out units too. A bare number is one of seconds if its name says *age*.
    """
    for way in _WAYS:
        if found := way.search(text):
            return _seconds(found.groupdict())
    return 0.0 if "just now" in text else None


def without_ages(text: str) -> str:
    """Return a text without the ages in it, and the words that introduce them."""
    for way in _WAYS:
        text = way.sub(" ", text)
    return text


def _seconds(found: dict[str, str | None]) -> float:
    if parts := found.get("parts"):
        return sum(float(number) * _worth(unit) for number, unit in _PART.findall(parts))
    if clock := found.get("clock"):
        numbers = map(int, reversed(clock.split(":")))
        return float(sum(number * 60**place for place, number in enumerate(numbers)))
    return float(found.get("plain") or 0) * _worth(found.get("unit") or "s")


def _worth(unit: str) -> float:
    return next(seconds for names, seconds in _ENDINGS.items() if names.fullmatch(unit))
