"""A whole run: plan, run every part, confirm and reduce failures, give verdicts."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Protocol

from ..reports.outcome import NOT_JUDGED, exit_code, summarise
from ..reports.record import (
    BodyLine,
    ClauseResult,
    Counterexample,
    Header,
    Incident,
    RequirementSet,
    RunRecord,
)
from ..reports.surroundings import current_surroundings, utc_now
from .confirm import confirm, reproduce_command, unconfirmed
from .identity import suite_identity
from .interrupts import remembered
from .options import RunOptions
from .plan import Plan, plan_run
from .tally import ClauseTally, Failure, UnitResult
from .units import run_units
from .verdicts import Evidence, clause_result, folded


class Observer(Protocol):
    """Is told how a run goes on."""

    def planned(self, header: Header, scenarios: int) -> None:
        """The run begins; about so many scenarios will be run."""

    def advanced(self, invariant: str, scenarios: int) -> None:
        """So many more scenarios of the invariant are done."""

    def found(self, line: BodyLine) -> None:
        """Something to keep was found, in the order of the record."""


def run_suite(options: RunOptions, observer: Observer) -> RunRecord:
    """Judge a kernel.

    Raises:
        UsageError: the options are wrong.
        KernelError: the kernel cannot be reached at all.
    """
    with remembered(), plan_run(options) as plan:
        header = _header(plan)
        observer.planned(header, _scenario_count(plan))
        units, interrupted = _run(plan, observer)
        counterexamples, interrupted = _confirmed(plan, units, observer, interrupted=interrupted)
        incidents = [_reproducible(line, options) for unit in units for line in unit.incidents]
        for incident in incidents:
            observer.found(incident)
        results = _results(plan, units, counterexamples, incidents)
    for result in results:
        observer.found(result)
    code = NOT_JUDGED if interrupted else exit_code(results, plan.deviations)
    return RunRecord(
        header=header,
        clauses=tuple(results),
        counterexamples=tuple(counterexamples),
        incidents=tuple(incidents),
        summary=summarise(results, exit_code=code, finished=utc_now(), interrupted=interrupted),
    )


def _run(plan: Plan, observer: Observer) -> tuple[list[UnitResult], bool]:
    units: list[UnitResult] = []
    try:
        units.extend(run_units(plan, observer.advanced))
    except KeyboardInterrupt:
        return units, True
    return units, False


def _header(plan: Plan) -> Header:
    options = plan.options
    return Header(
        run_id=str(uuid.uuid4()),
        suite=suite_identity(),
        reference=options.kernel,
        kernel=plan.description,
        requirement_set=RequirementSet(
            name=plan.requirements.name, digest=plan.requirements.digest
        ),
        selected=tuple(plan.selected),
        excluded=plan.excluded,
        deviations=plan.deviations,
        seed=options.seed,
        profile=options.profile,
        examples=options.examples,
        timeout=options.timeout,
        arguments=options.arguments,
        surroundings=current_surroundings(),
        nonce=plan.nonce,
        started=utc_now(),
    )


def _scenario_count(plan: Plan) -> int:
    parameters = plan.description.parameters
    fixed = sum(len(list(invariant.scenarios(parameters))) for invariant in plan.invariants)
    return fixed + plan.options.examples * len(plan.invariants)


def _confirmed(
    plan: Plan, units: list[UnitResult], observer: Observer, *, interrupted: bool
) -> tuple[list[Counterexample], bool]:
    """Confirm and reduce the smallest failure of each fingerprint, in the catalog's order.

    Once the run is interrupted, failures are kept as they were found.
    """
    found: list[Counterexample] = []
    for failure in _failures(plan, units):
        example = unconfirmed(failure, plan.options)
        if not interrupted:
            try:
                example = confirm(plan.session, failure, plan.options)
            except KeyboardInterrupt:
                interrupted = True
        observer.found(example)
        found.append(example)
    return found, interrupted


def _failures(plan: Plan, units: list[UnitResult]) -> Iterator[Failure]:
    tallies = merged(units)
    for clause_id in plan.session.clauses:
        for _, failure in sorted(tallies.get(clause_id, ClauseTally()).failures.items()):
            yield failure


def merged(units: list[UnitResult]) -> dict[str, ClauseTally]:
    """Return the tallies of all parts together, by clause id."""
    tallies: dict[str, ClauseTally] = {}
    for unit in units:
        for clause_id, tally in unit.tallies.items():
            tallies.setdefault(clause_id, ClauseTally()).merge(tally)
    return tallies


def _reproducible(incident: Incident, options: RunOptions) -> Incident:
    from msgspec.structs import replace

    return replace(incident, command=reproduce_command(options, incident.invariant))


def _results(
    plan: Plan,
    units: list[UnitResult],
    counterexamples: list[Counterexample],
    incidents: list[Incident],
) -> list[ClauseResult]:
    """Give every selected clause its verdict; one whose part did not end is not exercised."""
    tallies = merged(units)
    by_invariant = {unit.invariant: unit for unit in units}
    capabilities = frozenset(plan.description.capabilities)
    results: list[ClauseResult] = []
    for clause_id, (invariant, clause) in plan.selected.items():
        unit = by_invariant.get(invariant.id)
        evidence = Evidence(
            tally=tallies.get(clause_id, ClauseTally()),
            counterexamples=[x for x in counterexamples if x.clause == clause_id],
            incidents=[x for x in incidents if x.invariant in ("", invariant.id)],
            skipped=list(unit.skipped.values()) if unit else [],
            complete=unit is not None,
            required=clause_id in plan.requirements.clauses,
            seconds=unit.seconds if unit else 0.0,
        )
        results.append(clause_result(invariant, clause, evidence, capabilities))
    return folded(results, plan.selected)
