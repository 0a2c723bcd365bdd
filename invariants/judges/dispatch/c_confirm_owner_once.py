"""C-CONFIRM-OWNER-ONCE: only who asked can agree, and only once."""

from __future__ import annotations

from collections.abc import Iterator

from ...readings.confirmation import Answer, read_answers
from ...scenarios.dispatch import conversations
from ...vocabulary.invariant import Clause, Invariant, Partition, only_rows
from ...vocabulary.sources import page
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation


def _only_the_asker(view: TraceView) -> Iterator[Finding]:
    for answer in view.reading(read_answers):
        if answer.is_own or not answer.accepts or not _shown(answer):
            continue
        yield Compared(
            ("in a session of the same name",) if answer.in_session else (), answer.step.index
        )
        if answer.entered:
            yield _ran("another user's yes", answer)


def _shown(answer: Answer) -> bool:
    """Whether there is a card at all; a call that ran without one is another clause's."""
    return all(each.carded is not None and not each.at_once for each in answer.calls)


def _rejected(view: TraceView) -> Iterator[Finding]:
    for answer in view.reading(read_answers):
        own_no = any(one.is_own and not one.accepts for one in answer.earlier)
        says_no = answer.is_own and not answer.accepts
        if not _shown(answer) or not (says_no or own_no):
            continue
        if any(one.is_own and one.accepts for one in answer.earlier):
            continue
        yield Compared(("a yes after it",) if own_no and answer.accepts else (), answer.step.index)
        if answer.entered:
            yield _ran("a no" if not own_no else "a yes after a no", answer)


def _once(view: TraceView) -> Iterator[Finding]:
    for answer in view.reading(read_answers):
        if not _shown(answer) or not any(one.is_own and one.entered for one in answer.earlier):
            continue
        yield Compared(("a no after it",) if not answer.accepts else (), answer.step.index)
        if answer.entered:
            yield _ran("a second answer", answer)


def _ran(why: str, answer: Answer) -> Violation:
    return Violation(
        kind=f"ran on {why}",
        step=answer.step.index,
        expected=f"{why} runs nothing",
        got=answer.told,
    )


INVARIANT = Invariant(
    id="C-CONFIRM-OWNER-ONCE",
    title="Only who asked agrees, and once",
    statement="Only the user whose turn asked can accept a card; a rejected card never runs; an "
    "accepted one runs once, whatever is clicked later.",
    sources=(page("confirmations", "the same user is verified"),),
    capabilities=frozenset({"fact_ledger", "dispatch", "confirm"}),
    severity="critical",
    reading="Another session of the same user may answer or not. Whether a yes in chat counts is "
    "open: only answers to cards are judged.",
    clauses=(
        Clause(
            "only-the-asker",
            "Nothing runs when another user says yes.",
            _only_the_asker,
            (Partition("in a session of the same name", "both have a session of this name"),),
        ),
        Clause(
            "rejected-never-runs",
            "Nothing runs when who asked says no, nor when a yes follows.",
            _rejected,
            (Partition("a yes after it", "who asked changes their mind"),),
        ),
        Clause(
            "accepted-runs-once",
            "Nothing runs on any further answer once the calls of a card have run.",
            _once,
            (Partition("a no after it", "the further answer is a no"),),
        ),
    ),
    scenarios=only_rows,
    strategy=conversations,
)
