"""What is asked of a turn whatever befalls it: nothing lost, nothing doubled, nothing of others.

Whatever befalls one turn may cost any other one its facts, so every prompt from then on is read. A
kernel that breaks the same promise before anything has befallen a turn is another clause's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from typing import NamedTuple

from ...readings.facts import PromptReading, read_facts
from ...readings.given import GivenTurn
from ...readings.interruptions import (
    AFTER,
    BEFORE,
    BETWEEN,
    Interruptions,
    Kind,
    Turned,
    read_interruptions,
    told_in,
)
from ...readings.sizes import read_sizes
from ...readings.strangers import by_prompt, read_calls
from ...vocabulary.invariant import Clause, Partition
from ...vocabulary.sources import context_channels, fact_ledger
from ...vocabulary.text import counted, shorten
from ...vocabulary.trace import AnyEvent, AuditRecord, CallDispatched, TurnInterrupted
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

MOMENTS = (
    Partition(BEFORE, "none of its calls has begun"),
    Partition(BETWEEN, "some of its calls have come back"),
    Partition(AFTER, "all of its calls have come back"),
)

NEIGHBOUR = Partition("a session of the same name", "both users have one", "observed")


class Told(NamedTuple):
    """Something that is wrong in a step, and what befell a turn last.

    Attributes:
        latest: what befell a turn; ``None`` before anything did.
        finding: what is wrong; ``None`` if nothing is.
    """

    latest: Turned | None
    finding: Violation | None


def _of(kind: Kind, told: Iterable[Told]) -> Iterator[Finding]:
    """Yield what is to be said of turns that this befell; nothing if it was wrong before."""
    every = list(told)
    if any(each.latest is None and each.finding for each in every):
        return
    for latest, finding in every:
        if latest is not None and latest.kind == kind:
            yield Compared((latest.moment,), latest.step.index)
            if finding:
                yield finding


def lost(view: TraceView, kind: Kind) -> Iterator[Finding]:
    """What came back in any turn of the window stands in each prompt, whole and in its place."""
    yield from _of(kind, view.reading(_lost))


def doubled(view: TraceView, kind: Kind) -> Iterator[Finding]:
    """What came back stands in each prompt once; without an audit, no call is entered twice."""
    entered = [] if "audit" in view.capabilities else view.reading(_done_again)
    again = [each for each in entered if each.latest is None or each.finding]
    yield from _of(kind, [*view.reading(_doubled), *again])


def done_again(view: TraceView, kind: Kind) -> Iterator[Finding]:
    """No call is entered or recorded twice, where the kernel tells of either."""
    yield from _of(kind, view.reading(_done_again))


def of_others(view: TraceView, kind: Kind) -> Iterator[Finding]:
    """Nobody is shown what only another user's tools returned or replies said."""
    reading = view.reading(read_interruptions)
    found = {one.step.index: _stranger(one, reading) for one in reading.turns}
    if any(found[one.step.index] for one in reading.turns if one.began < reading.first):
        return
    users: dict[str, set[str]] = {}
    for one in reading.turns:
        users.setdefault(one.step.user, set()).add(one.step.session)
    for one in reading.turns:
        latest = reading.latest(one.step.index)
        if latest is None or latest.kind != kind or len(users) < 2:
            continue
        alike = any(
            one.step.session in sessions
            for user, sessions in users.items()
            if user != one.step.user
        )
        yield Compared((NEIGHBOUR.name,) if alike else (), one.step.index)
        if stranger := found[one.step.index]:
            yield stranger


def runs_of(events: Iterable[AnyEvent], place: int) -> Iterator[tuple[str, AnyEvent]]:
    """Yield the events that say that a call ran: its handler was entered, or it is recorded."""
    for event in events:
        if isinstance(event, CallDispatched) and event.call == place:
            yield "entered", event
        elif isinstance(event, AuditRecord) and event.call == place:
            yield "recorded", event


def _lost(view: TraceView) -> list[Told]:
    reading = view.reading(read_interruptions)
    return [each for prompt in _prompts(reading) for each in _lacks(prompt, reading)]


def _lacks(prompt: PromptReading, reading: Interruptions) -> Iterator[Told]:
    latest = reading.latest(prompt.step.index)
    sizes = reading.whole.reading(read_sizes)
    due = [given for given in prompt.expected if sizes.surely_fits(given.turn)]
    if not due:
        return
    yield Told(latest, None)
    for kind, wrong in (
        ("a result is lost", [(None, given) for given in due if given in prompt.missing]),
        ("a result has another owner", [p for p in prompt.pairs if not p[1].owns(p[0])]),
        (
            "a result is not what it was",
            [
                pair
                for pair in prompt.pairs
                if pair[1] in due and pair[1].owns(pair[0]) and not pair[1].shown_by(pair[0])
            ],
        ),
        ("a result is out of its place", prompt.displaced),
    ):
        for line, given in wrong:
            blamed = _befallen(given.turn, reading) or latest
            violation = Violation(
                kind=f"{kind}: {_whose(given.turn, blamed)}",
                step=prompt.step.index,
                expected=f"what {given.call.app}.{given.call.function} returned in step "
                f"{given.turn.step.index} (call {given.index}) in its place in the prompt: "
                f"{shorten(given.data)}",
                got=shorten(line.text) if line else "nothing of it",
            )
            yield Told(blamed, violation)


