"""What was tried: sizes, depths and lengths of the scenarios of a run, for its distributions.

Sizes are those of compact JSON without escapes, as the documents count them; a kernel with a
dialect of its own makes a few characters more of it.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from ...invariants.vocabulary.parameters import Parameters
from ...invariants.vocabulary.scenario import CacheDelete, CacheGet, CacheSet, Scenario, Turn
from ...reports.record.model import Distribution

Measures = Counter[tuple[str, float]]
"""(measure, value) → number of scenarios that have it."""

_ENDLESS = 1e15
"""From this life on an entry lies on no axis, in seconds."""

_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_NO_BRACKET = re.compile(r"[^\[\]{}]+")


class _Axis(NamedTuple):
    """A measure's unit, and the parameters of the kernel that matter on it, by their names."""

    unit: str
    marks: tuple[tuple[str, str], ...] = ()


_AXES = {
    "payload of a turn": _Axis("characters", (("cap of a turn", "turn_cap"),)),
    "depth of data": _Axis("levels"),
    "calls in a turn": _Axis(""),
    "turns": _Axis("", (("window", "window"),)),
    "length of a cache key": _Axis("characters", (("longest key", "key_max_length"),)),
    "size of a cache value": _Axis("bytes", (("cap of a value", "value_max_bytes"),)),
    "life of a cache entry": _Axis("seconds", (("longest life", "ttl_max_seconds"),)),
}


def measure_names() -> tuple[str, ...]:
    """Return the names of all measures, in the order in which a record has them."""
    return tuple(_AXES)


def measured(scenario: Scenario) -> set[tuple[str, float]]:
    """Return what a scenario tries: (measure, value) pairs, each once."""
    turns = [step for step in scenario.steps if isinstance(step, Turn)]
    found: set[tuple[str, float]] = {("turns", len(turns))} if turns else set()
    for step in scenario.steps:
        if isinstance(step, Turn):
            found.update(_of_turn(step))
        elif isinstance(step, (CacheSet, CacheGet, CacheDelete)):
            found.update(_of_cache(step))
    return found


def distributions(measures: Iterable[Measures], parameters: Parameters) -> tuple[Distribution, ...]:
    """Return how each measure was spread, with the kernel's own values as marks.

    Args:
        measures: those of each part of the run.
        parameters: what the kernel declares.
    """
    together: Measures = Counter()
    for part in measures:
        together.update(part)
    return tuple(
        Distribution(
            measure=name,
            unit=axis.unit,
            marks={told: float(getattr(parameters, field)) for told, field in axis.marks},
            counts=tuple(sorted((v, n) for (x, v), n in together.items() if x == name)),
        )
        for name, axis in _AXES.items()
        if any(x == name for x, _ in together)
    )


def _of_turn(turn: Turn) -> Iterator[tuple[str, float]]:
    if turn.calls:
        yield "calls in a turn", len(turn.calls)
        sent = [call.data_json for call in turn.calls if call.status == "success"]
        yield "payload of a turn", sum(len(compact(text)) for text in sent)
        yield from (("depth of data", depth(text)) for text in sent)


def _of_cache(step: CacheSet | CacheGet | CacheDelete) -> Iterator[tuple[str, float]]:
    yield "length of a cache key", len(step.key)
    if isinstance(step, CacheSet):
        yield (
            "size of a cache value",
            len(compact(step.value_json).encode("utf-8", "surrogatepass")),
        )
        life = step.ttl_seconds
        if isinstance(life, (int, float)) and not isinstance(life, bool) and abs(life) < _ENDLESS:
            yield "life of a cache entry", life


@lru_cache(maxsize=512)
def compact(json_text: str) -> str:
    """Return a JSON text without spaces and escapes; as it is, if it cannot be read."""
    try:
        return json.dumps(json.loads(json_text), ensure_ascii=False, separators=(",", ":"))
    except (ValueError, RecursionError):
        return json_text


@lru_cache(maxsize=512)
def depth(json_text: str) -> int:
    """Return how deep arrays and objects are nested in a JSON text; 0 for a scalar."""
    level = deepest = 0
    for bracket in _NO_BRACKET.sub("", _STRING.sub("", json_text)):
        level += 1 if bracket in "[{" else -1
        deepest = max(deepest, level)
    return deepest
