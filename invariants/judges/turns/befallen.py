"""What is asked of a turn whatever befalls it: nothing lost, nothing doubled, nothing of others."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ...readings.interruptions import (
    AFTER,
    BEFORE,
    BETWEEN,
    Kind,
    Marked,
    Turned,
    read_interruptions,
    times_shown,
    told_in,
)
from ...vocabulary.invariant import Clause, Partition
from ...vocabulary.sources import context_channels, fact_ledger
from ...vocabulary.text import counted
from ...vocabulary.trace import AuditRecord, CallDispatched
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

MOMENTS = (
    Partition(BEFORE, "none of its calls has begun"),
    Partition(BETWEEN, "some of its calls have come back"),
    Partition(AFTER, "all of its calls have come back"),
)

NEIGHBOUR = Partition("a session of the same name", "both users have one", "observed")


def lost(view: TraceView, kind: Kind) -> Iterator[Finding]:
    """What came back in the turn stands in the next prompt of its session."""
    for turned, one, _ in _recalled(view, kind):
        yield Compared((turned.moment,), turned.step.index)
        if not times_shown(one, turned):
            yield Violation(
                kind="a result is lost",
                step=turned.step.index,
                expected=f"{_named(one)} in the next prompt, like those of other turns",
                got="nothing of it",
            )


def doubled(view: TraceView, kind: Kind) -> Iterator[Finding]:
    """What came back in the turn stands there as often as that of any other turn."""
    for turned, one, usual in _recalled(view, kind):
        yield Compared((turned.moment,), turned.step.index)
        shown = times_shown(one, turned)
        if shown > usual:
            yield Violation(
                kind="a result is shown again",
                step=turned.step.index,
                expected=f"{_named(one)} {counted(usual, 'time')} in the next prompt",
                got=counted(shown, "time"),
            )


def done_again(view: TraceView, kind: Kind) -> Iterator[Finding]:
    """No call of the turn is entered or recorded twice, where the kernel tells of either."""
    reading = view.reading(read_interruptions)
    plain = [one for turned in reading.turns if turned.kind is None for one in turned.marked]
    for told, times_of in (("entered", entered), ("recorded as done", recorded)):
        usual = max([1, *(times_of(one) for one in plain)])
        for turned in reading.of(kind):
            for one in turned.done:
                times = times_of(one)
                if not times:
                    continue
                yield Compared((turned.moment,), turned.step.index)
                if times > usual:
                    yield Violation(
                        kind=f"a call is {told} again",
                        step=turned.step.index,
                        expected=f"{_named(one)} {told} {counted(usual, 'time')}",
                        got=counted(times, "time"),
                    )


def of_others(view: TraceView, kind: Kind) -> Iterator[Finding]:
    """From the first such turn on, nobody is shown what only another user's tools returned.

    A kernel that shows it before is another clause's.
    """
    turns = view.reading(read_interruptions).turns
    places = [place for place, turned in enumerate(turns) if turned.kind == kind]
    if not places:
        return
    found = [list(_strangers(turned, turns)) for turned in turns]
    if any(found[: places[0]]):
        return
    for place, turned in enumerate(turns):
        others = [one for one in turns[:place] if one.step.user != turned.step.user and one.marked]
        if place < places[0] or not others:
            continue
        alike = any(one.step.session == turned.step.session for one in others)
        yield Compared((NEIGHBOUR.name,) if alike else (), turned.step.index)
        before = [each for each in found[place] if each[1].step.index < turned.step.index]
        for where, one in before[:1]:
            yield Violation(
                kind="something of another user",
                step=turned.step.index,
                expected=f"nothing of user {one.step.user} before user {turned.step.user}",
                got=f"{_named(one)} in {where}",
            )


def entered(one: Marked) -> int:
    """Return how often the handler of a call was entered, as far as the kernel tells."""
    return sum(event.call == one.place for event in one.step.all(CallDispatched))


def recorded(one: Marked) -> int:
    """Return how often a call was recorded as done."""
    records = (event for event in one.step.all(AuditRecord) if event.call == one.place)
    return sum(event.status == "success" for event in records)


def _recalled(view: TraceView, kind: Kind) -> Iterator[tuple[Turned, Marked, int]]:
    """Yield what came back in turns, and how often the next prompt should show it."""
    reading = view.reading(read_interruptions)
    for turned in reading.of(kind):
        for one in turned.done if turned.later is not None else ():
            if usual := reading.usual(turned, one):
                yield turned, one, usual


def _strangers(turned: Turned, turns: tuple[Turned, ...]) -> Iterator[tuple[str, Marked]]:
    others = [one for other in turns if other.step.user != turned.step.user for one in other.marked]
    for where, text in told_in(turned.step):
        yield from ((where, one) for one in others if one.mark in text)


def _named(one: Marked) -> str:
    return f"what {one.call.app}.{one.call.function} returned (call {one.place})"


def of_others_clause(kind: Kind) -> Clause:
    """Return the clause on what is shown from the first such turn on."""
    return Clause(
        "nothing-of-another-user",
        "From then on, too, nobody is shown what only another user's tools returned.",
        partial(of_others, kind=kind),
        (NEIGHBOUR,),
        sources=(
            fact_ledger("What it stores"),
            context_channels("(1) Pre-turn — the intent classifier sees"),
        ),
    )


def goes_on_clauses(kind: Kind, *, kept: str, again: str) -> tuple[Clause, ...]:
    """Return the clauses on a turn that goes on, whatever befell it.

    Args:
        kind: what befell it.
        kept: says that what its calls returned is shown.
        again: says that no call of it is done twice.
    """
    return (
        Clause("nothing-lost", kept, partial(lost, kind=kind), MOMENTS),
        Clause(
            "nothing-doubled",
            "It is shown there as often as that of any other turn.",
            partial(doubled, kind=kind),
            MOMENTS,
            sources=(fact_ledger("What the classifier sees"),),
        ),
        Clause(
            "done-once",
            again,
            partial(done_again, kind=kind),
            MOMENTS,
            level="SHOULD",
            capabilities=frozenset({"audit"}),
            sources=(context_channels("(3) Post-turn — the narrator and the user see"),),
        ),
        of_others_clause(kind),
    )
