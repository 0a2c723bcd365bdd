"""Which failures of tools a runtime hides from the model."""

from __future__ import annotations

from ..scenarios.agents import ERROR, ORDER, SIGNS, asks, failing, item
from ..vocabulary.aspect import Aspect, Dimension, Row, Scene, Value
from ..vocabulary.parameters import Parameters
from ..vocabulary.scenario import Call

ERRORS: Dimension[str] = Dimension(
    "text",
    (
        Value("sentence", ERROR, "a text of the tool's own"),
        Value("json", '{"code": 503, "reason": "backend q7x9 is away"}', "an object for a result"),
        Value("trace", "Traceback:\n  File x.py\nKeyError: 'id q7x9'", "cut to its first line"),
        Value("signs", SIGNS, "folded, decoded, or rewritten"),
        Value("russian", "не получилось: q7x9", "code pages"),
        Value("long", "the backend q7x9 declined " + "again and " * 300 + "again", "cut"),
    ),
)
"""What the tool says of its failure."""

BESIDE: Dimension[str] = Dimension(
    "beside",
    (
        Value("alone", "alone", "the turn has one call"),
        Value("before", "before", "a success comes after it"),
        Value("after", "after", "a success comes before it"),
    ),
)
"""What else the turn calls."""

LATER: Dimension[int] = Dimension(
    "later",
    (
        Value("next", 1, "the next turn"),
        Value("three", 3, "a history without failures"),
    ),
)
"""How many turns follow."""


def _scene(row: Row, _: Parameters) -> Scene:
    failed, fine = failing(row[ERRORS]), item("quartz")
    calls: dict[str, list[Call]] = {
        "alone": [failed], "before": [failed, fine], "after": [fine, failed],
    }  # fmt: skip
    first = asks("book it", *calls[row[BESIDE]], one_by_one=row[ORDER], draft="It did not work.")
    return Scene([first, *(asks(f"why? ({n})") for n in range(row[LATER]))], frozenset({0}))


ASPECT = Aspect(
    name="agent.errors",
    title="A tool that fails",
    clauses=("C-AGENT-ERRORS/told-as-error", "C-AGENT-ERRORS/error-text-kept"),
    focus=ERRORS,
    context=(BESIDE, ORDER, LATER),
    scene=_scene,
)
