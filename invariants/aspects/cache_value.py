"""Which values a cache gives back as they were, whatever happens before they are read."""

from __future__ import annotations

from ..scenarios.cache_scenes import BETWEEN, Stage
from ..scenarios.dimensions import HANDLER
from ..scenarios.values import VALUE
from ..vocabulary.aspect import Aspect, Row, Scene
from ..vocabulary.parameters import Parameters

_KEYS = (
    *("mail", "board", "tasks", "files", "people", "places", "orders", "rooms"),
    *("notes", "lists", "dates", "costs", "plans", "links", "teams", "trips"),
)


def _scene(row: Row, parameters: Parameters) -> Scene:
    stage = Stage(row[HANDLER], parameters)
    keys = _KEYS[: len(row[VALUE])]
    for key, value in zip(keys, row[VALUE], strict=True):
        stage.set(key, value, strained=True).get(key)
    row[BETWEEN](stage)
    for key in keys:
        stage.get(key)
    return stage.scene()


ASPECT = Aspect(
    name="cache.value",
    title="A value of the cache",
    clauses=(
        "C-CACHE-LASTING/any-value-comes-back",
        "C-CACHE-LASTING/kept-through",
        "I-CACHE-VALUE-SIZE-CAP-64KB/within-cap-accepted",
        "I-CACHE-VALUE-SIZE-CAP-64KB/non-ascii-within-cap-accepted",
    ),
    focus=VALUE,
    context=(BETWEEN, HANDLER),
    scene=_scene,
)
