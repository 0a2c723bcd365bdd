"""What somebody has to look at: the findings of a run, for formats that only list problems.

There is an error here exactly when the exit code of the run is not 0.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Literal, NamedTuple

from ...invariants.vocabulary.verdict import Verdict
from ..record.model import ClauseResult, Counterexample, RunRecord, WaiverResult
from ..record.verdict_words import result_name
from .clause_text import details, headline, short
from .narrative import run_notes, run_problems

RUN = "run"
"""Stands for the clause where the run as a whole is meant."""

Level = Literal["error", "warning", "note"]

_ORDER: tuple[Level, ...] = ("error", "warning", "note")
_SILENT = frozenset({Verdict.PASS, Verdict.NOT_CLAIMED})


class Concern(NamedTuple):
    """One thing to look at; all texts are printable.

    Attributes:
        level: ``error`` makes the run red.
        clause: id of the clause, or ``RUN``.
        verdict: effective verdict, in words; for the run ``run``.
        broken: whether the clause was seen to be broken, waived or not.
        message: one line.
        fingerprint: the same for the same clause and kind of difference in every run.
        about: the clause's result and the counterexample, where there are any.
        waiver: the waiver that covers it.
    """

    level: Level
    clause: str
    verdict: str
    broken: bool
    message: str
    fingerprint: str
    about: tuple[ClauseResult, Counterexample | None] | None = None
    waiver: WaiverResult | None = None

    @property
    def details(self) -> str:
        """The promise and the conversation, in several lines."""
        if self.about is None:
            return self.message
        result, example = self.about
        return details(result, [example] if example else [])


def concerns(record: RunRecord) -> Iterator[Concern]:
    """Yield what has to be looked at, the gravest first, else in the order of the catalog."""
    waivers = {waiver.id: waiver for waiver in record.waivers}
    judged = list(record.in_order())
    for level in _ORDER:
        yield from (concern for concern in of_run(record) if concern.level == level)
        for result in judged:
            if result.effective not in _SILENT and _level(result) == level:
                yield from _of_clause(record, result, waivers.get(result.waiver))


def _of_clause(
    record: RunRecord, result: ClauseResult, waiver: WaiverResult | None
) -> Iterator[Concern]:
    for example in record.counterexamples_of(result) or [None]:
        yield Concern(
            level=_level(result),
            clause=short(result.clause),
            verdict=result_name(result),
            broken=result.verdict.broken,
            message=headline(record, result, example),
            fingerprint=_fingerprint(result, example),
            about=(result, example),
            waiver=waiver,
        )


def _level(result: ClauseResult) -> Level:
    if result.red:
        return "error"
    return "warning" if result.effective.broken else "note"


def _fingerprint(result: ClauseResult, example: Counterexample | None) -> str:
    kind = f"\0{example.kind}" if example else f"\0\0{result.verdict.value}"
    return _digest(result.clause + kind)


def of_run(record: RunRecord) -> Iterator[Concern]:
    """Yield those of them that are about the run as a whole."""
    for problem in run_problems(record):
        yield Concern("error", RUN, RUN, False, problem, _digest(f"{RUN}\0{problem}"))
    for note in run_notes(record):
        yield Concern("warning", RUN, RUN, False, note, _digest(f"{RUN}\0{note}"))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
