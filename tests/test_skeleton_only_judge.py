"""The judge of I-SKELETON-LLM-ONLY, on small kernels that keep or break the promise."""

from __future__ import annotations

import dataclasses
import json
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from fedcheck.invariants.judges.skeleton.i_skeleton_llm_only import INVARIANT
from fedcheck.invariants.vocabulary.parameters import DOCUMENTED
from fedcheck.invariants.vocabulary.scenario import Environment, Probe, Scenario, SkeletonRefresh
from fedcheck.invariants.vocabulary.trace import (
    Given,
    KernelDescription,
    ProbeOutcome,
    RaisedError,
    SkeletonStored,
    Trace,
)
from fedcheck.invariants.vocabulary.trace_view import TraceView
from fedcheck.invariants.vocabulary.verdict import Compared, Violation

OUTSIDE, INSIDE, NAMED = (clause.name for clause in INVARIANT.clauses)
FORBIDDEN = RaisedError(name="SkeletonAccessForbidden", bases=("PermissionError", "OSError"))
NOTHING = ProbeOutcome(outcome="value", value_json="null")
BROKEN = ProbeOutcome(outcome="error")
ID = ProbeOutcome(outcome="value", value_json='"u1"')


def value_of(value: Any) -> ProbeOutcome:
    """The outcome of a probe that gave this value."""
    return ProbeOutcome(outcome="value", value_json=json.dumps(value))


def raised(error: RaisedError | None) -> ProbeOutcome:
    """The outcome of a probe that raised."""
    return ProbeOutcome(outcome="raised", error=error)


@dataclass
class Toy:
    """A conforming kernel; a test replaces one of its decisions."""

    allows: Callable[[Probe], bool] = lambda probe: probe.handler == "skeleton"
    refusal: ProbeOutcome = field(default_factory=lambda: raised(FORBIDDEN))
    answer: Callable[[Any], ProbeOutcome] = value_of
    identity: Callable[[Probe], ProbeOutcome] = lambda _: ID
    sections: dict[tuple[str, str], str] = field(
        default_factory=dict[tuple[str, str], str], init=False
    )

    def skeleton_refresh(self, step: SkeletonRefresh, environment: Environment) -> SkeletonStored:
        """Store what the section's handler is scripted to return."""
        extension = next(e for e in environment.extensions if e.app == step.app)
        text = next(s for s in extension.sections if s.name == step.section).returns_json[0]
        self.sections[step.app, step.section] = text
        return SkeletonStored(app=step.app, section=step.section, value_json=text)

    def probe(self, step: Probe, environment: Environment) -> ProbeOutcome:
        """Answer the two probes that the invariant needs."""
        del environment
        if step.op == "get":
            return self.identity(step)
        if not self.allows(step):
            return self.refusal
        text = self.sections.get((step.app, json.loads(step.args_json)[0]))
        return self.answer(None if text is None else json.loads(text))


def play(toy: Toy, scenario: Scenario) -> TraceView:
    """Run a scenario on a fresh copy of the toy and return its trace."""
    kernel = dataclasses.replace(toy)
    events: list[Any] = []
    for index, step in enumerate(scenario.steps):
        answer = getattr(kernel, str(step.__struct_config__.tag))(step, scenario.environment)
        events.append(Given(step=index, user=step.user, session=step.session, stimulus=step))
        events.append(replace(answer, step=index))
    described = KernelDescription(kernel="toy", version="1", capabilities=("probe", "skeleton"))
    return TraceView(
        Trace(events=tuple(events), kernel=described, environment=scenario.environment)
    )


class Judged:
    """What the clauses saw and found, by clause name."""

    def __init__(self, *views: TraceView) -> None:
        self.seen: dict[str, set[str]] = defaultdict(set)
        self.violations: dict[str, list[Violation]] = defaultdict(list)
        for view in views:
            for clause in INVARIANT.clauses:
                for finding in clause.judge(view):
                    if isinstance(finding, Compared):
                        self.seen[clause.name].update(finding.partitions)
                    else:
                        self.violations[clause.name].append(finding)

    @property
    def kinds(self) -> dict[str, set[str]]:
        """Kinds of the violations of each broken clause."""
        return {name: {v.kind for v in found} for name, found in self.violations.items()}


