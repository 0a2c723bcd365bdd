"""What changed between two runs: verdicts, coverage, and what was judged by which rules.

Two runs are compared by what they exercised, not only by their verdicts: a clause that is no
longer judged is worse than one that still passes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, get_args

import msgspec

from ...invariants.vocabulary.parameters import Parameters
from ...invariants.vocabulary.text import counted
from ...invariants.vocabulary.verdict import Verdict
from .model import ClauseResult, RunRecord
from .outcome import CONFORMANT, VIOLATIONS
from .verdict_words import result_name

SCENARIO_LOSS = 0.5
"""Share of a clause's scenarios that may be lost; what a kernel answers moves it a little."""

Topic = Literal[
    "newly failing",
    "newly claimed, fails",
    "newly claimed, not judged",
    "fixed",
    "newly not exercised",
    "newly not claimed",
    "newly not judged",
    "judged again",
    "lost coverage",
    "new clause",
    "gone clause",
    "newly waived",
    "another verdict",
    "changed parameter",
    "new deviation",
    "changed setting",
    "changed total",
]

_LOST: dict[Verdict, Topic] = {
    Verdict.NOT_EXERCISED: "newly not exercised",
    Verdict.NOT_CLAIMED: "newly not claimed",
}
_TOPICS: dict[Topic, int] = {topic: place for place, topic in enumerate(get_args(Topic))}
_WORSE = frozenset({"newly failing", "newly not judged", *_LOST.values()})

