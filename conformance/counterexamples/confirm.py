"""Turns a failure into a counterexample: does it reproduce, and how small can it be?"""

from __future__ import annotations

import shlex
from dataclasses import replace

import msgspec

from ...invariants.vocabulary.errors import KernelError, Unjudgeable
from ...invariants.vocabulary.scenario import Scenario
from ...invariants.vocabulary.trace import Trace
from ...invariants.vocabulary.verdict import Violation
from ...reports.record.model import Counterexample, counterexample_id
from ..driving.drive import problems
from ..driving.judging import judge
from ..driving.session import Session
from ..driving.tally import Failure
from ..settings.options import AGENT_SET, DEFAULT_SET, RunOptions
from .reduce import plainest, reduce

CONFIRMATIONS = 5
"""Repetitions that tell a steady failure from a flaky one."""


def confirm(session: Session, failure: Failure, options: RunOptions) -> Counterexample:
    """Repeat a failure; if it shows every time, reduce it and repeat what is left.

    Returns:
        A counterexample with ``reproduced < attempts`` when the failure is flaky; it then
        holds the run that failed and one that did not.
    """
    reproduced, other = _repeat(session, failure)
    if reproduced == CONFIRMATIONS:
        failure = _smallest(session, failure)
        reproduced, other = _repeat(session, failure)
    example = unconfirmed(failure, options)
    return msgspec.structs.replace(
        example, reproduced=reproduced, attempts=CONFIRMATIONS, other_trace=other
    )


def unconfirmed(failure: Failure, options: RunOptions) -> Counterexample:
    """Return a failure as it was found: nobody has repeated or reduced it."""
    violation = failure.violation
    return Counterexample(
        id=counterexample_id(violation.clause, violation.kind, failure.scenario),
        clause=violation.clause,
        kind=violation.kind,
        violation=violation,
        scenario=failure.scenario,
        trace=failure.trace,
        found_in=failure.found_in,
        command=reproduce_command(options, violation.clause, failure.source),
    )


def _smallest(session: Session, failure: Failure) -> Failure:
    """The failure, reduced, with the violation and the trace that the smallest scenario gave."""
    smallest = failure

    def still_fails(scenario: Scenario) -> bool:
        nonlocal smallest
        shown = _shows(session, scenario, failure)
        if shown is not None:
            smallest = replace(failure, scenario=scenario, violation=shown[0], trace=shown[1])
        return shown is not None

    reduce(plainest(failure.scenario, session.description, still_fails), still_fails)
    return smallest


def _repeat(session: Session, failure: Failure) -> tuple[int, Trace | None]:
    reproduced, other = 0, None
    for _ in range(CONFIRMATIONS):
        trace = _trace(session, failure.scenario)
        if trace is not None and _violation(session, trace, failure) is not None:
            reproduced += 1
        else:
            other = trace or other
    return reproduced, other


def _shows(
    session: Session, scenario: Scenario, failure: Failure
) -> tuple[Violation, Trace] | None:
    """Run a scenario; return the same violation and the trace, if it shows there."""
    trace = _trace(session, scenario)
    violation = None if trace is None else _violation(session, trace, failure)
    return None if trace is None or violation is None else (violation, trace)


def _trace(session: Session, scenario: Scenario) -> Trace | None:
    try:
        return session.trace(scenario)
    except KernelError:
        return None


def _violation(session: Session, trace: Trace, failure: Failure) -> Violation | None:
    wanted = failure.violation
    if problems(trace):
        return None
    try:
        findings = judge(trace, {wanted.clause: session.clauses[wanted.clause]})
    except Unjudgeable:
        return None
    for finding in findings.get(wanted.clause, ()):
        if isinstance(finding, Violation) and finding.kind == wanted.kind:
            return finding
    return None


def reproduce_command(options: RunOptions, clause: str, source: str = "") -> str:
    """Return the command that judges this clause again with the same seed and budget.

    Args:
        options: those of the run.
        clause: id of the clause, or of an invariant.
        source: id of the invariant among whose scenarios the failure was found; where it is
            another one, its scenarios must run too.
    """
    words = ["fedcheck", "run", "--kernel", options.kernel, "--select", clause]
    if source not in ("", clause.partition("/")[0]):
        words += ["--select", source]
    if options.in_process:
        words.append("--in-process")
    if options.scenarios:
        words += ["--scenarios", options.scenarios]
    if options.requirement_set not in (DEFAULT_SET, AGENT_SET):
        words += ["--require", options.requirement_set]
    words += ["--seed", str(options.seed), "--examples", str(options.examples)]
    return shlex.join(words)
