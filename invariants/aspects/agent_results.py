"""Which results a runtime changes on their way to the model."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..scenarios.agents import NUMBER, ORDER, asks, portable, written
from ..scenarios.pools import POOL, Pool, alone, in_fields, in_list, in_records
from ..vocabulary.aspect import Aspect, Dimension, Row, Scene, Value
from ..vocabulary.parameters import Parameters
from ..vocabulary.scenario import AnyStep

PLACE: Dimension[Callable[[Pool], Sequence[str]]] = Dimension(
    "place",
    (
        Value("fields", in_fields, "an object, as tools return"),
        Value("list", in_list, "a list is taken for parts of a message"),
        Value("records", in_records, "a list of objects in an object"),
        Value("alone", alone, "a bare number, text or null"),
    ),
)
"""Where the values stand."""

BETWEEN: Dimension[int] = Dimension(
    "between",
    (
        Value("next", 0, "the next turn"),
        Value("two", 2, "a history that is written anew at each turn"),
    ),
)
"""How many turns lie between the result and the last look at it."""


def _scene(row: Row, _: Parameters) -> Scene:
    texts = row[PLACE](portable(row[POOL]))
    size = max(row[NUMBER], -(-len(texts) // 4))
    calls = [written(text) for text in texts]
    while len(calls) < row[NUMBER]:
        calls.append(written(f'{{"beside": {len(calls)}, "word": "amber{len(calls)}"}}'))
    steps: list[AnyStep] = [
        asks(f"look it up ({n})", *calls[n : n + size], one_by_one=row[ORDER])
        for n in range(0, len(calls), size)
    ]
    strained = frozenset(range(len(steps)))
    steps += [asks(f"and now? ({n})") for n in range(1 + row[BETWEEN])]
    return Scene(steps, strained)


ASPECT = Aspect(
    name="agent.results",
    title="A result",
    clauses=(
        "C-AGENT-FIDELITY/json-kept",
        "C-AGENT-FIDELITY/values-kept",
        "C-AGENT-FIDELITY/text-kept",
        "C-AGENT-PAIRING/one-result-each",
        "C-AGENT-PAIRING/no-orphan",
        "C-AGENT-PAIRING/own-result",
        "C-AGENT-INVENTION/no-result-without-a-run",
        "C-AGENT-INVENTION/no-call-unasked",
        "C-AGENT-RECALL/in-this-turn",
    ),
    focus=POOL,
    context=(PLACE, NUMBER, ORDER, BETWEEN),
    scene=_scene,
)
