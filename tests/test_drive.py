"""Driving a kernel: fresh ids out, logical ids back, and what a step owes."""

from __future__ import annotations

import pytest

from fedcheck.conformance.adapters.base import Adapter
from fedcheck.conformance.adapters.in_process import InProcessAdapter
from fedcheck.conformance.driving.drive import FreshIds, Problem, drive, needs, problems, runnable
from fedcheck.invariants.vocabulary.codec import to_json
from fedcheck.invariants.vocabulary.errors import ProtocolError, UsageError
from fedcheck.invariants.vocabulary.scenario import (
    Advance,
    AnyStep,
    CacheDelete,
    CacheGet,
    CacheSet,
    Call,
    DisableExtension,
    Environment,
    Extension,
    Probe,
    RenderPanel,
    Scenario,
    Section,
    SkeletonRefresh,
    StoreSet,
    Turn,
)
from fedcheck.invariants.vocabulary.trace import (
    CAPABILITIES,
    Advanced,
    AnyEvent,
    CacheOutcome,
    ClassifierPrompt,
    ExtensionDisabled,
    Given,
    KernelDescription,
    NarratorPrompt,
    PanelRendered,
    ProbeOutcome,
    Reply,
    SkeletonStored,
    StepFailed,
    StoreOutcome,
    Trace,
)

ALL = KernelDescription(kernel="scripted", version="1", capabilities=tuple(CAPABILITIES))
GET = Probe(handler="tool", op="get", path="user.imperal_id")


class Scripted(Adapter):
    """Answers with fixed events, and keeps the scenarios that it was sent."""

    reference = "scripted"

    def __init__(self, *events: AnyEvent) -> None:
        """Take the events to answer with."""
        self.events = events
        self.received: list[Scenario] = []

    def describe(self) -> KernelDescription:
        """Claim everything."""
        return ALL

    def run(self, scenario: Scenario) -> tuple[AnyEvent, ...]:
        """Answer as told."""
        self.received.append(scenario)
        return self.events

    def close(self) -> None:
        """Hold nothing."""


def claiming(*capabilities: str, **flags: str) -> KernelDescription:
    """Describe a kernel that claims these capabilities and always runs with these flags."""
    return KernelDescription(kernel="k", version="1", capabilities=capabilities, env_fixed=flags)


def scenario_of(*steps: AnyStep, environment: Environment | None = None) -> Scenario:
    """Return a scenario."""
    return Scenario(id="s", steps=steps, environment=environment or Environment())


def trace_of(
    *steps: AnyStep, shown: tuple[AnyEvent, ...] = (), kernel: KernelDescription = ALL
) -> Trace:
    """Drive a scripted kernel through the steps."""
    return drive(Scripted(*shown), kernel, scenario_of(*steps), ids=FreshIds("n"))


def test_ids_are_fresh_for_each_scenario() -> None:
    """No two runs share a user or a session; one user stays one user."""
    adapter, ids = Scripted(), FreshIds("abc")
    scenario = scenario_of(
        Turn(message="a"), Turn(message="b", session="s2"), CacheGet(key="k", user="u2")
    )
    drive(adapter, ALL, scenario, ids=ids)
    drive(adapter, ALL, scenario, ids=ids)
    expected = [
        [("u1-abc-1", "s1-abc-1"), ("u1-abc-1", "s2-abc-1"), ("u2-abc-1", "s1-abc-1")],
        [("u1-abc-2", "s1-abc-2"), ("u1-abc-2", "s2-abc-2"), ("u2-abc-2", "s1-abc-2")],
    ]
    assert expected == [[(s.user, s.session) for s in sent.steps] for sent in adapter.received]


def test_ids_with_a_placeholder_are_alike_but_for_what_is_written() -> None:
    """Digits take its place, the same in all ids of a scenario, and nothing is added."""
    adapter, ids = Scripted(), FreshIds("abc")
    scenario = scenario_of(
        Turn(message="a", user="Ann{fresh}", session="0{fresh}"),
        Turn(message="b", user="ann{fresh}", session="s1"),
    )
    drive(adapter, ALL, scenario, ids=ids)
    drive(adapter, ALL, scenario, ids=ids)
    first, again = ([(s.user, s.session) for s in sent.steps] for sent in adapter.received)
    digits = first[0][1][1:]

    assert [(f"Ann{digits}", f"0{digits}"), (f"ann{digits}", "s1-abc-1")] == first
    assert digits.isdigit()
    assert digits != again[0][1][1:]


