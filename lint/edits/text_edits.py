"""Applies edits to a source text and changes nothing else in it."""

from __future__ import annotations

import re
from bisect import bisect_right, insort
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

from ...reports.lint.findings import Edit, Finding, Span
from ..files.source import SourceFile
from ..inference.syntax.parsing import Unparsable, parse


class Offsets:
    """Turns lines and columns of a text into offsets."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(match.end() for match in re.finditer(r"\r\n|\r|\n", text))]
        self._length = len(text)

    def range(self, span: Span) -> tuple[int, int]:
        """Return where a span begins and ends.

        Raises:
            ValueError: the text has no such place.
        """
        begin, end = self._at(span.line, span.column), self._at(span.end_line, span.end_column)
        if begin > end:
            raise ValueError(f"a span ends before it begins: {span}")
        return begin, end

    def _at(self, line: int, column: int) -> int:
        if not 1 <= line <= len(self._starts) or column < 1:
            raise ValueError(f"there is no line {line}, column {column}")
        offset = self._starts[line - 1] + column - 1
        limit = self._starts[line] if line < len(self._starts) else self._length
        if offset > limit:
            raise ValueError(f"line {line} has no column {column}")
        return offset


@lru_cache(maxsize=8)
def offsets_of(text: str) -> Offsets:
    """Return the offsets of a text; those of the last few texts are kept."""
    return Offsets(text)


def apply(text: str, edits: Iterable[Edit]) -> str:
    """Return ``text`` with edits made; new lines end as the others do.

    Raises:
        ValueError: two edits overlap, or one lies outside the text.
    """
    offsets = offsets_of(text)
    placed = sorted((*offsets.range(edit.span), in_style_of(text, edit)) for edit in edits)
    done: list[str] = []
    position = 0
    for begin, end, replacement in placed:
        if begin < position:
            raise ValueError("two edits overlap")
        done += [text[position:begin], replacement]
        position = end
    return "".join([*done, text[position:]])


def in_style_of(text: str, edit: Edit) -> str:
    """Return the replacement of an edit with the line endings of a text."""
    newline = _newline(text)
    return re.sub(r"\r\n|\r|\n", lambda _: newline, edit.replacement)


def without_overlap(findings: Sequence[Finding], text: str) -> list[Finding]:
    """Return those findings whose fixes can be applied together; the first of two wins."""
    offsets = offsets_of(text)
    taken: list[tuple[int, int]] = []  # in order; no two touch
    chosen: list[Finding] = []
    for finding in findings:
        wanted = _ranges(finding, offsets)
        if wanted and not any(_touches_one(place, taken) for place in wanted):
            for place in wanted:
                insort(taken, place)
            chosen.append(finding)
    return chosen


def encoded(text: str, source: SourceFile) -> bytes | None:
    """Return a new text of a file as bytes, with its encoding and BOM.

    Returns ``None`` if it cannot hold the text, or if the file's own text does not come back
    as the bytes that it was read from.
    """
    try:
        if source.text.encode(source.encoding) != source.data:
            return None
        return text.encode(source.encoding)
    except (UnicodeError, LookupError, SyntaxError):
        return None


def parses(data: bytes) -> bool:
    """Tell whether bytes are a Python module, however deep: the linter reads it as well."""
    try:
        parse(SourceFile(Path(), "", data))
    except Unparsable:
        return False
    return True


def _ranges(finding: Finding, offsets: Offsets) -> list[tuple[int, int]]:
    try:
        return [offsets.range(edit.span) for edit in finding.fix.edits] if finding.fix else []
    except ValueError:
        return []


def _touches_one(place: tuple[int, int], taken: Sequence[tuple[int, int]]) -> bool:
    """Tell whether a place touches one of the places of others, which are in order."""
    behind = bisect_right(taken, place)
    neighbours = taken[max(behind - 1, 0) : behind + 1]
    return any(place[0] <= end and begin <= place[1] for begin, end in neighbours)


@lru_cache(maxsize=8)
def _newline(text: str) -> str:
    """Return the line ending that a text uses most; LF if it has none."""
    windows, unix, mac = text.count("\r\n"), text.count("\n"), text.count("\r")
    counts = {"\n": unix - windows, "\r\n": windows, "\r": mac - windows}
    return max(counts, key=lambda ending: counts[ending])
