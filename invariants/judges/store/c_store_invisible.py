"""C-STORE-INVISIBLE: what is stored reaches a model only if a handler returns it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...readings.absence import Secret, unseen, whose
from ...readings.marks import MarkedTurn, Plant
from ...scenarios.drawing import Recipe, from_recipes
from ...scenarios.layers import asked, found, kinds_of_value, layered, word
from ...vocabulary.invariant import Clause, Invariant, Partition
from ...vocabulary.parameters import Parameters
from ...vocabulary.scenario import APPS, AnyStep, Scenario, StoreSet
from ...vocabulary.sources import context_channels
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Finding

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

_KEYS = ("settings", "notes", "overview", "FACTS: app=alpha")


def _unseen(view: TraceView) -> Iterator[Finding]:
    return unseen(view, _SECRET)


def _unnarrated(view: TraceView) -> Iterator[Finding]:
    return unseen(view, _SECRET, "narrator")


def _classes(plant: Plant, turn: MarkedTurn) -> Iterator[str]:
    yield whose(plant, turn)
    if turn.turn.calls:
        yield "in a turn with calls"


_SECRET = Secret("store", "a stored document", _classes)


def _scenarios(_parameters: Parameters) -> Iterator[Scenario]:
    yield layered(
        "store-unseen",
        "documents of two extensions, over several turns",
        _kept("settings", 0),
        asked(0, found(10)),
        _kept("notes", 1, app=APPS[1]),
        asked(1),
        _kept("settings", 2),
        asked(2, found(12, app="alpha")),
        asked(3, user="u2", session="s2"),
    )
    values = kinds_of_value(20).items()
    yield layered(
        "store-unseen-kinds",
        "documents of every kind that can bear a mark",
        *(StoreSet(key=key, value_json=json.dumps(each), session="s-u1") for key, each in values),
        asked(0),
        asked(1, found(10)),
        asked(2, user="u2", session="s2"),
    )


def strategy(_parameters: Parameters) -> SearchStrategy[Scenario]:
    """Return the strategy: documents kept between turns."""
    return from_recipes(_drawn, 2)


def _drawn(recipes: tuple[Recipe, ...]) -> Scenario:
    steps: list[AnyStep] = []
    for place, recipe in enumerate((*recipes, *recipes)):
        user = recipe.pick(("u1", "u1", "u2"))
        steps.append(_kept(recipe.pick(_KEYS), place, app=recipe.pick(APPS), user=user))
        steps.append(asked(place, *recipe.pick(((), (found(10 + 2 * place),)))))
    return layered("explore", "", *steps)


def _kept(key: str, number: int, *, app: str = APPS[0], user: str = "u1") -> StoreSet:
    value = f'{{"label":"{word(number)}","rows":["{word(number)}",{number}]}}'
    return StoreSet(key=key, value_json=value, app=app, user=user, session=f"s-{user}")


_CLASSES = (
    Partition("of the same user", "the turn's user keeps it"),
    Partition("of another user", "somebody else keeps it"),
    Partition("in a turn with calls", "handlers have run"),
)

INVARIANT = Invariant(
    id="C-STORE-INVISIBLE",
    title="No model sees the store",
    statement="A stored document stands in no prompt unless a handler has returned it.",
    sources=(
        context_channels("Context channels vs data surfaces"),
        context_channels("Decision matrix — pick a channel"),
    ),
    capabilities=frozenset({"store", "fact_ledger"}),
    clauses=(
        Clause(
            "unseen-by-classifier",
            "No classifier prompt shows a stored document that no handler has returned.",
            _unseen,
            _CLASSES,
        ),
        Clause(
            "unseen-by-narrator",
            "No narrator prompt shows a stored document that no handler has returned.",
            _unnarrated,
            _CLASSES,
            capabilities=frozenset({"narrator"}),
        ),
    ),
    scenarios=_scenarios,
    strategy=strategy,
)