def test_nonces_differ_by_default() -> None:
    """Two runs against one kernel do not meet."""
    scenario = scenario_of(Turn(message="a"))
    first, second = (FreshIds().rename(scenario).scenario.steps[0] for _ in range(2))
    assert first.user != second.user


def test_trace_speaks_of_logical_ids() -> None:
    """Given and shown events carry the ids of the scenario."""
    shown = ClassifierPrompt(step=0, user="u1-n-1", session="s1-n-1", prompt="for u1-n-1")
    step = Turn(message="a")
    expected = (
        Given(step=0, user="u1", session="s1", stimulus=step),
        ClassifierPrompt(step=0, user="u1", session="s1", prompt="for u1-n-1"),
    )
    assert expected == trace_of(step, shown=(shown,)).events


def test_missing_user_and_session_are_filled_in() -> None:
    """A kernel on the wire need not repeat whose step it is."""
    trace = trace_of(CacheGet(key="k", user="u9"), shown=(CacheOutcome(step=0, outcome="miss"),))
    assert [("u9", "s1"), ("u9", "s1")] == [(e.user, e.session) for e in trace.events]


def test_unknown_user_is_kept() -> None:
    """A user that was never named is evidence, not noise."""
    shown = Reply(step=0, user="stranger", session="s1-n-1", text="")
    assert "stranger" == trace_of(Turn(message="a"), shown=(shown,)).events[1].user


@pytest.mark.parametrize(
    ("value", "expected"),
    [('"u1-n-1"', '"u1"'), ('"s1-n-1"', '"s1"'), ('"u1-n-10"', '"u1-n-10"'), ("1", "1")],
)
def test_probed_id_is_mapped_back(value: str, expected: str) -> None:
    """A probe's value that is exactly a fresh id reads as the logical one."""
    shown = ProbeOutcome(step=0, outcome="value", value_json=value)
    event = trace_of(GET, shown=(shown,)).events[1]
    assert isinstance(event, ProbeOutcome)
    assert expected == event.value_json


def test_events_are_sorted_under_their_steps() -> None:
    """Given events open each step; the kernel's order is kept inside a step."""
    shown = (
        Reply(step=1, text="b"),
        ClassifierPrompt(step=0, prompt="a"),
        ClassifierPrompt(step=1, prompt="c"),
    )
    trace = trace_of(Turn(message="a"), Turn(message="b"), shown=shown)
    expected = [(0, Given), (0, ClassifierPrompt), (1, Given), (1, Reply), (1, ClassifierPrompt)]
    assert expected == [(event.step, type(event)) for event in trace.events]


@pytest.mark.parametrize("step", [-1, 1])
def test_event_of_no_step_is_refused(step: int) -> None:
    """An event must name a step of the scenario."""
    with pytest.raises(ProtocolError, match=rf"event 0 \(reply\): step {step} is not a step"):
        trace_of(Turn(message="a"), shown=(Reply(step=step, text=""),))


def test_given_events_of_a_kernel_are_refused() -> None:
    """Only the suite says what was given."""
    with pytest.raises(ProtocolError, match="the suite's own"):
        trace_of(Turn(message="a"), shown=(Given(step=0, stimulus=Turn(message="b")),))


def test_fixed_environment_replaces_flags_that_do_not_matter() -> None:
    """The trace tells with which flags the kernel really ran."""
    scenario = scenario_of(Turn(message="a"), environment=Environment(flags={"A": "1"}))
    adapter = Scripted()
    trace = drive(adapter, claiming("fact_ledger", B="2"), scenario, ids=FreshIds("n"))
    assert {"B": "2"} == trace.environment.flags
    assert {"B": "2"} == adapter.received[0].environment.flags


