"""Small caches to replay counterexamples on, and a session that reaches one."""

from __future__ import annotations

from collections.abc import Callable

from fedcheck.conformance.adapters.in_process import InProcessAdapter
from fedcheck.conformance.counterexamples.documents import CounterexampleFile
from fedcheck.conformance.driving.drive import FreshIds
from fedcheck.conformance.driving.session import Session
from fedcheck.invariants.catalog import catalog, clauses
from fedcheck.invariants.vocabulary.scenario import CacheGet, CacheSet, Scenario
from fedcheck.invariants.vocabulary.trace import CacheOutcome

UNSAFE = "I-CACHE-KEY-SAFETY/unsafe-key-not-stored"
KIND = "dot stored"
CLAUSES = clauses(catalog())
ALPHABET = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-:")


class Strict:
    """Refuses every unsafe key."""

    capabilities = ("cache",)

    def __init__(self) -> None:
        self.entries: dict[str, str] = {}

    def cache_set(self, step: CacheSet) -> CacheOutcome:
        if not self.is_safe(step.key):
            return CacheOutcome(outcome="refused")
        self.entries[step.key] = step.value_json
        return CacheOutcome(outcome="accepted")

    def cache_get(self, step: CacheGet) -> CacheOutcome:
        text = self.entries.get(step.key)
        return CacheOutcome(outcome="miss" if text is None else "hit", value_json=text)

    def is_safe(self, key: str) -> bool:
        """Whether a key may be used."""
        return 0 < len(key) <= 128 and set(key) <= ALPHABET


class Dotted(Strict):
    """Takes a key with a dot."""

    def is_safe(self, key: str) -> bool:
        return super().is_safe(key.replace(".", ""))


class Careless(Strict):
    """Takes any key."""

    def is_safe(self, key: str) -> bool:
        return True


class Chatty:
    """Has no cache at all."""

    capabilities = ("fact_ledger",)

    def turn(self, step: object) -> list[object]:
        return []


class Silent(Strict):
    """Answers nothing where something is owed."""

    def cache_get(self, step: CacheGet) -> None:  # type: ignore[override]
        return None


def scenario(key: str = "m.") -> Scenario:
    """Set and get a key, and a valid twin."""
    steps = [
        step
        for each in (key, "mail_box")
        for step in (CacheSet(key=each, value_json="{}", ttl_seconds=60), CacheGet(key=each))
    ]
    return Scenario(id="keys", steps=tuple(steps))


def counterexample(**changes: object) -> CounterexampleFile:
    """A key with a dot that was stored."""
    fields: dict[str, object] = {
        "id": "ce-1",
        "scenario": scenario(),
        "clause": UNSAFE,
        "kind": KIND,
        "invariant": "I-CACHE-KEY-SAFETY",
    }
    return CounterexampleFile(**{**fields, **changes})  # type: ignore[arg-type]


def session(kernel: Callable[..., object]) -> Session:
    """Reach a kernel in this process."""
    adapter = InProcessAdapter("toy", kernel)
    return Session(adapter, adapter.describe(), CLAUSES, FreshIds("n"))
