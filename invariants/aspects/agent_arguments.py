"""Which arguments a runtime changes on their way to a tool."""

from __future__ import annotations

from ..scenarios.agents import NUMBER, ORDER, READ, WRITE, asks, portable, returning
from ..scenarios.pools import POOL
from ..vocabulary.aspect import Aspect, Dimension, Row, Scene, Value
from ..vocabulary.parameters import Parameters
from .dispatch_arguments import PLACE

BESIDE: Dimension[str] = Dimension(
    "beside",
    (
        Value("nothing", "", "an argument alone"),
        Value("long", f'"note": "{"word " * 600}end", ', "a text that is cut, before it"),
    ),
)
"""What else the arguments hold."""

FUNCTION: Dimension[str] = Dimension(
    "function",
    (
        Value("write", WRITE, "a tool that changes something"),
        Value("read", READ, "a tool whose result may be kept from before"),
    ),
)
"""What the tool does."""


def _scene(row: Row, _: Parameters) -> Scene:
    texts = [f"{{{row[BESIDE]}{row[PLACE](value)[1:]}" for value in portable(row[POOL])]
    size = max(row[NUMBER], -(-len(texts) // 6))
    turns = [
        asks(
            f"do it ({n})",
            *(returning({"done": n}, function=row[FUNCTION]) for _ in texts[n : n + size]),
            arguments=texts[n : n + size],
            one_by_one=row[ORDER],
        )
        for n in range(0, len(texts), size)
    ]
    return Scene(turns, frozenset(range(len(turns))))


ASPECT = Aspect(
    name="agent.arguments",
    title="An argument of a tool",
    clauses=("C-AGENT-ARGUMENTS/arguments-unchanged", "C-AGENT-ONCE/every-call-runs"),
    focus=POOL,
    context=(PLACE, NUMBER, ORDER, FUNCTION, BESIDE),
    scene=_scene,
)
