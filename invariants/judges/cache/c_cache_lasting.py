"""C-CACHE-LASTING: what is cached comes back, until its life is over."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...readings.cache import Attempt, Lookup, attempts
from ...readings.cache_rules import (
    fits_in_bytes,
    has_plain_key,
    has_plain_ttl,
    has_safe_key,
    has_sure_ttl,
    usable,
)
from ...readings.meanwhile import PARTITIONS, meanwhile
from ...scenarios.cache_scenes import BETWEEN, KEY, Stage
from ...scenarios.dimensions import KINDS
from ...scenarios.drawing import Recipe, from_recipes
from ...scenarios.values import VALUE
from ...vocabulary.invariant import Clause, Invariant, Partition, only_rows
from ...vocabulary.json_values import is_object, kind_of
from ...vocabulary.parameters import DOCUMENTED, Parameters
from ...vocabulary.scenario import Scenario
from ...vocabulary.sources import context_channels
from ...vocabulary.text import shorten
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

_EARLY = 2.0
"""Seconds before its end at which an entry must still be there."""


def _comes_back(view: TraceView) -> Iterator[Finding]:
    for attempt in usable(view):
        accepted = attempt.outcome is not None and attempt.outcome.outcome == "accepted"
        plain = has_plain_key(attempt) and has_plain_ttl(attempt)
        if not (accepted and plain and fits_in_bytes(attempt, view.parameters)):
            continue
        for lookup in attempt.at_once:
            if lookup.outcome.outcome == "error" or _is_null_missed(attempt, lookup):
                continue
            yield Compared((_root(attempt),), attempt.step)
            if kind := _difference(attempt, lookup):
                yield Violation(
                    kind=f"{_root(attempt)} {kind}",
                    step=lookup.step,
                    expected=f"a hit with {shorten(attempt.given.value_json)}",
                    got=_told(lookup),
                )
            break


def _difference(attempt: Attempt, lookup: Lookup) -> str:
    """How a get at once differs from the set; what an object of ASCII lost is told by its size."""
    if attempt.returned(lookup):
        return "" if attempt.returned_whole_numbers(lookup) else "as float"
    if is_object(attempt.value):
        return ""
    return "changed" if lookup.outcome.outcome == "hit" else "lost"


def _is_null_missed(attempt: Attempt, lookup: Lookup) -> bool:
    """Whether a miss tells of a cached ``null`` what a hit would: there is nothing."""
    return attempt.value is None and lookup.outcome.outcome == "miss"


def _root(attempt: Attempt) -> str:
    return kind_of(attempt.value)


def _kept_through(view: TraceView) -> Iterator[Finding]:
    """Judged where the value came back at once, from then on until something else is set."""
    if view.trace.origin == "recording":  # who else wrote, and what made room, is not recorded
        return
    made = view.reading(attempts)
    for attempt in usable(view):
        if not (
            has_safe_key(attempt, view.parameters)
            and has_sure_ttl(attempt, view.parameters)
            and any(attempt.returned(lookup) for lookup in attempt.at_once)
        ):
            continue
        for lookup in attempt.lookups:
            if lookup.at_once or not attempt.is_own(lookup) or not _lives(attempt, lookup, view):
                continue
            if lookup.outcome.outcome == "error" or _is_foreign(lookup, attempt, made):
                continue
            between = meanwhile(view, attempt.step, lookup.step)
            yield Compared(between, attempt.step)
            if not attempt.returned(lookup):
                hit = lookup.outcome.outcome == "hit"
                yield Violation(
                    kind="changed" if hit else "lost",
                    step=lookup.step,
                    expected=f"a hit with {shorten(attempt.given.value_json)}, "
                    f"{lookup.elapsed:g} s after it was set, whatever came in between: "
                    f"{', '.join(between)}",
                    got=_told(lookup),
                )
                break


def _lives(attempt: Attempt, lookup: Lookup, view: TraceView) -> bool:
    life = attempt.given.ttl_seconds
    least = view.parameters.ttl_max_seconds if life is None else life
    return isinstance(least, (int, float)) and lookup.elapsed <= least - _EARLY


def _is_foreign(lookup: Lookup, attempt: Attempt, made: list[Attempt]) -> bool:
    """Whether the get gave what another set has put there, which is a matter of isolation."""
    return lookup.outcome.outcome == "hit" and any(
        other.returned(lookup) for other in made if other is not attempt
    )


def _told(lookup: Lookup) -> str:
    shown = lookup.outcome.value_json
    return lookup.outcome.outcome + (f": {shorten(shown)}" if shown is not None else "")


def strategy(_parameters: Parameters) -> SearchStrategy[Scenario]:
    """Return the strategy: values of any kind, and two things that happen before they are read."""
    return from_recipes(_drawn, 1)


def _drawn(recipes: tuple[Recipe, ...]) -> Scenario:
    (recipe,) = recipes
    stage = Stage(recipe.pick(KINDS), DOCUMENTED)
    value = recipe.pick(recipe.pick(VALUE.values).value)
    stage.set(KEY, value, life=stage.cap).get(KEY)
    for _ in range(2):
        recipe.pick(BETWEEN.values).value(stage)
        stage.get(KEY)
    return Scenario(id="explore", steps=tuple(stage.steps))


_OTHERS = ("list", "string", "number", "boolean", "null")

INVARIANT = Invariant(
    id="C-CACHE-LASTING",
    title="What is cached comes back",
    statement="A value that a set has accepted comes back as it was, until its life is over, "
    "whatever else happens.",
    severity="medium",
    sources=(
        context_channels("Channel 2 — ctx.cache (page-bound rich snapshot)"),
        context_channels("The three channels at a glance"),
    ),
    capabilities=frozenset({"cache"}),
    reading=(
        "A kernel may refuse what is no object: only what it has accepted must come back, and that "
        "null is cached may be told by a miss. The pages call the cache ephemeral, so a kernel may "
        "make room: that an entry lasts is advised. A whole "
        "number that comes back with a fraction has changed; 1.0 may come back as 1. An entry may "
        "be gone up to two seconds before its end. Recordings are not judged: nobody knows what "
        "made room for what."
    ),
    clauses=(
        Clause(
            "any-value-comes-back",
            "A JSON value of any kind that a set has accepted comes back equal at once.",
            _comes_back,
            (
                Partition("object", "the value is an object"),
                *(Partition(name, f"the value is a {name}", "observed") for name in _OTHERS),
            ),
        ),
        Clause(
            "kept-through",
            "A value that came back once comes back until its life is over, whatever handlers, "
            "sessions, users and refreshes do in between.",
            _kept_through,
            PARTITIONS,
            level="SHOULD",
        ),
    ),
    scenarios=only_rows,
    strategy=strategy,
)
