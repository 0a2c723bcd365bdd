"""C-AGENT-USERS: a user has nothing of another one, even in a session of the same name."""

from __future__ import annotations

from collections.abc import Iterator

from ...readings.agents import WHOSE
from ...scenarios.agents import greetings
from ...vocabulary.invariant import Clause, Invariant, only_rows
from ...vocabulary.sources import published
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Finding
from .c_agent_sessions import ALIKE_IDS, PARTITIONS, neighbours_of


def _apart(view: TraceView) -> Iterator[Finding]:
    return neighbours_of(view, "user", together=False)


def _overlapping(view: TraceView) -> Iterator[Finding]:
    return neighbours_of(view, "user", together=True)


INVARIANT = Invariant(
    id="C-AGENT-USERS",
    title="Users are apart",
    statement="Nothing of one user stands in a request of another, even where the ids of their "
    "sessions are the same.",
    sources=(published("Agent Development Kit documentation", "Session objects: Identification"),),
    capabilities=frozenset({"agent", "agent_users"}),
    severity="critical",
    reading=(
        "Only a runtime that claims agent_users is judged: for others the id of a session is the "
        f"whole key. {WHOSE}"
    ),
    clauses=(
        Clause(
            "users-apart",
            "No request of a user holds what another one was told in a session of the same name.",
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
