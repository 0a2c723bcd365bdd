"""C-AGENT-SESSIONS: a session has nothing of another one."""

from __future__ import annotations

from collections.abc import Iterator

from ...readings.agent_strangers import Neighbour, read_neighbours
from ...readings.agents import WHOSE
from ...scenarios.agents import greetings
from ...vocabulary.invariant import Clause, Invariant, Partition, only_rows
from ...vocabulary.sources import published
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

ALIKE = "ids that are alike"
RESTARTED = "after a restart"


def neighbours_of(view: TraceView, kind: str, *, together: bool) -> Iterator[Finding]:
    """Judge whether a turn's requests hold anything of somebody else's.

    Args:
        view: the trace.
        kind: whether another session or another user is meant.
        together: whether the turns that run at the same time are judged, or the others.
    """
    for each in view.reading(read_neighbours):
        if each.kind != kind or (each.turn.overlaps or each.together) != together:
            continue
        yield Compared(tuple(_classes(each)), each.turn.step.index)
        if each.request is not None:
            yield Violation(
                kind=f"another {kind}'s",
                step=each.turn.step.index,
                expected=f"nothing of user {each.owner[0]} in session {each.owner[1]}",
                got=f"request {each.request.event.number} of user {each.turn.owner[0]} in session "
                f"{each.turn.owner[1]} holds {each.word}",
            )


def _classes(each: Neighbour) -> Iterator[str]:
    if each.alike:
        yield ALIKE
    if each.restarted:
        yield RESTARTED


def _apart(view: TraceView) -> Iterator[Finding]:
    return neighbours_of(view, "session", together=False)


def _overlapping(view: TraceView) -> Iterator[Finding]:
    return neighbours_of(view, "session", together=True)


ALIKE_IDS = Partition(ALIKE, "they differ in case, a blank, an end, a form")
PARTITIONS = (
    ALIKE_IDS,
    Partition(RESTARTED, "a new process", capabilities=frozenset({"agent_restart"})),
)
"""Input classes of a clause that keeps apart."""

INVARIANT = Invariant(
    id="C-AGENT-SESSIONS",
    title="Sessions are apart",
    statement="Nothing that was said or returned in one session stands in a request of another.",
    sources=(
        published(
            "OpenAI Agents SDK documentation", "Sessions: Core session behavior; Multiple sessions"
        ),
        published("LangGraph documentation", "Persistence: Threads"),
    ),
    capabilities=frozenset({"agent"}),
    severity="critical",
    reading=(
        "Two texts that differ are two ids. Memory that a runtime keeps for a user across sessions "
        f"is not what a session promises. {WHOSE}"
    ),
    clauses=(
        Clause(
            "sessions-apart",
            "No request of a session holds what another one was told.",
            _apart,
            PARTITIONS,
        ),
        Clause(
            "overlapping-apart",
            "Nor when turns of both run at the same time.",
            _overlapping,
            (ALIKE_IDS,),
            capabilities=frozenset({"agent_overlap"}),
        ),
    ),
    scenarios=only_rows,
    strategy=greetings,
)