def test_flags_are_kept_for_a_kernel_that_takes_them() -> None:
    """A kernel with ``env_per_scenario`` gets the scenario's flags."""
    scenario = scenario_of(Turn(message="a"), environment=Environment(flags={"A": "1"}))
    description = claiming("fact_ledger", "env_per_scenario", B="2")
    trace = drive(Scripted(), description, scenario, ids=FreshIds("n"))
    assert {"A": "1"} == trace.environment.flags


@pytest.mark.parametrize(("flags", "claimed"), [({"A": "1"}, True), ({"A": "2"}, False)])
def test_flags_that_matter(flags: dict[str, str], claimed: bool) -> None:
    """A kernel with one environment claims only the scenarios that ask for this one."""
    environment = Environment(flags=flags, flags_matter=True)
    scenario = scenario_of(Turn(message="a"), environment=environment)
    reason = runnable(claiming("fact_ledger", A="1"), scenario)
    assert claimed == (reason is None)


def test_what_is_not_runnable_is_not_driven() -> None:
    """Nothing is sent to a kernel that does not claim the steps."""
    adapter = Scripted()
    with pytest.raises(UsageError, match="needs cache, clock, which the kernel does not claim"):
        drive(
            adapter,
            claiming("fact_ledger"),
            scenario_of(CacheGet(key="k"), Advance(seconds=1)),
            ids=FreshIds(),
        )
    assert [] == adapter.received


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        (Turn(message="a", calls=(Call(),)), {"fact_ledger"}),
        (CacheSet(key="k", value_json="1"), {"cache"}),
        (CacheGet(key="k"), {"cache"}),
        (CacheDelete(key="k"), {"cache"}),
        (SkeletonRefresh(), {"skeleton"}),
        (StoreSet(key="k", value_json="1"), {"store"}),
        (GET, {"probe"}),
        (RenderPanel(), {"panels"}),
        (Advance(seconds=1), {"clock"}),
        (DisableExtension(), set[str]()),
        (Turn(message="a", calls=(Call(app="delta"),)), {"fact_ledger", "dynamic_extensions"}),
        (Turn(message="a", calls=(Call(function="f"),)), {"fact_ledger", "dynamic_extensions"}),
        (SkeletonRefresh(section="other"), {"skeleton", "dynamic_extensions"}),
        (RenderPanel(panel="other"), {"panels", "dynamic_extensions"}),
        (CacheGet(key="k", app="delta"), {"cache", "dynamic_extensions"}),
    ],
)
def test_needs(step: AnyStep, expected: set[str]) -> None:
    """Each step kind needs its channel, and names outside the pool need a flexible kernel."""
    assert expected == needs(scenario_of(step))


@pytest.mark.parametrize(
    "extension", [Extension(app="delta"), Extension(app="alpha", sections=(Section(name="x"),))]
)
def test_invented_extensions_need_a_capability(extension: Extension) -> None:
    """A team deploys the fixed pool once; anything else must be claimed."""
    environment = Environment(extensions=(extension,))
    assert {"dynamic_extensions"} == needs(scenario_of(environment=environment))


@pytest.mark.parametrize("says", [(), ("it changed",), None])
def test_a_scripted_alert_tool_needs_a_capability(says: tuple[str, ...] | None) -> None:
    """A kernel that does not take what the tool says is not judged by it, nor sent it."""
    environment = Environment(extensions=(Extension(app="alpha", sections=(Section(),)),))
    scripted = Extension(app="alpha", sections=(Section(alert_says=says),))

    assert "alert_says" not in to_json(environment)
    assert {"alert_tools"} == needs(scenario_of(environment=Environment(extensions=(scripted,))))


