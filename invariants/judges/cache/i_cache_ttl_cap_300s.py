"""I-CACHE-TTL-CAP-300S: how long a cache entry may live."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from ...readings.cache import Attempt, Lookup
from ...readings.cache_rules import (
    SURE_TTL,
    has_safe_key,
    has_sure_ttl,
    has_sure_value,
    life_over,
    life_within,
    must_keep,
    must_not_keep,
    tells_of_life,
    timed_controls,
    usable,
)
from ...scenarios.cache import HANDLERS, Script
from ...scenarios.drawing import Recipe, from_recipes
from ...vocabulary.invariant import Clause, Invariant, Partition, only_rows
from ...vocabulary.parameters import Parameters
from ...vocabulary.scenario import APPS, Scenario
from ...vocabulary.sources import context_channels
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Finding

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

_HOUR = 3_600
_VERY_LARGE = 1_000_000_000
_SHORT = 5
_GRACE = 1.0
"""Seconds: many caches tick in whole seconds, so the one after the end is not judged."""


def _judge_over_cap(view: TraceView) -> Iterator[Finding]:
    cap = view.parameters.ttl_max_seconds
    green = view.reading(timed_controls)
    for attempt in _otherwise_valid(view):
        kind = _kind_over(attempt, cap)
        if kind and attempt.scope in green:
            answers = ((lookup, _exceeds(view, attempt, lookup)) for lookup in attempt.lookups)
            expected = f"a value set {_told_life(attempt)} is refused or gone after {cap} s"
            yield from must_not_keep(attempt, (kind,), expected, answers)


def _exceeds(view: TraceView, attempt: Attempt, lookup: Lookup) -> bool | None:
    """Whether the get shows a life above the cap.

    A kernel may cut the life down to the cap. Then a get right after the set proves nothing;
    its clock decides, or else the life that it says it gave.
    """
    cap = view.parameters.ttl_max_seconds
    returned = attempt.returned(lookup)
    if not returned or lookup.elapsed > cap:
        return returned
    if "clock" in view.capabilities:
        return None
    said = attempt.outcome.ttl_seconds if attempt.outcome else None
    if said is None:
        return True if life_over(attempt.given.ttl_seconds, cap) else None
    return said > cap


def _judge_within_cap(view: TraceView) -> Iterator[Finding]:
    for attempt in usable(view):
        named = attempt.given.ttl_seconds is not None
        if named and tells_of_life(attempt) and has_sure_ttl(attempt, view.parameters):
            expected = f"a value set {_told_life(attempt)} is kept"
            yield from must_keep(attempt, _kinds_within(view, attempt), expected)


def _judge_expiry(view: TraceView) -> Iterator[Finding]:
    cap = view.parameters.ttl_max_seconds
    green = view.reading(timed_controls)
    for attempt in _otherwise_valid(view):
        life = life_within(attempt.given.ttl_seconds, cap)
        declined = _is_declined(attempt) and attempt.scope in green
        if life is not None and (declined or _was_alive(attempt, life)):
            after = (x for x in attempt.lookups if x.elapsed >= life + _GRACE)
            answers = ((lookup, attempt.returned(lookup)) for lookup in after)
            expected = f"a value set {_told_life(attempt)} is gone {life + _GRACE:g} s later"
            kinds = _kinds_within(view, attempt)
            kind = "served after its end"
            yield from must_not_keep(attempt, kinds, expected, answers, kind)


def _was_alive(attempt: Attempt, life: float) -> bool:
    """Whether the value was there at all; until when, is bounded from above only."""
    before = (lookup for lookup in attempt.lookups if lookup.elapsed < life)
    return any(attempt.returned(lookup) is True for lookup in before)


def _is_declined(attempt: Attempt) -> bool:
    """Whether the kernel declined a life that it need not accept: no whole number of seconds."""
    refused = attempt.outcome is not None and attempt.outcome.outcome == "refused"
    return refused and isinstance(attempt.given.ttl_seconds, float)


def _otherwise_valid(view: TraceView) -> Iterator[Attempt]:
    """The attempts in which nothing but the life forbids that the value is kept."""
    for attempt in usable(view):
        if has_safe_key(attempt, view.parameters) and has_sure_value(attempt, view.parameters):
            yield attempt


def _told_life(attempt: Attempt) -> str:
    ttl = attempt.given.ttl_seconds
    return "without a life" if ttl is None else f"for {ttl:,} s"


def _kind_over(attempt: Attempt, cap: int) -> str:
    """The input class of a number that is no life within the cap; empty if it is one.

    No page says what a text or a boolean means as a life.
    """
    ttl = attempt.given.ttl_seconds
    if isinstance(ttl, (bool, str)) or life_within(ttl, cap) is not None:
        return ""
    over = life_over(ttl, cap)
    if over is None:
        return "no life"
    if over != int(over):
        return "fraction over"
    if over == cap + 1:
        return "one over"
    return "very large" if over >= _VERY_LARGE else "far over"


def _kinds_within(view: TraceView, attempt: Attempt) -> tuple[str, ...]:
    ttl = attempt.given.ttl_seconds
    if isinstance(ttl, float):
        return ()
    named: dict[object, str] = {
        None: "default",
        SURE_TTL: "a minute",
        _SHORT: "a few seconds",
        view.parameters.ttl_max_seconds: "at cap",
    }
    return (named[ttl],) if ttl in named else ()


def strategy(parameters: Parameters) -> SearchStrategy[Scenario]:
    """Return the strategy: lives around and above the cap, with and without time passing."""
    return from_recipes(partial(_drawn, parameters.ttl_max_seconds), 4)


def _drawn(cap: int, recipes: tuple[Recipe, ...]) -> Scenario:
    """Set every life; then, if one is to expire, pass its end and at last that of the cap."""
    last, *others = recipes
    script = Script(last.pick(APPS), last.pick(HANDLERS))
    keys = ("mail", "note", "list")[: len(others)]
    for key, recipe in zip(keys, others, strict=True):
        script.attempt(key, ttl=_drawn_life(cap, recipe))
    if last.pick((True, False)):
        ttl = last.pick(range(_SHORT, cap))
        _expiring(script, ttl).advance(cap - ttl - 0.5)
        for key in keys:
            script.get(key)
    return script.scenario("explore")


def _drawn_life(cap: int, recipe: Recipe) -> int | None:
    kind = recipe.pick(("over", "over", "within", "default"))
    if kind == "over":
        return recipe.pick((cap + 1, cap + 1 + recipe.pick(range(_HOUR)), cap + _HOUR, _VERY_LARGE))
    return recipe.pick(range(SURE_TTL, cap + 1)) if kind == "within" else None


def _expiring(script: Script, ttl: int) -> Script:
    script.attempt("mail", ttl=ttl).advance(ttl - 1).get("mail")
    return script.advance(2).get("mail")


_WITHIN = (
    Partition("at cap", "a life of exactly the cap, 300 s"),
    Partition("a minute", "a life of 60 s"),
)
_DEFAULT = Partition("default", "no life given", "observed")

INVARIANT = Invariant(
    id="I-CACHE-TTL-CAP-300S",
    title="Cache entries live at most 300 s",
    statement="No cache entry lives longer than 300 seconds, whatever life it was given.",
    sources=(
        context_channels("Channel 2 — ctx.cache"),
        context_channels("The three channels at a glance"),
    ),
    clauses=(
        Clause(
            "over-cap-not-stored",
            "A value set with a life above 300 s, or not above zero, is not stored, or is gone "
            "after 300 s.",
            _judge_over_cap,
            (
                Partition("one over", "a life of one second more than the cap"),
                Partition("far over", "a life of an hour"),
                Partition("very large", "a life of a thousand million seconds"),
                Partition("fraction over", "a life less than a second above the cap", "observed"),
                Partition(
                    "no life",
                    "a life that is none: zero or a negative number",
                    "observed",
                    frozenset({"clock"}),
                ),
            ),
        ),
        Clause(
            "within-cap-accepted",
            "A value set with a life of 60 to 300 s is accepted and found.",
            _judge_within_cap,
            _WITHIN,
        ),
        Clause(
            "expired-not-served",
            "A value is not served once its life is over.",
            _judge_expiry,
            (*_WITHIN, _DEFAULT, Partition("a few seconds", "a life of 5 s", "observed")),
            capabilities=frozenset({"clock"}),
        ),
    ),
    scenarios=only_rows,
    strategy=strategy,
    capabilities=frozenset({"cache"}),
    severity="medium",
    reading=(
        "The founding pages bound the life from above only, so lives below 60 s, lives that are "
        "no whole number, and a set that names no life, need not be accepted. A kernel may "
        "refuse a life above the cap, drop the value silently or cut the life down to the cap, and "
        "may end an entry earlier than it was asked to: that it was served at all is enough. "
        "What a text or a boolean is as a life, no page says."
    ),
)
