"""Makes a failing scenario from anywhere small, for one clause and kind of difference."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from msgspec.structs import replace

from ...invariants.catalog import catalog, clauses, matching
from ...invariants.vocabulary.errors import KernelError, UsageError
from ...invariants.vocabulary.scenario import Scenario
from ...invariants.vocabulary.trace import Trace
from ...invariants.vocabulary.verdict import Violation
from ...reports.console.escape import printable
from ...reports.record.model import RequirementSet, counterexample_id
from ...reports.record.suite import suite_identity
from ..driving.drive import problems, runnable
from ..driving.judging import judge
from ..driving.plan import Plan
from .afresh import Afresh
from .documents import CounterexampleFile, JudgedKernel
from .mended import seen_kept
from .reduce import BUDGET, plainest, reduce
from .replay import REPETITIONS


class NothingFails(KernelError):
    """The scenario shows no failure on this kernel, so there is nothing to keep while reducing."""


@dataclass(frozen=True)
class Shrunk:
    """A reduced counterexample, the number of runs that it took, and whether they sufficed."""

    example: CounterexampleFile
    runs: int
    minimal: bool


def shrink(
    plan: Plan, example: CounterexampleFile, *, clause: str = "", budget: int = BUDGET
) -> Shrunk:
    """Reduce a scenario while it breaks the same clause in the same way.

    Args:
        plan: the kernel and the clauses that it claims.
        example: what to reduce.
        clause: id or glob of what to keep broken; by default the file's, or the only broken one.
        budget: runs that reducing may take.

    Raises:
        UsageError: several clauses are broken and none was chosen, or there is no such clause.
        NothingFails: the scenario does not break the clause, or cannot be run.
    """
    wanted = _wanted(plan, example, clause)
    runs = 0
    made = [(example.scenario, wanted)]
    afresh = Afresh(plan.session)

    def fails(scenario: Scenario) -> Violation | None:
        found = (x for x in _violations(plan, scenario) if x.fingerprint == wanted.fingerprint)
        return next(found, None)

    def still_fails(scenario: Scenario) -> bool:
        nonlocal runs
        runs += 1
        found = fails(scenario)
        if found is None or not can_be_kept(scenario):
            return False
        made.append((scenario, found))
        return True

    if not all(fails(example.scenario) for _ in range(REPETITIONS)):
        raise NothingFails(
            f"{wanted.fingerprint} does not show in every run; a failure that comes and goes "
            "cannot be reduced"
        )
    if afresh.shows(lambda: fails(example.scenario) is not None) is False:
        raise NothingFails(
            f"{wanted.fingerprint} does not show in a kernel that was just started: it depends on "
            "what earlier scenarios have left, and cannot be reduced alone"
        )
    with seen_kept(plan.session, example.scenario, wanted.clause) as can_be_kept:
        plain = plainest(example.scenario, plan.description, still_fails)
        runs = 0
        reduce(plain, still_fails, budget=budget)
    scenario, shown = afresh.last(made, lambda each: fails(each[0]) is not None)
    return Shrunk(_file(plan, example, scenario, shown), runs, minimal=runs < budget)


def _wanted(plan: Plan, example: CounterexampleFile, clause: str) -> Violation:
    """The failure to keep; the file's own kind of difference before others."""
    named = matching((clause,), tuple(clauses(catalog()))) if clause else {example.clause} - {""}
    if reason := runnable(plan.description, example.scenario):
        raise NothingFails(reason)
    every = list(_violations(plan, example.scenario))
    found = [x for x in every if not named or x.clause in named]
    if not found:
        about = f"does not break {clause or example.clause}" if named else "breaks no clause"
        kernel = printable(plan.options.kernel)
        raise NothingFails(
            f"the scenario {about} on {kernel}{_others(every)}{_elsewhere(plan, example)}"
        )
    same = [x for x in found if x.kind == example.kind]
    kinds = {x.fingerprint: x for x in same or found}
    if len({x.clause for x in kinds.values()}) > 1:
        raise UsageError(
            f"the scenario breaks several clauses; choose one with --clause{_others(found)}"
        )
    return next(iter(kinds.values()))


def _others(violations: list[Violation]) -> str:
    broken = sorted({violation.clause for violation in violations})
    return f"; it breaks {', '.join(broken)}" if broken else ""


def _elsewhere(plan: Plan, example: CounterexampleFile) -> str:
    found_on = example.kernel.reference
    if found_on in {"", plan.options.kernel}:
        return ""
    return f"; it was found on {printable(found_on)}: name the kernel with --kernel REF"


def _violations(plan: Plan, scenario: Scenario) -> Iterator[Violation]:
    trace = _trace(plan, scenario)
    if trace is None:
        return
    for found in judge(trace, plan.session.clauses, failed=lambda _id, _error: None).values():
        yield from (x for x in found if isinstance(x, Violation))


def _trace(plan: Plan, scenario: Scenario) -> Trace | None:
    try:
        trace = plan.session.trace(scenario)
    except KernelError:
        return None
    return None if problems(trace) else trace


def _file(
    plan: Plan, example: CounterexampleFile, scenario: Scenario, violation: Violation
) -> CounterexampleFile:
    invariant, clause = plan.session.clauses[violation.clause]
    kernel = plan.description
    return replace(
        example,
        id=counterexample_id(violation.clause, violation.kind, scenario),
        scenario=scenario,
        clause=violation.clause,
        kind=violation.kind,
        breakdown="",
        invariant=invariant.id,
        sentence=clause.sentence,
        sources=tuple(str(source) for source in clause.sources or invariant.sources),
        expected=violation.expected,
        got=violation.got,
        step=violation.step,
        reproduced=0,
        attempts=0,
        kernel=JudgedKernel(
            reference=plan.options.kernel,
            name=kernel.kernel,
            version=kernel.version,
            commit=kernel.commit,
            digest=kernel.digest,
        ),
        suite=suite_identity(),
        requirement_set=RequirementSet(
            name=plan.requirements.name, digest=plan.requirements.digest
        ),
        command="",
    )
