"""Which last words of the model a runtime changes."""

from __future__ import annotations

from ..scenarios.agents import ORDER, SIGNS, STREAM, asks, item
from ..vocabulary.aspect import Aspect, Dimension, Row, Scene, Value
from ..vocabulary.parameters import Parameters

DRAFT: Dimension[str] = Dimension(
    "draft",
    (
        Value("plain", "It is done, and the order is on its way.", "what tests use"),
        Value("long", "A long answer. " * 400 + "The end.", "cut, or split over messages"),
        Value("lines", "First:\n\n- one\n- two\n\n    code\n\nLast.", "white space is folded"),
        Value("unicode", "Готово — 完了 👩\u200d👩\u200d👧 é e\u0301", "code pages, forms"),
        Value("json", '{"answer": 42, "done": true}', "parsed, and printed anew"),
        Value("markup", "<b>bold</b> & **bold** `x < y` &amp; ${x} {0}", "rendered, or escaped"),
        Value("call", "I would call alpha_read_items({}) now, but will not.", "taken for a call"),
        Value("signs", SIGNS, "folded, decoded, or rewritten"),
        Value("thought", "<think>first</think>It is done.", "taken out, which is free"),
    ),
)
"""The text."""

CALLS: Dimension[int] = Dimension(
    "calls",
    (
        Value("none", 0, "words alone"),
        Value("one", 1, "a call before it"),
        Value("three", 3, "several"),
    ),
)
"""How many calls the turn has."""

LATER: Dimension[int] = Dimension(
    "turns",
    (
        Value("first", 0, "the first turn"),
        Value("third", 2, "the reply of an earlier turn"),
    ),
)
"""How many turns there were before."""


def _scene(row: Row, _: Parameters) -> Scene:
    before = [asks(f"begin ({n})", draft=f"Begun ({n}).") for n in range(row[LATER])]
    calls = [item("ruby", n) for n in range(row[CALLS])]
    text, streams = row[DRAFT], row[STREAM]
    turn = asks("finish it", *calls, draft=text, streams=streams, one_by_one=row[ORDER])
    again = asks("finish it again", draft=text, streams=streams)
    return Scene([*before, turn, again], frozenset({len(before), len(before) + 1}))


ASPECT = Aspect(
    name="agent.replies",
    title="The model's last words",
    clauses=("C-AGENT-REPLY/reply-whole",),
    focus=DRAFT,
    context=(CALLS, LATER, ORDER, STREAM),
    scene=_scene,
)
