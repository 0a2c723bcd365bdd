"""The judges of the three cache invariants, on small kernels that keep or break a promise."""

from __future__ import annotations

import dataclasses
import json
import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from fedcheck.invariants.judges.cache import (
    i_cache_key_safety,
    i_cache_ttl_cap_300s,
    i_cache_value_size_cap_64kb,
)
from fedcheck.invariants.rows import fixed_scenarios
from fedcheck.invariants.scenarios.cache import Script
from fedcheck.invariants.vocabulary.invariant import Invariant
from fedcheck.invariants.vocabulary.parameters import DOCUMENTED, Parameters
from fedcheck.invariants.vocabulary.scenario import Advance, CacheGet, CacheSet, Scenario
from fedcheck.invariants.vocabulary.trace import (
    Advanced,
    CacheOutcome,
    Given,
    KernelDescription,
    Trace,
)
from fedcheck.invariants.vocabulary.trace_view import TraceView
from fedcheck.invariants.vocabulary.verdict import Compared

KEY = i_cache_key_safety.INVARIANT
TTL = i_cache_ttl_cap_300s.INVARIANT
SIZE = i_cache_value_size_cap_64kb.INVARIANT
INVARIANTS = [pytest.param(each, id=each.id) for each in (KEY, TTL, SIZE)]

REFUSED = CacheOutcome(outcome="refused")


def compact_bytes(value: Any) -> int:
    """The size of a value as the documents read it."""
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


def safe_part(key: str) -> str:
    """What is left of a key without its unsafe characters."""
    return re.sub(r"[^A-Za-z0-9_\-:]", "", key) or "control"


@dataclass
class Toy:
    """A conforming cache; a test replaces one of its decisions."""

    safe: Callable[[str], Any] = lambda key: re.fullmatch(r"[A-Za-z0-9_\-:]+", key)
    longest: int = 128
    life: Callable[[Any], float | None] = lambda ttl: (
        60 if ttl is None else ttl if 5 <= ttl <= 300 else None
    )
    size: Callable[[Any], int] = compact_bytes
    largest: int = 65_536
    stored: Callable[[Any], Any] = lambda value: value
    looked_up: Callable[[str], str] = lambda key: key
    expired: Callable[[float, float], bool] = lambda now, until: now >= until
    declined: CacheOutcome = REFUSED
    renews: bool = False
    says_life: bool = False
    capabilities: tuple[str, ...] = ("cache", "clock")
    parameters: Parameters = DOCUMENTED
    now: float = field(default=0.0, init=False)
    entries: dict[tuple[str, str], tuple[Any, float]] = field(
        default_factory=dict[tuple[str, str], tuple[Any, float]], init=False
    )

    def cache_set(self, step: CacheSet) -> CacheOutcome:
        """Store the value or decline it."""
        value, life = json.loads(step.value_json), self.allowed(step.ttl_seconds)
        fits = self.size(value) <= self.largest and len(step.key) <= self.longest
        if not self.safe(step.key) or life is None or not fits:
            return self.declined
        self.entries[step.user, step.key] = (self.stored(value), self.now + life)
        return CacheOutcome(outcome="accepted", ttl_seconds=life if self.says_life else None)

    def allowed(self, life: Any) -> float | None:
        """The life that an entry gets; nothing that is no number is one."""
        return None if isinstance(life, str) else self.life(life)

    def cache_get(self, step: CacheGet) -> CacheOutcome:
        """Return the value while it lives."""
        key = (step.user, self.looked_up(step.key))
        value, until = self.entries.get(key, (None, 0.0))
        if key not in self.entries or self.expired(self.now, until):
            return CacheOutcome(outcome="miss")
        if self.renews:
            self.entries[key] = (value, self.now + 60)
        return CacheOutcome(outcome="hit", value_json=json.dumps(value))

    def advance(self, step: Advance) -> Advanced:
        """Move the clock."""
        self.now += step.seconds
        return Advanced()


