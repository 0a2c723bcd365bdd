"""C-CONFIRM-BYTE-IDENTICAL: what its user agreed to is what runs."""

from __future__ import annotations

from collections.abc import Iterator

from ...readings.arguments import difference
from ...readings.confirmation import Answer, read_answers
from ...readings.dispatch import texts
from ...scenarios.dispatch import conversations
from ...vocabulary.invariant import Clause, Invariant, Partition, only_rows
from ...vocabulary.protocol import tag_of
from ...vocabulary.sources import page
from ...vocabulary.trace import CallDispatched, ClassifierPrompt, NarratorPrompt, PlannerPrompt
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation


def _agreed(view: TraceView) -> Iterator[Answer]:
    """Yield the first yes of who asked, in the session of the turn."""
    for answer in view.reading(read_answers):
        untouched = not any(one.is_own or one.entered for one in answer.earlier)
        if answer.accepts and answer.is_own and answer.in_session and untouched:
            yield answer


def _runs_as_shown(view: TraceView) -> Iterator[Finding]:
    for answer in _agreed(view):
        for each in answer.calls:
            if each.carded is None:
                continue
            events = [event for event in answer.entered if event.call == each.index]
            yield Compared(tuple(_classes(answer)), answer.step.index)
            if not events:
                yield Violation(
                    kind="agreed and not run",
                    step=answer.step.index,
                    expected=f"{each.name} runs, because its user said yes",
                    got=answer.told,
                )
            for event in events:
                told = difference(each.carded.args_json, event.args_json)
                if told is not None or (event.app, event.function) != (
                    each.carded.app,
                    each.carded.function,
                ):
                    yield Violation(
                        kind="something else ran",
                        step=answer.step.index,
                        expected=f"{each.carded.app}.{each.carded.function} with "
                        f"{each.carded.args_json}, as the card says",
                        got=answer.told,
                    )


def _classes(answer: Answer) -> Iterator[str]:
    if len(answer.calls) > 1:
        yield "several calls"
    found = [text for each in answer.calls for text in texts(each.first.args)]
    if any(not text.isascii() for text in found):
        yield "beyond ASCII"
    if any(text != text.strip() for text in found):
        yield "blanks at an end"
    if any(each.planned.attempts for each in answer.calls):
        yield "the planner has changed its mind"


def _nothing_planned(view: TraceView) -> Iterator[Finding]:
    for answer in _agreed(view):
        yield Compared(step=answer.step.index)
        asked = list(_asked(answer))
        if asked:
            yield Violation(
                kind="planned again",
                step=answer.step.index,
                expected="a yes runs what the card shows, and no model is asked before",
                got=f"{' and '.join(asked)}; {answer.told}",
            )


def _asked(answer: Answer) -> Iterator[str]:
    """Yield the models that are asked: a planner at all, a narrator before the calls have run."""
    events = answer.step.events
    ran = [place for place, event in enumerate(events) if isinstance(event, CallDispatched)]
    for place, event in enumerate(events):
        is_early = isinstance(event, NarratorPrompt) and place < max(ran, default=0)
        if is_early or isinstance(event, (PlannerPrompt, ClassifierPrompt)):
            yield f"a {tag_of(event)}"


INVARIANT = Invariant(
    id="C-CONFIRM-BYTE-IDENTICAL",
    title="What was shown is what runs",
    statement="What runs after the yes is exactly what the card showed: the same function, the "
    "same arguments, no planning in between.",
    sources=(page("confirmations", "byte-identical arguments"),),
    capabilities=frozenset({"fact_ledger", "dispatch", "confirm"}),
    severity="critical",
    reading="Texts are compared character by character, numbers by value; the order of fields is "
    "free.",
    clauses=(
        Clause(
            "what-was-shown-runs",
            "After the first yes of who asked, each call on the card runs with the arguments that "
            "the card showed.",
            _runs_as_shown,
            (
                Partition("several calls", "more than one waits"),
                Partition("beyond ASCII", "a text has other characters"),
                Partition("blanks at an end", "a text begins or ends with white space"),
                Partition("the planner has changed its mind", "asked again, it would answer else"),
            ),
        ),
        Clause(
            "no-second-planning",
            "No model is asked between the yes and the call.",
            _nothing_planned,
        ),
    ),
    scenarios=only_rows,
    strategy=conversations,
)
