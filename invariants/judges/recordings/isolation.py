"""C-RECORDED-ISOLATION: what one user's calls gave stands in nothing that another is shown.

In an audit the values of all conversations are compared (`conformance/recordings/leaks.py`); this
judge finds the same in one trace, which is what a kept breach is.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...readings.recorded_results import new_messages
from ...readings.recorded_values import is_plain_words, runs, shown_texts, value_of, values
from ...vocabulary.invariant import Clause, Invariant, Source, no_strategy, only_rows
from ...vocabulary.json_values import parse
from ...vocabulary.messages import Message
from ...vocabulary.text import shorten
from ...vocabulary.trace import Reply, ToolResult
from ...vocabulary.trace_view import StepView, TraceView
from ...vocabulary.verdict import Compared, Finding, Violation


def _own_values_only(view: TraceView) -> Iterator[Finding]:
    owners = view.reading(owners_of_values)
    results = {
        str(event.id): event for step in view.steps for event in step.all(ToolResult) if event.id
    }
    for step in view.steps:
        if not step.user:
            continue
        typed = view.reading(_typed).get(step.user, set())
        told: set[str] = set()
        yield Compared((), step.index)
        for message in shown_to_user(view, step):
            result = results.get(str(message.tool_call_id or ""))
            if message.role == "user" or (message.role == "tool" and result is None):
                continue
            for value in foreign(message, step.user, owners) - typed - told:
                told.add(value)
                whose = ", ".join(sorted(owners[value]))
                yield Violation(
                    kind=f"in a message of the {place_of(message)}",
                    step=step.index,
                    expected="nothing that only calls of other users gave",
                    got=f"{shorten(value, 200)}, which belongs to {whose}",
                )


def shown_to_user(view: TraceView, step: StepView) -> list[Message]:
    """Return what a turn of a user newly shows: in its requests, and in its answer.

    An answer that later requests of its user repeat is shown once, in its own turn.
    """
    if not step.user:
        return []
    said = view.reading(_said)
    found = [
        message
        for message in new_messages(view, step.index)
        if message.role != "assistant"
        or said.get((step.user, message.content_text), step.index) >= step.index
    ]
    reply = step.first(Reply)
    if reply is not None and reply.text:
        found.append(Message(role="assistant", content=reply.text))
    return found


def _said(view: TraceView) -> dict[tuple[str, str], int]:
    """Each answer, with its user, and the first turn that gave it."""
    found: dict[tuple[str, str], int] = {}
    for step in view.steps:
        for reply in step.all(Reply):
            found.setdefault((step.user, reply.text), step.index)
    return found


def foreign(message: Message, user: str, owners: dict[str, set[str]]) -> set[str]:
    """Return the values in a message that calls of other users alone gave."""
    found: set[str] = set()
    free = message.role != "tool"
    for text in shown_texts(message.content_text):
        whole = value_of(text)
        for run in {*runs(text), *((whole,) if whole else ())}:
            if run in owners and user not in owners[run] and not (free and is_plain_words(run)):
                found.add(run)
    return found


def place_of(message: Message) -> str:
    """Return whose message it is, in a word that is no role of any one interface."""
    return {"tool": "tool", "assistant": "assistant"}.get(message.role, "system")


def owners_of_values(view: TraceView) -> dict[str, set[str]]:
    """Return every value that a call gave, with the users whose calls gave it."""
    found: dict[str, set[str]] = {}
    for step in view.steps:
        for event in step.all(ToolResult):
            if not step.user or event.status != "success":
                continue
            try:
                data = parse(event.data_json)
            except (ValueError, RecursionError):
                continue
            for value in values(data):
                found.setdefault(value, set()).add(step.user)
    return found


def _typed(view: TraceView) -> dict[str, set[str]]:
    """What users said themselves, which is theirs wherever else it stands."""
    found: dict[str, set[str]] = {}
    for step in view.steps:
        for message in new_messages(view, step.index):
            if message.role == "user":
                found.setdefault(step.user, set()).update(runs(message.content_text))
    return found


INVARIANT = Invariant(
    id="C-RECORDED-ISOLATION",
    title="Values stay with their user",
    statement="What one user's calls gave stands in no prompt and no answer of another user.",
    sources=(Source("docs/audit.md", "What is judged", "documented"),),
    clauses=(
        Clause(
            name="own-values-only",
            sentence="No request of a user, and no answer to them, holds a value that only other "
            "users' calls gave.",
            judge=_own_values_only,
        ),
    ),
    scenarios=only_rows,
    strategy=no_strategy,
    capabilities=frozenset({"agent"}),
    severity="critical",
)
