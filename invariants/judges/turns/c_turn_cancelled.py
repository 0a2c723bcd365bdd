"""C-TURN-CANCELLED: of a turn that is stopped, what was done stays and nothing else happens."""

from __future__ import annotations

from collections.abc import Iterator

from ...readings.interruptions import (
    AFTER,
    Interruptions,
    Turned,
    Undone,
    read_interruptions,
    told_in,
)
from ...scenarios.turns import interruptions_of
from ...vocabulary.invariant import Clause, Invariant, only_rows
from ...vocabulary.sources import context_channels, fact_ledger
from ...vocabulary.trace import AnyEvent, AuditRecord, CallDispatched, ToolResult
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation
from .befallen import MOMENTS, clauses_of, runs_of


def _after(view: TraceView) -> Iterator[Finding]:
    reading = view.reading(read_interruptions)
    words = _success_words(reading)
    for one in reading.turns:
        undone = [each for each in reading.undone if each.step is one.step]
        if undone:
            yield Compared((one.moment,), one.step.index)
            yield from _runs(one, undone, words)
        left = [each for each in reading.undone if each.step.index <= one.step.index]
        for where, text in told_in(one.step) if left else ():
            for each in left:
                if each.step.user == one.step.user and any(word in text for word in each.words):
                    yield _violation("a result of a call that never ran", one, each, where)
        if any(each.step is not one.step for each in left):
            yield from _strays(one, left)


def _runs(one: Turned, undone: list[Undone], words: frozenset[str]) -> Iterator[Violation]:
    for each in undone:
        for told, event in runs_of(one.step.events, each.place):
            if not isinstance(event, AuditRecord) or event.status in words:
                yield _violation("a call runs after the stop", one, each, f"it is {told}")
                break
        else:
            name = (each.call.app, each.call.function)
            done = sum((call.app, call.function) == name for call in one.whole.calls)
            records = [
                event
                for event in one.step.all(AuditRecord)
                if event.call is None
                and (event.app, event.function) == name
                and event.status in words
            ]
            if len(records) > done:
                yield _violation("a call runs after the stop", one, each, "it is recorded")


def _strays(one: Turned, left: list[Undone]) -> Iterator[Violation]:
    """What a later turn tells of a call that it does not have was left by the stopped one."""
    calls = one.turn.calls
    for event in one.step.events:
        if not isinstance(event, (CallDispatched, ToolResult, AuditRecord)):
            continue
        if _is_of(event, len(calls)):
            continue
        for each in left:
            if (each.call.app, each.call.function) == (event.app, event.function):
                yield _violation("a call runs in a later turn", one, each, "it is told there")
                break


def _is_of(event: AnyEvent, calls: int) -> bool:
    return event.call is None or event.call < calls


def _success_words(reading: Interruptions) -> frozenset[str]:
    """Return with which words calls that succeeded are recorded before anything befalls a turn."""
    found = {
        event.status
        for one in reading.turns
        if one.began < reading.first and all(call.status == "success" for call in one.turn.calls)
        for event in one.step.all(AuditRecord)
    }
    return frozenset(found or {"success"})


def _violation(kind: str, one: Turned, each: Undone, got: str) -> Violation:
    return Violation(
        kind=kind,
        step=one.step.index,
        expected=f"nothing of call {each.place} of step {each.step.index}, "
        f"{each.call.app}.{each.call.function}, which had not begun when its turn was stopped",
        got=got,
    )


INVARIANT = Invariant(
    id="C-TURN-CANCELLED",
    title="A turn that is stopped",
    statement="Of a turn that its user stops, what its calls had returned is kept, no further "
    "call runs, and nothing is doubled or shown to another user.",
    sources=(fact_ledger("What it stores"),),
    capabilities=frozenset({"fact_ledger", "turn_cancel"}),
    severity="high",
    reading="Whether a stopped turn is answered, and what is recorded of calls that did not "
    "run, is open.",
    clauses=(
        *clauses_of(
            "cancelled",
            kept="From a turn on that was stopped, each prompt shows whole and in order what "
            "the calls of all turns returned, those of the stopped one until then.",
            again="No call of it that had come back, and none of a later turn, is entered or "
            "recorded as done twice.",
            sort="a turn that was stopped",
        ),
        Clause(
            "nothing-after",
            "A call that had not begun when its turn was stopped does not run, then or later, and "
            "leaves no fact.",
            _after,
            tuple(each for each in MOMENTS if each.name != AFTER),
            sources=(context_channels("(3) Post-turn — the narrator and the user see"),),
        ),
    ),
    scenarios=only_rows,
    strategy=interruptions_of("cancelled"),
)
