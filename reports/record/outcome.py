"""What the verdicts of the clauses come to: counts, exit code, and whether a record adds up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import Literal

import msgspec

from ...invariants.vocabulary.verdict import Verdict
from .model import ClauseResult, RunRecord, Summary, UtcTime, WaiverResult
from .protection import Protection

Ended = Literal["", "failures", "time"]
"""The limit at which a run ended before all scenarios were done; empty if there was none."""

CONFORMANT = 0
VIOLATIONS = 1
NOT_JUDGED = 3


class Counts(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers of a summary; see ``Summary`` for their meaning."""

    required: int
    exercised: int
    passed: int
    verdicts: dict[str, int]
    advisory: dict[str, int]


def counts(clauses: Iterable[ClauseResult]) -> Counts:
    """Return how many clauses were required, exercised and passed, and all verdicts."""
    every = tuple(clauses)
    required = [result for result in every if result.required]
    return Counts(
        required=len(required),
        exercised=sum(result.verdict.seen for result in required),
        passed=sum(result.effective is Verdict.PASS for result in required),
        verdicts=_tally(required),
        advisory=_tally(result for result in every if not result.required),
    )


def exit_code(
    clauses: Iterable[ClauseResult],
    deviations: Collection[str] = (),
    waivers: Iterable[WaiverResult] = (),
    unclaimed: Collection[str] = (),
) -> int:
    """Return the exit code of a run that was not interrupted.

    Args:
        clauses: the verdicts. Only required MUST clauses decide.
        deviations: names of the parameters in which the kernel differs from the documents.
        waivers: what the run says of them.
        unclaimed: capabilities that the kernel must claim and does not.

    Returns:
        1 if a clause is broken or a capability unclaimed; else 3 if a clause that decides could not
        be judged or none was; else 1 if there are deviations, or a waiver that cannot be applied;
        else 0.
    """
    every = tuple(clauses)
    gating = [result for result in every if result.gating]
    if unclaimed or any(result.effective.broken for result in gating):
        return VIOLATIONS
    if any(result.effective.red for result in gating) or nothing_exercised(every):
        return NOT_JUDGED
    unfit = any(waiver.state != "applied" for waiver in waivers)
    return VIOLATIONS if deviations or unfit else CONFORMANT


def nothing_exercised(clauses: Iterable[ClauseResult]) -> bool:
    """Return whether no clause that decides over the run was seen to hold or to break."""
    return not any(result.verdict.seen for result in clauses if result.gating)


def summarise(
    clauses: Iterable[ClauseResult],
    *,
    exit_code: int,
    finished: UtcTime,
    interrupted: bool = False,
    ended: Ended = "",
    protection: Protection = "",
) -> Summary:
    """Return the summary of a run's clauses."""
    numbers = counts(clauses)
    return Summary(
        required=numbers.required,
        exercised=numbers.exercised,
        passed=numbers.passed,
        verdicts=numbers.verdicts,
        advisory=numbers.advisory,
        exit_code=exit_code,
        interrupted=interrupted,
        ended=ended,
        protection=protection,
        finished=finished,
    )


def contradictions(record: RunRecord) -> Iterator[str]:
    """Yield what in a record does not add up, one sentence each."""
    judged = Counter(result.clause for result in record.clauses)
    yield from (f"clause {name} has {n} results" for name, n in judged.items() if n > 1)
    yield from _population(record, set(judged))
    known = record.counterexample_places
    for result in record.clauses:
        for name in sorted({x for x in result.counterexamples if x not in known}):
            yield f"clause {result.clause} names counterexample {name}, which is not there"
    numbers = counts(record.clauses)
    for field in Counts.__struct_fields__:
        told, found = getattr(record.summary, field), getattr(numbers, field)
        if told != found:
            yield f"the summary says {field} {told}, the clauses say {found}"


def _population(record: RunRecord, judged: set[str]) -> Iterator[str]:
    selected = set(record.header.selected)
    if stray := sorted(judged - selected):
        yield f"results for clauses that were not selected: {', '.join(stray)}"
    if not record.summary.interrupted and (silent := sorted(selected - judged)):
        yield f"no result for selected clauses: {', '.join(silent)}"


def _tally(clauses: Iterable[ClauseResult]) -> dict[str, int]:
    return dict(Counter(result.effective.value for result in clauses))
