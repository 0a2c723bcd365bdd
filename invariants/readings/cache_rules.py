"""What the judges of the cache share: which sets must be kept, and whether they were.

A refusal proves nothing alone: a cache that is broken altogether refuses everything too.
So a set that must not be kept is judged only where a valid one, of the same user,
extension and kind of handler, was accepted and came back (``controls``).

A set that must not be kept is valid but for one thing, so that it is a breach if it is kept. One
that must be kept is plain but for one thing, so that only that can be why it was not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from ..vocabulary.json_values import MEANINGFUL, is_object, is_plain
from ..vocabulary.parameters import KEY_ALPHABET, Parameters
from ..vocabulary.trace import CacheOutcome
from ..vocabulary.trace_view import TraceView
from ..vocabulary.verdict import Compared, Finding, Violation
from .cache import PROMPT, Attempt, Lookup, Scope, attempts

ENVELOPE_ROOM = 5_536
"""Bytes of the size cap that a kernel may spend on its own envelope and spacing: a value
that leaves this room fits in every reading of the cap."""

SURE_TTL = 60
"""Seconds: the shortest life that must be accepted. The documents bound the life from above
only; published kernels refuse very short ones, and 60 is the published SDK's default."""

Life: TypeAlias = "int | float | bool | str | None"
"""What a handler may give as ``ttl_seconds``."""

_ALPHABET = frozenset(KEY_ALPHABET)
_SMALL_VALUE = 1_000
_SHORT_KEY = 32
_PLAIN_KEY = re.compile(r"[a-z]{2,16}[0-9]{0,3}")
_NAMED_KINDS = frozenset({"chat_function", "tool", "panel", "skeleton"})


def has_safe_alphabet(key: str) -> bool:
    """Whether the key is not empty and holds only characters that a key may hold."""
    return key != "" and _ALPHABET.issuperset(key)


def has_safe_key(attempt: Attempt, parameters: Parameters) -> bool:
    """Whether the key is one that the documents promise to accept."""
    key = attempt.given.key
    return has_safe_alphabet(key) and len(key) <= parameters.key_max_length


def has_sure_ttl(attempt: Attempt, parameters: Parameters) -> bool:
    """Whether the life is left out, or one that every conforming kernel accepts."""
    ttl = attempt.given.ttl_seconds
    return ttl is None or (type(ttl) is int and SURE_TTL <= ttl <= parameters.ttl_max_seconds)


def usable(view: TraceView) -> Iterator[Attempt]:
    """Yield the attempts in kinds of handler that have a cache.

    Those are the kinds that the page names; others only where a valid set was kept.
    """
    kept = view.reading(controls)
    for attempt in view.reading(attempts):
        if attempt.given.handler in _NAMED_KINDS or attempt.scope in kept:
            yield attempt


def has_short_key(attempt: Attempt) -> bool:
    """Whether the key is a few letters and digits."""
    key = attempt.given.key
    return key.isascii() and key.isalnum() and len(key) <= _SHORT_KEY


def has_plain_key(attempt: Attempt) -> bool:
    """Whether no rule for keys can be what a kernel stumbles over: a word, perhaps a number.

    Recordings have the keys that people choose: there, short ones of letters and digits will do.
    """
    key = attempt.given.key
    plain = _PLAIN_KEY.fullmatch(key) is not None and key not in MEANINGFUL
    return plain or (attempt.recorded and has_short_key(attempt))


def life_within(ttl: Life, cap: int) -> float | None:
    """Return the life that an entry set so has at most; ``None`` if the documents allow none."""
    if ttl is None:
        return cap
    return ttl if not isinstance(ttl, (bool, str)) and 0 < ttl <= cap else None


def life_over(ttl: Life, cap: int) -> float | None:
    """Return a life that is a number above the cap; ``None`` if it is none."""
    return ttl if not (ttl is None or isinstance(ttl, (bool, str))) and ttl > cap else None


def has_plain_ttl(attempt: Attempt) -> bool:
    """Whether no rule for lives can be what a kernel stumbles over."""
    ttl = attempt.given.ttl_seconds
    return type(ttl) is int and ttl == SURE_TTL


def has_small_value(attempt: Attempt) -> bool:
    """Whether the value is a small object of ASCII."""
    small = attempt.ascii_only and attempt.escaped_bytes <= _SMALL_VALUE
    return small and is_object(attempt.value)


def has_plain_value(attempt: Attempt) -> bool:
    """Whether no rule for values can be what a kernel stumbles over: a small plain object.

    In recordings, a small one of ASCII.
    """
    return has_small_value(attempt) and (attempt.recorded or is_plain(attempt.value))


def tells_of_key(attempt: Attempt) -> bool:
    """Whether the key is why the set is not kept, if it is not: all else is plain, or less odd."""
    return has_plain_ttl(attempt) and (
        has_plain_value(attempt) or (has_small_value(attempt) and not has_plain_key(attempt))
    )


def tells_of_value(attempt: Attempt) -> bool:
    """Whether the value is why the set is not kept, if it is not."""
    return has_plain_ttl(attempt) and (
        has_plain_key(attempt) or (has_short_key(attempt) and not has_plain_value(attempt))
    )


