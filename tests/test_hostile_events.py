"""Whatever a kernel puts into a field of an event, judges read it.

The fields and what may stand in them come from the types, so that a new event, or a new field, is
covered by itself.
"""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest
from msgspec import inspect, structs

from fedcheck.conformance.adapters.decoding import KINDS
from fedcheck.conformance.counterexamples.reduce import reduce
from fedcheck.conformance.driving.drive import runnable
from fedcheck.conformance.driving.judging import judge
from fedcheck.conformance.driving.plan import Plan, plan_run
from fedcheck.conformance.settings.options import RunOptions
from fedcheck.invariants.vocabulary.codec import to_json
from fedcheck.invariants.vocabulary.scenario import Scenario
from fedcheck.invariants.vocabulary.trace import (
    AgentFailed,
    AnyEvent,
    CallDispatched,
    ConfirmationCard,
    Event,
    Given,
    ModelRequest,
    Reply,
    Restarted,
    StepFailed,
    Trace,
)

SCENARIOS, PER_FIELD = 3, 8

TEXTS = (
    "",
    " ",
    "\n",
    "NaN",
    "-Infinity",
    "1e400",
    "-0.0",
    "9" * 4_000,
    "9" * 5_000,
    '{"a',
    '{"a":1,"a":2}',
    '"\\ud800"',
    "\ud800",
    "\x00",
    "null",
    "true",
    "[]",
    "{}",
    '"x"',
    "[" * 900 + "]" * 900,
    "[" * 100_000,
    '{"a":' * 100_000,
    "FACTS: app=alpha fn=list_items data=",
    'FACTS: app=alpha fn=list_items data={"a',
    "FACTS: app=alpha fn=list_items data=" + "[" * 50_000,
    "- alpha (cached ~" + "9" * 400 + "d ago): " + "9" * 5_000,
    "u1",
    "s2",
    "alpha",
)
NUMBERS = (0, -1, 1, 2**63, -(2**70), 10**30)
FRACTIONS = (0.0, -0.0, -1.5, 5e-324, 1.7e308, 1e17)


def chance(seed: object) -> random.Random:
    """Return what draws the same each time."""
    return random.Random(str(seed))  # noqa: S311 - a test


def hostile(kind: inspect.Type) -> list[Any]:  # noqa: C901 - one case for each kind of type
    """Return values that the type allows and nobody expects."""
    match kind:
        case inspect.StrType():
            return list(TEXTS)
        case inspect.IntType():
            return list(NUMBERS)
        case inspect.FloatType():
            return list(FRACTIONS)
        case inspect.NoneType():
            return [None]
        case inspect.BoolType():
            return [True, False]
        case inspect.LiteralType():
            return list(kind.values)
        case inspect.UnionType():
            return [value for each in kind.types for value in hostile(each)]
        case inspect.VarTupleType():
            items = hostile(kind.item_type)
            return [(), *((item,) for item in items), tuple(items)]
        case inspect.StructType():
            pools = {field.name: hostile(field.type) for field in kind.fields}
            longest = max(map(len, pools.values()))
            return [
                kind.cls(**{name: pool[n % len(pool)] for name, pool in pools.items()})
                for n in range(longest)
            ]
        case _:
            raise NotImplementedError(f"nothing hostile is known of {kind}")


@cache
def pools(kind: type[Event]) -> dict[str, list[Any]]:
    """Return what may stand in each field of an event; the step is the protocol's business."""
    found = inspect.type_info(kind)
    assert isinstance(found, inspect.StructType)
    return {field.name: hostile(field.type) for field in found.fields if field.name != "step"}


@pytest.fixture(scope="module", params=["reference", "agent-reference"])
def plan(request: pytest.FixtureRequest) -> Any:
    """The reference kernel, or the agent, and every clause."""
    with plan_run(RunOptions(kernel=request.param, plugins=False)) as made:
        yield made


@pytest.fixture(scope="module")
def traces(plan: Plan) -> list[Trace]:
    """What it does in some of the fixed scenarios of every invariant."""
    chosen: list[Scenario] = []
    for invariant in plan.invariants:
        fixed = list(plan.fixed_scenarios(invariant))
        chosen += chance(invariant.id).sample(fixed, min(SCENARIOS, len(fixed)))
    return [plan.session.trace(x) for x in chosen if runnable(plan.description, x) is None]


def read(plan: Plan, trace: Trace) -> None:
    """Judge the trace by every clause, and write it down."""
    judge(trace, plan.session.clauses)
    to_json(trace)


def changed(trace: Trace, change: Any) -> Trace:
    """Return the trace with each event of the kernel replaced by what the change makes of it."""
    events = [
        made
        for event in trace.events
        for made in ([event] if isinstance(event, Given) else change(event))
    ]
    return structs.replace(trace, events=tuple(events))


def test_every_kind_of_event_is_there(traces: list[Trace]) -> None:
    """Or its fields would not be tried."""
    shown = {type(event) for trace in traces for event in trace.events}
    of_agents = {ModelRequest, AgentFailed, Restarted}
    kinds = set(KINDS.values()) - {StepFailed}

    if ModelRequest in shown:
        assert of_agents == (shown & kinds) - {CallDispatched, ConfirmationCard, Reply}
    else:
        assert kinds - of_agents == shown - {Given}


@pytest.mark.parametrize("kind", sorted(set(KINDS) - {"step_failed"}))
def test_a_field_may_hold_anything(kind: str, plan: Plan, traces: list[Trace]) -> None:
    """One field of all events of a kind at a time, in several scenarios."""
    draw = chance(kind)
    holding = [x for x in traces if any(type(event) is KINDS[kind] for event in x.events)]
    if not holding:
        pytest.skip("the other kind of system has such events; that each has them is tested above")

    for name, pool in pools(KINDS[kind]).items():

        def spoil(event: AnyEvent, name: str = name, pool: list[Any] = pool) -> list[AnyEvent]:
            if type(event) is not KINDS[kind]:
                return [event]
            return [structs.replace(event, **{name: draw.choice(pool)})]

        for trace in draw.choices(holding, k=PER_FIELD):
            read(plan, changed(trace, spoil))


@pytest.mark.parametrize("seed", range(3))
def test_events_may_be_anything(seed: int, plan: Plan, traces: list[Trace]) -> None:
    """Events that are spoilt, lost, told twice or told in another step, all at once."""
    draw = chance(seed)

    def spoil(event: AnyEvent) -> list[AnyEvent]:
        name, pool = draw.choice(list(pools(type(event)).items()))
        spoilt = structs.replace(event, **{name: draw.choice(pool)})
        moved = structs.replace(event, step=draw.randrange(event.step + 1))
        return draw.choice([[event], [event], [spoilt], [], [event, event], [moved]])

    for trace in draw.sample(traces, min(60, len(traces))):
        read(plan, changed(trace, spoil))


@pytest.mark.parametrize("seed", range(3))
def test_scenarios_may_be_reduced_to_anything(seed: int, plan: Plan) -> None:
    """Reduction leaves scenarios that nobody would write."""
    draw = chance(seed)
    fixed = [x for invariant in plan.invariants for x in plan.fixed_scenarios(invariant)]
    every = [x for x in fixed if runnable(plan.description, x) is None]

    def may_fail(scenario: Scenario) -> bool:
        judge(plan.session.trace(scenario), plan.session.clauses)
        return draw.random() < 0.3

    for scenario in draw.sample(every, 12):
        reduce(scenario, may_fail, budget=12)