def judged(toy: Toy) -> Judged:
    """Judge a kernel by the fixed scenarios."""
    return Judged(*(play(toy, scenario) for scenario in INVARIANT.scenarios(DOCUMENTED)))


def partitions(name: str, kind: str = "input") -> set[str]:
    """Names of a clause's partitions of one kind."""
    clause = next(clause for clause in INVARIANT.clauses if clause.name == name)
    return {partition.name for partition in clause.partitions if partition.kind == kind}


CONFORMING = {
    "raises": Toy(),
    "a subclass of the named error": Toy(
        refusal=raised(RaisedError(name="Denied", bases=("SkeletonAccessForbidden",)))
    ),
    "a qualified name": Toy(refusal=raised(RaisedError(name="sdk.SkeletonAccessForbidden"))),
    "keeps marks beside the fields": Toy(
        answer=lambda value: value_of({**(value or {}), "_refreshed_at": 1.5, "_ttl": 300})
    ),
    "has no webhooks": Toy(
        identity=lambda probe: BROKEN if probe.handler in ("webhook", "schedule") else ID
    ),
}


@pytest.mark.parametrize("style", CONFORMING)
def test_a_conforming_kernel_passes_and_reaches_every_input_partition(style: str) -> None:
    """No clause alarms and none stays unexercised."""
    result = judged(CONFORMING[style])
    assert {} == result.kinds
    for clause in INVARIANT.clauses:
        assert set() == partitions(clause.name) - result.seen[clause.name]


def test_judges_name_declared_partitions_only() -> None:
    """A misspelt partition would never be seen."""
    for name, seen in judged(Toy()).seen.items():
        assert partitions(name) | partitions(name, "observed") == seen


READ_ANYWHERE = {
    f"{what} in a {kind} handler"
    for what in ("readable", "not refused without a section")
    for kind in ("tool", "chat function", "panel", "webhook", "schedule")
}


@pytest.mark.parametrize(
    ("toy", "kinds"),
    [
        pytest.param(Toy(allows=lambda _: True), {OUTSIDE: READ_ANYWHERE}, id="no-guard"),
        pytest.param(
            Toy(allows=lambda probe: probe.handler in ("skeleton", "panel")),
            {
                OUTSIDE: {
                    "readable in a panel handler",
                    "not refused without a section in a panel handler",
                }
            },
            id="panel",
        ),
        pytest.param(
            Toy(allows=lambda probe: probe.handler == "skeleton" or probe.via == "dynamic"),
            {OUTSIDE: READ_ANYWHERE},
            id="getattr",
        ),
        pytest.param(Toy(refusal=NOTHING), {OUTSIDE: READ_ANYWHERE}, id="null-instead"),
        pytest.param(
            Toy(refusal=ProbeOutcome(outcome="absent")), {OUTSIDE: READ_ANYWHERE}, id="absent"
        ),
        pytest.param(
            Toy(allows=lambda _: False), {INSIDE: {"refused inside"}}, id="refused-everywhere"
        ),
        pytest.param(
            Toy(allows=lambda probe: probe.handler == "skeleton" and probe.via != "helper"),
            {INSIDE: {"refused inside"}},
            id="helper-refused-inside",
        ),
        pytest.param(Toy(answer=lambda _: NOTHING), {INSIDE: {"nothing inside"}}, id="null"),
        pytest.param(
            Toy(answer=lambda value: value_of({**value, "total": 4})),
            {INSIDE: {"another value inside"}},
            id="another-value",
        ),
        pytest.param(
            Toy(refusal=raised(RaisedError(name="AttributeError"))),
            {NAMED: {"refused with another error"}},
            id="another-error",
        ),
        pytest.param(
            Toy(refusal=raised(None)), {NAMED: {"refused with another error"}}, id="no-name"
        ),
    ],
)
def test_a_broken_kernel_fails_its_clause_and_no_other(
    toy: Toy, kinds: dict[str, set[str]]
) -> None:
    """The violation has the kind of the bug, and the other clauses stay green."""
    assert kinds == judged(toy).kinds


