"""Which texts stand for a value that the planner does not know, and where it puts them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..scenarios.dimensions import APP
from ..scenarios.dispatch import FITTING, FUNCTION, STRICT, asks, planned, settled
from ..scenarios.facts import call, turn
from ..vocabulary.aspect import Apart, Aspect, Dimension, Row, Scene, Value
from ..vocabulary.parameters import Parameters
from ..vocabulary.scenario import Call

TEXT: Dimension[Sequence[str]] = Dimension(
    "text",
    (
        Value("plain", ("rent", "mail@example.com", "UNKNOWN"), "what users say"),
        Value("sentinel", ("<UNKNOWN>", "<TODO>", "<MISSING>", "<X>"), "what models leave open"),
        Value(
            "numbered", ("<EMAIL_1>", "<ARG2>", "<A_>"), "what a pattern of letters alone misses"
        ),
        Value("masked", ("<EMAIL>", "<PHONE>"), "what the masking of personal data leaves"),
        Value("blanks", (" <TODO>", "<TODO>\n", "\t<TODO> "), "compared before it is trimmed"),
        Value(
            "ordinary",
            (
                *("see <TODO> later", "<b>", "<user-id>", "{{EMAIL}}", "<>", "< TODO >", "<1A>"),
                *("<Todo>", "<A><B>", "a <B> c", "<EMAIL", "EMAIL>", "x < Y > z", "<Ä>"),
            ),
            "a guard that minds every angle bracket",
        ),
    ),
)
"""What the planner gives."""

Place = Callable[[str], dict[str, Any]]

PLACE: Dimension[Place] = Dimension(
    "place",
    (
        Value("top", lambda text: {"to": text}, "where guards look"),
        Value(
            "after-others", lambda t: {**{f"f{n}": n for n in range(9)}, "to": t}, "the first few"
        ),
        Value("object", lambda text: {"to": {"who": text}}, "one level down"),
        Value("list", lambda text: {"to": ["a", text]}, "in a list"),
        Value("deep", lambda text: {"a": [{"b": [[{"c": text}]]}]}, "at a depth"),
    ),
)
"""Where in the arguments it stands."""

WHEN: Dimension[str] = Dimension(
    "when",
    (
        Value("first", "first", "the first call of a turn"),
        Value("later", "later", "the second call of a turn"),
        Value("retry", "retry", "guards that look at the first attempt alone"),
    ),
)
"""When the planner gives it."""


def _scene(row: Row, parameters: Parameters) -> Scene:
    data = {"to": "ada@example.com", "phone": "+49 30 1234567"}
    turns = [turn("who wrote?", call(data, app=row[APP]))]
    calls = [_call(row, text) for text in row[TEXT]]
    plain = planned({"n": 1}, function=row[FUNCTION], app=row[APP])
    size = 1 if row[WHEN] == "later" else 6
    for n in range(0, len(calls), size):
        before = [plain] if row[WHEN] == "later" else []
        turns.append(asks(f"send it ({n})", *before, *calls[n : n + size]))
    return settled(turns, parameters)


def _call(row: Row, text: str) -> Call:
    if row[WHEN] == "retry":
        return planned({"title": 1}, {**FITTING, "title": text}, function=STRICT, app=row[APP])
    return planned(row[PLACE](text), function=row[FUNCTION], app=row[APP])


_NO_RETRY = "only the strict function asks again, and its texts stand at the top"

ASPECT = Aspect(
    name="dispatch.placeholders",
    title="A text that stands for a value",
    clauses=(
        "I-PARAMS-NO-PLACEHOLDER-VALUES/placeholder-refused",
        "I-PARAMS-NO-PLACEHOLDER-VALUES/ordinary-text-passes",
        "I-CHAT-FUNCTION-VERBATIM-PARAMS/arguments-verbatim",
        "I-PYDANTIC-RETRY-BUDGET/fitting-retry-runs",
    ),
    focus=TEXT,
    context=(PLACE, FUNCTION, WHEN, APP),
    scene=_scene,
    apart=(
        Apart(
            ("when", frozenset({"retry"})),
            ("place", frozenset({"after-others", "object", "list", "deep"})),
            _NO_RETRY,
        ),
        Apart(("when", frozenset({"retry"})), ("text", frozenset({"ordinary"})), _NO_RETRY),
    ),
)
