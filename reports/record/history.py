"""Several records in a row: how verdicts, kill rate, time and coverage went, and who broke what.

Each kernel has a history of its own, by the name that it gives itself: what another one breaks is
no failure of this one.

A clause counts as broken when its raw verdict is fail or flaky; a waiver hides nothing here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from ...invariants.vocabulary.codec import to_json
from ...invariants.vocabulary.errors import UsageError
from ...invariants.vocabulary.verdict import Verdict
from ..console.escape import printable
from .identity import seconds_between
from .model import ClauseResult, RunRecord
from .reader import read_record
from .verdict_words import outcome


class _Part(msgspec.Struct, frozen=True, kw_only=True):
    """Base: immutable, named fields only."""


class Release(_Part, frozen=True, kw_only=True):
    """What one record says, in numbers.

    Attributes:
        kernel: name of the kernel.
        label: kernel and version, made unique by a number where two records share them.
        started: when the run began.
        commit: of the kernel.
        outcome: what the run came to, in words.
        required: clauses that the requirement set names …
        exercised: … of which so many were exercised …
        passed: … and so many passed.
        broken: clauses that were seen to break, waived or advisory ones among them.
        verdicts: effective verdicts of the required clauses.
        coverage: share of the required clauses that were exercised, in percent.
        kill_rate: share of the judged clauses with a broken kernel that must be caught, in
            percent; nothing if the record does not say.
        broken_kernels: broken kernels that the suite must catch.
        seconds: how long the run took.
        suite: version and the start of the digest of the suite.
        requirement_set: its name.
    """

    kernel: str
    label: str
    started: str
    commit: str
    outcome: str
    required: int
    exercised: int
    passed: int
    broken: int
    verdicts: dict[str, int]
    coverage: float
    kill_rate: float | None
    broken_kernels: int
    seconds: float
    suite: str
    requirement_set: str


class Failure(_Part, frozen=True, kw_only=True):
    """A clause from the release that broke it to the one that mended it.

    Attributes:
        kernel: name of the kernel.
        introduced: label of the first release in which it was seen to break.
        last_good: label of the last release before in which it passed; empty if there is none.
        mended: label of the first release after in which it passed; empty if it never did.
        suite_changed: whether the suite is another one than in ``last_good``, so that the
            suite may have learnt to see what was broken before.
    """

    kernel: str
    clause: str
    sentence: str
    introduced: str
    last_good: str = ""
    mended: str = ""
    suite_changed: bool = False


class History(_Part, frozen=True, kw_only=True):
    """Kernel by kernel: releases in the order in which they were judged, and their failures."""

    releases: tuple[Release, ...]
    failures: tuple[Failure, ...]

    @property
    def kernels(self) -> tuple[str, ...]:
        """The names of the kernels, the one that was judged first before the others."""
        return tuple(dict.fromkeys(release.kernel for release in self.releases))

    def releases_of(self, kernel: str) -> tuple[Release, ...]:
        """Return the releases of one kernel."""
        return tuple(release for release in self.releases if release.kernel == kernel)

    format: Literal["fedcheck-history/1"] = "fedcheck-history/1"


def read_records(places: Sequence[Path]) -> list[RunRecord]:
    """Read records, and all ``*.ndjson`` files of folders.

    Raises:
        UsageError: there is nothing to read.
        DocumentError: a file is no whole record.
    """
    paths = [path for place in places for path in _records_in(place)]
    if not paths:
        raise UsageError(
            f"There is no record in {', '.join(printable(str(p)) for p in places) or 'nothing'}; "
            "give files that `fedcheck run --record` wrote, or a folder of *.ndjson files"
        )
    return [read_record(path) for path in paths]


def history(records: Sequence[RunRecord]) -> History:
    """Return the history of some records, which may come in any order."""
    kernels: dict[str, list[RunRecord]] = {}
    for record in sorted(records, key=lambda record: record.header.started):
        kernels.setdefault(record.header.kernel.kernel, []).append(record)
    every = [record for own in kernels.values() for record in own]
    labels = iter(labels_of(every))
    named = [[(record, next(labels)) for record in own] for own in kernels.values()]
    return History(
        releases=tuple(_release(*pair) for own in named for pair in own),
        failures=tuple(failure for own in named for failure in _failures(*zip(*own, strict=True))),
    )


def history_json(told: History) -> str:
    """Return a history as canonical JSON, with a line feed."""
    return to_json(told) + "\n"


def _records_in(place: Path) -> list[Path]:
    return sorted(place.glob("*.ndjson")) if place.is_dir() else [place]


def labels_of(records: Sequence[RunRecord]) -> list[str]:
    """Return kernel and version of each record, made unique by a number where two share them."""
    labels: list[str] = []
    for record in records:
        kernel = record.header.kernel
        plain = label = printable(f"{kernel.kernel} {kernel.version}", limit=80)
        number = 1
        while label in labels:
            number += 1
            label = f"{plain} #{number}"
        labels.append(label)
    return labels


def _release(record: RunRecord, label: str) -> Release:
    header, summary, told = record.header, record.summary, record.qualification
    killed = {} if told is None else told.killed
    proved = sum(bool(killed.get(result.clause)) for result in record.clauses)
    return Release(
        kernel=printable(header.kernel.kernel, limit=80),
        label=label,
        started=header.started,
        commit=header.kernel.commit,
        outcome=outcome(record).word.lower(),
        required=summary.required,
        exercised=summary.exercised,
        passed=summary.passed,
        broken=sum(result.verdict.broken for result in record.clauses),
        verdicts=summary.verdicts,
        coverage=_percent(summary.exercised, summary.required),
        kill_rate=None if told is None else _percent(proved, len(record.clauses)),
        broken_kernels=len({name for names in killed.values() for name in names}),
        seconds=seconds_between(header.started, summary.finished),
        suite=_suite(record),
        requirement_set=header.requirement_set.name,
    )


def _failures(records: Sequence[RunRecord], labels: Sequence[str]) -> Iterator[Failure]:
    """Yield the failures of each clause in the order in which the clauses first appear."""
    results = [{result.clause: result for result in record.clauses} for record in records]
    for clause in dict.fromkeys(name for known in results for name in known):
        told = [known.get(clause) for known in results]
        suites = [_suite(record) for record in records]
        kernel = printable(records[0].header.kernel.kernel, limit=80)
        yield from _of_clause(told, suites, labels, kernel)


def _of_clause(
    told: Sequence[ClauseResult | None],
    suites: Sequence[str],
    labels: Sequence[str],
    kernel: str,
) -> Iterator[Failure]:
    """Yield one failure for each time that a clause broke; a silent release changes nothing."""
    good: int | None = None
    failure: Failure | None = None
    for place, result in enumerate(told):
        if result is None or not result.verdict.seen:
            continue
        if result.verdict is Verdict.PASS:
            if failure is not None:
                yield msgspec.structs.replace(failure, mended=labels[place])
            good, failure = place, None
        elif failure is None:
            failure = Failure(
                kernel=kernel,
                clause=result.clause,
                sentence=result.sentence,
                introduced=labels[place],
                last_good="" if good is None else labels[good],
                suite_changed=good is not None and suites[good] != suites[place],
            )
    if failure is not None:
        yield failure


def _suite(record: RunRecord) -> str:
    return f"{record.header.suite.version} ({record.header.suite.digest[:12]})"


def _percent(part: int, whole: int) -> float:
    return round(100 * part / whole, 1) if whole else 0.0
