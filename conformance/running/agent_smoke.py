"""What is tried with an agent before it is judged: its wiring, and how long a run will take."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from statistics import mean

from msgspec import UNSET

from ...invariants.catalog import catalog
from ...invariants.rows import fixed_scenarios
from ...invariants.vocabulary.scenario import (
    DESTRUCTIVE,
    AgentTurn,
    AnyStep,
    Call,
    Confirm,
    ModelFault,
    Restart,
    Scenario,
    Turn,
    is_agent,
)
from ...invariants.vocabulary.text import counted
from ...invariants.vocabulary.trace import (
    AgentFailed,
    CallDispatched,
    ConfirmationCard,
    KernelDescription,
    ModelRequest,
    Reply,
    StepFailed,
    Trace,
)
from ...invariants.vocabulary.trace_view import StepView, TraceView
from ..driving.judging import unclaimed
from ..settings.options import GATE_EXAMPLES

CALL = Call(data_json='{"total":36}', summary="36 tasks", refresh_panels=("board",))


UNANSWERED = (
    'a turn that ends with `pending` is followed by a line with "op": "confirm": answer it under '
    "its id, as you answer a turn"
)
"""What to look at where an agent hangs once its user has answered."""


def is_answer(step: AnyStep) -> bool:
    """Whether a step is a user's answer to what waits in an agent."""
    return isinstance(step, Confirm) and is_agent(step)


def agent_scenarios() -> list[Scenario]:
    """Return small scenarios that together hold all that an agent runtime may claim."""
    calls = (CALL, Call(app="beta", function="list_items", data_json="[1.0,null]"))
    given = AgentTurn(arguments=('{"value":9007199254740993}',))
    refused = Call(status="error", error="not allowed")
    return [
        Scenario(
            id="a turn, and the next",
            steps=(
                Turn(message="list my tasks", calls=calls, draft="36 tasks.", agent=given),
                Turn(
                    message="\u0441\u043f\u0430\u0441\u0438\u0431\u043e",
                    draft="Welcome.",
                    agent=given,
                ),
            ),
        ),
        Scenario(
            id="a tool that fails", steps=(Turn(message="do it", calls=(refused,), agent=given),)
        ),
        Scenario(
            id="a model that must be asked again",
            steps=(
                Turn(
                    message="hello",
                    agent=AgentTurn(faults=(ModelFault(kind="rate_limit"), ModelFault())),
                ),
            ),
        ),
        Scenario(
            id="a turn that is streamed",
            steps=(
                Turn(
                    message="list my tasks",
                    calls=calls[:1],
                    draft="36 tasks.",
                    agent=AgentTurn(streams=True),
                ),
                Turn(message="thanks", agent=AgentTurn()),
            ),
        ),
        Scenario(
            id="two turns at the same time",
            steps=(
                Turn(message="one", calls=calls[:1], agent=given),
                Turn(message="two", session="s2", calls=calls[:1], agent=AgentTurn(overlaps=True)),
            ),
        ),
        Scenario(
            id="a yes before something is destroyed",
            steps=(
                Turn(message="drop it", calls=(Call(function=DESTRUCTIVE.name),), agent=given),
                Confirm(message="drop it", of_agent=True),
            ),
        ),
        Scenario(
            id="a restart",
            steps=(
                Turn(message="before", agent=given),
                Restart(),
                Turn(message="after", agent=given),
            ),
        ),
    ]


def badly_wired(trace: Trace, told: Collection[int | None]) -> Iterator[tuple[int, str]]:
    """Yield what an agent's turns show that no runtime does whose model and tools are ours.

    Args:
        trace: of one of these scenarios.
        told: steps of which it is told already that they ended badly.
    """
    confirms = "agent_confirm" in trace.kernel.capabilities
    card: ConfirmationCard | None = None
    for step in TraceView(trace).steps:
        turn = step.stimulus
        if step.first(StepFailed) or step.index in told:
            card = None
        elif isinstance(turn, Turn) and turn.agent is not UNSET:
            card = step.first(ConfirmationCard)
            yield from ((step.index, words) for words in _of_turn(step, turn, confirms=confirms))
        elif isinstance(turn, Confirm) and card is not None:
            yield from ((step.index, words) for words in _of_answer(step))


