"""Which results of earlier turns a request of an agent owes, and whether they stand in it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from ..vocabulary.scenario import Restart
from ..vocabulary.trace_view import TraceView
from .agents import AgentCall, AgentRequest, AgentStep, Owner, read_agent


@dataclass(frozen=True)
class Owed:
    """Calls of an earlier turn, and a request that is to tell their results.

    Attributes:
        turn: the earlier turn.
        request: the request.
        calls: the calls of that turn.
        distance: how many turns of the session lie between, counted from 1.
        restarted: whether the runtime was restarted in between.
    """

    turn: AgentStep
    request: AgentRequest
    calls: tuple[AgentCall, ...]
    distance: int
    restarted: bool


def read_owed(view: TraceView) -> list[Owed]:
    """Return what the first and last request of each turn owe; use it through ``view.reading``.

    What the window does not hold is not owed; nor is what ran at the same time.
    """
    restarts = [step.index for step in view.steps if isinstance(step.stimulus, Restart)]
    earlier: defaultdict[Owner, list[AgentStep]] = defaultdict(list)
    found: list[Owed] = []
    for turn in view.reading(read_agent):
        found += _owed(turn, earlier[turn.owner], restarts, view.parameters.agent_turns)
        earlier[turn.owner].append(turn)
    return found


def _owed(
    turn: AgentStep, earlier: list[AgentStep], restarts: list[int], window: int | None
) -> Iterator[Owed]:
    requests = {id(x): x for x in (*turn.requests[:1], *turn.requests[-1:])}.values()
    kept = earlier if window is None else earlier[len(earlier) - min(window, len(earlier)) :]
    for place, other in enumerate(kept):
        calls = tuple(call for call in other.calls if call.ran)
        if other.group == turn.group or not calls:
            continue
        between = bool(restarts) and any(other.step.index < at < turn.step.index for at in restarts)
        for request in requests:
            yield Owed(other, request, calls, len(kept) - place, between)


def succeeded(calls: tuple[AgentCall, ...]) -> tuple[AgentCall, ...]:
    """Return the calls that have a result."""
    return tuple(call for call in calls if call.succeeded)
