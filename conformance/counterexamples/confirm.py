"""Turns a failure into a counterexample: does it reproduce, and how small can it be?"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import msgspec

from ...invariants.vocabulary.errors import KernelError, Unjudgeable
from ...invariants.vocabulary.scenario import Scenario
from ...invariants.vocabulary.trace import Trace
from ...invariants.vocabulary.verdict import Violation
from ...reports.record.model import Counterexample, Unreduced, counterexample_id
from ..driving.drive import problems
from ..driving.judging import judge
from ..driving.session import Session
from ..driving.tally import Failure
from ..settings.options import AGENT_SET, DEFAULT_SET, DEFAULT_TIMEOUT, RunOptions
from .allowance import Allowance, Spent
from .reduce import plainest, reduce

CONFIRMATIONS = 5
"""Repetitions that tell a steady failure from a flaky one."""


def confirm(
    session: Session,
    failure: Failure,
    options: RunOptions,
    allowance: Allowance | None = None,
    over: Callable[[], bool] = lambda: False,
    told: Callable[[int, int], None] = lambda _tried, _most: None,
) -> Counterexample:
    """Repeat a failure; if it shows every time, reduce it and repeat what is left.

    Args:
        session: the kernel.
        failure: what was seen once.
        options: those of the run.
        allowance: what reducing it may take; by default as much as it needs.
        over: whether the time of the whole run is up.
        told: is told how many scenarios were tried to make it small, and how many may be.

    Returns:
        A counterexample with ``reproduced < attempts`` when the failure is flaky; it then
        holds the run that failed and one that did not. Where the time of the run is up, there
        are fewer attempts, or none.
    """
    allowance = allowance or Allowance()
    repeated = _repeat(session, failure, over)
    unreduced = _untried(allowance)
    if repeated.steady and not unreduced:
        smallest, unreduced = _smallest(session, failure, allowance, told)
        again = _repeat(session, smallest, over)
        if again.attempts:
            failure, repeated = smallest, again
    example = unconfirmed(failure, options, unreduced)
    return msgspec.structs.replace(
        example,
        reproduced=repeated.reproduced,
        attempts=repeated.attempts,
        other_trace=repeated.other,
    )


def _untried(allowance: Allowance) -> Unreduced:
    """Why reducing is not even begun; empty if it is."""
    if allowance.each == 0:
        return "off"
    return "time" if allowance.over() else ""


def unconfirmed(
    failure: Failure, options: RunOptions, unreduced: Unreduced = "stopped"
) -> Counterexample:
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
        unreduced=unreduced,
        command=reproduce_command(options, violation.clause, failure.source),
    )


def _smallest(
    session: Session,
    failure: Failure,
    allowance: Allowance,
    told: Callable[[int, int], None],
) -> tuple[Failure, Unreduced]:
    """The failure, reduced, with the violation and the trace that the smallest scenario gave.

    With it, why there may be a smaller one.
    """
    smallest, tried = failure, 0
    begun, most = False, allowance.each

    def still_fails(scenario: Scenario) -> bool:
        nonlocal smallest, tried
        allowance.take()
        tried += 1
        if begun:
            told(tried, most)
        shown = _shows(session, scenario, failure)
        if shown is not None:
            smallest = replace(failure, scenario=scenario, violation=shown[0], trace=shown[1])
        return shown is not None

    try:
        plain = plainest(failure.scenario, session.description, still_fails)
        tried, begun = 0, True
        most = allowance.most
        reduce(plain, still_fails, budget=allowance.each)
    except Spent:
        return smallest, "time" if allowance.over() else "share"
    return smallest, "share" if tried >= allowance.each else ""


class _Repeated(NamedTuple):
    """How often a failure was repeated and showed again, and a run in which it did not."""

    reproduced: int
    attempts: int
    other: Trace | None

    @property
    def steady(self) -> bool:
        """Whether it showed again each time, in all repetitions that there should be."""
        return self.reproduced == CONFIRMATIONS


def _repeat(session: Session, failure: Failure, over: Callable[[], bool]) -> _Repeated:
    reproduced, attempts, other = 0, 0, None
    while attempts < CONFIRMATIONS and not over():
        attempts += 1
        trace = _trace(session, failure.scenario)
        if trace is not None and _violation(session, trace, failure) is not None:
            reproduced += 1
        else:
            other = trace or other
    return _Repeated(reproduced, attempts, other)


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
    words += _reaching(options)
    if options.scenarios:
        words += ["--scenarios", options.scenarios]
    if options.requirement_set not in (DEFAULT_SET, AGENT_SET):
        words += ["--require", options.requirement_set]
    for name in options.must_claim:
        words += ["--must-claim", name]
    if _without_waivers(options):
        words.append("--no-waivers")
    words += ["--seed", str(options.seed), "--examples", str(options.examples)]
    if options.seconds is not None:
        words += ["--time", f"{options.seconds:.0f}s"]
    return shlex.join([*words, *_configuration(options.arguments)])


def _reaching(options: RunOptions) -> Iterator[str]:
    """How the kernel is reached, where that is not as usual."""
    if options.in_process:
        yield "--in-process"
    if options.python:
        yield from ("--python", options.python)
    if options.timeout != DEFAULT_TIMEOUT:
        yield from ("--timeout", f"{options.timeout:g}")
    if options.memory_limit is not None:
        yield from ("--memory-limit", str(options.memory_limit))
    for name in options.pass_env:
        yield from ("--pass-env", name)
    if options.sandbox != "auto":
        yield from ("--sandbox", options.sandbox)
    yield from _plugins(options)


def _plugins(options: RunOptions) -> Iterator[str]:
    if not options.plugins:
        yield "--no-plugins"
    if options.allow_broken_plugins:
        yield "--allow-broken-plugins"


def _without_waivers(options: RunOptions) -> bool:
    setting = options.configuration.get("use_waivers") or options.configuration.get("waivers")
    return setting is not None and setting.source == "flag" and not options.waivers


def _configuration(arguments: Sequence[str]) -> Iterator[str]:
    """Which configuration a command line names: another one may hold other settings."""
    words = iter(arguments)
    for word in words:
        if word == "--no-config" or word.startswith("--config="):
            yield word
        elif word == "--config":
            yield from (word, next(words, ""))
