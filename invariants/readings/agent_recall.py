"""Which results of earlier turns a request of an agent owes, and whether they stand in it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

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


@dataclass
class _Earlier:
    """The turns of a session so far.

    Attributes:
        turns: all of them.
        last: the last request of the newest one that has any.
        seen: how many of the turns were looked for in it.
        open: the places of those that later requests may still not tell, and of the newest turn
            that they all tell, since they go on from this one.
    """

    turns: list[AgentStep] = field(default_factory=list[AgentStep])
    last: AgentRequest | None = None
    seen: int = 0
    open: list[int] = field(default_factory=list[int])

    def places(self, requests: Iterable[AgentRequest]) -> list[int]:
        """Return the places of the turns that are to be looked for in the requests of the next."""
        told = self.last.places if self.last else None
        if all(each.places is told for each in requests):
            return [*self.open, *range(self.seen, len(self.turns))]
        return [*range(len(self.turns))]

    def looked(self, places: list[int], last: AgentRequest) -> None:
        """Remember which of them the last request does not tell for good."""
        told = {place for place in places if _is_told(self.turns[place], last)}
        newest = max((x for x in told if any(map(_has_result, self.turns[x].calls))), default=None)
        self.open = [place for place in places if place not in told or place == newest]
        self.seen, self.last = len(self.turns), last


def _is_told(turn: AgentStep, request: AgentRequest) -> bool:
    return not turn.failed and all(map(request.shows, filter(_has_result, turn.calls)))


def _has_result(call: AgentCall) -> bool:
    return call.succeeded


def read_owed(view: TraceView) -> list[Owed]:
    """Return what the first and last request of each turn owe; use it through ``view.reading``.

    What the window does not hold is not owed; nor is what ran at the same time. Of turns that a
    request was seen to tell, those that go on from it owe one.
    """
    restarts = [step.index for step in view.steps if isinstance(step.stimulus, Restart)]
    window = view.parameters.agent_turns
    earlier: defaultdict[Owner, _Earlier] = defaultdict(_Earlier)
    found: list[Owed] = []
    for turn in view.reading(read_agent):
        before = earlier[turn.owner]
        requests = list({id(x): x for x in (*turn.requests[:1], *turn.requests[-1:])}.values())
        if requests:
            everything = bool(restarts) or window is not None
            places = [*range(len(before.turns))] if everything else before.places(requests)
            found += _owed(turn, requests, before.turns, places, restarts, window)
            before.looked(places, requests[-1])
        before.turns.append(turn)
    return found


def _owed(
    turn: AgentStep,
    requests: list[AgentRequest],
    earlier: list[AgentStep],
    places: list[int],
    restarts: list[int],
    window: int | None,
) -> Iterator[Owed]:
    for place in places:
        other, distance = earlier[place], len(earlier) - place
        calls = tuple(call for call in other.calls if call.ran)
        if other.group == turn.group or not calls or (window is not None and distance > window):
            continue
        between = bool(restarts) and any(other.step.index < at < turn.step.index for at in restarts)
        for request in requests:
            yield Owed(other, request, calls, distance, between)


def succeeded(calls: tuple[AgentCall, ...]) -> tuple[AgentCall, ...]:
    """Return the calls that have a result."""
    return tuple(call for call in calls if call.succeeded)
