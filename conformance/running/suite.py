"""A whole run: plan, run every part, confirm and reduce failures, give verdicts."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Protocol

from msgspec.structs import replace

from ...invariants.catalog import catalog, catalog_digest
from ...invariants.catalog import clauses as clauses_of
from ...invariants.plugins import Plugin as LoadedPlugin
from ...invariants.vocabulary.verdict import Violation
from ...reports.record.derivation import evidence_of
from ...reports.record.model import (
    BodyLine,
    ClauseResult,
    Counterexample,
    Header,
    Incident,
    Plugin,
    RequirementSet,
    RunRecord,
    Share,
)
from ...reports.record.outcome import NOT_JUDGED, Ended, exit_code, summarise
from ...reports.record.protection import weakest
from ...reports.record.suite import packaged_qualification, suite_identity
from ...reports.record.surroundings import current_surroundings, utc_now
from ..counterexamples.allowance import allowance, for_causes
from ..counterexamples.causes import with_causes
from ..counterexamples.confirm import confirm, reproduce_command, unconfirmed
from ..driving.interrupts import remembered
from ..driving.measures import distributions
from ..driving.plan import Plan, plan_run
from ..driving.tally import ClauseTally, Failure, UnitResult
from ..settings.options import RunOptions, settings_of
from ..waivers.applying import JudgedWaiver, judge_waivers
from .origin import current_origin
from .units import REPEATED, Elsewhere, flows, repeat_unconfirmed, run_flows, run_units
from .verdicts import Evidence, clause_result, folded
from .watch import Enough, Watch


class Observer(Protocol):
    """Is told how a run goes on."""

    def planned(self, header: Header, scenarios: int) -> None:
        """The run begins; about so many scenarios will be run."""

    def advanced(self, invariant: str, scenarios: int) -> None:
        """So many more scenarios of the invariant are done, or failures are confirmed."""

    def stage(self, name: str, total: int | None) -> None:
        """Something begins that consists of so many scenarios or failures, if that is known."""

    def reducing(self, clause: str, tried: int, most: int) -> None:
        """So many scenarios, of at most so many, were tried to make a failure small."""

    def failed(self, violation: Violation) -> None:
        """A clause that decides was seen to fail for the first time; nobody has repeated it."""

    def found(self, line: BodyLine) -> None:
        """Something to keep was found, in the order of the record."""


def run_suite(options: RunOptions, observer: Observer) -> RunRecord:
    """Judge a kernel.

    Raises:
        UsageError: the options are wrong.
        KernelError: the kernel cannot be reached at all.
    """
    watch = Watch(
        options, observer.advanced, observer.failed, observer.stage, reducing=observer.reducing
    )
    with remembered(), plan_run(options) as plan:
        header = _header(plan)
        observer.planned(header, _scenario_count(plan))
        waivers: list[JudgedWaiver] = []
        units: list[UnitResult] = []
        interrupted, ended = _run(plan, watch, waivers, units)
        counterexamples = [x.counterexample for x in waivers if x.counterexample is not None]
        for example in counterexamples:
            observer.found(example)
        found, interrupted = _confirmed(plan, units, waivers, watch, interrupted=interrupted)
        for example in found:
            observer.found(example)
        counterexamples += found
        lost = [x.incident for x in waivers if x.incident is not None]
        lost += [line for unit in units for line in unit.incidents]
        incidents = [_reproducible(line, options) for line in lost]
        for incident in incidents:
            observer.found(incident)
        results = _results(plan, units, counterexamples, incidents, waivers)
    told = tuple(waiver.result for waiver in waivers)
    own = _shares(plan, units, interrupted=interrupted)
    spread = distributions((unit.measures for unit in units), plan.description.parameters)
    tested = packaged_qualification()
    for line in (*results, *told, *own, *spread, tested):
        observer.found(line)
    code = (
        NOT_JUDGED if interrupted else exit_code(results, plan.deviations, told, header.unclaimed)
    )
    return RunRecord(
        header=header,
        clauses=tuple(results),
        counterexamples=tuple(counterexamples),
        incidents=tuple(incidents),
        waivers=told,
        shares=own,
        distributions=spread,
        qualification=tested,
        summary=summarise(
            results,
            exit_code=code,
            finished=utc_now(),
            interrupted=interrupted,
            ended=ended,
            protection=weakest(
                [plan.session.adapter.protection, *(unit.protection for unit in units)]
            ),
        ),
    )


def _run(
    plan: Plan, watch: Watch, waivers: list[JudgedWaiver], units: list[UnitResult]
) -> tuple[bool, Ended]:
    """Judge the waivers, then run the named scenarios and every part.

    Returns:
        Whether the run was interrupted, and the limit at which it ended.
    """
    try:
        known = clauses_of(catalog())
        waivers += judge_waivers(plan.options, plan.session, known, plan.selected)
        deciding = {
            name
            for name, (_, clause) in plan.selected.items()
            if clause.level == "MUST" and name in plan.requirements.clauses
        }
        watch.counts(deciding, {waiver.covers for waiver in waivers if waiver.applies})
        repeat_unconfirmed(plan, watch, units)
        run_flows(plan, watch, units)
        run_units(plan, watch, units, _elsewhere(plan.options))
    except KeyboardInterrupt:
        return True, ""
    except Enough as enough:
        return False, enough.why
    return False, ""


def _elsewhere(options: RunOptions) -> Elsewhere | None:
    if not options.dask:
        return None
    from .clusters import spread

    return spread


def _header(plan: Plan) -> Header:
    options = plan.options
    return Header(
        run_id=str(uuid.uuid4()),
        suite=suite_identity(),
        reference=options.kernel,
        kernel=plan.description,
        requirement_set=RequirementSet(
            name=plan.requirements.name,
            digest=plan.requirements.digest,
            files=plan.requirements.files,
        ),
        selected=tuple(plan.selected),
        excluded=plan.excluded,
        deviations=plan.deviations,
        ignored=plan.ignored,
        must_claim=plan.must_claim,
        seed=options.seed,
        profile=options.profile,
        examples=options.examples,
        timeout=options.timeout,
        arguments=options.arguments,
        surroundings=current_surroundings(),
        nonce=plan.nonce,
        started=utc_now(),
        transport=plan.session.adapter.transport,
        evidence=evidence_of(plan.session.adapter.transport),
        catalog_digest=catalog_digest(),
        plugins=tuple(_plugin(plugin) for plugin in plan.plugins),
        configuration=options.configuration or settings_of(options),
        origin=current_origin(organisation=options.organisation, person=options.person),
        shard=options.shard,
        resumes=plan.earlier.sha256 if plan.earlier else "",
    )


def _shares(plan: Plan, units: list[UnitResult], *, interrupted: bool) -> tuple[Share, ...]:
    """Return what was done of each invariant, where this was not, or may not be, all."""
    told = [unit for unit in units if unit.invariant != REPEATED]
    left = interrupted or not all(unit.complete for unit in told)
    asked = plan.options.shard or plan.options.resume
    return tuple(_share(unit) for unit in told) if asked or left else ()


def _share(unit: UnitResult) -> Share:
    return Share(
        invariant=unit.invariant,
        ran=unit.ran,
        done=unit.done,
        complete=unit.complete,
        skipped=next(iter(unit.skipped.values()), ""),
        other_flags=unit.other_flags,
        own_flags=unit.own_flags,
        seconds=round(unit.seconds, 3),
    )


def _plugin(plugin: LoadedPlugin) -> Plugin:
    return Plugin(
        group=plugin.group,
        name=plugin.name,
        distribution=plugin.distribution,
        version=plugin.version,
        digest=plugin.digest,
        problem=plugin.problem,
    )


def _scenario_count(plan: Plan) -> int:
    fixed = sum(len(plan.fixed_scenarios(invariant)) for invariant in plan.own)
    return fixed + plan.options.examples * len(plan.own) + len(flows(plan.options))


def _confirmed(
    plan: Plan,
    units: list[UnitResult],
    waivers: list[JudgedWaiver],
    watch: Watch,
    *,
    interrupted: bool,
) -> tuple[list[Counterexample], bool]:
    """Confirm and reduce the smallest failure of each fingerprint, in the catalog's order.

    What a waiver's counterexample has shown is not shown again. Once the run is interrupted,
    failures are kept as they were found. The first kind of difference of each clause has its turn
    before any clause has a second one, since there may not be enough for all.
    """
    found: dict[int, Counterexample] = {}
    shown = {waiver.covers for waiver in waivers if waiver.counterexample is not None}
    failures = [
        failure
        for failure in _failures(plan, units)
        if (failure.violation.clause, failure.violation.kind) not in shown
    ]
    whole = allowance(plan.options, sum(unit.ran for unit in units), watch.limit)
    causes = for_causes(whole)
    if failures and not interrupted:
        watch.stage("confirming and reducing failures", len(failures))
    for place, among in _turns(failures):
        failure = failures[place]
        found[place] = unconfirmed(failure, plan.options)
        if not interrupted:
            own = whole.part(1 / among)
            try:
                told = partial(watch.reducing, failure.violation.clause)
                found[place] = confirm(plan.session, failure, plan.options, own, watch.over, told)
            except KeyboardInterrupt:
                interrupted = True
            whole.give_back(own)
            watch.advanced(failure.violation.clause, 1)
    examples = [found[place] for place in sorted(found)]
    if not interrupted and plan.options.reduce != 0:
        causes.give_back(whole)
        watch.stage("looking for common causes", len(examples) if len(examples) > 1 else 0)
        try:
            required = plan.requirements.clauses
            examples = with_causes(
                plan.session, examples, required, causes, watch.advanced, watch.reducing
            )
        except KeyboardInterrupt:
            interrupted = True
    return examples, interrupted


def _turns(failures: Sequence[Failure]) -> Iterator[tuple[int, int]]:
    """Yield the place of each failure, and among how many of its rank it shares what there is."""
    ranks: dict[int, list[int]] = {}
    seen: Counter[str] = Counter()
    for place, failure in enumerate(failures):
        clause = failure.violation.clause
        ranks.setdefault(seen[clause], []).append(place)
        seen[clause] += 1
    for rank in sorted(ranks):
        for done, place in enumerate(ranks[rank]):
            yield place, len(ranks[rank]) - done


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
    return replace(
        incident, command=reproduce_command(options, incident.clause or incident.invariant)
    )


def _results(
    plan: Plan,
    units: list[UnitResult],
    counterexamples: list[Counterexample],
    incidents: list[Incident],
    waivers: list[JudgedWaiver],
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
            incidents=[
                x
                for x in incidents
                if x.invariant in ("", invariant.id) and x.clause in ("", clause_id)
            ],
            skipped=list(unit.skipped.values()) if unit else [],
            other_flags=unit.other_flags if unit else "",
            own_flags=unit.own_flags if unit else "",
            complete=unit is not None and unit.complete,
            elsewhere=unit is None and bool(plan.options.shard or plan.options.resume),
            waivers=[x for x in waivers if x.applies and x.result.clause == clause_id],
            required=clause_id in plan.requirements.clauses,
            seconds=unit.seconds if unit else 0.0,
        )
        results.append(clause_result(invariant, clause, evidence, capabilities))
    return folded(results, plan.selected)
