"""Which arguments a runtime changes on their way to a tool."""

from __future__ import annotations

from collections.abc import Iterator

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

_TURNS = 5
"""How many turns share what is asked for one by one, after the first turn."""

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
    turns = [
        asks(
            f"do it ({n})",
            *(returning({"done": n}, function=row[FUNCTION]) for _ in some),
            arguments=some,
            one_by_one=row[ORDER],
        )
        for n, some in enumerate(_turns(texts, row[NUMBER], one_by_one=row[ORDER]))
    ]
    return Scene(turns, frozenset(range(len(turns))))


def _turns(texts: list[str], first: int, *, one_by_one: bool) -> Iterator[list[str]]:
    """Yield the arguments of each turn: so many in the first, the others in as few as may be.

    A turn of a real runtime is slow, and many runtimes end one that asks its model too often.
    """
    rest = texts[first:]
    yield texts[:first]
    size = max(first, -(-len(rest) // _TURNS)) if one_by_one else len(rest)
    for n in range(0, len(rest), size):
        yield rest[n : n + size]


ASPECT = Aspect(
    name="agent.arguments",
    title="An argument of a tool",
    clauses=("C-AGENT-ARGUMENTS/arguments-unchanged", "C-AGENT-ONCE/every-call-runs"),
    focus=POOL,
    context=(PLACE, NUMBER, ORDER, FUNCTION, BESIDE),
    scene=_scene,
)
