"""Section blocks, ages and the staleness statement in a prompt, whatever its wording."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

SKELETON_HEADER = "[SKELETON]"
SECTION_BULLET = "- "
MOST_LINES = 6
"""Lines that a section may be away from its own beginning or end."""

_UNIT = (
    r"\d+(?:\.\d+)?\s?(?:days?|d|hours?|hrs?|h|minutes?|mins?|min|m|seconds?|secs?|sec|s)(?![a-z])"
)
_AGE = rf"(?<![\w.])(?:{_UNIT}[ ,]*)+"
_CLEAR_AGES = (
    re.compile(rf"(?P<age>{_AGE})\s*(?:ago|old)\b"),
    re.compile(rf"(?:cached|age|aged|refreshed)\W{{0,4}}(?P<age>{_AGE})"),
    re.compile(rf"(?P<age>{_AGE})"),
)
_ONE_UNIT = re.compile(r"(\d+(?:\.\d+)?)\s?([dhms])")
_SECONDS = {"d": 86_400, "h": 3_600, "m": 60, "s": 1}
_STALENESS = re.compile(
    r"cached|snapshot|\bstale|staleness|outdated|out of date|not live|may have changed"
    r"|freshness|refreshed|\bas of\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+")
_SENTENCE = 6
"""Words from which on a text in an unknown language passes for a statement."""
_HISTORY = re.compile(r"\s*(\[\d{4}-|FACTS:)")


def age_in(text: str) -> float | None:
    """Return the age that a text states, in seconds, or ``None``.

    ``145s``, ``2m25s`` and ``1h02m`` are read, with spaces and written-out units too.
    """
    for pattern in _CLEAR_AGES:
        found = pattern.search(text)
        if found:
            return sum(float(n) * _SECONDS[unit] for n, unit in _ONE_UNIT.findall(found["age"]))
    return 0.0 if "just now" in text else None


def age_of_section(
    lines: Sequence[str], row: int, word: str, stops: frozenset[int], noise: Sequence[str]
) -> float | None:
    """Return the age that stands with a section.

    Args:
        lines: the prompt.
        row: the line in which a word of the section's value stands.
        word: that word.
        stops: the lines in which words of other sections stand.
        noise: texts of the section's value, which are no ages even if they look like one.
    """
    before, _, behind = lines[row].partition(word)
    places = (before, *_above(lines, row, stops), behind, *_below(lines, row, stops))
    found = (age_in(_without(place, noise)) for place in places)
    return next((age for age in found if age is not None), None)


def _without(text: str, noise: Sequence[str]) -> str:
    for each in noise:
        text = text.replace(each, " ")
    return text


def first_line(lines: Sequence[str], row: int, stops: frozenset[int]) -> int:
    """Return where the section begins of which a word stands in line ``row``."""
    return row - len(list(_above(lines, row, stops)))


def states_staleness(lines: Sequence[str], first: int) -> bool:
    """Whether a statement that sections are not live precedes line ``first``.

    Between the ``[SKELETON]`` mark and the first section any sentence passes, in whatever
    language; elsewhere above it, a line that speaks of age.
    """
    header = max((n for n in range(first) if _is_header(lines[n])), default=None)
    above = lines[max(0, first - 12) : first]
    if header is not None:
        lead = [lines[header].lstrip()[len(SKELETON_HEADER) :], *lines[header + 1 : first]]
        text = " ".join(line for line in lead if not is_bullet(line))
        if len(_WORD.findall(text)) >= _SENTENCE:
            return True
        above = [*lines[max(0, header - 12) : header], text]
    return any(_STALENESS.search(x) for x in above if not is_bullet(x) and not _HISTORY.match(x))


def is_bullet(line: str) -> bool:
    """Whether a line begins as section lines do on the documents' pages."""
    return line.lstrip().startswith(SECTION_BULLET)


def indentation(line: str) -> int:
    """Return how many blanks precede the line's text."""
    return len(line) - len(line.lstrip(" \t"))


def _is_header(line: str) -> bool:
    return line.lstrip().startswith(SKELETON_HEADER)


def _above(lines: Sequence[str], row: int, stops: frozenset[int]) -> Iterator[str]:
    """Yield the lines of the same section above ``row``, the nearest first."""
    here = row
    while not is_bullet(lines[here]) and here > 0 and row - here < MOST_LINES:
        here -= 1
        if here in stops or not lines[here].strip() or lines[here].startswith("["):
            return
        yield lines[here]


def _below(lines: Sequence[str], row: int, stops: frozenset[int]) -> Iterator[str]:
    for here in range(row + 1, min(row + MOST_LINES, len(lines))):
        line = lines[here]
        if here in stops or is_bullet(line) or not line[:1].isspace():
            return
        yield line
