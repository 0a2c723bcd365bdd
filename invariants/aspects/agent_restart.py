"""What a runtime forgets when its process ends."""

from __future__ import annotations

from ..scenarios.agents import NUMBER, ORDER, asks, item
from ..vocabulary.aspect import Aspect, Dimension, Row, Scene, Value
from ..vocabulary.parameters import Parameters
from ..vocabulary.scenario import AnyStep, Restart

WHEN: Dimension[tuple[int, ...]] = Dimension(
    "when",
    (
        Value("after-one", (1,), "a turn, then the end"),
        Value("after-three", (3,), "what is written now and then"),
        Value("twice", (1, 2), "what is read and not written again"),
    ),
)
"""After how many turns the process ends."""

BESIDE: Dimension[str] = Dimension(
    "beside",
    (
        Value("nobody", "", "one session"),
        Value("session", "s2", "a second one, which is written last"),
    ),
)
"""Who else has turns."""


def _scene(row: Row, _: Parameters) -> Scene:
    steps: list[AnyStep] = []
    for n in range(1, 1 + max(row[WHEN])):
        steps.append(
            asks(
                f"look it up ({n})",
                *(item(f"onyx{n}", m) for m in range(row[NUMBER])),
                one_by_one=row[ORDER],
            )
        )
        if row[BESIDE]:
            steps.append(asks(f"elsewhere ({n})", item(f"jade{n}"), session=row[BESIDE]))
        if n in row[WHEN]:
            steps.append(Restart())
    return Scene([*steps, asks("what was it?")], frozenset({len(steps)}))


ASPECT = Aspect(
    name="agent.restart",
    title="A restart",
    clauses=("C-AGENT-RESTART/continues-after-restart",),
    focus=WHEN,
    context=(BESIDE, NUMBER, ORDER),
    scene=_scene,
)
