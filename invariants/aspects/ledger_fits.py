"""The facts of a turn that fits the cap are whole, whatever they are made of and stand beside."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..readings.sizes import at_most
from ..scenarios.amounts import AGE, COMPANY, MATTER, Sized, calls_of
from ..scenarios.facts import CALIBRATION, CLOSING, EXPOSED, turn
from ..vocabulary.aspect import Aspect, Dimension, Row, Scene, Value
from ..vocabulary.parameters import Parameters

_LINE = 50
"""The most that a line may have before its payload, in characters."""

SIZES: Dimension[Callable[[int], Sequence[int]]] = Dimension(
    "sizes",
    (
        Value("small", lambda _: (60,), "what tests use"),
        Value("just-under", lambda cap: (cap - _LINE,), "a cap that is a bit too low"),
        Value("half", lambda cap: (cap // 2,), "a share of the cap for each turn"),
        Value("two", lambda cap: (cap // 2 - _LINE,) * 2, "the cap is shared unevenly"),
        Value("newest-large", lambda cap: (150, cap - 150 - 2 * _LINE), "large calls are cut"),
        Value("newest-small", lambda cap: (cap - 150 - 2 * _LINE, 150), "older calls are cut"),
        Value("middle-large", lambda cap: (90, cap - 180 - 3 * _LINE, 90), "room for those beside"),
        Value("ten", lambda cap: (cap // 10 - _LINE,) * 10, "a number of calls is the bound"),
        Value("many", lambda cap: (30,) * (cap // (30 + _LINE)), "a number of calls is the bound"),
    ),
)
"""How large the calls of the turn are, the oldest first: a layout."""


def _made(matter: Sized, size: int) -> Any:
    """Return data that take at most so many characters in every reading."""
    wished = size
    while wished > 1:
        value = matter(wished)
        most = at_most(value)
        if most <= size:
            return value
        wished = min(wished * size // most, wished - 1)
    return 1


def _scene(row: Row, parameters: Parameters) -> Scene:
    sizes = row[SIZES](parameters.turn_cap)
    values = {size: _made(row[MATTER], size) for size in set(sizes)}
    before, calls = row[COMPANY](calls_of([values[size] for size in sizes]))
    steps = [CALIBRATION, *before, turn("show me", *calls), *row[AGE](parameters), CLOSING]
    return Scene(steps, frozenset({1 + len(before)}), EXPOSED)


ASPECT = Aspect(
    name="ledger.fits",
    title="Facts within the cap",
    clauses=(
        "I-FACT-LEDGER-PER-TURN-AGG-CAP/fits-intact",
        "C-LEDGER-MARKER-ONLY-WHEN-CUT/none-without-a-cut",
        "I-DISPATCH-RESULT-DATA-PLUMBED/payload-is-data",
    ),
    focus=SIZES,
    context=(MATTER, COMPANY, AGE),
    scene=_scene,
)
