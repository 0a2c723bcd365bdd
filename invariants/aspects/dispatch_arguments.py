"""Which arguments a kernel changes on their way to the handler."""

from __future__ import annotations

from collections.abc import Callable

from ..scenarios.dimensions import APP
from ..scenarios.dispatch import FUNCTION, asks, planned, settled
from ..scenarios.pools import POOL
from ..vocabulary.aspect import Aspect, Dimension, Row, Scene, Value
from ..vocabulary.parameters import Parameters

Place = Callable[[str], str]

PLACE: Dimension[Place] = Dimension(
    "place",
    (
        Value("top", lambda value: f'{{"value": {value}}}', "a field"),
        Value("object", lambda value: f'{{"n": 1, "inner": {{"value": {value}}}}}', "an object"),
        Value("list", lambda value: f'{{"values": [{value}, 1, {value}]}}', "a list, twice"),
        Value("title", lambda value: f'{{"title": {value}}}', "a field whose name has a meaning"),
    ),
)
"""Where the value stands."""

TOGETHER: Dimension[int] = Dimension(
    "together",
    (
        Value("one", 1, "a call a turn"),
        Value("several", 8, "several calls a turn, whose arguments could be exchanged"),
    ),
)
"""How many calls a turn makes."""

_MOST_TURNS = 12


def _scene(row: Row, parameters: Parameters) -> Scene:
    size = max(row[TOGETHER], -(-len(row[POOL]) // _MOST_TURNS))
    calls = [
        planned(row[PLACE](value), function=row[FUNCTION], app=row[APP]) for value in row[POOL]
    ]
    turns = [asks(f"do it ({n})", *calls[n : n + size]) for n in range(0, len(calls), size)]
    return settled(turns, parameters)


ASPECT = Aspect(
    name="dispatch.arguments",
    title="An argument",
    clauses=("I-CHAT-FUNCTION-VERBATIM-PARAMS/arguments-verbatim",),
    focus=POOL,
    context=(PLACE, FUNCTION, TOGETHER, APP),
    scene=_scene,
)
