"""What changed between two runs: verdicts, coverage, and what was judged by which rules.

Two runs are compared by what they exercised, not only by their verdicts: a clause that is no
longer judged is worse than one that still passes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec

from ..invariants.parameters import Parameters
from ..invariants.verdict import Verdict
from ..reports.changes import changes
from ..reports.outcome import CONFORMANT, VIOLATIONS
from ..reports.record import ClauseResult, RunRecord

SCENARIO_LOSS = 0.5
"""Share of a clause's scenarios that may be lost; what a kernel answers moves it a little."""

Topic = Literal[
    "newly failing",
    "fixed",
    "newly not exercised",
    "newly not claimed",
    "newly not judged",
    "judged again",
    "lost coverage",
    "new clause",
    "newly waived",
    "changed parameter",
    "new deviation",
    "changed setting",
]

_BROKEN = frozenset({Verdict.FAIL, Verdict.FLAKY})
_LOST: dict[Verdict, Topic] = {
    Verdict.NOT_EXERCISED: "newly not exercised",
    Verdict.NOT_CLAIMED: "newly not claimed",
}
_WORSE = frozenset({"newly failing", "newly not judged", *_LOST.values()})
_SEEN = _BROKEN | {Verdict.PASS}


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that differs.

    Attributes:
        topic: what kind of difference it is.
        subject: the clause, parameter or setting.
        before: what it was; empty if it was not there.
        after: what it is; empty if it is gone.
        regression: whether it makes the newer release worse.
    """

    topic: Topic
    subject: str
    before: str = ""
    after: str = ""
    regression: bool = False


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """All that differs between two runs.

    Attributes:
        old: kernel and version of the older run.
        new: kernel and version of the newer run.
        differences: the gravest topics first.
        regression: whether one of them makes the newer release worse.
    """

    old: str
    new: str
    differences: tuple[Difference, ...]
    regression: bool

    @property
    def exit_code(self) -> int:
        """1 on a regression, else 0."""
        return VIOLATIONS if self.regression else CONFORMANT


def compare(old: RunRecord, new: RunRecord) -> Comparison:
    """Compare the runs of two releases."""
    before = {result.clause: result for result in old.clauses}
    after = {result.clause: result for result in new.clauses}
    found = [
        *_clauses(before, after),
        *_deviations(old, new),
        *_parameters(old.header.kernel.parameters, new.header.kernel.parameters),
        *(
            Difference(topic="changed setting", subject=x.what, before=x.before, after=x.after)
            for x in changes(old, new).setting
        ),
    ]
    return Comparison(
        old=_name(old),
        new=_name(new),
        differences=tuple(sorted(found, key=lambda each: not each.regression)),
        regression=any(each.regression for each in found),
    )


def _name(record: RunRecord) -> str:
    return f"{record.header.kernel.kernel} {record.header.kernel.version}"


def _clauses(
    before: Mapping[str, ClauseResult], after: Mapping[str, ClauseResult]
) -> Iterator[Difference]:
    for clause in {**before, **after}:
        old, new = before.get(clause), after.get(clause)
        if old is not None and new is not None:
            yield from _verdicts(old, new)
            yield from _coverage(old, new)
            yield from _standing(old, new)
        elif old is not None:
            yield Difference(
                topic="lost coverage",
                subject=clause,
                before=_word(old),
                after="the clause is not judged any more",
                regression=_counts(old) and old.verdict in _SEEN,
            )
        elif new is not None:
            worse = _counts(new) and new.effective in _BROKEN
            yield Difference(
                topic="newly failing" if new.verdict in _BROKEN else "new clause",
                subject=clause,
                after=_told(new),
                regression=worse,
            )


def _standing(old: ClauseResult, new: ClauseResult) -> Iterator[Difference]:
    """A clause that no longer decides; to be seen, but changing the requirements is a choice."""
    if old.gating and not new.gating:
        yield Difference(
            topic="lost coverage",
            subject=new.clause,
            before="it decided over the run",
            after="it is only advisory",
        )


def _verdicts(old: ClauseResult, new: ClauseResult) -> Iterator[Difference]:
    topic = _topic(old, new)
    if topic is not None:
        yield Difference(
            topic=topic,
            subject=new.clause,
            before=_word(old),
            after=_told(new),
            regression=topic in _WORSE and _counts(new),
        )


def _topic(old: ClauseResult, new: ClauseResult) -> Topic | None:
    if new.verdict in _BROKEN and new.effective is Verdict.WAIVED:
        return "newly waived" if old.effective is not Verdict.WAIVED else None
    if new.verdict in _BROKEN:
        known = old.verdict in _BROKEN and old.effective is not Verdict.WAIVED
        return None if known else "newly failing"
    if old.verdict in _BROKEN and new.verdict is Verdict.PASS:
        return "fixed"
    if old.verdict in _SEEN and new.verdict not in _SEEN:
        return _LOST.get(new.verdict, "newly not judged")
    if new.verdict in _SEEN and old.verdict not in _SEEN:
        return "judged again"
    if old.verdict is Verdict.NOT_CLAIMED and new.verdict is not Verdict.NOT_CLAIMED:
        return "newly not judged"
    return None


def _coverage(old: ClauseResult, new: ClauseResult) -> Iterator[Difference]:
    """Classes of input and scenarios that a clause lost; not where its verdict says so already."""
    if new.verdict not in _SEEN:
        return
    lost = [name for name, n in old.partitions.items() if n and not new.partitions.get(name)]
    if lost:
        yield Difference(
            topic="lost coverage",
            subject=new.clause,
            before=f"input classes seen: {', '.join(lost)}",
            after="not seen any more",
            regression=_counts(new),
        )
    if new.scenarios < old.scenarios * SCENARIO_LOSS:
        yield Difference(
            topic="lost coverage",
            subject=new.clause,
            before=f"{old.scenarios} scenarios",
            after=f"{new.scenarios} scenarios",
            regression=_counts(new),
        )


def _deviations(old: RunRecord, new: RunRecord) -> Iterator[Difference]:
    for name, (documented, declared) in new.header.deviations.items():
        if old.header.deviations.get(name) != (documented, declared):
            yield Difference(
                topic="new deviation",
                subject=name,
                before=f"documented: {documented!r}",
                after=f"declared: {declared!r}",
                regression=True,
            )


def _parameters(old: Parameters, new: Parameters) -> Iterator[Difference]:
    for name in Parameters.__struct_fields__:
        before, after = getattr(old, name), getattr(new, name)
        if before != after:
            yield Difference(
                topic="changed parameter", subject=name, before=repr(before), after=repr(after)
            )


def _counts(result: ClauseResult) -> bool:
    """Whether the clause decides over a run: a SHOULD, or one not required, does not."""
    return result.gating


def _word(result: ClauseResult) -> str:
    return result.effective.value.replace("_", " ")


def _told(result: ClauseResult) -> str:
    return f"{_word(result)}: {result.reason}" if result.reason else _word(result)
