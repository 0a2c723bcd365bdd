"""C-AGENT-STREAMS: a turn that was streamed leaves the history that a plain one leaves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from ...readings.agents import WHOSE, AgentRequest, AgentStep, Owner, read_agent
from ...scenarios.agents import greetings
from ...vocabulary.invariant import Clause, Invariant, Partition, only_rows
from ...vocabulary.scenario import AgentTurn, Turn
from ...vocabulary.sources import published
from ...vocabulary.text import shorten
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

CALLS, OWN = "after calls", "in the streamed turn itself"


class _Seen(NamedTuple):
    """Something of a turn, and how often a request shows it."""

    what: str
    times: int


def _same_history(view: TraceView) -> Iterator[Finding]:
    for plain, streamed in _twins(view.reading(read_agent)):
        for place, (one, other) in enumerate(zip(plain, streamed, strict=True)):
            before = streamed[: place + 1]
            if not any(each.agent.streams for each in before):
                continue
            for expected, got in _pairs(one, other):
                yield Compared(tuple(_classes(other, before)), other.step.index)
                yield from _differences(expected, got, plain[: place + 1], before)


def _classes(turn: AgentStep, before: list[AgentStep]) -> Iterator[str]:
    if any(each.calls for each in before):
        yield CALLS
    if turn.agent.streams:
        yield OWN


def _twins(turns: list[AgentStep]) -> Iterator[tuple[list[AgentStep], list[AgentStep]]]:
    """Yield sessions without streams, each with one whose turns are the same, some streamed."""
    sessions: defaultdict[Owner, list[AgentStep]] = defaultdict(list)
    for turn in turns:
        sessions[turn.owner].append(turn)
    quiet = [x for x in sessions.values() if all(_is_steady(y) for y in x)]
    scripts = [[_script(turn) for turn in each] for each in quiet]
    for plain, script in zip(quiet, scripts, strict=True):
        if any(turn.agent.streams for turn in plain):
            continue
        for streamed, other in zip(quiet, scripts, strict=True):
            if other == script and any(turn.agent.streams for turn in streamed):
                yield plain, streamed


def _is_steady(turn: AgentStep) -> bool:
    """Whether nothing but the stream can make the turn another one."""
    return turn.reply is not None and not (turn.overlaps or turn.agent.faults or turn.agent.cut)


def _script(turn: AgentStep) -> Turn:
    given: AgentTurn = replace(turn.agent, streams=False)
    return replace(turn.turn, user="", session="", agent=given)


def _pairs(one: AgentStep, other: AgentStep) -> Iterator[tuple[AgentRequest, AgentRequest]]:
    """Yield the requests of two turns that stand at the same place."""
    first = {each.event.number: each for each in reversed(one.requests)}
    second = {each.event.number: each for each in reversed(other.requests)}
    return ((first[number], second[number]) for number in sorted(first.keys() & second.keys()))


def _differences(
    expected: AgentRequest, got: AgentRequest, plain: list[AgentStep], streamed: list[AgentStep]
) -> Iterator[Finding]:
    for one, other in zip(_shown(expected, plain), _shown(got, streamed), strict=True):
        if one.times != other.times:
            kind = "not there" if other.times < one.times else "there more often"
            yield Violation(
                kind=f"{kind} after a stream",
                step=got.turn.step.index,
                expected=f"{one.what} {_often(one.times)}, as in the session that was not streamed",
                got=f"request {got.event.number} shows it {_often(other.times)}",
            )
            return


def _often(times: int) -> str:
    return {0: "nowhere", 1: "once"}.get(times, f"{times} times")


def _shown(request: AgentRequest, turns: list[AgentStep]) -> Iterator[_Seen]:
    """Yield what a request may show of these turns of its session, the last one being its own."""
    for place, turn in enumerate(turns, 1):
        what = f"turn {place} of the session"
        yield _Seen(f"the user's message of {what}", _told(request, turn.turn.message))
        for call in turn.calls:
            shown = sum(each.given is call for each in request.calls)
            yield _Seen(f"{call.name} of {what}", shown)
            results = sum(each.given is call for each in request.results)
            told = results or int(request.tells(call))
            yield _Seen(f"the result of {call.name} of {what}", told)
        if turn is not turns[-1]:
            said = f"what the model said at the end of {what}, {shorten(turn.turn.draft)}"
            yield _Seen(said, _told(request, turn.turn.draft))


def _told(request: AgentRequest, text: str) -> int:
    """How often a text stands in a request, whatever parts and white space it is in."""
    wanted = "".join(text.split())
    return sum("".join(x.content_text.split()).count(wanted) for x in request.messages)


INVARIANT = Invariant(
    id="C-AGENT-STREAMS",
    title="Streamed as plain",
    statement="A turn that the runtime streamed leaves the history that the same turn leaves where "
    "it was not streamed.",
    sources=(published("OpenAI Agents SDK documentation", "Results; Streaming"),),
    capabilities=frozenset({"agent", "agent_streams"}),
    severity="high",
    reading=(
        "Two sessions have the same turns; those of one are streamed. Compared is how often a "
        "request shows each message of the user, each call, its result and the model's last words: "
        "the form is free, and so is what a runtime does in both alike. Only a runtime that claims "
        f"agent_streams is judged. {WHOSE}"
    ),
    clauses=(
        Clause(
            "same-history",
            "Each request of a session with streamed turns shows messages, calls, results and "
            "replies as often as that of a session with the same turns that were not streamed.",
            _same_history,
            (
                Partition(CALLS, "tools have run in the session"),
                Partition(OWN, "the request is part of a streamed turn"),
            ),
        ),
    ),
    scenarios=only_rows,
    strategy=greetings,
)
