"""Finds failures that share a cause: one change to a scenario mends both.

A kernel that writes JSON in its own way breaks a dozen clauses. Whoever mends it wants to read
of one. The other failures stay in the record, each with its clause, and name the first one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice

from msgspec.structs import replace

from ...invariants.vocabulary.errors import KernelError, Unjudgeable
from ...invariants.vocabulary.scenario import CacheSet, Scenario, StoreSet, Turn
from ...invariants.vocabulary.trace import Trace
from ...invariants.vocabulary.verdict import Finding, Violation
from ...reports.record.model import Counterexample
from ..driving.drive import problems
from ..driving.judging import judge
from ..driving.session import Session
from .allowance import Allowance, Spent
from .reduce import simpler

TRIES = 40
"""Changes to the scenario of one failure that are tried at most."""

_PLAIN = ('{"n": 36}', '[{"n": 36}]', '["pay"]', '"pay"', "36")


def with_causes(
    session: Session,
    examples: Sequence[Counterexample],
    required: Collection[str],
    allowance: Allowance | None = None,
    advanced: Callable[[str, int], None] = lambda _clause, _count: None,
    trying: Callable[[str, int, int], None] = lambda _clause, _tried, _most: None,
) -> list[Counterexample]:
    """Return the failures; those that share the cause of another one name it.

    Two share a cause if both show in the scenario of one of them, and a single change to it,
    after which both clauses still compare something, lets both be kept. The failure that shows
    in most scenarios is named. A required clause never shares the cause of one that decides
    nothing.

    Args:
        session: the kernel.
        examples: failures, repeated and made small.
        required: ids of the clauses that decide.
        allowance: scenarios that this may take; failures that are left then name no cause.
        advanced: is told the clause and number of failures that are done with.
        trying: is told with which clause a failure is compared, how many changes of its scenario
            were tried, and how many may be.
    """
    allowance = allowance or Allowance()
    steady = [each for each in examples if each.steady and each.attempts]
    names = {each.clause for each in steady}
    shown = {each.id: _broken(session, each.trace, names) for each in steady}

    def shows(example: Counterexample, other: Counterexample) -> bool:
        return other.kind in shown[example.id].get(other.clause, ())

    def rank(example: Counterexample) -> tuple[bool, int]:
        return example.clause in required, sum(shows(each, example) for each in steady)

    causes: dict[str, str] = {}
    left: list[Counterexample] = sorted(steady, key=rank, reverse=True)
    while left:
        first, *others = left
        try:
            under = [
                each
                for each in others
                if shows(each, first)
                and _mended_by_one_change(session, each, first, allowance, trying)
            ]
        except Spent:
            break
        causes |= dict.fromkeys((each.id for each in under), first.id)
        left = [each for each in others if each.id not in causes]
        advanced(first.clause, 1 + len(under))
    return [replace(each, cause=causes.get(each.id, "")) for each in examples]


def _mended_by_one_change(
    session: Session,
    one: Counterexample,
    other: Counterexample,
    allowance: Allowance,
    trying: Callable[[str, int, int], None],
) -> bool:
    """Whether a change to the scenario of the one lets both clauses be kept."""
    both = {one.clause, other.clause}
    changes = chain(_with_plain_data(one.scenario), simpler(one.scenario))
    for tried, each in enumerate(islice(changes, TRIES)):
        allowance.take()
        trying(other.clause, tried, TRIES)
        if both == _kept(session, each, both):
            return True
    return False


def _with_plain_data(scenario: Scenario) -> Iterator[Scenario]:
    """Yield the scenario with one of its values a plain one."""
    for place, step in enumerate(scenario.steps):
        if isinstance(step, Turn):
            changed = [
                replace(step, calls=(*step.calls[:n], given, *step.calls[n + 1 :]))
                for n, call in enumerate(step.calls)
                for given in (replace(call, data_json=text) for text in _PLAIN)
            ]
        elif isinstance(step, (CacheSet, StoreSet)):
            changed = [replace(step, value_json=text) for text in _PLAIN]
        else:
            changed = []
        for each in changed:
            yield replace(
                scenario, steps=(*scenario.steps[:place], each, *scenario.steps[place + 1 :])
            )


def _broken(
    session: Session, trace: Trace | None, names: Iterable[str]
) -> Mapping[str, Collection[str]]:
    """The kinds of difference that a trace shows, by clause."""
    if trace is None:
        return {}
    return {
        name: {each.kind for each in findings if isinstance(each, Violation)}
        for name, findings in _judged(session, trace, names).items()
    }


def _kept(session: Session, scenario: Scenario, names: Iterable[str]) -> set[str]:
    """The clauses that are seen to be kept when the kernel is driven through a scenario."""
    try:
        trace = session.trace(scenario)
    except KernelError:
        return set()
    if problems(trace):
        return set()
    return {
        name
        for name, findings in _judged(session, trace, names).items()
        if findings and not any(isinstance(each, Violation) for each in findings)
    }


def _judged(session: Session, trace: Trace, names: Iterable[str]) -> dict[str, list[Finding]]:
    wanted = {name: session.clauses[name] for name in names if name in session.clauses}
    try:
        return {name: list(found) for name, found in judge(trace, wanted).items()}
    except Unjudgeable:
        return {}
