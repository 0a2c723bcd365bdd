"""What a turn leaves otherwise that was streamed."""

from __future__ import annotations

from ..scenarios.agents import NUMBER, ORDER, asks, item
from ..vocabulary.aspect import Aspect, Dimension, Row, Scene, Value
from ..vocabulary.parameters import Parameters

WHICH: Dimension[frozenset[int]] = Dimension(
    "which",
    (
        Value("all", frozenset({0, 1, 2}), "a conversation that streams"),
        Value("first", frozenset({0}), "a history that goes on otherwise than it began"),
        Value("last", frozenset({2}), "plain turns before a streamed one"),
    ),
)
"""Which turns of the second session are streamed; those of the first never are."""

DRAFT: Dimension[str] = Dimension(
    "draft",
    (
        Value("plain", "It is done, and the order is on its way.", "what tests use"),
        Value(
            "long", "Paragraph after paragraph. " * 60 + "The end.", "pieces that are kept apart"
        ),
        Value(
            "unicode", "Готово — 完了 👩\u200d👩\u200d👧 é e\u0301", "characters over two pieces"
        ),
    ),
)
"""What the model says at the end."""

FIRST: Dimension[str] = Dimension(
    "before",
    (
        Value("plain", "plain", "the plain session comes first"),
        Value("streamed", "streamed", "the streamed one does"),
    ),
)
"""Which session comes first."""


def _scene(row: Row, _: Parameters) -> Scene:
    sessions = ["s1", "s2"] if row[FIRST] == "plain" else ["s2", "s1"]
    steps = [
        asks(
            f"look it up ({n})" if n < 2 else "what was it?",
            *(item(f"amber{n}", m) for m in range(row[NUMBER] if n < 2 else 0)),
            arguments=[f'{{"n": {10 * n + m}}}' for m in range(row[NUMBER])],
            draft=f"({n}) {row[DRAFT]}",
            session=session,
            one_by_one=row[ORDER],
            streams=session == "s2" and n in row[WHICH],
        )
        for session in sessions
        for n in range(4)
    ]
    second = 4 if row[FIRST] == "plain" else 0
    return Scene(steps, frozenset({second + min(row[WHICH]) + 1}))


ASPECT = Aspect(
    name="agent.streams",
    title="The same turns, streamed and not",
    clauses=("C-AGENT-STREAMS/same-history", "C-AGENT-REPLY/reply-whole"),
    focus=WHICH,
    context=(DRAFT, NUMBER, ORDER, FIRST),
    scene=_scene,
)
