"""What a run has seen of each clause so far: counts, partitions, the smallest failures."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from ...invariants.vocabulary.codec import to_json
from ...invariants.vocabulary.scenario import Scenario
from ...invariants.vocabulary.trace import Trace
from ...invariants.vocabulary.verdict import Compared, Finding, Violation
from ...reports.record.model import Incident
from ...reports.record.protection import Protection
from .measures import Measures


@dataclass
class Failure:
    """The smallest scenario seen so far for one fingerprint.

    Attributes:
        violation: what the judge said of it.
        scenario: the scenario, with logical ids.
        found_in: ``fixed:<id>`` or ``explore``.
        trace: what the kernel did.
        source: id of the invariant among whose scenarios it was.
        seen: how many scenarios of the run showed this fingerprint.
    """

    violation: Violation
    scenario: Scenario
    found_in: str
    trace: Trace
    source: str = ""
    seen: int = 1

    @property
    def weight(self) -> tuple[int, str]:
        """Smaller is simpler; total, so that the smallest does not depend on the order."""
        text = to_json(self.scenario)
        return len(text), text


@dataclass
class ClauseTally:
    """What a run has seen of one clause."""

    scenarios: int = 0
    comparisons: int = 0
    partitions: Counter[str] = field(default_factory=Counter[str])
    failures: dict[str, Failure] = field(default_factory=dict[str, Failure])

    def add(
        self,
        findings: list[Finding],
        scenario: Scenario,
        trace: Trace,
        origin: str,
        source: str = "",
    ) -> list[Violation]:
        """Add what the clause's judge said of one trace; see ``Failure`` for the arguments.

        Returns:
            The violations of kinds that were not seen before.
        """
        known = set(self.failures)
        self.scenarios += bool(findings)
        shown: set[str] = set()
        for finding in findings:
            if isinstance(finding, Compared):
                self.comparisons += 1
                for name in dict.fromkeys(finding.partitions):
                    self.partitions[name] += 1
            elif isinstance(finding, Violation) and finding.kind not in shown:
                shown.add(finding.kind)
                self._keep(finding.kind, Failure(finding, scenario, origin, trace, source))
        return [self.failures[kind].violation for kind in self.failures if kind not in known]

    def merge(self, other: ClauseTally) -> None:
        """Add what another part of the run has seen."""
        self.scenarios += other.scenarios
        self.comparisons += other.comparisons
        self.partitions.update(other.partitions)
        for kind, failure in other.failures.items():
            self._keep(kind, failure)

    def _keep(self, kind: str, failure: Failure) -> None:
        known = self.failures.get(kind)
        if known is None:
            self.failures[kind] = failure
            return
        seen = known.seen + failure.seen
        if failure.weight < known.weight:
            self.failures[kind] = failure
        self.failures[kind].seen = seen


@dataclass
class UnitResult:
    """What one part of a run, the scenarios of one invariant, has seen.

    Attributes:
        invariant: id of the invariant whose scenarios were run.
        tallies: by clause id; the scenarios of one invariant may exercise any clause.
        incidents: what kept the suite from judging.
        skipped: scenario id → why the kernel does not claim it.
        other_flags: why some of them need flags that the kernel never has; empty if none do.
        own_flags: with which flags the kernel ran some instead of theirs; empty if with theirs.
        ran: number of scenarios that were run.
        done: number of those that need not be tried again, where the run is resumed.
        complete: whether the invariant's own scenarios all ran.
        measures: how large, deep and long they were.
        seconds: wall-clock time.
        protection: what kept the kernel from leaving something behind, where the part had a
            kernel of its own.
    """

    invariant: str
    tallies: dict[str, ClauseTally] = field(default_factory=dict[str, ClauseTally])
    incidents: list[Incident] = field(default_factory=list[Incident])
    skipped: dict[str, str] = field(default_factory=dict[str, str])
    other_flags: str = ""
    own_flags: str = ""
    ran: int = 0
    done: int = 0
    complete: bool = False
    measures: Measures = field(default_factory=Counter[tuple[str, float]])
    seconds: float = 0.0
    protection: Protection = ""

    def merge(self, other: UnitResult) -> None:
        """Add what another process has seen of the same invariant."""
        for clause_id, tally in other.tallies.items():
            self.tallies.setdefault(clause_id, ClauseTally()).merge(tally)
        self.incidents += other.incidents
        self.skipped.update(other.skipped)
        self.other_flags = self.other_flags or other.other_flags
        self.own_flags = self.own_flags or other.own_flags
        self.ran += other.ran
        self.done += other.done
        self.complete = other.complete
        self.measures.update(other.measures)
        self.seconds += other.seconds
        self.protection = other.protection
