"""Turns a failure into a counterexample: does it reproduce, and how small can it be?"""

from __future__ import annotations

import math
import shlex
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
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
        are fewer attempts, or none; one that was made small is repeated once in any case. If
        that shows it, but there was no time for the rest, it is kept as it was found.
    """
    allowance = allowance or Allowance()
    started = time.monotonic()
    repeated = _repeat(session, failure, over)
    allowance.end_sooner(time.monotonic() - started)
    unreduced = _untried(allowance)
    if repeated.steady and not unreduced:
        smallest, unreduced = _smallest(session, failure, allowance, told)
        again = _repeat(session, smallest, over, least=1)
        if again.steady or not again.shown_each_time:
            failure, repeated = smallest, again
        else:
            unreduced = "time"
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

    @property
    def shown_each_time(self) -> bool:
        """Whether no repetition that there was has failed to show it."""
        return self.reproduced == self.attempts


def _repeat(
    session: Session, failure: Failure, over: Callable[[], bool], least: int = 0
) -> _Repeated:
    """Repeat a failure until the time is up, but at least so many times."""
    reproduced, attempts, other = 0, 0, None
    while attempts < CONFIRMATIONS and (attempts < least or not over()):
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

    It repeats what may change the verdict or the counterexample, and nothing else. The profile
    does not: it only stands for a seed and a number of examples. Nor do workers, which draw what
    one process draws; and a share would be one of the scenarios of this clause alone.

    Args:
        options: those of the run.
        clause: id of the clause, or of an invariant.
        source: id of the invariant among whose scenarios the failure was found; where it is
            another one, its scenarios must run too.
    """
    words = ["fedcheck", "run", "--kernel", options.kernel, "--select", clause]
    own = source in ("", clause.partition("/")[0])
    if not own:
        words += ["--select", source]
    words += _reaching(options)
    if options.scenarios:
        words += ["--scenarios", options.scenarios]
    words += _decided_by(options)
    words += ["--seed", str(options.seed), "--examples", str(options.examples)]
    words += _limits(options)
    if own and "/" in clause and (options.fail_fast or options.max_failures == 1):
        words.append("--fail-fast")
    return shlex.join([*words, *_configuration(options.arguments)])


def replay_command(options: RunOptions, file: Path) -> str:
    """Return the command that runs the scenario of a counterexample's file again, on its kernel."""
    words = ["fedcheck", "replay", str(file), "--kernel", options.kernel, *_reaching(options)]
    return shlex.join([*words, *_configuration(options.arguments)])


def _decided_by(options: RunOptions) -> Iterator[str]:
    """Which promises decide, and what of them the kernel must claim."""
    by_default = "" if _is_flag(options, "require") else AGENT_SET
    if _named(options, "require", options.requirement_set not in (DEFAULT_SET, by_default)):
        yield from ("--require", options.requirement_set)
    for name in options.must_claim:
        yield from ("--must-claim", name)
    if _is_flag(options, "use_waivers", "waivers") and not options.waivers:
        yield "--no-waivers"


def _limits(options: RunOptions) -> Iterator[str]:
    if options.seconds is not None:
        yield from ("--time", f"{math.ceil(options.seconds)}s")
    if options.reduce is not None:
        yield from ("--reduce", str(options.reduce or "off"))


def _is_flag(options: RunOptions, *names: str) -> bool:
    """Whether a setting was given on the command line, so that it wins over a configuration."""
    settings = (options.configuration.get(name) for name in names)
    return any(setting is not None and setting.source == "flag" for setting in settings)


def _named(options: RunOptions, name: str, unusual: bool) -> bool:
    return unusual or _is_flag(options, name)


def _reaching(options: RunOptions) -> Iterator[str]:
    """How the kernel is reached, where that is not as usual."""
    if options.in_process:
        yield "--in-process"
    if options.python:
        yield from ("--python", options.python)
    if _named(options, "timeout", options.timeout != DEFAULT_TIMEOUT):
        yield from ("--timeout", f"{options.timeout:g}")
    if options.memory_limit is not None:
        yield from ("--memory-limit", str(options.memory_limit))
    for name in options.pass_env:
        yield from ("--pass-env", name)
    if _named(options, "sandbox", options.sandbox != "auto"):
        yield from ("--sandbox", options.sandbox)
    yield from _plugins(options)


def _plugins(options: RunOptions) -> Iterator[str]:
    if _named(options, "plugins", not options.plugins):
        yield "--plugins" if options.plugins else "--no-plugins"
    if options.allow_broken_plugins:
        yield "--allow-broken-plugins"


def _configuration(arguments: Sequence[str]) -> Iterator[str]:
    """Which configuration a command line names: another one may hold other settings."""
    words = iter(arguments)
    for word in words:
        if word == "--no-config" or word.startswith("--config="):
            yield word
        elif word == "--config":
            yield from (word, next(words, ""))
