"""Small kernels for whole runs, an adapter that breaks down on demand, and what a run says."""

from __future__ import annotations

from collections.abc import Callable

from fedcheck.conformance.adapters.base import Adapter
from fedcheck.conformance.adapters.in_process import InProcessAdapter
from fedcheck.conformance.driving.judging import judge
from fedcheck.invariants.catalog import catalog, clauses
from fedcheck.invariants.vocabulary.parameters import Parameters
from fedcheck.invariants.vocabulary.scenario import CacheDelete, CacheGet, CacheSet, Scenario
from fedcheck.invariants.vocabulary.trace import AnyEvent, CacheOutcome, KernelDescription, Trace
from fedcheck.invariants.vocabulary.verdict import Verdict, Violation
from fedcheck.reports.record.model import BodyLine, Counterexample, Header, RunRecord

KEYS, LIVES, PROBES = "I-CACHE-KEY-SAFETY", "I-CACHE-TTL-CAP-300S", "I-SKELETON-LLM-ONLY"
UNSAFE = f"{KEYS}/unsafe-key-not-stored"
TOO_LONG = f"{LIVES}/over-cap-not-stored"
ALPHABET = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-:")


class Cache:
    """A small cache that keeps every promise; a test breaks one of them."""

    capabilities = ("cache",)
    parameters = Parameters()

    def __init__(self) -> None:
        self.entries: dict[str, str] = {}

    def cache_set(self, step: CacheSet) -> CacheOutcome:
        """Store what may be stored."""
        if not (self.is_safe(step.key) and self.is_short(step.ttl_seconds)):
            return CacheOutcome(outcome="refused")
        self.entries[step.key] = step.value_json
        return CacheOutcome(outcome="accepted")

    def cache_get(self, step: CacheGet) -> CacheOutcome:
        """Return what is stored."""
        text = self.entries.get(step.key)
        return CacheOutcome(outcome="miss" if text is None else "hit", value_json=text)

    def cache_delete(self, step: CacheDelete) -> CacheOutcome:
        """Forget a key."""
        self.entries.pop(step.key, None)
        return CacheOutcome(outcome="accepted")

    def is_safe(self, key: str) -> bool:
        """Whether a key may be used."""
        return 0 < len(key) <= 128 and set(key) <= ALPHABET

    def is_short(self, ttl: object) -> bool:
        """Whether a value may live so long."""
        return ttl is None or (isinstance(ttl, int | float) and 0 < ttl <= 300)


class Careless(Cache):
    """Has two bugs: any key will do, and any life."""

    def is_safe(self, key: str) -> bool:
        return True

    def is_short(self, ttl: object) -> bool:
        return True


class Watched(Adapter):
    """An in-process kernel that breaks down when a test says so."""

    transport = "hosted"

    def __init__(self, kernel: object, breaks: Callable[[Scenario], None]) -> None:
        self.reference = "watched"
        self.inner = InProcessAdapter("watched", kernel)
        self.breaks = breaks
        self.ran = 0

    def describe(self) -> KernelDescription:
        return self.inner.describe()

    def run(self, scenario: Scenario) -> tuple[AnyEvent, ...]:
        self.ran += 1
        self.breaks(scenario)
        return self.inner.run(scenario)

    def close(self) -> None:
        self.inner.close()


class Quiet:
    """An observer that keeps what it is told."""

    def __init__(self, advanced: Callable[[str, int], None] = lambda _id, _n: None) -> None:
        self.headers: list[Header] = []
        self.lines: list[BodyLine] = []
        self.stages: list[str] = []
        self.failures: list[str] = []
        self.reduced: dict[str, tuple[int, int]] = {}
        self.compared: dict[str, tuple[int, int]] = {}
        self.advanced = advanced

    def planned(self, header: Header, scenarios: int) -> None:
        assert scenarios >= 0
        self.headers.append(header)

    def stage(self, name: str, total: int | None) -> None:
        assert total is None or total > 0
        self.stages.append(name)

    def reducing(self, clause: str, tried: int, most: int) -> None:
        assert 0 <= tried <= most
        of_causes = self.stages[-1] == "looking for common causes"
        (self.compared if of_causes else self.reduced)[clause] = tried, most

    def failed(self, violation: Violation) -> None:
        self.failures.append(violation.clause)

    def found(self, line: BodyLine) -> None:
        self.lines.append(line)


Run = Callable[..., RunRecord]
"""Judges a kernel: ``run(kernel, *select, breaks=…, observer=…, **options)``."""


def verdicts(record: RunRecord) -> dict[str, Verdict]:
    """The verdicts by clause."""
    return {result.clause: result.verdict for result in record.clauses}


def shows(trace: Trace | None, example: Counterexample) -> bool:
    """Whether the trace shows the violation of the counterexample."""
    assert trace is not None
    findings = judge(trace, clauses(catalog())).get(example.clause, [])
    return example.kind in {each.kind for each in findings if isinstance(each, Violation)}
