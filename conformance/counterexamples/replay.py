"""Runs a counterexample again: is the bug fixed, does it still show, or can nobody say?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from ...invariants.vocabulary.errors import KernelError, Unjudgeable
from ...invariants.vocabulary.near_names import did_you_mean
from ...invariants.vocabulary.trace import Trace
from ...invariants.vocabulary.verdict import Compared, Violation
from ...reports.record.model import Incident
from ..driving.drive import Problem, problems, runnable
from ..driving.judging import Clauses, judge, unclaimed
from ..driving.session import Session, incident_of
from .documents import CounterexampleFile

REPETITIONS = 5
"""Runs that tell a steady failure from a flaky one, and from none."""

FLAKY_REPETITIONS = 20
"""Runs of a failure that was flaky when it was found: a few could miss it."""


class Outcome(str, Enum):
    """What a counterexample came to."""

    FIXED = "fixed"
    STILL_FAILS = "still fails"
    FLAKY = "flaky"
    CANNOT_JUDGE = "cannot judge"


@dataclass(frozen=True)
class Replayed:
    """A counterexample that was run again.

    Attributes:
        outcome: what it came to.
        reason: one line for people.
        shown: how often the failure showed …
        attempts: … in how many runs.
        violation: as the kernel broke the promise this time, if it did.
        trace: of the run that showed the failure.
        other_trace: of a run that did not.
        incident: how the kernel broke down, if it did where nothing was to break.
    """

    outcome: Outcome
    reason: str
    shown: int = 0
    attempts: int = 0
    violation: Violation | None = None
    trace: Trace | None = None
    other_trace: Trace | None = None
    incident: Incident | None = None


@dataclass(frozen=True)
class _Run:
    """One run of the scenario: what it showed of the clause, or why nothing can be said."""

    trace: Trace | None = None
    violations: Mapping[str, Violation] = field(default_factory=dict[str, Violation])
    compared: bool = False
    incident: Incident | None = None
    problem: str = ""


def replay(
    session: Session, example: CounterexampleFile, catalog: Clauses, *, repetitions: int = 0
) -> Replayed:
    """Run a counterexample again, several times, on a kernel that was just started.

    Args:
        session: the kernel.
        example: what to run.
        catalog: every clause that there is, claimed by the kernel or not.
        repetitions: how often; 0 leaves it to what the file says of the failure.
    """
    reason = _unjudgeable(session, example, catalog)
    if reason:
        return Replayed(Outcome.CANNOT_JUDGE, reason)
    clauses = {x: pair for x, pair in catalog.items() if x == example.clause}
    renewed = session.renew()
    runs = [_run(session, example, clauses) for _ in range(repetitions or _repetitions(example))]
    told = _breakdown_told(runs) if example.breakdown else _told(example, runs)
    return told if told.outcome is not Outcome.FIXED else _mended(example, told, renewed=renewed)


def _mended(example: CounterexampleFile, told: Replayed, *, renewed: bool) -> Replayed:
    """What a failure came to that does not show: it may be that it needs more than its scenario."""
    if example.after_others:
        reason = (
            "it has shown only after other scenarios, and not now that it ran alone; "
            "run what its command names"
        )
        return Replayed(Outcome.CANNOT_JUDGE, reason, attempts=told.attempts)
    if not renewed:
        return replace(told, reason=f"{told.reason}; the kernel could not be started afresh")
    return told


def _repetitions(example: CounterexampleFile) -> int:
    return FLAKY_REPETITIONS if 0 < example.reproduced < example.attempts else REPETITIONS


def _unjudgeable(session: Session, example: CounterexampleFile, catalog: Clauses) -> str:
    """Why running it would tell nothing; empty if it would."""
    if not example.breakdown:
        if not example.clause:
            return "it names no clause; `fedcheck run --scenarios` judges it by all of them"
        if example.clause not in catalog:
            return _no_such_clause(example.clause, catalog)
        lacking = unclaimed(*catalog[example.clause], frozenset(session.description.capabilities))
        if lacking:
            return f"the kernel does not claim {', '.join(sorted(lacking))}"
    return runnable(session.description, example.scenario) or ""


def _no_such_clause(clause: str, catalog: Clauses) -> str:
    hint = did_you_mean(clause, catalog, "`fedcheck list` shows those that there are")
    return (
        f"this suite has no clause {clause}: it was renamed or removed, or a plug-in is missing; "
        f"{hint}"
    )


def _run(session: Session, example: CounterexampleFile, clauses: Clauses) -> _Run:
    try:
        trace = session.trace(example.scenario)
    except KernelError as error:
        incident = incident_of(error, _invariant(example), example.scenario)
        return _Run(incident=incident, problem=f"{incident.kind}: {incident.message}")
    if found := problems(trace):
        return _Run(trace=trace, **_failed_step(example, found[0]))
    try:
        findings = judge(trace, clauses).get(example.clause, [])
    except Unjudgeable as error:
        return _Run(trace=trace, problem=str(error))
    broken = [x for x in findings if isinstance(x, Violation)]
    return _Run(
        trace=trace,
        violations={violation.kind: violation for violation in reversed(broken)},
        compared=any(isinstance(x, Compared) for x in findings),
    )


def _invariant(example: CounterexampleFile) -> str:
    return example.invariant or example.clause.partition("/")[0]


def _failed_step(example: CounterexampleFile, problem: Problem) -> dict[str, Any]:
    incident = Incident(
        kind="error",
        invariant=_invariant(example),
        scenario=example.scenario,
        message=problem.message,
        step=problem.step,
    )
    return {"incident": incident, "problem": f"step {problem.step}: {problem.message}"}


def _told(example: CounterexampleFile, runs: list[_Run]) -> Replayed:
    """What the runs say of the clause; the same kind of difference counts before others."""
    same = [run for run in runs if example.kind in run.violations]
    broken = same or [run for run in runs if run.violations]
    if not broken:
        return _not_shown(runs)
    kind = example.kind if same else next(iter(broken[0].violations))
    changed = "" if same or not example.kind else f", as another kind of difference: {kind}"
    others = [run.trace for run in runs if run not in broken and run.trace is not None]
    steady = len(broken) == len(runs)
    return Replayed(
        Outcome.STILL_FAILS if steady else Outcome.FLAKY,
        f"shown in {len(broken)} of {len(runs)} runs{changed}",
        shown=len(broken),
        attempts=len(runs),
        violation=broken[0].violations[kind],
        trace=broken[0].trace,
        other_trace=next(iter(others), None),
    )


def _not_shown(runs: list[_Run]) -> Replayed:
    lost = next((run for run in runs if run.problem), None)
    if lost is not None:
        return Replayed(
            Outcome.CANNOT_JUDGE, lost.problem, attempts=len(runs), incident=lost.incident
        )
    if not all(run.compared for run in runs):
        return Replayed(
            Outcome.CANNOT_JUDGE,
            "the clause's judge found nothing to compare in what the kernel showed",
            attempts=len(runs),
        )
    reason = f"the promise was kept in {len(runs)} of {len(runs)} runs"
    return Replayed(Outcome.FIXED, reason, attempts=len(runs), trace=runs[0].trace)


def _breakdown_told(runs: list[_Run]) -> Replayed:
    broken = [run for run in runs if run.incident]
    if not broken:
        reason = f"the kernel answered in {len(runs)} of {len(runs)} runs"
        return Replayed(Outcome.FIXED, reason, attempts=len(runs), trace=runs[0].trace)
    outcome = Outcome.STILL_FAILS if len(broken) == len(runs) else Outcome.FLAKY
    reason = f"{broken[0].problem} (in {len(broken)} of {len(runs)} runs)"
    return Replayed(outcome, reason, shown=len(broken), attempts=len(runs), trace=broken[0].trace)
