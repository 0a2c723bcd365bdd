"""I-CACHE-VALUE-SIZE-CAP-64KB: how large a cache value may be."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from ...readings.cache import Attempt, Lookup, attempts
from ...readings.cache_rules import (
    ENVELOPE_ROOM,
    controls,
    fits_surely,
    has_safe_key,
    has_sure_ttl,
    must_keep,
    must_not_keep,
    tells_of_value,
    usable,
)
from ...scenarios.cache import HANDLERS, MIXED, Script, ascii_value, cyrillic_value, items_value
from ...scenarios.drawing import Recipe, from_recipes
from ...vocabulary.invariant import Clause, Invariant, Partition, only_rows
from ...vocabulary.json_values import leaves
from ...vocabulary.parameters import Parameters
from ...vocabulary.scenario import APPS, Scenario
from ...vocabulary.sources import context_channels
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Finding

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

_TINY = 1_024
_MANY = 1_000
_FAR_OVER = 5_000
_FEW = 300
_LITTLE = 40


def _judge_oversized(view: TraceView) -> Iterator[Finding]:
    cap = view.parameters.value_max_bytes
    green = view.reading(controls)
    for attempt in _otherwise_valid(view):
        if attempt.compact_bytes > cap and attempt.scope in green:
            answers = ((lookup, _stored(view, attempt, lookup)) for lookup in attempt.prompt)
            expected = f"a value of {attempt.compact_bytes:,} bytes is not stored (cap {cap:,})"
            yield from must_not_keep(attempt, (_kind_over(attempt, cap),), expected, answers)


def _stored(view: TraceView, attempt: Attempt, lookup: Lookup) -> bool | None:
    """Whether the get returned the value, whole or cut: what no other set has put there."""
    returned = attempt.returned(lookup)
    if returned is not False or lookup.outcome.outcome != "hit":
        return returned
    return not any(other.returned(lookup) for other in view.reading(attempts))


def _judge_within_cap(view: TraceView) -> Iterator[Finding]:
    for attempt in usable(view):
        if tells_of_value(attempt) and attempt.ascii_only and fits_surely(attempt, view.parameters):
            room = view.parameters.value_max_bytes - ENVELOPE_ROOM
            yield from must_keep(attempt, _kinds_within(attempt, room), _kept(attempt))


def _judge_non_ascii(view: TraceView) -> Iterator[Finding]:
    for attempt in usable(view):
        non_ascii = not attempt.ascii_only
        if tells_of_value(attempt) and non_ascii and fits_surely(attempt, view.parameters):
            room = view.parameters.value_max_bytes - ENVELOPE_ROOM
            yield from must_keep(attempt, _kinds_non_ascii(attempt, room), _kept(attempt))


def _kept(attempt: Attempt) -> str:
    escaped = "" if attempt.ascii_only else f" ({attempt.escaped_bytes:,} when escaped)"
    return f"a value of {attempt.compact_bytes:,} bytes{escaped} is kept"


def _otherwise_valid(view: TraceView) -> Iterator[Attempt]:
    """The attempts in which nothing but the value forbids that it is kept."""
    for attempt in usable(view):
        if has_safe_key(attempt, view.parameters) and has_sure_ttl(attempt, view.parameters):
            yield attempt


def _has_many_items(attempt: Attempt) -> bool:
    return next(islice(leaves(attempt.value), _MANY - 1, None), None) is not None


def _kind_over(attempt: Attempt, cap: int) -> str:
    if not attempt.ascii_only:
        return "few characters" if attempt.characters <= cap else "many characters"
    if _has_many_items(attempt):
        return "many items"
    return "one over" if attempt.compact_bytes == cap + 1 else "far over"


def _kinds_within(attempt: Attempt, room: int) -> tuple[str, ...]:
    if not attempt.value:
        return ("empty object",)
    if _has_many_items(attempt):
        return ("many items",)
    if attempt.given.value_json == MIXED:
        return ("values of all kinds",)
    if attempt.compact_bytes <= _TINY:
        return ("tiny",)
    return ("largest",) if attempt.compact_bytes == room else ()


def _kinds_non_ascii(attempt: Attempt, room: int) -> tuple[str, ...]:
    if attempt.escaped_bytes <= _TINY:
        return ("tiny",)
    return ("large",) if attempt.escaped_bytes >= room * 9 // 10 else ()


def strategy(parameters: Parameters) -> SearchStrategy[Scenario]:
    """Return the strategy: values on both sides of the cap, drawn as shape and size."""
    return from_recipes(partial(_drawn, parameters.value_max_bytes), 2)


def _drawn(cap: int, recipes: tuple[Recipe, ...]) -> Scenario:
    script = Script(recipes[0].pick(APPS), recipes[0].pick(HANDLERS))
    for key, recipe in zip(("mail", "note"), recipes, strict=True):
        shape, most = recipe.pick(_shapes(cap))
        script.attempt(key, value=shape(recipe.pick(range(20, most))))
    return script.scenario("explore")


def _shapes(cap: int) -> tuple[tuple[Callable[[int], str], int], ...]:
    """Ways to write a value, each with the largest size to draw."""
    return (
        (ascii_value, 2 * cap),
        (ascii_value, _TINY),
        (cyrillic_value, cap // 2 + _FEW),
        (cyrillic_value, _letters_within(cap)),
        (items_value, cap // 5),
        (lambda size: ascii_value(cap + 1 + size % _LITTLE), cap),
        (lambda size: cyrillic_value(cap // 2 + 20 + size % _FEW), cap),
        (lambda size: f'"{"x" * size}"', 2 * cap),
        (lambda size: f'["{"x" * size}"]', 2 * cap),
        (lambda size: json.dumps({f"field {n}": n for n in range(cap // 15 + size)}), _FEW),
    )


def _letters_within(cap: int) -> int:
    """Cyrillic letters that fit although each takes six bytes when escaped."""
    return (cap - ENVELOPE_ROOM) // 6 - 2


INVARIANT = Invariant(
    id="I-CACHE-VALUE-SIZE-CAP-64KB",
    title="Cache values are at most 64 KB",
    statement="No cache entry holds a value of more than 65,536 serialised bytes.",
    sources=(
        context_channels("Channel 2 — ctx.cache"),
        context_channels("The three channels at a glance"),
    ),
    clauses=(
        Clause(
            "oversized-not-stored",
            "A value of more than 65,536 bytes of compact UTF-8 JSON is not stored.",
            _judge_oversized,
            (
                Partition("one over", "an ASCII value one byte above the cap"),
                Partition("far over", "an ASCII value far above the cap"),
                Partition("few characters", "fewer characters than the cap, but more bytes"),
                Partition("many items", "many small items that are too large together"),
                Partition("many characters", "non-ASCII, too many characters", "observed"),
            ),
        ),
        Clause(
            "within-cap-accepted",
            "An ASCII value of up to 60,000 serialised bytes is accepted and comes back equal.",
            _judge_within_cap,
            (
                Partition("tiny", "a value of a few bytes"),
                Partition("largest", "60,000 bytes: the cap less room for an envelope"),
                Partition("many items", "a thousand small items"),
                Partition("values of all kinds", "null, false, 0, empty and nested ones"),
                Partition("empty object", "an object without fields", "observed"),
            ),
        ),
        Clause(
            "non-ascii-within-cap-accepted",
            "A non-ASCII value that fits even when every letter is escaped is accepted and "
            "comes back equal.",
            _judge_non_ascii,
            (
                Partition("tiny", "a few letters"),
                Partition("large", "letters that nearly fill the cap when they are escaped"),
            ),
            level="SHOULD",
        ),
    ),
    scenarios=only_rows,
    strategy=strategy,
    capabilities=frozenset({"cache"}),
    severity="medium",
    reading=(
        "64 KB is 65,536 bytes of the value as compact JSON in UTF-8. Whether a kernel's own "
        "envelope and escapes count is open, so values between 60,000 escaped bytes and the "
        "cap are not judged."
    ),
)
