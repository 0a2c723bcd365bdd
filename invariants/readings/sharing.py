"""Cache reads that tell who shares an entry: by whom it was set, by whom it was got."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..vocabulary.json_values import equal, is_object
from ..vocabulary.scenario import Advance, CacheGet
from ..vocabulary.trace import CacheOutcome
from ..vocabulary.trace_view import StepView, TraceView
from .cache import UNREADABLE, Attempt, attempts, read_json
from .likeness import likenesses, run_together, runs_together


class SharedRead(NamedTuple):
    """A get in another kind of handler than the set; the kind that set it reads it well."""

    step: StepView
    attempt: Attempt
    given: CacheGet
    outcome: CacheOutcome
    returned: bool


class ForeignRead(NamedTuple):
    """A get of a key that somebody else has set, and can read.

    Attributes:
        attempt: the other's set; of another key, or of another user's other extension, only
            where the two addresses run together.
        same_user: whether the other is the same user's other extension; otherwise it is
            another user's.
        own: whether the reader has set the key too.
        leaked: whether the get gave the other's value.
        alike: how the extensions of the two are alike.
        late: whether the life of what the reader has set is over.
    """

    step: StepView
    attempt: Attempt
    given: CacheGet
    same_user: bool
    own: bool
    leaked: bool
    alike: tuple[str, ...]
    late: bool


def is_told(value: Any) -> bool:
    """Whether a get that gives this value was given what somebody set.

    Null, false, zero, an empty text and an empty list may be what a kernel has for nothing.
    """
    return value is not UNREADABLE and (bool(value) or is_object(value))


def shared_reads(view: TraceView) -> list[SharedRead]:
    """Return the reads across kinds of handler, in the session of the set."""
    made = view.reading(attempts)
    if not made:
        return []
    steps = {step.index: step for step in view.steps}
    found: list[SharedRead] = []
    for attempt in made:
        if not is_told(attempt.value) or not _read_well(attempt):
            continue
        for lookup in attempt.prompt:
            step, returned = steps[lookup.step], attempt.returned(lookup)
            given = step.stimulus
            if not isinstance(given, CacheGet) or returned is None:
                continue
            same_session = step.session == steps[attempt.step].session
            if _is_disturbed(attempt, step, made):
                break
            if same_session and given.handler != attempt.given.handler:
                found.append(SharedRead(step, attempt, given, lookup.outcome, returned))
    return found


def foreign_reads(view: TraceView) -> list[ForeignRead]:
    """Return the reads of keys that another user or another extension has set."""
    made = view.reading(attempts)
    if not made:
        return []
    proven = [a for a in made if is_told(a.value) and _read_well(a)]
    moves = [
        (step.index, step.stimulus.seconds)
        for step in view.steps
        if isinstance(step.stimulus, Advance)
    ]
    return [
        read
        for step in view.steps
        if isinstance(step.stimulus, CacheGet) and proven
        for read in _foreign(view, step, step.stimulus, proven, made, moves)
    ]


def _foreign(
    view: TraceView,
    step: StepView,
    given: CacheGet,
    proven: list[Attempt],
    made: list[Attempt],
    moves: list[tuple[int, float]],
) -> list[ForeignRead]:
    outcome = step.first(CacheOutcome)
    if outcome is None or outcome.outcome not in ("hit", "miss", "refused"):
        return []
    got = read_json(outcome.value_json) if outcome.outcome == "hit" else UNREADABLE
    me = (step.user, given.app)
    own = [a for a in made if a.scope[:2] == me and a.given.key == given.key]
    found: list[ForeignRead] = []
    for attempt in proven:
        user, app, _ = attempt.scope
        if attempt.step > step.index or (user, app) == me:
            continue
        joined = joined_with(me, given.key, (user, app), attempt.given.key)
        plain = attempt.given.key == given.key and (user == me[0] or app == me[1])
        if not plain and not joined:
            continue
        if any(equal(attempt.value, each.value) for each in own):
            continue
        leaked = got is not UNREADABLE and equal(attempt.value, got)
        if not leaked and not _lives(attempt, _waited(attempt, step, moves)):
            continue
        before = any(each.step < step.index for each in own)
        alike = (*likenesses(view, (app, me[1])), *joined)
        late = any(
            each.step < step.index and _is_over(each, _waited(each, step, moves)) for each in own
        )
        found.append(ForeignRead(step, attempt, given, user == me[0], before, leaked, alike, late))
    return found


def _waited(attempt: Attempt, until: StepView, moves: list[tuple[int, float]]) -> float:
    return sum(seconds for index, seconds in moves if attempt.step < index < until.index)


def _lives(attempt: Attempt, waited: float) -> bool:
    """Whether the value is certainly still there."""
    ttl = attempt.given.ttl_seconds
    return waited == 0 or (type(ttl) is int and waited < ttl)


def _is_over(attempt: Attempt, waited: float) -> bool:
    ttl = attempt.given.ttl_seconds
    return type(ttl) is int and waited > ttl


def joined_with(
    me: tuple[str, str], key: str, other: tuple[str, str], its_key: str
) -> tuple[str, ...]:
    """Return how the addresses of two owners, each user and extension, run together.

    One part is the same, and the other two, in whichever order, are one text when they are joined.
    """
    pairs = zip((*me, key), (*other, its_key), strict=True)
    match [pair for pair in pairs if pair[0] != pair[1]]:
        case [(one, its), (next_one, its_next)]:
            mine, theirs = (one, next_one), (its, its_next)
            turned = (next_one, one), (its_next, its)
            joined = runs_together(mine, theirs) or runs_together(*turned)
        case _:
            joined = False
    if not joined:
        return ()
    return (run_together("key" if me[0] == other[0] else "user"),)


def _is_disturbed(attempt: Attempt, until: StepView, made: list[Attempt]) -> bool:
    """Whether somebody else has set the key in between; what then happens is isolation."""
    return any(
        attempt.step < other.step < until.index
        and other.given.key == attempt.given.key
        and other.scope[:2] != attempt.scope[:2]
        for other in made
    )


def _read_well(attempt: Attempt) -> bool:
    """Whether the kind of handler that set the value got it back at least once."""
    return any(attempt.returned(lookup) is True for lookup in attempt.reread)
