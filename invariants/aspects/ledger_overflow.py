"""The facts of a turn that exceeds the cap are cut to it, and honestly, whatever is large."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..scenarios.amounts import AGE, COMPANY, MATTER, calls_of
from ..scenarios.facts import CALIBRATION, CLOSING, EXPOSED, turn
from ..vocabulary.aspect import Aspect, Dimension, Row, Scene, Value
from ..vocabulary.parameters import Parameters
from ..vocabulary.scenario import Environment

_MUCH = 3_000


def _far_over(cap: int) -> int:
    """What is plainly too large; kernels with a huge cap are not sent twice as much."""
    return cap + min(cap, _MUCH)


SIZES: Dimension[Callable[[int], Sequence[int]]] = Dimension(
    "sizes",
    (
        Value("twice", lambda cap: (_far_over(cap),), "what tests use"),
        Value("just-over", lambda cap: (cap + 130,), "a cap that is a bit too high, or in bytes"),
        Value(
            "ten-times",
            lambda cap: (cap + 9 * min(cap, _MUCH),),
            "what is far too large is dropped, or refused",
        ),
        Value("two-halves", lambda cap: (cap * 3 // 5,) * 2, "a cap for each call"),
        Value("five", lambda cap: (cap * 3 // 10,) * 5, "a cap for each call"),
        Value("many", lambda cap: (cap // 27,) * 40, "only large calls are counted"),
        Value("newest-large", lambda cap: (cap // 5, cap - 200), "the largest is cut first"),
        Value("newest-small", lambda cap: (cap - 100, cap // 5), "the cut leaves the newest out"),
        Value(
            "newest-over", lambda cap: (200, 200, _far_over(cap)), "one oversized call is dropped"
        ),
        Value("oldest-over", lambda cap: (_far_over(cap), 200, 200), "the cap is spent in order"),
        Value(
            "middle-over",
            lambda cap: (200, _far_over(cap), 200),
            "only the first or last is looked at",
        ),
    ),
)
"""How large the calls of the turn are, the oldest first: a layout."""


EXPOSURE: Dimension[bool] = Dimension(
    "exposure",
    (
        Value("exposed", True, "what tests use, since it can be compared"),
        Value("masked", False, "masked facts go another way, past the cap"),
    ),
)


def _scene(row: Row, parameters: Parameters) -> Scene:
    sizes = row[SIZES](parameters.turn_cap)
    before, calls = row[COMPANY](calls_of([row[MATTER](size) for size in sizes]))
    steps = [CALIBRATION, *before, turn("show me", *calls), *row[AGE](parameters), CLOSING]
    environment = EXPOSED if row[EXPOSURE] else Environment()
    return Scene(steps, frozenset({1 + len(before)}), environment)


_CAP = "I-FACT-LEDGER-PER-TURN-AGG-CAP"

ASPECT = Aspect(
    name="ledger.overflow",
    title="Facts over the cap",
    clauses=(
        f"{_CAP}/within-cap",
        f"{_CAP}/overflow-marked",
        f"{_CAP}/leading-part",
        f"{_CAP}/newest-most-complete",
        "C-LEDGER-MARKER-ONLY-WHEN-CUT/one-with-a-cut",
    ),
    focus=SIZES,
    context=(MATTER, EXPOSURE, COMPANY, AGE),
    scene=_scene,
)