def play(toy: Toy, scenario: Scenario) -> TraceView:
    """Run a scenario on a fresh copy of the toy and return its trace."""
    kernel = dataclasses.replace(toy)
    events: list[Any] = []
    for index, step in enumerate(scenario.steps):
        answer = getattr(kernel, str(step.__struct_config__.tag))(step)
        events.append(Given(step=index, user=step.user, session=step.session, stimulus=step))
        events.append(replace(answer, step=index))
    described = KernelDescription(
        kernel="toy", version="1", capabilities=toy.capabilities, parameters=toy.parameters
    )
    return TraceView(Trace(events=tuple(events), kernel=described))


class Judged:
    """What the clauses of an invariant saw and found, by clause name."""

    def __init__(self, invariant: Invariant, *views: TraceView) -> None:
        self.seen: dict[str, set[str]] = defaultdict(set)
        self.compared: dict[str, int] = defaultdict(int)
        self.kinds: dict[str, set[str]] = defaultdict(set)
        for view in views:
            for clause in invariant.clauses:
                for finding in clause.judge(view):
                    if isinstance(finding, Compared):
                        self.seen[clause.name].update(finding.partitions)
                        self.compared[clause.name] += 1
                    else:
                        self.kinds[clause.name].add(finding.kind)

    @property
    def broken(self) -> set[str]:
        """Names of the clauses with a violation."""
        return set(self.kinds)


def judged(invariant: Invariant, toy: Toy) -> Judged:
    """Judge a kernel by the fixed scenarios that it can run."""
    claimed = frozenset(toy.capabilities)
    fixed = fixed_scenarios(invariant, [invariant], toy.parameters, claimed)
    return Judged(invariant, *(play(toy, scenario) for scenario in fixed))


CONFORMING = {
    "refuses": Toy(),
    "drops silently": Toy(declined=CacheOutcome(outcome="accepted")),
    "cuts lives": Toy(life=lambda ttl: min(ttl or 60, 300)),
    "cuts lives and says so": Toy(
        life=lambda ttl: min(ttl or 60, 300), says_life=True, capabilities=("cache",)
    ),
    "counts escapes and an envelope": Toy(size=lambda value: len(json.dumps([value, "x" * 99]))),
    "looks up the safe part of a key": Toy(looked_up=safe_part),
    "has no clock": Toy(capabilities=("cache",)),
    "takes any short life": Toy(life=lambda ttl: 60 if ttl is None else ttl * (ttl <= 300) or None),
}


@pytest.mark.parametrize("style", CONFORMING)
@pytest.mark.parametrize("invariant", INVARIANTS)
def test_a_conforming_kernel_passes_and_reaches_every_input_partition(
    invariant: Invariant, style: str
) -> None:
    """However it declines, no clause alarms and none stays unexercised."""
    result = judged(invariant, CONFORMING[style])
    assert set() == result.broken
    unreached = {
        (clause.name, partition.name)
        for clause in invariant.clauses
        if clause.capabilities <= set(CONFORMING[style].capabilities)
        for partition in clause.partitions
        if partition.kind == "input" and partition.name not in result.seen[clause.name]
    }
    assert set() == unreached


@pytest.mark.parametrize("invariant", INVARIANTS)
def test_judges_name_declared_partitions_only(invariant: Invariant) -> None:
    """A misspelt partition would never be seen."""
    seen = judged(invariant, Toy()).seen
    declared = {c.name: {p.name for p in c.partitions} for c in invariant.clauses}
    assert set() == {(name, x) for name in seen for x in seen[name] - declared[name]}


def test_fixed_scenarios_have_unique_ids() -> None:
    """An id names one scenario."""
    ids = [
        scenario.id
        for invariant in (KEY, TTL, SIZE)
        for scenario in fixed_scenarios(invariant, [invariant], DOCUMENTED, frozenset({"cache"}))
    ]
    assert sorted(set(ids)) == sorted(ids)