def tells_of_life(attempt: Attempt) -> bool:
    """Whether the life is why the set is not kept, if it is not."""
    if has_plain_ttl(attempt):
        return has_plain_key(attempt) and has_plain_value(attempt)
    return has_short_key(attempt) and has_small_value(attempt)


def has_sure_value(attempt: Attempt, parameters: Parameters) -> bool:
    """Whether the value is an ASCII object that fits in every reading of the size cap."""
    return attempt.ascii_only and fits_surely(attempt, parameters)


def fits_surely(attempt: Attempt, parameters: Parameters) -> bool:
    """Whether the value is an object that fits in every reading of the size cap."""
    return is_object(attempt.value) and fits_in_bytes(attempt, parameters)


def fits_in_bytes(attempt: Attempt, parameters: Parameters) -> bool:
    """Whether the value fits in every reading of the size cap."""
    return 0 < attempt.escaped_bytes <= parameters.value_max_bytes - ENVELOPE_ROOM


def controls(view: TraceView) -> frozenset[Scope]:
    """Return the scopes in which a valid set was accepted and came back equal."""
    return frozenset(attempt.scope for attempt in _valid_and_kept(view))


def timed_controls(view: TraceView) -> frozenset[Scope]:
    """Return the scopes in which a valid set that names its life was kept."""
    kept = _valid_and_kept(view)
    return frozenset(attempt.scope for attempt in kept if attempt.given.ttl_seconds is not None)


def must_keep(attempt: Attempt, partitions: tuple[str, ...], expected: str) -> Iterator[Finding]:
    """Compare an attempt that must be kept: accepted, and the same value comes back at once.

    Args:
        attempt: the attempt.
        partitions: the partitions of the clause to which its input belongs.
        expected: the promise, for people.
    """
    failure = _failure(attempt)
    if failure is None:
        return
    yield Compared(partitions, attempt.step)
    kind, step, got = failure
    if kind:
        subject = partitions[0] if partitions else "valid set"
        yield Violation(kind=f"{subject} {kind}", step=step, expected=expected, got=got)


def must_not_keep(
    attempt: Attempt,
    partitions: tuple[str, ...],
    expected: str,
    answers: Iterable[tuple[Lookup, bool | None]] | None = None,
    kind: str = "",
) -> Iterator[Finding]:
    """Compare an attempt that must not be kept; the caller has seen to its control.

    Declining the set and dropping it silently are both right: only what a get returns counts.
    Any handler that gets the value shows that it was kept; that it was not, only the same kind.

    Args:
        attempt: the attempt.
        partitions: the partitions of the clause to which its input belongs.
        expected: the promise, for people.
        answers: gets, each with whether it shows that the value was kept (``None`` if it
            cannot be told); left out, those at once after the set that return its value.
        kind: the kind of difference if it was kept; left out, that of the first partition.
    """
    if attempt.outcome is None or attempt.outcome.outcome not in ("accepted", "refused"):
        return
    if answers is None:
        answers = ((lookup, attempt.returned(lookup)) for lookup in attempt.prompt)
    told_apart = [
        (lookup, kept)
        for lookup, kept in answers
        if kept or (kept is False and attempt.is_own(lookup))
    ]
    if not told_apart:
        return
    yield Compared(partitions, attempt.step)
    for lookup, kept in told_apart:
        if kept:
            got = f"set: {_told(attempt.outcome)}; get{_later(lookup)} returned the value"
            named = kind or f"{partitions[0]} stored"
            yield Violation(kind=named, step=lookup.step, expected=expected, got=got)
            return


def _valid_and_kept(view: TraceView) -> Iterator[Attempt]:
    for attempt in view.reading(attempts):
        if (
            has_safe_key(attempt, view.parameters)
            and has_sure_ttl(attempt, view.parameters)
            and has_sure_value(attempt, view.parameters)
            and attempt.outcome is not None
            and attempt.outcome.outcome == "accepted"
            and any(attempt.returned(lookup) for lookup in attempt.reread)
        ):
            yield attempt


def _later(lookup: Lookup) -> str:
    return f" {lookup.elapsed:g} s later" if lookup.elapsed > PROMPT else ""


def _failure(attempt: Attempt) -> tuple[str, int, str] | None:
    """Why the attempt was not kept, as kind, step and text; ``None`` if it cannot be told."""
    outcome = attempt.outcome
    if outcome is None or outcome.outcome in ("hit", "miss"):
        return None
    if outcome.outcome != "accepted":
        kind = "in error" if outcome.outcome == "error" else "refused"
        return kind, attempt.step, f"set: {_told(outcome)}"
    for lookup in attempt.at_once:
        returned = attempt.returned(lookup)
        if returned:
            return "", -1, ""
        if lookup.outcome.outcome != "hit":
            return "lost", lookup.step, f"set: accepted; get: {_told(lookup.outcome)}"
        if returned is False:
            return "changed", lookup.step, "set: accepted; get returned another value"
    return None


def _told(outcome: CacheOutcome) -> str:
    """Return an outcome for people, with the name of the error if there was one."""
    if outcome.error is None:
        return outcome.outcome
    return f"{outcome.outcome} ({outcome.error.name})"