def _of_turn(step: StepView, turn: Turn, *, confirms: bool) -> Iterator[str]:
    failure, card = step.first(AgentFailed), step.first(ConfirmationCard)
    fails = turn.agent is not UNSET and turn.agent.faults
    if failure is not None:
        if not fails and all(call.status != "error" for call in turn.calls):
            yield f"the turn ended with an error: {failure.message}"
        return
    ran = {event.call for event in step.all(CallDispatched)}
    waits = {each.call for each in card.calls} if card is not None else set[int]()
    for index, call in enumerate(turn.calls):
        name, destroys = f"{call.app}_{call.function}", call.function == DESTRUCTIVE.name
        if confirms and destroys and index in ran:
            yield f"{name} is destructive and ran before its user was asked: {_ASK}"
        elif confirms and destroys and index not in waits:
            yield f"{name} is destructive, and its user was not asked: {_ASK}"
        elif index in waits and not destroys:
            yield (
                f"{name} waits for its user, and is not destructive: ask only about tools whose "
                "annotation destructiveHint is true, else most turns never come to their end"
            )
        elif index not in (ran | waits) and step.first(ModelRequest):
            yield (
                f"the model asked for {name}, and no call reached our tools: does the agent have "
                "them from an address in its environment?"
            )


_ASK = (
    'it claims `confirm`, so end the turn with {"pending": [...]} before such a call runs, '
    "or claim it no more"
)


def _of_answer(step: StepView) -> Iterator[str]:
    """Tell what is wrong with what comes of a yes, which was given to a call that waits."""
    name = f"alpha_{DESTRUCTIVE.name}"
    if failure := step.first(AgentFailed):
        yield f"its user said yes, and that ended with an error: {failure.message}"
    elif step.first(ConfirmationCard):
        yield f"its user said yes to {name}, which waits again: does `confirm` read the answer?"
    elif not step.all(CallDispatched):
        yield f"its user said yes, and {name} did not run: have `confirm` run the calls that wait"


def agent_notes(trace: Trace) -> Iterator[str]:
    """Yield what may be wrong with an agent's turns."""
    for step in TraceView(trace).steps:
        turn, reply = step.stimulus, step.first(Reply)
        if not isinstance(turn, Turn) or turn.agent is UNSET:
            continue
        asked = step.all(ModelRequest)
        if asked and reply is not None and reply.text.strip() != turn.draft.strip():
            yield f"step {step.index}: the reply is not what the model said last, {turn.draft!r}"
        if turn.agent.streams and asked and not any(each.stream for each in asked):
            yield f"step {step.index}: no request asked the model for a stream"
        if asked and step.first(AgentFailed) and _may_fail(turn):
            yield f"step {step.index}: this ends the agent's turn with an error"


def _may_fail(turn: Turn) -> bool:
    faults = turn.agent is not UNSET and turn.agent.faults
    return bool(faults) or any(call.status == "error" for call in turn.calls)


def expected_time(description: KernelDescription, taken: Sequence[tuple[Scenario, float]]) -> str:
    """Tell how long a run of all that an agent claims will take.

    Args:
        description: the agent's.
        taken: scenarios, each with the seconds that it took; the first one started the agent.
    """
    capabilities = frozenset(description.capabilities)
    claimed = tuple(
        each
        for each in catalog()
        if any(not unclaimed(each, clause, capabilities) for clause in each.clauses)
    )
    rows = [
        row
        for each in claimed
        for row in fixed_scenarios(each, claimed, description.parameters, capabilities)
    ]
    turn = mean(seconds / _turns(each) for each, seconds in taken[1:] if not _starts(each))
    restarting = (seconds - turn * _turns(each) for each, seconds in taken if _starts(each))
    start = max(restarting, default=0.0)
    each = turn * sum(map(_turns, rows)) / len(rows)
    number, starts = len(rows) + GATE_EXAMPLES * len(claimed), sum(map(_starts, rows))
    told = f"{number:,} scenarios at {each:.1g} s"
    if starts:
        told += f", {counted(starts, 'restart')} at {start:.1g} s"
    seconds = number * each + starts * start
    minutes = counted(round(seconds / 60), "minute")
    return f"about {minutes if seconds > 90 else f'{seconds:.0f} seconds'}: {told}"


def _turns(scenario: Scenario) -> int:
    return sum(not isinstance(step, Restart) for step in scenario.steps)


def _starts(scenario: Scenario) -> int:
    return sum(isinstance(step, Restart) for step in scenario.steps)
