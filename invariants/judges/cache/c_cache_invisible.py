"""C-CACHE-INVISIBLE: what is cached reaches a model only if a handler returns it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...readings.absence import Secret, unseen, whose
from ...readings.marks import MarkedTurn, Plant
from ...scenarios.drawing import Recipe, from_recipes
from ...scenarios.layers import (
    HANDLERS,
    asked,
    cached,
    cached_value,
    found,
    kinds_of_value,
    layered,
)
from ...vocabulary.invariant import Clause, Contradiction, Invariant, Partition
from ...vocabulary.parameters import Parameters
from ...vocabulary.scenario import APPS, AnyStep, CacheGet, CacheSet, Scenario
from ...vocabulary.sources import context_channels
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Finding

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


def _unseen(view: TraceView) -> Iterator[Finding]:
    return unseen(view, _SECRET)


def _unnarrated(view: TraceView) -> Iterator[Finding]:
    return unseen(view, _SECRET, "narrator")


def _classes(plant: Plant, turn: MarkedTurn) -> Iterator[str]:
    yield whose(plant, turn)
    given = plant.step.stimulus
    if isinstance(given, CacheSet):
        yield f"set in a {given.handler.replace('_', ' ')}"


_SECRET = Secret("cache", "a cached value", _classes)


def _scenarios(_parameters: Parameters) -> Iterator[Scenario]:
    yield layered(
        "cache-unseen",
        "values that handlers of every kind have cached and read",
        *cached("list", 0, handler="panel"),
        asked(0),
        *cached("more", 1, handler="chat_function"),
        *cached("most", 2, handler="skeleton", app=APPS[1]),
        asked(1, found(10)),
        CacheGet(key="list", handler="chat_function"),
        asked(2),
        asked(3, user="u2", session="s2"),
    )
    yield layered(
        "cache-unread",
        "a value that nobody reads before the turn",
        cached("list", 0)[0],
        asked(0),
        cached("list", 0)[1],
        asked(1, found(10)),
    )
    for handler in ("panel", "chat_function"):
        values = kinds_of_value(20).items()
        steps = (step for key, each in values for step in cached_value(key, each, handler=handler))
        yield layered(
            f"cache-unseen-kinds-{handler.replace('_', '-')}",
            "values of every kind that can bear a mark",
            *steps,
            asked(0),
            asked(1, found(10)),
            asked(2, user="u2", session="s2"),
        )


def strategy(_parameters: Parameters) -> SearchStrategy[Scenario]:
    """Return the strategy: values cached between turns."""
    return from_recipes(_drawn, 2)


def _drawn(recipes: tuple[Recipe, ...]) -> Scenario:
    steps: list[AnyStep] = []
    for place, recipe in enumerate((*recipes, *recipes)):
        handler, app = recipe.pick(HANDLERS), recipe.pick(APPS)
        user = recipe.pick(("u1", "u1", "u2"))
        steps += cached(f"k{place}", place, handler=handler, app=app, user=user)
        steps.append(asked(place, *recipe.pick(((), (found(10 + 2 * place),)))))
    return layered("explore", "", *steps)


_CLASSES = (
    Partition("of the same user", "the turn's user cached it"),
    Partition("of another user", "somebody else cached it"),
    Partition("set in a panel", "by a panel"),
    Partition("set in a chat function", "by a chat function"),
    Partition("set in a skeleton", "by a skeleton refresh", "observed"),
    Partition("set in a tool", "by a tool", "observed"),
)

INVARIANT = Invariant(
    id="C-CACHE-INVISIBLE",
    title="No model sees the cache",
    statement="A cached value stands in no prompt unless a chat function has returned it.",
    sources=(
        context_channels("The three channels at a glance"),
        context_channels("Channel 2 — ctx.cache (page-bound rich snapshot)"),
        context_channels("(1) Pre-turn — the intent classifier sees"),
    ),
    capabilities=frozenset({"cache", "fact_ledger"}),
    reading=(
        "The page's opening says that the classifier reads all three channels; its table and its "
        "section on the cache say that it does not read this one, and they are followed. A "
        "handler that reads a value without returning it shows it to nobody. Keys are not judged."
    ),
    clauses=(
        Clause(
            "unseen-by-classifier",
            "No classifier prompt shows a cached value that no handler has returned.",
            _unseen,
            _CLASSES,
            contradictions=(
                Contradiction(
                    "context-channels page, The essence",
                    "the classifier reads all three channels, the cache too, on every turn.",
                    "The table of the same page says that it does not, unless a handler has read "
                    "and returned a value: the narrower sentence is judged.",
                ),
            ),
        ),
        Clause(
            "unseen-by-narrator",
            "No narrator prompt shows a cached value that no handler has returned.",
            _unnarrated,
            _CLASSES,
            capabilities=frozenset({"narrator"}),
        ),
    ),
    scenarios=_scenarios,
    strategy=strategy,
)