UNSAFE = "unsafe-key-not-stored"
DOLLAR = Toy(safe=lambda key: re.match(r"^[A-Za-z0-9_\-:]+$", key))
WORD = Toy(safe=lambda key: re.fullmatch(r"[\w\-:]+", key))
FIRST = Toy(safe=lambda key: re.match(r"[A-Za-z0-9_\-:]", key))
LAX_CASE = Toy(safe=lambda key: re.fullmatch(r"[a-z0-9_\-:]+", key, re.IGNORECASE))
EMPTY = Toy(safe=lambda key: re.fullmatch(r"[A-Za-z0-9_\-:]*", key))
NO_COLON = Toy(safe=lambda key: re.fullmatch(r"[A-Za-z0-9_\-]+", key))
NO_LIFE_CAP = Toy(life=lambda ttl: ttl or 60)


@pytest.mark.parametrize(
    ("invariant", "toy", "clause", "kind"),
    [
        (KEY, DOLLAR, UNSAFE, "line feed at end stored"),
        (KEY, WORD, UNSAFE, "non ascii letter stored"),
        (KEY, WORD, UNSAFE, "non ascii digit stored"),
        (KEY, FIRST, UNSAFE, "slash stored"),
        (KEY, LAX_CASE, UNSAFE, "non ascii letter stored"),
        (KEY, EMPTY, UNSAFE, "empty stored"),
        (KEY, Toy(longest=129), "key-length-capped", "one over stored"),
        (KEY, Toy(longest=127), "safe-key-accepted", "longest refused"),
        (KEY, NO_COLON, "safe-key-accepted", "colon refused"),
        (TTL, NO_LIFE_CAP, "over-cap-not-stored", "one over stored"),
        (TTL, NO_LIFE_CAP, "over-cap-not-stored", "very large stored"),
        (
            TTL,
            dataclasses.replace(NO_LIFE_CAP, capabilities=("cache",)),
            "over-cap-not-stored",
            "far over stored",
        ),
        (
            TTL,
            Toy(life=lambda ttl: None if (ttl or 60) > 299 else ttl or 60),
            "within-cap-accepted",
            "at cap refused",
        ),
        (TTL, Toy(expired=lambda *_: False), "expired-not-served", "served after its end"),
        (TTL, Toy(renews=True), "expired-not-served", "served after its end"),
        (
            SIZE,
            Toy(size=lambda value: len(json.dumps(value, ensure_ascii=False))),
            "oversized-not-stored",
            "few characters stored",
        ),
        (
            SIZE,
            Toy(size=lambda value: len(value.get("text", "")) if isinstance(value, dict) else 0),
            "oversized-not-stored",
            "many items stored",
        ),
        (SIZE, Toy(largest=65_537), "oversized-not-stored", "one over stored"),
        (SIZE, Toy(largest=32_768), "within-cap-accepted", "largest refused"),
        (
            SIZE,
            Toy(stored=lambda value: json.loads(json.dumps(value).replace("\\u044f", "?"))),
            "non-ascii-within-cap-accepted",
            "tiny changed",
        ),
        (
            SIZE,
            Toy(
                largest=10**9,
                stored=lambda value: value if compact_bytes(value) < 65_536 else [value],
            ),
            "oversized-not-stored",
            "far over stored",
        ),
    ],
)
def test_a_broken_kernel_fails_its_clause_and_no_other(
    invariant: Invariant, toy: Toy, clause: str, kind: str
) -> None:
    """The violation has the kind of the bug, and the other clauses stay green."""
    result = judged(invariant, toy)
    assert {clause} == result.broken
    assert kind in result.kinds[clause]


