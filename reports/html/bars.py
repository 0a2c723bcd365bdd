"""Bars where people look first: coverage, classes of input, time, and verdicts beside each other.

Each plot is a table, one row for each bar, so that its words can be read, broken and scaled like
any others; only the bar itself is a picture.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import UNSET

from ...invariants.vocabulary.text import counted
from ...invariants.vocabulary.verdict import Verdict
from ..record.history import Release
from ..record.model import ClauseResult, RunRecord
from ..record.outcome import counts
from ..record.side_by_side import SideBySide
from ..record.verdict_words import hue, verdict_name
from ..wording.channels import channel
from ..wording.clause_text import seconds_spent
from .plots import Share, share_bar

MOST = 12
"""Bars of one plot; of more, it says how many are left out."""

_RELEASES = 20
"""Releases whose verdicts are shown, the latest."""


class Bar(NamedTuple):
    """One row: its name, its picture, what stands behind it, the clause that it leads to."""

    name: str
    svg: str
    told: str
    clause: str = ""


class Bars(NamedTuple):
    """A plot: its title, its rows, (word, colour) of its legend, what is left out."""

    title: str
    rows: tuple[Bar, ...]
    legend: tuple[tuple[str, str], ...]
    left_out: str = ""


def legend(shares: Iterable[Share]) -> tuple[tuple[str, str], ...]:
    """Return each colour once, with all words that have it."""
    words: dict[str, list[str]] = {}
    for share in shares:
        if share.size and share.name not in words.setdefault(share.colour, []):
            words[share.colour].append(share.name)
    return tuple((", ".join(names), colour) for colour, names in words.items())


def verdict_shares(verdicts: Mapping[str, int], *, recorded: bool = False) -> tuple[Share, ...]:
    """Return counts of verdicts in the order of ``Verdict``, each word in its own colour."""
    return tuple(
        Share(verdict_name(v, recorded=recorded), number, hue(v))
        for v in Verdict
        if (number := verdicts.get(v, 0))
    )


def coverage(record: RunRecord) -> tuple[Bars, ...]:
    """Return what became of the required clauses, by channel and by document."""
    channels: dict[str, list[ClauseResult]] = {}
    documents: dict[str, list[ClauseResult]] = {}
    for results in record.by_invariant().values():
        required = [result for result in results if result.required]
        channels.setdefault(channel(results), []).extend(required)
        for result in required:
            for name in dict.fromkeys(map(_document, result.sources or ("no document",))):
                documents.setdefault(name, []).append(result)
    plots = (_covered("Channels", channels), _covered("Documents", documents))
    return tuple(plot for plot in plots if plot.rows)


def classes(record: RunRecord) -> Bars | None:
    """Return the clauses of which the least was tried: missing classes first, then rare ones."""
    ranked = sorted(_tried(record))
    if not ranked:
        return None
    most = max(tried.seen + tried.missing for tried in ranked)
    shown = ranked[:MOST]
    rows = [
        Bar(tried.clause, share_bar(tried.shares, most), tried.told, tried.clause)
        for tried in shown
    ]
    shares = [share for tried in shown for share in tried.shares]
    return Bars("Classes of input", tuple(rows), legend(shares), _more(len(ranked), "clause"))


def times(record: RunRecord) -> Bars | None:
    """Return the invariants on which most time was spent; their clauses share the runs."""
    spent = {name: seconds_spent(results) for name, results in record.by_invariant().items()}
    total = sum(spent.values())
    if not total:
        return None
    ranked = sorted(spent.items(), key=lambda pair: -pair[1])
    longest = ranked[0][1]
    rows = [
        Bar(name, share_bar([Share("seconds", seconds, "bar")], longest), _seconds(seconds, total))
        for name, seconds in ranked[:MOST]
    ]
    rest = sum(seconds for _, seconds in ranked[MOST:])
    more = _more(len(ranked), "invariant")
    left_out = f"{more}: {_seconds(rest, total)}" if more else ""
    return Bars("Time", tuple(rows), (("seconds", "bar"),), left_out)


def by_release(releases: Sequence[Release]) -> Bars:
    """Return the verdicts of the latest releases, the first of them before the others."""
    shown = releases[-_RELEASES:]
    left_out = len(releases) - len(shown)
    rows = [_verdicts(r.label, verdict_shares(r.verdicts), r.passed, "passed") for r in shown]
    shares = [share for release in shown for share in verdict_shares(release.verdicts)]
    told = f"and {counted(left_out, 'release')} before" if left_out else ""
    return Bars("Required clauses by release", tuple(rows), legend(_in_order(shares)), told)


def by_kernel(told: SideBySide) -> Bars:
    """Return the verdicts of kernels beside each other, over all MUST clauses in their records."""
    rows: list[Bar] = []
    shares: list[Share] = []
    for place, column in enumerate(told.columns):
        cells = [row.cells[place] for row in told.rows if row.level == "MUST"]
        found = Counter(cell.verdict.replace(" ", "_") for cell in cells if cell is not None)
        own = verdict_shares(found)
        rows.append(_verdicts(column.label, own, found[Verdict.PASS], "passed"))
        shares += own
    return Bars("MUST clauses by kernel", tuple(rows), legend(_in_order(shares)))


def _covered(title: str, groups: Mapping[str, list[ClauseResult]]) -> Bars:
    ranked = sorted(groups.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    ranked = [(name, results) for name, results in ranked if results]
    rows: list[Bar] = []
    shares: list[Share] = []
    for name, results in ranked[:MOST]:
        numbers = counts(results)
        audit = any(each.recorded is not UNSET for each in results)
        own = verdict_shares(numbers.verdicts, recorded=audit)
        rows.append(_verdicts(name, own, numbers.exercised, "judged"))
        shares += own
    more = _more(len(ranked), title.lower().removesuffix("s"))
    return Bars(title, tuple(rows), legend(_in_order(shares)), more)


def _in_order(shares: Iterable[Share]) -> list[Share]:
    """Return shares in the order of ``Verdict``, so that every legend has the same one."""
    names = [verdict_name(v, recorded=audit) for v in Verdict for audit in (False, True)]
    return sorted(shares, key=lambda share: names.index(share.name))


def _verdicts(name: str, shares: Sequence[Share], number: int, word: str) -> Bar:
    total = sum(share.size for share in shares)
    return Bar(name, share_bar(shares), f"{number:,} of {total:,} {word}")


def _document(source: str) -> str:
    """Return the document of a source, without the section."""
    return source.partition(",")[0].strip().removesuffix(" page")


class _Tried(NamedTuple):
    """What was tried of a clause, in the order in which the least tried one comes first."""

    negated: int
    rarest: int
    clause: str
    seen: int

    @property
    def missing(self) -> int:
        return -self.negated

    @property
    def shares(self) -> tuple[Share, Share]:
        return Share("seen", self.seen, "good"), Share("not seen", self.missing, "bad")

    @property
    def told(self) -> str:
        told = f"{self.seen:,} of {self.seen + self.missing:,}"
        return f"{told}, the rarest {counted(self.rarest, 'time')}" if self.seen else told


def _tried(record: RunRecord) -> Iterator[_Tried]:
    for result in record.clauses:
        seen = [n for name, n in result.partitions.items() if n and name not in result.choices]
        missing = len(result.missing_partitions)
        if result.required and (seen or missing):
            yield _Tried(-missing, min(seen, default=0), result.clause, len(seen))


def _seconds(seconds: float, total: float) -> str:
    return f"{seconds:,.2f} s, {100 * seconds / total:.0f} %"


def _more(number: int, noun: str) -> str:
    return f"and {counted(number - MOST, f'more {noun}')}" if number > MOST else ""