COMPLETE: list[tuple[AnyStep, tuple[AnyEvent, ...]]] = [
    (
        Turn(message="a"),
        (
            ClassifierPrompt(step=0, prompt="p"),
            NarratorPrompt(step=0, prompt="p"),
            Reply(step=0, text="r"),
        ),
    ),
    (CacheSet(key="k", value_json="1"), (CacheOutcome(step=0, outcome="accepted"),)),
    (CacheGet(key="k"), (CacheOutcome(step=0, outcome="hit", value_json="1"),)),
    (CacheDelete(key="k"), (CacheOutcome(step=0, outcome="accepted"),)),
    (SkeletonRefresh(), (SkeletonStored(step=0, app="alpha", section="s", value_json="1"),)),
    (StoreSet(key="k", value_json="1"), (StoreOutcome(step=0, outcome="accepted"),)),
    (GET, (ProbeOutcome(step=0, outcome="absent"),)),
    (RenderPanel(), (PanelRendered(step=0, app="alpha", panel="board"),)),
    (Advance(seconds=1), (Advanced(step=0),)),
    (DisableExtension(), (ExtensionDisabled(step=0, app="alpha"),)),
]


@pytest.mark.parametrize(("step", "shown"), COMPLETE)
def test_complete_answer_has_no_problem(step: AnyStep, shown: tuple[AnyEvent, ...]) -> None:
    """Every step kind has an answer that satisfies."""
    assert [] == problems(trace_of(step, shown=shown))


@pytest.mark.parametrize(("step", "shown"), COMPLETE)
def test_each_missing_event_is_a_problem(step: AnyStep, shown: tuple[AnyEvent, ...]) -> None:
    """Silence is not a pass: whichever required event is left out is named."""
    for left_out in shown:
        rest = tuple(event for event in shown if event is not left_out)
        (problem,) = problems(trace_of(step, shown=rest))
        assert 0 == problem.step
        assert str(left_out.__struct_config__.tag) in problem.message


def test_only_claimed_events_are_owed() -> None:
    """A kernel without a narrator owes no reply."""
    shown = (ClassifierPrompt(step=0, prompt="p"),)
    kernel = claiming("fact_ledger")
    assert [] == problems(trace_of(Turn(message="a"), shown=shown, kernel=kernel))


def test_two_outcomes_are_a_problem() -> None:
    """A kernel cannot both accept and refuse."""
    shown = (CacheOutcome(step=0, outcome="accepted"), CacheOutcome(step=0, outcome="refused"))
    (problem,) = problems(trace_of(CacheSet(key="k", value_json="1"), shown=shown))
    assert "owes exactly one cache_outcome event (the kernel claims cache)" in problem.message
    assert problem.message.endswith("got cache_outcome, cache_outcome")


def test_outcome_must_fit_the_operation() -> None:
    """A set cannot be a hit."""
    shown = (CacheOutcome(step=0, outcome="hit"),)
    (problem,) = problems(trace_of(CacheSet(key="k", value_json="1"), shown=shown))
    assert (
        "cache_set cannot come to 'hit'; expected accepted or error or refused" == problem.message
    )


def test_failed_step_is_the_only_problem_of_its_step() -> None:
    """A failure is reported once, not also as missing events; other steps are still looked at."""
    steps = (Turn(message="a"), CacheGet(key="k"))
    expected = [
        Problem(0, "the kernel could not carry out turn: ValueError: x"),
        Problem(
            1,
            "cache_get owes exactly one cache_outcome event (the kernel claims cache); got nothing",
        ),
    ]
    shown = (StepFailed(step=0, message="ValueError: x"),)
    assert expected == problems(trace_of(*steps, shown=shown))


@pytest.mark.parametrize("field", ["at", "ttl_seconds"])
@pytest.mark.parametrize("value", [float("inf"), float("-inf"), float("nan")])
def test_numbers_that_no_record_can_hold_are_refused(field: str, value: float) -> None:
    """JSON's 1e999 is read as infinity; kept, it would break the record of the whole run."""
    event = CacheOutcome(outcome="miss", **{field: value})

    class Endless:
        capabilities = ("cache",)

        def cache_get(self, _: object) -> CacheOutcome:
            return event

    adapter = InProcessAdapter("endless", Endless)
    scenario = Scenario(id="s", steps=(CacheGet(key="k"),))
    with pytest.raises(ProtocolError, match=rf"event 0 \(cache_outcome\): {field} is .*finite"):
        drive(adapter, adapter.describe(), scenario, ids=FreshIds())
