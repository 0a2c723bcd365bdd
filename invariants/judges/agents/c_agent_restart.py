"""C-AGENT-RESTART: a new process with the same storage goes on with its sessions."""

from __future__ import annotations

from collections.abc import Iterator

from ...readings.agent_recall import read_owed, succeeded
from ...readings.agents import WHOSE
from ...scenarios.agents import greetings
from ...vocabulary.invariant import Clause, Invariant, Partition, only_rows
from ...vocabulary.sources import published
from ...vocabulary.text import counted, shorten
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

BESIDE = "beside another session"


def _continues(view: TraceView) -> Iterator[Finding]:
    owners = {(step.user, step.session) for step in view.steps}
    for owed in view.reading(read_owed):
        calls = succeeded(owed.calls)
        if not owed.restarted or owed.turn.failed or not calls:
            continue
        yield Compared((BESIDE,) if len(owners) > 1 else (), owed.request.turn.step.index)
        missing = next((call for call in calls if not owed.request.tells(call)), None)
        if missing is not None:
            yield Violation(
                kind="forgotten",
                step=owed.request.turn.step.index,
                expected=f"{missing.name} of step {owed.turn.step.index}, before the restart, "
                f"returned {shorten(missing.call.data_json)}, which is told to the model",
                got=f"a request of {counted(len(owed.request.messages), 'message')} without it",
            )


INVARIANT = Invariant(
    id="C-AGENT-RESTART",
    title="A restart forgets nothing",
    statement="A new process that has the same storage goes on with each session where the last "
    "one ended.",
    sources=(
        published("LangGraph documentation", "Persistence: Checkpointer libraries"),
        published("OpenAI Agents SDK documentation", "Sessions: Memory persistence"),
    ),
    capabilities=frozenset({"agent", "agent_recall", "agent_restart"}),
    severity="high",
    reading=(
        "Only a runtime that claims agent_restart is judged. What another session's is must not "
        f"come up either: that is judged as the sessions are. {WHOSE}"
    ),
    clauses=(
        Clause(
            "continues-after-restart",
            "What tools returned before a restart, within the declared window, stands in the "
            "requests after it.",
            _continues,
            (Partition(BESIDE, "more than one session has been kept"),),
        ),
    ),
    scenarios=only_rows,
    strategy=greetings,
)