def test_the_violation_tells_what_was_read() -> None:
    """Expected and got are short and for people."""
    found = judged(Toy(allows=lambda _: True)).violations[OUTSIDE][0]
    expected = Violation(
        kind="readable in a tool handler",
        step=4,
        expected="skeleton.get('overview') in a tool handler raises",
        got='it returned {"total": 3}',
    )
    assert expected == found


def test_a_handler_that_does_not_run_proves_nothing() -> None:
    """Where the control fails, no read is compared; neither inside nor outside."""
    assert {} == judged(Toy(identity=lambda _: ProbeOutcome(outcome="absent"))).seen
    no_panel = judged(Toy(identity=lambda probe: BROKEN if probe.handler == "panel" else ID))
    assert {"panel"} == partitions(OUTSIDE) - no_panel.seen[OUTSIDE]


def test_a_refusal_proves_nothing_where_no_read_works() -> None:
    """A kernel that raises everywhere has no guard, only a broken skeleton."""
    assert {INSIDE} == set(judged(Toy(allows=lambda _: False)).seen)


def test_a_probe_in_error_is_not_compared() -> None:
    """A probe that could not be carried out is no refusal."""
    assert {INSIDE} == set(judged(Toy(refusal=BROKEN)).seen)


def test_of_a_section_that_nobody_stored_only_the_refusal_is_judged() -> None:
    """It must be refused all the same; that it gives nothing inside is free."""
    scenarios = [
        replace(s, steps=tuple(x for x in s.steps if not isinstance(x, SkeletonRefresh)))
        for s in INVARIANT.scenarios(DOCUMENTED)
    ]
    found = Judged(*(play(Toy(), scenario) for scenario in scenarios))

    assert {} == found.kinds
    assert set() == found.seen[INSIDE]
    assert "a section that is stored" not in found.seen[OUTSIDE]


def test_a_recording_is_not_judged() -> None:
    """Nobody knows what the handlers of a recording were to return."""
    views = [play(Toy(), scenario) for scenario in INVARIANT.scenarios(DOCUMENTED)]
    recorded = [TraceView(replace(view.trace, origin="recording")) for view in views]
    assert {} == Judged(*recorded).seen


def test_fixed_scenarios_have_unique_ids() -> None:
    """An id names one scenario."""
    ids = [scenario.id for scenario in INVARIANT.scenarios(DOCUMENTED)]
    assert sorted(set(ids)) == sorted(ids)


def test_drawn_scenarios_judge_and_do_not_alarm() -> None:
    """Each drawn scenario brings its controls, and a conforming kernel passes it."""

    @settings(max_examples=60)
    @given(INVARIANT.strategy(DOCUMENTED))
    def passes(scenario: Scenario) -> None:
        result = Judged(play(Toy(), scenario))
        assert {} == result.kinds
        assert "direct" in result.seen[INSIDE]

    passes()


def test_drawn_scenarios_find_a_guard_that_wears_off() -> None:
    """A guard that stays open after the first skeleton read is found by some order of reads."""

    class WearsOff(Toy):
        opened = False

        def probe(self, step: Probe, environment: Environment) -> ProbeOutcome:
            self.opened = self.opened or (step.op == "call" and step.handler == "skeleton")
            self.allows = lambda probe: probe.handler == "skeleton" or self.opened
            return super().probe(step, environment)

    found: set[str] = set()

    @settings(max_examples=60)
    @given(INVARIANT.strategy(DOCUMENTED))
    def collect(scenario: Scenario) -> None:
        found.update(Judged(play(WearsOff(), scenario)).kinds)

    collect()
    assert {OUTSIDE} == found
