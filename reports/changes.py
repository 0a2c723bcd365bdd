"""What is different between two records: clauses that broke or were mended, and the setting."""

from __future__ import annotations

from typing import NamedTuple

from ..invariants.verdict import Verdict
from .record import ClauseResult, RunRecord

_SEEN = frozenset({Verdict.PASS, Verdict.FAIL, Verdict.FLAKY})


class Change(NamedTuple):
    """One clause whose verdict differs; an empty verdict: the clause was not judged then."""

    clause: str
    sentence: str
    before: str
    after: str


class Changed(NamedTuple):
    """One fact of the setting that differs between the runs."""

    what: str
    before: str
    after: str


class Changes(NamedTuple):
    """All that differs from an earlier record.

    Attributes:
        since: kernel and version of the earlier record.
        started: when its run began.
        broke: clauses that were not red and are now.
        mended: clauses that were red and pass now.
        lost: clauses that were seen to hold or to break and are no longer judged, though not red.
        other: clauses whose verdict differs in another way, or that are new.
        still_red: number of clauses that are red with the same verdict as before.
        setting: versions, digests and settings that differ.
    """

    since: str
    started: str
    broke: tuple[Change, ...]
    mended: tuple[Change, ...]
    lost: tuple[Change, ...]
    other: tuple[Change, ...]
    still_red: int
    setting: tuple[Changed, ...]

    @property
    def numbers(self) -> str:
        """How many clauses there are of each kind, in words."""
        return (
            f"{len(self.broke):,} newly red, {len(self.mended):,} mended, "
            f"{len(self.lost):,} no longer judged, {self.still_red:,} still red, "
            f"{len(self.other):,} other changes"
        )

    @property
    def none(self) -> bool:
        """Whether no verdict differs."""
        return not (self.broke or self.mended or self.lost or self.other)


def changes(since: RunRecord, record: RunRecord) -> Changes:
    """Compare a record with an earlier one, clause by clause."""
    before = {result.clause: result for result in since.clauses}
    after = {result.clause: result for result in record.clauses}
    pairs = [(before.get(name), after.get(name)) for name in {**after, **before}]
    told = [(_kind(old, new), _change(old, new)) for old, new in pairs]
    return Changes(
        since=f"{since.header.kernel.kernel} {since.header.kernel.version}",
        started=since.header.started,
        broke=tuple(change for kind, change in told if kind == "broke"),
        mended=tuple(change for kind, change in told if kind == "mended"),
        lost=tuple(change for kind, change in told if kind == "lost"),
        other=tuple(change for kind, change in told if kind == "other"),
        still_red=sum(kind == "still red" for kind, _ in told),
        setting=tuple(_setting(since, record)),
    )


def verdict_text(result: ClauseResult | None) -> str:
    """Return the effective verdict in words; empty for no result."""
    return "" if result is None else result.effective.value.replace("_", " ")


def _kind(old: ClauseResult | None, new: ClauseResult | None) -> str:
    was, is_red = (result is not None and result.red for result in (old, new))
    if is_red and not was:
        return "broke"
    if was and new is not None and new.effective is Verdict.PASS:
        return "mended"
    if _seen(old) and not (is_red or _seen(new)):
        return "lost"
    if verdict_text(old) != verdict_text(new):
        return "other"
    return "still red" if is_red else "same"


def _seen(result: ClauseResult | None) -> bool:
    return result is not None and result.verdict in _SEEN


def _change(old: ClauseResult | None, new: ClauseResult | None) -> Change:
    known = new or old
    assert known is not None  # noqa: S101  every pair holds one of them
    return Change(known.clause, known.sentence, verdict_text(old), verdict_text(new))


def _setting(since: RunRecord, record: RunRecord) -> list[Changed]:
    rows = zip(_facts(since), _facts(record), strict=True)
    return [Changed(name, old, new) for (name, old), (_, new) in rows if old != new]


def _facts(record: RunRecord) -> list[tuple[str, str]]:
    header, kernel = record.header, record.header.kernel
    return [
        ("kernel", f"{kernel.kernel} {kernel.version}"),
        ("commit of the kernel", kernel.commit),
        ("reached as", header.reference),
        ("capabilities", ", ".join(sorted(kernel.capabilities))),
        ("suite", f"{header.suite.name} {header.suite.version}"),
        ("digest of the suite", header.suite.digest),
        ("requirement set", header.requirement_set.name),
        ("digest of the requirement set", header.requirement_set.digest),
        ("digest of the catalog", header.catalog_digest),
        ("profile", header.profile),
        ("seed", str(header.seed)),
        ("examples", str(header.examples)),
        ("scenarios read by judges", str(sum(result.scenarios for result in record.clauses))),
        ("broken clauses", str(sum(r.effective is Verdict.FAIL for r in record.clauses))),
    ]
