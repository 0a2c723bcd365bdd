"""Which results a runtime forgets."""

from __future__ import annotations

from ..scenarios.agents import FAULT, NUMBER, ORDER, asks, failing, item, returning
from ..vocabulary.aspect import Aspect, Dimension, Row, Scene, Value
from ..vocabulary.parameters import Parameters
from ..vocabulary.scenario import AnyStep, Call

DISTANCE: Dimension[int] = Dimension(
    "distance",
    (
        Value("next", 0, "the turn after"),
        Value("one", 1, "a history of one turn"),
        Value("four", 4, "a window of a few turns that is not declared"),
        Value("twelve", 12, "a window of ten turns, or a summary"),
    ),
)
"""How many turns lie between."""

CONTENT: Dimension[str] = Dimension(
    "content",
    (
        Value("item", "item", "a small object"),
        Value("long", "long", "a result that is cut, or left out, once it is old"),
        Value("list", "list", "a list of objects"),
        Value("failed", "failed", "beside a call that failed"),
    ),
)
"""What the tools return."""

BETWEEN: Dimension[str] = Dimension(
    "between",
    (
        Value("nothing", "nothing", "turns without calls"),
        Value("calls", "calls", "turns whose calls push out older ones"),
        Value("session", "session", "turns of another session"),
    ),
)
"""What happens in between."""


def _scene(row: Row, _: Parameters) -> Scene:
    steps: list[AnyStep] = [
        asks("begin", item("pyrite")),  # there where the next turn breaks off before its calls
        asks(
            "look it up",
            *_calls(row[CONTENT], row[NUMBER]),
            one_by_one=row[ORDER],
            faults=row[FAULT],
            draft="Found.",
        ),
    ]
    for n in range(row[DISTANCE]):
        calls = [item("later", n)] if row[BETWEEN] == "calls" else []
        steps.append(asks(f"and more ({n})", *calls))
        if row[BETWEEN] == "session":
            steps.append(asks(f"elsewhere ({n})", item("other", n), session="s2"))
    steps.append(asks("what was it?"))
    return Scene(steps, frozenset({1, len(steps) - 1}))


def _calls(content: str, number: int) -> list[Call]:
    if content == "long":
        text = " ".join(f"w{n}" for n in range(900))
        return [returning({"id": f"basalt{n}r4", "text": text}) for n in range(number)]
    if content == "list":
        rows = [{"id": f"gneiss{n}k2", "n": n} for n in range(12)]
        return [returning([*rows, {"of": f"shale{n}p8"}]) for n in range(number)]
    calls = [item("copper", n) for n in range(number)]
    return [*calls, failing()] if content == "failed" else calls


ASPECT = Aspect(
    name="agent.recall",
    title="A result that was some turns ago",
    clauses=(
        "C-AGENT-RECALL/within-window",
        "C-AGENT-RECALL/in-this-turn",
        "C-AGENT-RECALL/executed-not-forgotten",
        "C-AGENT-PAIRING/one-result-each",
        "C-AGENT-FIDELITY/values-kept",
    ),
    focus=DISTANCE,
    context=(CONTENT, BETWEEN, NUMBER, ORDER, FAULT),
    scene=_scene,
)
