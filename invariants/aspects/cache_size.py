"""How large a cache value may be, whoever sets it and whatever its key held before."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache

from ..readings.cache_rules import ENVELOPE_ROOM
from ..scenarios.cache import MIXED, ascii_value, cyrillic_value, items_value
from ..scenarios.cache_scenes import BEFORE, KEY, Stage
from ..scenarios.dimensions import HANDLER
from ..vocabulary.aspect import Aspect, Dimension, Row, Scene, Value
from ..vocabulary.parameters import Parameters


def _text(character: str, count: int) -> str:
    """An object whose one text is a character many times over."""
    return json.dumps({"text": character * count})


def _fields(count: int) -> str:
    return json.dumps({f"field {number}": number for number in range(count)})


VALUE: Dimension[Callable[[int], str]] = Dimension(
    "value",
    (
        Value("small", lambda _: '{"n":36}', "what tests use"),
        Value("empty", lambda _: "{}", "nothing is taken for no value"),
        Value("mixed", lambda _: MIXED, "kinds that a store has no column for"),
        Value("items", lambda _: items_value(1_000), "lists that are cut"),
        Value(
            "largest", lambda cap: ascii_value(cap - ENVELOPE_ROOM), "a lower limit of the store"
        ),
        Value("few-letters", lambda _: cyrillic_value(10), "a store that knows one byte for each"),
        Value("letters", lambda cap: cyrillic_value((cap - ENVELOPE_ROOM) // 6 - 2), "escapes"),
        Value("one-over", lambda cap: ascii_value(cap + 1), "a bound that is off by one"),
        Value("far-over", lambda cap: ascii_value(cap + 5_000), "a value that is cut"),
        Value("letters-over", lambda cap: cyrillic_value(cap // 2 + 300), "code points counted"),
        Value("astral-over", lambda cap: _text("😀", cap // 4), "UTF-16 units counted"),
        Value("escapes-over", lambda cap: _text('"', cap // 2), "characters counted unescaped"),
        Value("controls-over", lambda cap: _text("\1", cap // 6 + 1), "the same: six for one"),
        Value("items-over", lambda cap: items_value(cap // 6 + 300), "only texts are measured"),
        Value("fields-over", lambda cap: _fields(cap // 15), "only values are measured"),
        Value("more-fields-over", lambda cap: _fields(cap // 12), "the same"),
        Value("key-over", lambda cap: json.dumps({"k" * cap: 1}), "the same: one long name"),
        Value("list-over", lambda cap: json.dumps(["x" * cap]), "only objects are measured"),
        Value("text-over", lambda cap: json.dumps("x" * cap), "the same: a text alone"),
    ),
)


@cache
def _value(made: Callable[[int], str], cap: int) -> str:
    """Make a value once for all rows: the largest take milliseconds each."""
    return made(cap)


def _scene(row: Row, parameters: Parameters) -> Scene:
    stage = Stage(row[HANDLER], parameters)
    row[BEFORE](stage)
    stage.set(KEY, _value(row[VALUE], parameters.value_max_bytes), strained=True).get(KEY)
    return stage.get(KEY, handler="panel").scene()


ASPECT = Aspect(
    name="cache.size",
    title="The size of a cache value",
    clauses=(
        "I-CACHE-VALUE-SIZE-CAP-64KB/oversized-not-stored",
        "I-CACHE-VALUE-SIZE-CAP-64KB/within-cap-accepted",
        "I-CACHE-VALUE-SIZE-CAP-64KB/non-ascii-within-cap-accepted",
    ),
    focus=VALUE,
    context=(HANDLER, BEFORE),
    scene=_scene,
)