_OF_ONE_VERDICT: frozenset[Topic] = frozenset(
    {
        "newly failing",
        "newly claimed, fails",
        "newly claimed, not judged",
        "fixed",
        "newly not exercised",
        "newly not claimed",
        "newly not judged",
        "judged again",
        "new clause",
        "gone clause",
        "newly waived",
        "another verdict",
    }
)
"""Topics of which a clause has at most one: what its verdict was, and what it is."""


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that differs.

    Attributes:
        topic: what kind of difference it is.
        subject: the clause, parameter or setting.
        sentence: the promise, if the subject is a clause.
        level: ``MUST`` or ``SHOULD``, if the subject is a clause; else empty.
        before: what it was; empty if it was not there.
        after: what it is; empty if it is gone.
        regression: whether it makes the newer release worse.
    """

    topic: Topic
    subject: str
    sentence: str = ""
    level: Literal["", "MUST", "SHOULD"] = ""
    before: str = ""
    after: str = ""
    regression: bool = False


class Sum(msgspec.Struct, frozen=True, kw_only=True):
    """How the clauses of one level fared: ``topics`` and the rest add up to ``clauses``.

    Attributes:
        clauses: clauses that one of the two runs judged, or both.
        topics: how many verdicts changed, by topic.
        still_red: clauses whose verdict is as it was, and red.
        unchanged: clauses whose verdict is as it was, and not red.
    """

    clauses: int
    topics: dict[str, int]
    still_red: int
    unchanged: int


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """All that differs between two runs.

    Attributes:
        old: kernel and version of the older run.
        old_started: when the older run began, UTC.
        new: kernel and version of the newer run.
        differences: regressions first, then topic by topic, in the order of ``Topic``.
        still_red: number of clauses that are red with the same verdict in both.
        must: how the clauses fared that are a MUST in the newer run, or were in the older one.
        should: likewise those that are a SHOULD.
        regression: whether one of the differences makes the newer release worse.
    """

    old: str
    old_started: str
    new: str
    differences: tuple[Difference, ...]
    still_red: int
    must: Sum
    should: Sum
    regression: bool

    @property
    def exit_code(self) -> int:
        """1 on a regression, else 0."""
        return VIOLATIONS if self.regression else CONFORMANT

    @property
    def by_topic(self) -> dict[Topic, list[Difference]]:
        """The differences of each topic there is."""
        topics: dict[Topic, list[Difference]] = {}
        for each in self.differences:
            topics.setdefault(each.topic, []).append(each)
        return topics

    @property
    def numbers(self) -> str:
        """How many regressions, and how the clauses of each level fared, in words."""
        worse = len({each.subject for each in self.differences if each.regression})
        head = counted(worse, "regression") if worse else "no regression"
        levels = {"MUST": self.must, "SHOULD": self.should}
        told = [_summed(level, each) for level, each in levels.items() if each.clauses]
        others = {
            topic: len(found)
            for topic, found in self.by_topic.items()
            if topic not in _OF_ONE_VERDICT
            and topic != "changed total"  # the sum of what the others tell
        }
        told += [f"{topic}: {number:,}" for topic, number in others.items()]
        return f"{head} ({'; '.join(told)})"


def compare(old: RunRecord, new: RunRecord) -> Comparison:
    """Compare the runs of two releases."""
    before = {result.clause: result for result in old.clauses}
    after = {result.clause: result for result in new.clauses}
    found = [
        *_clauses(before, after),
        *_deviations(old, new),
        *_parameters(old.header.kernel.parameters, new.header.kernel.parameters),
        *_changed("changed setting", _settings(old), _settings(new)),
        *_changed("changed total", _totals(old), _totals(new)),
    ]
    return Comparison(
        old=_name(old),
        old_started=old.header.started,
        new=_name(new),
        differences=tuple(sorted(found, key=lambda x: (not x.regression, _TOPICS[x.topic]))),
        still_red=sum(_still_red(before[x], after[x]) for x in before.keys() & after.keys()),
        must=_sum("MUST", before, after, found),
        should=_sum("SHOULD", before, after, found),
        regression=any(each.regression for each in found),
    )


def _sum(
    level: str,
    before: Mapping[str, ClauseResult],
    after: Mapping[str, ClauseResult],
    found: list[Difference],
) -> Sum:
    names = {name for name, result in {**before, **after}.items() if result.level == level}
    told = {x.subject: x.topic for x in found if x.subject in names and x.topic in _OF_ONE_VERDICT}
    left = names - told.keys()
    red = sum(_still_red(before[x], after[x]) for x in left if x in before and x in after)
    return Sum(
        clauses=len(names),
        topics={topic: n for topic in _TOPICS if (n := sum(x == topic for x in told.values()))},
        still_red=red,
        unchanged=len(left) - red,
    )


def _summed(level: str, told: Sum) -> str:
    """Say how the clauses of one level fared: ``3 MUST = 1 fixed + 2 unchanged``."""
    parts = {**told.topics, "still red": told.still_red, "unchanged": told.unchanged}
    words = " + ".join(f"{n:,} {topic}" for topic, n in parts.items() if n)
    return f"{told.clauses:,} {level} = {words}"


def _name(record: RunRecord) -> str:
    return f"{record.header.kernel.kernel} {record.header.kernel.version}"


def _still_red(old: ClauseResult, new: ClauseResult) -> bool:
    return old.red and new.red and old.effective is new.effective


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
            yield _about(
                old,
                "gone clause",
                _word(old),
                "the clause is not judged any more",
                regression=old.gating and old.verdict.seen,
            )
        elif new is not None:
            topic: Topic = "newly failing" if new.verdict.broken else "new clause"
            worse = new.gating and new.effective.broken
            yield _about(new, topic, "", _told(new), regression=worse)


def _about(
    result: ClauseResult, topic: Topic, before: str, after: str, *, regression: bool = False
) -> Difference:
    return Difference(
        topic=topic,
        subject=result.clause,
        sentence=result.sentence,
        level=result.level,
        before=before,
        after=after,
        regression=regression,
    )


def _standing(old: ClauseResult, new: ClauseResult) -> Iterator[Difference]:
    """A clause that no longer decides; to be seen, but changing the requirements is a choice."""
    if old.gating and not new.gating:
        yield _about(new, "lost coverage", "it decided over the run", "it is only advisory")


def _verdicts(old: ClauseResult, new: ClauseResult) -> Iterator[Difference]:
    topic = _topic(old, new)
    if topic is not None:
        worse = topic in _WORSE and new.gating
        yield _about(new, topic, _word(old), _told(new), regression=worse)


def _topic(old: ClauseResult, new: ClauseResult) -> Topic | None:
    if old.effective is new.effective and old.verdict is new.verdict:
        return None
    return _broken(old, new) if new.verdict.broken else _whole(old, new)


def _broken(old: ClauseResult, new: ClauseResult) -> Topic | None:
    """The topic of a clause that is broken now."""
    if new.effective is Verdict.WAIVED:
        return "newly waived" if old.effective is not Verdict.WAIVED else None
    if old.verdict is Verdict.NOT_CLAIMED:
        return "newly claimed, fails"
    known = old.verdict.broken and old.effective is not Verdict.WAIVED
    return "another verdict" if known else "newly failing"


def _whole(old: ClauseResult, new: ClauseResult) -> Topic:
    """The topic of a clause that is not seen to be broken now, and has another verdict."""
    if new.verdict is Verdict.PASS:
        return "fixed" if old.verdict.broken else "judged again"
    if old.verdict.seen:
        return _LOST.get(new.verdict, "newly not judged")
    if old.verdict is Verdict.NOT_CLAIMED:
        return "newly claimed, not judged"
    return "another verdict"


def _coverage(old: ClauseResult, new: ClauseResult) -> Iterator[Difference]:
    """Classes of input and scenarios that a clause lost; not where its verdict says so already."""
    if not new.verdict.seen:
        return
    lost = [name for name, n in old.partitions.items() if n and not new.partitions.get(name)]
    if lost:
        seen = f"input classes seen: {', '.join(lost)}"
        yield _about(new, "lost coverage", seen, "not seen any more", regression=new.gating)
    if new.scenarios < old.scenarios * SCENARIO_LOSS:
        yield _about(
            new,
            "lost coverage",
            f"{old.scenarios} scenarios",
            f"{new.scenarios} scenarios",
            regression=new.gating,
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


def _changed(topic: Topic, old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[Difference]:
    for name, before in old.items():
        if before != new[name]:
            yield Difference(topic=topic, subject=name, before=before, after=new[name])


def _settings(record: RunRecord) -> dict[str, str]:
    header, kernel = record.header, record.header.kernel
    return {
        "kernel": f"{kernel.kernel} {kernel.version}",
        "commit of the kernel": kernel.commit,
        "reached as": header.reference,
        "capabilities": ", ".join(sorted(kernel.capabilities)),
        "suite": f"{header.suite.name} {header.suite.version}",
        "digest of the suite": header.suite.digest,
        "requirement set": header.requirement_set.name,
        "digest of the requirement set": header.requirement_set.digest,
        "digest of the catalog": header.catalog_digest,
        "profile": header.profile,
        "seed": str(header.seed),
        "examples": str(header.examples),
    }


def _totals(record: RunRecord) -> dict[str, str]:
    return {
        "red clauses": f"{sum(result.red for result in record.clauses):,}",
        "scenarios read by judges": f"{sum(result.scenarios for result in record.clauses):,}",
    }


def _word(result: ClauseResult) -> str:
    return result_name(result)


def _told(result: ClauseResult) -> str:
    return f"{_word(result)}: {result.reason}" if result.reason else _word(result)
