"""Which marks of a turn its narrator must be shown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple, cast

from ..vocabulary.json_values import leaves
from ..vocabulary.scenario import Call, Turn
from ..vocabulary.trace import NarratorPrompt, prompt_text
from ..vocabulary.trace_view import StepView, TraceView
from .as_written import is_plain_line
from .cache import read_json
from .given import ENVELOPE, REMEMBERED
from .marks import MarkedTurn, marks_in

_SURELY_SHOWN = 3_000
"""Characters of results up to which no narrator may leave anything out."""

_SHORT = 80
"""Characters up to which a text may not be shortened."""

_TEMPLATE = re.compile(r"[$\\%{}`|~]|<[%?]|\[\[|[#@:]\w+|(?<= )\? ")
_MARKUP = re.compile(r"[<>&\"'\u201c-\u201f\u2018-\u201b]")
_GROUPED = re.compile(r"(?<![\w.-])\d{4}")
"""What may be shown with separators between its digits."""

_HUGE = 30_000
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
    if _size(calls) > _SURELY_SHOWN:
        return due
    several = ("one of several calls",) if len(calls) > 1 else ()
    for call in calls:
        if call.status == "success":
            for found in marks_in(call.summary):
                due.setdefault(found, ("a summary", *several))
            for found, classes in _data_marks(call).items():
                due.setdefault(found, ("the data", *several, *classes))
    return due


class Due(NamedTuple):
    """Something that the narrator's prompt must show.

    Attributes:
        name: what it is; the input class.
        marks: marks that show it; one of them is enough.
    """

    name: str
    marks: frozenset[str]


def due_of_failed(turn: MarkedTurn) -> Iterator[Due]:
    """Yield what must be shown of failed calls that have a summary or data.

    Which of them tells a failure, or whether its error does, is a kernel's own affair.
    """
    for call in turn.turn.calls:
        if call.status == "error":
            error, promised = marks_in(call.error), marks_in(call.summary) | set(_data_marks(call))
            if promised and (error or not call.error):
                yield Due("a failed call", frozenset(promised | error))


def due_of_large(turn: MarkedTurn) -> Iterator[Due]:
    """Yield the data that is too large to be shown whole for certain: some of it must be.

    Kernels may stop after so many characters, so nothing is due behind other large data.
    """
    before = 0
    for call in turn.turn.calls:
        size = len(call.data_json)
        found = _data_marks(call) if size > _SURELY_SHOWN >= before else None
        if found:
            name = "more than 30,000 characters" if size > _HUGE else "more than 3,000 characters"
            yield Due(name, frozenset(found))
        before += size + len(call.summary)


def due_names(turn: MarkedTurn) -> Iterator[Due]:
    """Yield the names of fields that must be shown with the data."""
    calls = turn.turn.calls
    if _size(calls) > _SURELY_SHOWN:
        return
    for call in calls:
        if call.status == "success" and marks_in(call.data_json):
            top = _without_envelope(read_json(call.data_json))
            for name, level in _names(top, 1):
                for found in marks_in(name):
                    where = "a field" if level == 1 else "a field further down"
                    yield Due(where, frozenset({found}))


def narrator_texts(view: TraceView) -> Iterator[tuple[StepView, str]]:
    """Yield the turns that have one narrator's prompt, with its text."""
    for step in view.steps:
        prompts = step.all(NarratorPrompt) if isinstance(step.stimulus, Turn) else []
        if len(prompts) == 1:
            yield step, prompt_text(prompts[0])


def due_numbers(step: StepView) -> Iterator[int]:
    """Yield the long whole numbers that the narrator's prompt must show, if written in digits."""
    calls = step.stimulus.calls if isinstance(step.stimulus, Turn) else ()
    if _size(calls) > _SURELY_SHOWN:
        return
    for call in calls:
        if call.status == "success" and _LONG.search(call.data_json):
            for leaf in leaves(_without_envelope(read_json(call.data_json))):
                written = type(leaf) is int and str(abs(leaf)) in call.data_json
                if written and abs(leaf) >= _LEAST_LONG:
                    yield leaf


def due_texts(step: StepView) -> Iterator[dict[str, str]]:
    """Yield the texts that must be shown as written, with their input classes.

    Texts that stand together are quoted in the same way.
    """
    calls = step.stimulus.calls if isinstance(step.stimulus, Turn) else ()
    if _size(calls) > _SURELY_SHOWN:
        return
    for call in calls:
        if call.status == "success":
            yield from _odd_texts(call)


@lru_cache(maxsize=REMEMBERED)
def _odd_texts(call: Call) -> tuple[dict[str, str], ...]:
    top = _without_envelope(read_json(call.data_json))
    data = {each: _oddness(each) for each in leaves(top) if isinstance(each, str)}
    summary = {call.summary: _oddness(call.summary)}
    groups = ({text: name for text, name in each.items() if name} for each in (data, summary))
    return tuple(each for each in groups if each)


def _oddness(text: str) -> str:
    """Return what is special about a text of one line, or nothing."""
    if not is_plain_line(text) or not 2 <= len(text) <= _SHORT or _GROUPED.search(text):
        return ""
    if "  " in text:
        return "blanks" if text.isascii() else ""
    if _TEMPLATE.search(text):
        return "signs of templates"
    if _MARKUP.search(text):
        return "signs of markup"
    if not text.isascii():
        return "letters and signs beyond ASCII"
    return "capitals" if text != text.lower() else ""


def without_separators(text: str) -> str:
    """Return a text without what may stand between the groups of a number's digits."""
    return _SEPARATOR.sub("", text)


def _size(calls: tuple[Call, ...]) -> int:
    return sum(len(call.data_json) + len(call.summary) for call in calls)


def _names(value: Any, level: int) -> Iterator[tuple[str, int]]:
    """The names of all fields, each with its level."""
    if isinstance(value, dict):
        for name, item in cast("dict[str, Any]", value).items():
            yield name, level
            yield from _names(item, level + 1)
    elif isinstance(value, list):
        for item in cast("list[Any]", value):
            yield from _names(item, level + 1)


@lru_cache(maxsize=REMEMBERED)
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
