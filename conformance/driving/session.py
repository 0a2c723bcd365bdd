"""One kernel, driven through scenarios; what each shows is judged and tallied at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...invariants.vocabulary.errors import KernelCrashed, KernelError, KernelTimeout, Unjudgeable
from ...invariants.vocabulary.scenario import Scenario
from ...invariants.vocabulary.trace import KernelDescription, Trace
from ...invariants.vocabulary.verdict import Violation
from ...reports.record.model import Incident
from ..adapters.base import Adapter
from .drive import FreshIds, drive, other_flags, own_flags, problems, runnable
from .interrupts import raise_if_pressed
from .judging import Clauses, judge
from .measures import measured
from .tally import ClauseTally, UnitResult

INCIDENT_LIMIT = 3
"""Incidents kept per invariant, kind and failed judge; more would say the same."""

GIVE_UP_AFTER = 10
"""Incidents of one invariant after which its exploration ends."""


class Session:
    """Drives one kernel.

    Args:
        adapter: how to reach the kernel.
        description: what the kernel says of itself.
        clauses: what to judge; clauses that the kernel does not claim are not among them.
        ids: where fresh user and session ids come from.
        keep: gets every trace.
    """

    def __init__(
        self,
        adapter: Adapter,
        description: KernelDescription,
        clauses: Clauses,
        ids: FreshIds,
        keep: Callable[[Trace], None] = lambda _trace: None,
    ) -> None:
        self.adapter = adapter
        self.description = description
        self.clauses = clauses
        self.ids = ids
        self._keep = keep

    def trace(self, scenario: Scenario) -> Trace:
        """Run one scenario. Raises KernelError as the adapter does."""
        raise_if_pressed()
        trace = drive(self.adapter, self.description, scenario, ids=self.ids)
        self._keep(trace)
        return trace


class Unit:
    """The scenarios of one invariant, run in a session.

    Args:
        session: the kernel.
        invariant: id of the invariant.
        progress: called after each scenario.
        failed: is told each kind of violation that the unit shows for the first time.
        incidents: those that another process has seen in scenarios of the invariant.
        passed: how many scenarios are not run, because an earlier part of the run has done so.
    """

    def __init__(
        self,
        session: Session,
        invariant: str,
        progress: Callable[[], None] = lambda: None,
        failed: Callable[[Violation], None] = lambda _violation: None,
        incidents: Sequence[Incident] = (),
        passed: int = 0,
    ) -> None:
        self._session = session
        self._progress = progress
        self._failed = failed
        self._known = tuple(incidents)
        self._incidents = len(incidents)
        self._passed = passed
        self.result = UnitResult(invariant)

    @property
    def exhausted(self) -> bool:
        """Whether the kernel failed so often that going on would add nothing."""
        return self._incidents >= GIVE_UP_AFTER

    def attempt(self, scenario: Scenario, origin: str) -> None:
        """Run one scenario and tally what it shows; never raises for what the kernel does."""
        if self._passed:
            self._passed -= 1
            self._progress()
            return
        reason = runnable(self._session.description, scenario)
        if reason is not None:
            self.result.skipped[scenario.id] = reason
            if reason == other_flags(self._session.description, scenario.environment):
                self.result.other_flags = reason
        elif not self.exhausted:
            served = own_flags(self._session.description, scenario.environment)
            self.result.own_flags = self.result.own_flags or served or ""
            self._run(scenario, origin)
        self.result.done += 1
        self._progress()

    def _run(self, scenario: Scenario, origin: str) -> None:
        try:
            trace = self._session.trace(scenario)
        except KernelError as error:
            self._count(scenario)
            self._keep(incident_of(error, self.result.invariant, scenario))
            return
        self._count(scenario)
        if found := problems(trace):
            self._keep(
                Incident(
                    kind="error",
                    invariant=self.result.invariant,
                    scenario=scenario,
                    message=found[0].message,
                    step=found[0].step,
                )
            )
            return

        def failed(clause_id: str, error: Unjudgeable) -> None:
            self._keep(incident_of(error, clause_id.partition("/")[0], scenario, clause_id))

        for clause_id, findings in judge(trace, self._session.clauses, failed).items():
            tally = self.result.tallies.setdefault(clause_id, ClauseTally())
            for violation in tally.add(findings, scenario, trace, origin, self.result.invariant):
                self._failed(violation)

    def _count(self, scenario: Scenario) -> None:
        """Count a scenario when it has been run: one that is interrupted is run again."""
        self.result.ran += 1
        self.result.measures.update(measured(scenario))

    def _keep(self, incident: Incident) -> None:
        self._incidents += 1
        self._add(incident)

    def _add(self, incident: Incident) -> None:
        what = (incident.kind, incident.clause)
        kept = (*self._known, *self.result.incidents)
        same = sum((known.kind, known.clause) == what for known in kept)
        if same < INCIDENT_LIMIT:
            self.result.incidents.append(incident)


def incident_of(
    error: KernelError, invariant: str, scenario: Scenario | None, clause: str = ""
) -> Incident:
    """Return the record's line for a kernel that could not be judged, by one clause or by any."""
    crashed, hung = isinstance(error, KernelCrashed), isinstance(error, KernelTimeout)
    return Incident(
        kind="crash" if crashed else "timeout" if hung else "error",
        invariant=invariant,
        clause=clause,
        scenario=scenario,
        message=str(error),
        stderr_tail=error.stderr_tail,
        exit_status=error.exit_status,
    )