@pytest.mark.parametrize(("invariant", "place"), [(KEY, 0), (KEY, 1), (TTL, 0), (SIZE, 0)])
def test_a_kernel_that_keeps_everything_is_found_in_every_partition(
    invariant: Invariant, place: int
) -> None:
    """Each input partition of a refusal clause finds the missing check."""
    keeps_all = Toy(safe=lambda _: True, longest=10**9, largest=10**9, life=lambda _: 10**12)
    clause = invariant.clauses[place]
    inputs = {p.name for p in clause.partitions if p.kind == "input"}
    expected = {f"{name} stored" for name in inputs - {"at start", "in middle", "at end"}}
    assert set() == expected - judged(invariant, keeps_all).kinds[clause.name]


@pytest.mark.parametrize("outcome", ["refused", "error"])
@pytest.mark.parametrize("invariant", INVARIANTS)
def test_a_kernel_that_declines_everything_earns_no_refusal(
    invariant: Invariant, outcome: Any
) -> None:
    """Without a green control no refusal is compared; what must be kept is broken."""
    result = judged(invariant, Toy(largest=0, declined=CacheOutcome(outcome=outcome)))
    must_keep = {clause.name for clause in invariant.clauses if clause.name.endswith("accepted")}
    assert must_keep == set(result.compared)
    assert must_keep == result.broken


def test_expiry_needs_a_hit_before_the_end() -> None:
    """An entry that was never served says nothing about entries that are served too long."""
    script = Script().attempt("mail", ttl=60).advance(59).get("mail").advance(2).get("mail")
    toy = Toy(expired=lambda _now, _until: True)
    result = Judged(TTL, play(toy, script.scenario("never-there")))
    assert 0 == result.compared["expired-not-served"]
    assert {"within-cap-accepted"} == result.broken


def test_an_entry_may_end_early() -> None:
    """The life is bounded from above only: what was served at once, and then is gone, is right."""
    script = Script().attempt("mail", ttl=60).advance(59).get("mail").advance(2).get("mail")
    toy = Toy(expired=lambda now, _: now > 0)
    result = Judged(TTL, play(toy, script.scenario("gone-early")))
    assert 1 == result.compared["expired-not-served"]
    assert set() == result.broken


def test_a_value_that_is_cut_is_a_violation() -> None:
    """It is neither stored nor refused: whoever reads it takes it for what was set."""
    shortens = Toy(
        largest=10**9,
        stored=lambda value: value if compact_bytes(value) <= 65_536 else {"text": "cut"},
    )
    assert {"oversized-not-stored"} == judged(SIZE, shortens).broken


def test_declared_parameters_move_the_border() -> None:
    """A kernel that declares longer keys is judged on both sides of its own cap."""
    result = judged(KEY, Toy(longest=1_000, parameters=Parameters(key_max_length=1_000)))
    assert set() == result.broken
    assert {"one over", "far over"} == set(result.seen["key-length-capped"])
    assert "longest" in result.seen["safe-key-accepted"]


@pytest.mark.parametrize("invariant", INVARIANTS)
def test_drawn_scenarios_judge_and_do_not_alarm(invariant: Invariant) -> None:
    """Each drawn scenario brings its control, and a conforming kernel passes it."""

    @settings(max_examples=40)
    @given(invariant.strategy(DOCUMENTED))
    def passes(scenario: Scenario) -> None:
        result = Judged(invariant, play(Toy(), scenario))
        assert set() == result.broken
        assert set() != set(result.compared)

    passes()


@pytest.mark.parametrize(
    ("invariant", "toy"), [(KEY, WORD), (TTL, NO_LIFE_CAP), (SIZE, Toy(largest=10**9))]
)
def test_drawn_scenarios_find_bugs(invariant: Invariant, toy: Toy) -> None:
    """The strategy reaches inputs on the wrong side of each cap."""
    found: set[str] = set()

    @settings(max_examples=100)
    @given(invariant.strategy(DOCUMENTED))
    def collect(scenario: Scenario) -> None:
        found.update(Judged(invariant, play(toy, scenario)).broken)

    collect()
    assert {invariant.clauses[0].name} == found
