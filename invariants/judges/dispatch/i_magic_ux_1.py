"""I-MAGIC-UX-1: the user never sees an exception."""

from __future__ import annotations

from collections.abc import Iterator

from ...readings.dispatch import ScriptedCall, read_dispatch
from ...scenarios.dispatch import conversations
from ...vocabulary.invariant import Clause, Invariant, Partition, only_rows
from ...vocabulary.scenario import Raised, Turn
from ...vocabulary.sources import page
from ...vocabulary.text import shorten
from ...vocabulary.trace import NarratorPrompt, Reply, prompt_text
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation


def _no_exception(view: TraceView) -> Iterator[Finding]:
    for each in view.reading(read_dispatch):
        raised, turn = each.planned.raises, each.step.stimulus
        reply = each.step.first(Reply)
        if raised is None or not each.at_once or reply is None or not isinstance(turn, Turn):
            continue
        drafted = [part for part in _parts(raised) if part in turn.draft]
        shown = "".join(prompt_text(event) for event in each.step.all(NarratorPrompt))
        if any(part not in shown for part in drafted):
            continue  # a model cannot say what it was not shown
        yield Compared(tuple(_classes(each, drafted)), each.step.index)
        found = next((part for part in _parts(raised) if part in reply.text), None)
        if found is not None:
            yield Violation(
                kind="exception shown",
                step=each.step.index,
                expected=f"{each.name} raised {raised.name}: the reply holds nothing of it",
                got=shorten(reply.text),
            )


def _parts(raised: Raised) -> list[str]:
    """What would give the exception away: its class, its text, and each odd word of that."""
    words = [word for word in raised.message.split() if any(c in word for c in "/_:=0123456789")]
    return [part for part in (raised.name, raised.message, *words) if part]


def _classes(each: ScriptedCall, drafted: list[str]) -> Iterator[str]:
    if drafted:
        yield "the draft repeats it"
    if each.before:
        yield "after another call"
    if "/" in (each.planned.raises.message if each.planned.raises else ""):
        yield "a path in its text"


INVARIANT = Invariant(
    id="I-MAGIC-UX-1",
    title="No exception reaches the user",
    statement="The text of an unhandled exception, its class, a path or a traceback never reaches "
    "the user.",
    sources=(
        page("error-handling", "platform rule 1"),
        page("error-codes", "templates of what the user is told"),
    ),
    capabilities=frozenset({"fact_ledger", "narrator", "dispatch"}),
    severity="high",
    reading="The error text that an extension itself returns is the author's prose, and may be "
    "shown. A draft that repeats the exception counts only where the narrator was shown it.",
    clauses=(
        Clause(
            "no-raw-exception-to-user",
            "When a handler raises, the reply holds neither the exception's class nor its text.",
            _no_exception,
            (
                Partition("after another call", "an earlier call of the turn went well"),
                Partition("a path in its text", "the text names a file"),
                Partition("the draft repeats it", "the narrator was shown it", kind="observed"),
            ),
        ),
    ),
    scenarios=only_rows,
    strategy=conversations,
)