def _befallen(turn: GivenTurn, reading: Interruptions) -> Turned | None:
    """Return the turn if something befell it: it is to blame first for what became of it."""
    return next(
        (one for one in reading.turns if one.kind and one.step.index == turn.step.index), None
    )


def _whose(turn: GivenTurn, befallen: Turned | None) -> str:
    """Say how a turn stands to the one that something befell."""
    if befallen is None or befallen.step.index == turn.step.index:
        return "of the turn itself"
    if (befallen.step.user, befallen.step.session) != (turn.step.user, turn.step.session):
        return "of another session"
    return "of an earlier turn" if turn.step.index < befallen.step.index else "of a later turn"


def _doubled(view: TraceView) -> list[Told]:
    reading = view.reading(read_interruptions)
    twice = by_prompt(reading.whole, "window")
    found: list[Told] = []
    for prompt in _prompts(reading):
        latest = reading.latest(prompt.step.index)
        if prompt.expected:
            found.append(Told(latest, None))
        for stranger in twice.get(id(prompt), ()):
            violation = Violation(
                kind="a result is shown again",
                step=prompt.step.index,
                expected=f"once in the prompt: {shorten(stranger.line.text)}",
                got="the same fact a second time",
            )
            owners = reading.whole.reading(read_calls).shown_by(stranger.line)
            befallen = (_befallen(given.turn, reading) for given in owners)
            found.append(Told(next(filter(None, befallen), latest), violation))
    return found


def _prompts(reading: Interruptions) -> Iterator[PromptReading]:
    """Yield the first prompt of each turn; a later one may show the turn's own calls."""
    return (each for each in reading.whole.reading(read_facts).prompts if not each.retry)


def _done_again(view: TraceView) -> list[Told]:
    reading = view.reading(read_interruptions)
    usual: dict[tuple[str, str], int] = {}
    found: list[Told] = []
    for one in reading.turns:
        latest = reading.latest(one.step.index)
        for key, times, named in _times(one):
            if latest is None:
                usual[key] = max(times, usual.get(key, 1))
                continue
            if key[0] == "recorded" and key not in usual:
                continue
            found.append(Told(latest, None))
            if times > usual.get(key, 1):
                violation = Violation(
                    kind=f"a call is {key[0]} again",
                    step=one.step.index,
                    expected=f"{named} {key[0]} {counted(usual.get(key, 1), 'time')}",
                    got=counted(times, "time"),
                )
                found.append(Told(latest, violation))
    return found


def _times(one: Turned) -> Iterator[tuple[tuple[str, str], int, str]]:
    """Yield how often each call is said to have run: in which words, how often, and its name.

    Records that do not say of which call they are count for all calls of their function.
    """
    for place, call in enumerate(one.whole.calls):
        words = Counter(
            (told, event.status if isinstance(event, AuditRecord) else "")
            for told, event in runs_of(_told(one, place), place)
        )
        for key, times in words.items():
            yield key, times, f"{call.app}.{call.function} (call {place})"
    calls = Counter((call.app, call.function) for call in one.whole.calls)
    records = Counter(
        ((record.app, record.function), record.status)
        for record in one.step.all(AuditRecord)
        if record.call is None
    )
    for (name, status), times in records.items():
        if calls[name]:
            yield ("recorded", status), -(-times // calls[name]), ".".join(name)


def _told(one: Turned, place: int) -> Iterator[AnyEvent]:
    """Yield the events of a turn; without what a call had begun when its process ended."""
    begun_before = one.kind == "restarted" and place >= one.after
    for event in one.step.events:
        if isinstance(event, TurnInterrupted):
            begun_before = False
        if not (begun_before and isinstance(event, CallDispatched)):
            yield event


def _stranger(one: Turned, reading: Interruptions) -> Violation | None:
    for where, text in told_in(one.step):
        for user, words in reading.told_of.items():
            word = next((w for w in sorted(words) if user != one.step.user and w in text), None)
            if word is not None:
                return Violation(
                    kind="something of another user",
                    step=one.step.index,
                    expected=f"nothing of user {user} before user {one.step.user}",
                    got=f"{word!r} in {where}",
                )
    return None


def clauses_of(kind: Kind, *, kept: str, again: str, sort: str) -> tuple[Clause, ...]:
    """Return the clauses on what is kept, doubled, done again and shown to others.

    Args:
        kind: what befalls a turn.
        kept: says that what calls returned is shown.
        again: says that no call is done twice.
        sort: the turns that it befalls, as the clause on doubled facts names them.
    """
    return (
        Clause("nothing-lost", kept, partial(lost, kind=kind), MOMENTS),
        Clause(
            "nothing-doubled",
            f"From {sort} on, no prompt shows anything twice that a call returned once.",
            partial(doubled, kind=kind),
            MOMENTS,
            sources=(fact_ledger("What the classifier sees"),),
        ),
        Clause(
            "done-once",
            again,
            partial(done_again, kind=kind),
            MOMENTS,
            capabilities=frozenset({"audit"}),
            sources=(context_channels("(3) Post-turn — the narrator and the user see"),),
        ),
        Clause(
            "nothing-of-another-user",
            "From then on, too, nobody is shown what only another user's tools returned.",
            partial(of_others, kind=kind),
            (NEIGHBOUR,),
            sources=(
                fact_ledger("What it stores"),
                context_channels("(1) Pre-turn — the intent classifier sees"),
            ),
        ),
    )
