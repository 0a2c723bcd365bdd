"""Section blocks, their ages and the staleness statement in a prompt, whatever the layout."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from .ages import age_in, without_ages

SKELETON_HEADER = "[SKELETON]"
SECTION_BULLET = "- "
MOST_LINES = 8
"""Lines that a section may be away from its own beginning or end."""

_STALENESS = re.compile(
    r"cached|snapshot|\bstale|staleness|outdated|out of date|not live|may have changed"
    r"|freshness|refreshed|\bas of\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+")
_SENTENCE = 6
"""Words from which on a text in an unknown language passes for a statement."""
_FAR = 60
"""Lines that the statement may be above the first section that is found by its value."""
_HISTORY = re.compile(r"\s*(\[\d{4}-|FACTS:)")
_OPENING = "{[<|;"


class Block(NamedTuple):
    """Where to look for a section.

    Attributes:
        lines: the prompt.
        row: the line in which a word of the section's value stands.
        stops: the lines in which words of other sections stand.
        name: finds the section's name, or that of its extension.
        full: finds both, one behind the other.
    """

    lines: Sequence[str]
    row: int
    stops: frozenset[int]
    name: re.Pattern[str]
    full: re.Pattern[str]

    @property
    def first(self) -> int:
        """The line in which the section begins: the nearest that names it, else a bullet."""
        rows = [self.row, *self._above()]
        named = next((place for place in rows if self.name.search(self.lines[place])), None)
        if named is None:
            return next((place for place in rows if is_bullet(self.lines[place])), self._joined)
        lead = self.lines[named][: self._end_of_name(named)]
        for place in rows[rows.index(named) + 1 :]:
            same = self.lines[place].startswith(lead) and self._end_of_name(place) == len(lead)
            if is_bullet(self.lines[named]) or not same:
                break
            named = place  # each field bears the section's name
        return named

    @property
    def _joined(self) -> int:
        """The first line above without a blank one between."""
        first = self.row
        while first - 1 in self._above() and self.lines[first - 1].strip():
            first -= 1
        return first

    def age(self, word: str, noise: Iterable[str]) -> float | None:
        """Return the age that stands with the section, in seconds, or ``None``.

        Args:
            word: the word of its value that stands in ``row``.
            noise: texts of its value, which are no ages even if they look like one.
        """
        before, _, behind = self.lines[self.row].partition(word)
        above = [self.lines[place] for place in range(self.row - 1, self.first - 1, -1)]
        for place in (before, *above, behind, *self._below()):
            text = place
            for each in noise:
                text = text.replace(each, " ")
            if (age := age_in(text)) is not None:
                return age
        return None

    def _above(self) -> list[int]:
        """The lines above that may belong to the section, the nearest first."""
        rows: list[int] = []
        for here in range(self.row - 1, max(-1, self.row - 1 - MOST_LINES), -1):
            if here in self.stops or self.lines[here].startswith("["):
                break
            rows.append(here)
        return rows

    def _below(self) -> Iterator[str]:
        for here in range(self.row + 1, min(self.row + MOST_LINES, len(self.lines))):
            line = self.lines[here]
            ended = here in self.stops or is_bullet(line) or self.name.search(line)
            if ended or not line[:1].isspace():
                return
            yield line

    def _end_of_name(self, row: int) -> int:
        found = self.full.search(self.lines[row]) or self.name.search(self.lines[row])
        return found.end() if found else 0


def named(spot: tuple[str, str]) -> re.Pattern[str]:
    """Return what finds the name of a section, or that of its extension, as a whole word."""
    return re.compile("|".join(rf"(?<![\w-]){re.escape(part)}(?![\w-])" for part in spot))


def named_in_full(spot: tuple[str, str]) -> re.Pattern[str]:
    """Return what finds the name of an extension and that of its section, a few signs between."""
    return re.compile(r"\W{1,3}".join(map(re.escape, spot)))


def apart(line: str, sections: Iterable[tuple[str, re.Pattern[str]]]) -> Iterator[str]:
    """Yield a line in pieces, one for each section in it, and one for a statement before them.

    Args:
        line: a line of a prompt.
        sections: of each a word that stands in the line, and what finds its name.
    """
    begin, last = 0, -1
    for at, name in sorted(((line.index(word), name) for word, name in sections), key=_place):
        names = [found.start() for found in name.finditer(line, max(begin, last), at)]
        lead = line[begin : names[-1]] if names else ""
        if names and (last >= 0 or len(_WORD.findall(lead)) >= _SENTENCE):
            opening = max(line.rfind(sign, max(begin, last), names[-1]) for sign in _OPENING)
            cut = names[-1] if opening < 0 else opening
            if line[begin:cut].strip():
                yield line[begin:cut]
                begin = cut
        last = at
    yield line[begin:]


def _place(found: tuple[int, re.Pattern[str]]) -> int:
    return found[0]


def states_staleness(lines: Sequence[str], first: int) -> bool:
    """Whether a statement that sections are not live precedes line ``first``.

    Between the ``[SKELETON]`` mark and the first section any sentence passes, in whatever
    language; elsewhere above it, a line that speaks of age.
    """
    header = max((n for n in range(first) if _is_header(lines[n])), default=None)
    above = lines[max(0, first - _FAR) : first]
    if header is not None:
        lead = [lines[header].lstrip()[len(SKELETON_HEADER) :], *lines[header + 1 : first]]
        text = " ".join(line for line in lead if not is_bullet(line))
        if len(_WORD.findall(text)) >= _SENTENCE:
            return True
        above = [*lines[max(0, header - _FAR) : header], text]
    statements = (x for x in above if not is_bullet(x) and not _HISTORY.match(x))
    return any(_STALENESS.search(without_ages(x)) for x in statements)


def is_bullet(line: str) -> bool:
    """Whether a line begins as section lines do on the documents' pages."""
    return line.lstrip().startswith(SECTION_BULLET)


def indentation(line: str) -> int:
    """Return how many blanks precede the line's text."""
    return len(line) - len(line.lstrip(" \t"))


def _is_header(line: str) -> bool:
    return line.lstrip().startswith(SKELETON_HEADER)
