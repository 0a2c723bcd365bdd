"""Which marks of a turn its narrator must be shown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, cast

from ..vocabulary.json_values import leaves
from ..vocabulary.scenario import Call, Turn
from ..vocabulary.trace import NarratorPrompt, prompt_text
from ..vocabulary.trace_view import StepView, TraceView
from .cache import read_json
from .given import ENVELOPE
from .marks import MarkedTurn, marks_in

_SURELY_SHOWN = 3_000
"""Characters of results up to which no narrator may leave anything out."""

_NESTED = 3
_LEAST_LONG = 100_000
_LONG = re.compile(r"\d{6}")
_SEPARATOR = re.compile(r"(?<=\d)[,._'\u2019\u00a0\u202f ](?=\d{3})")


def due_marks(turn: MarkedTurn) -> dict[str, tuple[str, ...]]:
    """Return the marks that the narrator's prompt must show.

    Each comes with what it stands in, then the other input classes that it belongs to.
    """
    due: dict[str, tuple[str, ...]] = dict.fromkeys(turn.message, ("the user's message",))
    calls = turn.turn.calls
    if sum(len(call.data_json) + len(call.summary) for call in calls) > _SURELY_SHOWN:
        return due
    several = ("one of several calls",) if len(calls) > 1 else ()
    for call in calls:
        if call.status == "success":
            for found in marks_in(call.summary):
                due.setdefault(found, ("a summary", *several))
            for found, classes in _data_marks(call).items():
                due.setdefault(found, ("the data", *several, *classes))
    return due


def narrator_texts(view: TraceView) -> Iterator[tuple[StepView, str]]:
    """Yield the turns that have one narrator's prompt, with its text."""
    for step in view.steps:
        prompts = step.all(NarratorPrompt) if isinstance(step.stimulus, Turn) else []
        if len(prompts) == 1:
            yield step, prompt_text(prompts[0].prompt)


def due_numbers(step: StepView) -> Iterator[int]:
    """Yield the long whole numbers that the narrator's prompt must show, if written in digits."""
    calls = step.stimulus.calls if isinstance(step.stimulus, Turn) else ()
    if sum(len(call.data_json) + len(call.summary) for call in calls) > _SURELY_SHOWN:
        return
    for call in calls:
        if call.status == "success" and _LONG.search(call.data_json):
            for leaf in leaves(_without_envelope(read_json(call.data_json))):
                written = type(leaf) is int and str(abs(leaf)) in call.data_json
                if written and abs(leaf) >= _LEAST_LONG:
                    yield leaf


def without_separators(text: str) -> str:
    """Return a text without what may stand between the groups of a number's digits."""
    return _SEPARATOR.sub("", text)


def _data_marks(call: Call) -> dict[str, tuple[str, ...]]:
    if not marks_in(call.data_json):
        return {}
    top = _without_envelope(read_json(call.data_json))
    plain = () if isinstance(top, dict) else ("data that is no object",)
    found = {
        each: plain for leaf in leaves(top) if isinstance(leaf, str) for each in marks_in(leaf)
    }
    shallow = _above(top, _NESTED)
    return {
        each: classes if each in shallow else (*classes, "a nested value")
        for each, classes in found.items()
    }


def _without_envelope(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    fields = cast("dict[str, Any]", value)
    return {key: item for key, item in fields.items() if key != ENVELOPE}


def _above(value: Any, level: int) -> set[str]:
    """The marks of the leaves that stand above a level."""
    if level == 0:
        return set()
    if isinstance(value, dict):
        items = list(cast("dict[str, Any]", value).values())
    elif isinstance(value, list):
        items = cast("list[Any]", value)
    else:
        return set(marks_in(value)) if isinstance(value, str) else set()
    return {each for item in items for each in _above(item, level - 1)}
