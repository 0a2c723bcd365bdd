"""When a runtime runs a call twice, or not at all."""

from __future__ import annotations

from ..scenarios.agents import FAULT, NUMBER, ORDER, READ, WRITE, asks, returning
from ..vocabulary.aspect import Aspect, Dimension, Row, Scene, Value
from ..vocabulary.parameters import Parameters
from ..vocabulary.scenario import AnyStep

ALIKE: Dimension[str] = Dimension(
    "alike",
    (
        Value("unlike", "unlike", "calls that differ"),
        Value("equal", "equal", "calls of one tool with equal arguments, taken for one"),
        Value("again", "again", "the same as in the turn before"),
    ),
)
"""How alike the calls of a turn are."""

FUNCTION: Dimension[str] = Dimension(
    "function",
    (
        Value("write", WRITE, "what is done twice is seen"),
        Value("read", READ, "results that are kept from before"),
    ),
)
"""What the tool does."""


def _scene(row: Row, _: Parameters) -> Scene:
    def turn(word: str, *, plain: bool) -> AnyStep:
        numbers = range(row[NUMBER])
        return asks(
            f"order {word}",
            *(returning({"id": f"{word}{n}q5"}, function=row[FUNCTION]) for n in numbers),
            arguments=['{"n": 1}' if row[ALIKE] != "unlike" else f'{{"n": {n}}}' for n in numbers],
            one_by_one=row[ORDER],
            faults=() if plain else row[FAULT],
        )

    before = [turn("first", plain=True)] if row[ALIKE] == "again" else []
    steps = [*before, turn("tungsten", plain=False), asks("is it done?")]
    return Scene(steps, frozenset({len(before)}))


ASPECT = Aspect(
    name="agent.once",
    title="A call under errors of the model",
    clauses=(
        "C-AGENT-ONCE/at-most-once",
        "C-AGENT-ONCE/every-call-runs",
        "C-AGENT-RECALL/executed-not-forgotten",
    ),
    focus=FAULT,
    context=(NUMBER, ORDER, ALIKE, FUNCTION),
    scene=_scene,
)
