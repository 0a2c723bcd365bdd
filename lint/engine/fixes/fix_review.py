"""Reviews applied fixes by the findings afterwards."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from ....reports.lint.findings import Finding
from ...edits import text_edits as edits
from ..run import Outcome, text_of

_Place = tuple[int, int, Finding]
"""Where a finding begins and ends in its text, and the finding."""


def _begin(place: _Place) -> int:
    return place[0]


class _Places:
    """The places of an outcome's findings.

    Args:
        outcome: of linting.
    """

    def __init__(self, outcome: Outcome) -> None:
        self._outcome = outcome
        self._known: dict[str, tuple[list[_Place], int]] = {}

    def within(self, path: str, region: tuple[int, int]) -> Iterator[Finding]:
        """Yield the findings in a range of a file's text."""
        if path not in self._known:
            self._known[path] = self._places_of(path)
        places, longest = self._known[path]
        start = bisect_left(places, region[0] - longest, key=_begin)
        for begin, end, other in places[start : bisect_left(places, region[1], key=_begin)]:
            if begin < region[1] and region[0] < end:
                yield other

    def _places_of(self, path: str) -> tuple[list[_Place], int]:
        """Return the findings of a file, in order, and the length of the longest."""
        text = text_of(self._outcome.sources.get(path))
        if text is None:
            return [], 0
        offsets = edits.offsets_of(text)
        found = [f for f in self._outcome.findings if f.path == path and not f.suppressed]
        places = sorted(((*offsets.range(f.span), f) for f in found), key=_begin)
        return places, max((end - begin for begin, end, _ in places), default=0)


class _Made(NamedTuple):
    """An applied fix, with the range of its code in the old and the new text."""

    finding: Finding
    old: tuple[int, int]
    new: tuple[int, int]


class Review:
    """Compares the findings before and after some fixes.

    Args:
        before: the fixes.
        after: the fixes.
        applied: findings whose fixes were made.
        on: codes whose findings may be fixed in a next round.
    """

    def __init__(
        self, before: Outcome, after: Outcome, applied: Sequence[Finding], on: frozenset[str]
    ) -> None:
        self._on = on
        self._before = before
        self._after = after
        self._applied = applied
        self._fixed = {id(finding) for finding in applied}
        self._old, self._new = _Places(before), _Places(after)

    def wrong(self, *, lenient: bool) -> list[Finding]:
        """Return the fixes that must be reverted.

        Args:
            lenient: only those that did not help; the user will look at the others.
        """
        made = list(self._made())
        idle = [it.finding for it in made if self._still_there(it)]
        if idle or lenient:
            return idle
        wrong = [it.finding for it in made if self._others(it)]
        if wrong or not self._more_than_before():
            return wrong
        return list(self._applied)[-1:]  # something new elsewhere: try again with fewer

    def _still_there(self, made: _Made) -> bool:
        """Tell whether the fixed code has more such findings than were left unfixed."""
        older = _alike(self._old, made.finding, made.old)
        left = sum(id(other) not in self._fixed for other in older)
        return len(_alike(self._new, made.finding, made.new)) > left

    def _others(self, made: _Made) -> bool:
        """Tell whether the fixed code has another finding that the next round cannot fix."""
        found = self._new.within(made.finding.path, made.new)
        others = [other for other in found if other.severity != "info"]
        return not all(map(self._is_mendable, others))

    def _made(self) -> Iterator[_Made]:
        """Yield the applied fixes with their ranges."""
        for name in dict.fromkeys(finding.path for finding in self._applied):
            own = [finding for finding in self._applied if finding.path == name]
            text = text_of(self._before.sources[name]) or ""
            offsets = edits.offsets_of(text)
            moves = _Moves(own, text)
            for finding in own:
                begin, end = offsets.range(finding.span)
                yield _Made(finding, (begin, end), (moves.begin(begin), moves.end(end)))

    def _more_than_before(self) -> bool:
        return bool(self._counts(self._after) - self._counts(self._before))

    def _counts(self, outcome: Outcome) -> Counter[tuple[str, str]]:
        """Return (path, code) → number of findings that the next round cannot fix."""
        lasting = (f for f in outcome.findings if not f.suppressed and not self._is_mendable(f))
        return Counter((f.path, f.code) for f in lasting if f.severity != "info")

    def _is_mendable(self, finding: Finding) -> bool:
        is_safe = finding.fix is not None and finding.fix.safety == "safe"
        return is_safe and finding.code in self._on


def _alike(places: _Places, finding: Finding, region: tuple[int, int]) -> list[Finding]:
    """Return the findings of the same rule in a range."""
    return [it for it in places.within(finding.path, region) if it.code == finding.code]


class _Moves:
    """Maps offsets of an old text to the text after some edits."""

    def __init__(self, findings: Sequence[Finding], text: str) -> None:
        offsets = edits.offsets_of(text)
        every = [edit for finding in findings if finding.fix for edit in finding.fix.edits]
        self._edits = sorted(
            (*offsets.range(edit.span), len(edits.in_style_of(text, edit))) for edit in every
        )
        self._ends = [end for _, end, _ in self._edits]
        growth = (length - (end - begin) for begin, end, length in self._edits)
        self._shifts = [0, *accumulate(growth)]

    def begin(self, offset: int) -> int:
        """Return the new offset of a start."""
        return self._moved(offset, bisect_left(self._ends, offset), inner_end=False)

    def end(self, offset: int) -> int:
        """Return the new offset of an end, after insertions there."""
        return self._moved(offset, bisect_right(self._ends, offset), inner_end=True)

    def _moved(self, offset: int, before: int, *, inner_end: bool) -> int:
        shift = self._shifts[before]
        if before < len(self._edits):
            begin, end, length = self._edits[before]
            if begin < offset < end:
                return begin + shift + (length if inner_end else 0)
        return offset + shift
