"""C-AGENT-RECALL: what tools returned is there in later requests."""

from __future__ import annotations

from collections.abc import Iterator

from ...readings.agent_recall import read_owed, succeeded
from ...readings.agents import WHOSE, AgentCall, AgentRequest, read_agent
from ...scenarios.agents import greetings
from ...vocabulary.invariant import Clause, Invariant, Partition, only_rows
from ...vocabulary.sources import published
from ...vocabulary.text import counted, shorten
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Undecided, Violation

NEXT, FURTHER = "the next turn", "a turn further on"
NO_WINDOW, NO_KEEPING = "an undeclared window", "undeclared whether failed turns are kept"


def _window(view: TraceView) -> Iterator[Finding]:
    recorded = view.trace.origin == "recording"
    undeclared = recorded and "agent_recall" not in view.capabilities
    for owed in view.reading(read_owed):
        calls = succeeded(owed.calls)
        if owed.restarted or owed.turn.failed or owed.turn.waits or not calls:
            continue
        yield Compared((NEXT if owed.distance == 1 else FURTHER,), owed.request.turn.step.index)
        missing = next((call for call in calls if not owed.request.tells(call)), None)
        if missing is None:
            continue
        if undeclared:
            yield Undecided(NO_WINDOW, owed.request.turn.step.index)
        else:
            yield _forgotten(missing, owed.request)


def _this_turn(view: TraceView) -> Iterator[Finding]:
    for turn in view.reading(read_agent):
        calls = [call for call in turn.calls if call.succeeded]
        if not calls or not turn.ended:
            continue
        yield Compared(("several calls",) if len(calls) > 1 else (), turn.step.index)
        missing = next((call for call in calls if not turn.requests[-1].tells(call)), None)
        if missing is not None:
            yield _forgotten(missing, turn.requests[-1])


def _executed(view: TraceView) -> Iterator[Finding]:
    recorded = view.trace.origin == "recording"
    undeclared = recorded and view.parameters.agent_failed_turns is None
    for owed in view.reading(read_owed):
        dropped = view.parameters.agent_failed_turns == "dropped"
        if not owed.turn.failed or dropped:
            continue
        yield Compared(step=owed.request.turn.step.index)
        missing = next((x for x in owed.calls if not owed.request.knows(x)), None)
        if missing is None:
            continue
        if undeclared:
            yield Undecided(NO_KEEPING, owed.request.turn.step.index)
        else:
            yield _forgotten(missing, owed.request)


def _forgotten(call: AgentCall, request: AgentRequest) -> Violation:
    return Violation(
        kind="forgotten",
        step=request.turn.step.index,
        expected=f"{call.name} of step {call.turn.step.index} returned "
        f"{shorten(call.call.data_json)}, which is told to the model",
        got=f"request {request.event.number} has {counted(len(request.messages), 'message')}, "
        f"{counted(len(request.results), 'result')} among them, and not this one",
    )


_RECALL = frozenset({"agent_recall"})

INVARIANT = Invariant(
    id="C-AGENT-RECALL",
    title="Results are remembered",
    statement="Results stand in the requests of their turn, and in those of later turns of their "
    "session, as far back as the runtime declares.",
    sources=(
        published(
            "OpenAI Agents SDK documentation", "Sessions: Core session behavior; Multiple sessions"
        ),
        published("LangGraph documentation", "Persistence: Threads"),
        published("OpenAI function calling guide", "The tool calling flow"),
    ),
    capabilities=frozenset({"agent"}),
    severity="critical",
    reading=(
        "agent_turns declares how many earlier turns the model is sent, all if it is not given. A "
        "history may be messages, one text, or a summary that keeps the results. Whether a turn "
        f"that failed is kept is declared, and no breach either way. {WHOSE}"
    ),
    clauses=(
        Clause(
            "within-window",
            "What tools returned in an earlier turn of the session, within the declared window, "
            "stands in the requests of a later one.",
            _window,
            (
                Partition(NEXT, "the turn just before"),
                Partition(FURTHER, "other turns lie between", kind="observed"),
            ),
            capabilities=_RECALL,
        ),
        Clause(
            "in-this-turn",
            "What tools returned in a turn stands in its last request.",
            _this_turn,
            (Partition("several calls", "more than one"),),
        ),
        Clause(
            "executed-not-forgotten",
            "What tools have done in a turn that failed later is known to the next one.",
            _executed,
            level="SHOULD",
            capabilities=_RECALL,
        ),
    ),
    scenarios=only_rows,
    strategy=greetings,
)
