"""The calls of a turn: as the model asked for them, with what their tools were told and gave."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...invariants.readings.recorded_results import python_value
from ...invariants.vocabulary.json_values import is_object, parse
from ...invariants.vocabulary.messages import ToolCall
from .pieces import Piece


@dataclass
class Asked:
    """A call that the model asked for, or of which only its span tells.

    Attributes:
        id: its id; empty if it has none.
        name: the function, as the model names it.
        arguments: text of the arguments that the model gave.
        is_cut: whether they end in the middle, where its answer ended.
        result: its span, if there is one.
        again: the spans of further runs.
    """

    id: str
    name: str
    arguments: str
    is_cut: bool = False
    result: Piece | None = None
    again: list[Piece] = field(default_factory=list[Piece])

    @property
    def runs(self) -> list[Piece]:
        """All runs of its tool."""
        return [self.result, *self.again] if self.result is not None else []

    @property
    def has_two_results(self) -> bool:
        """Whether its tool gave something else when it ran once more."""
        return len({run.result for run in self.runs}) > 1


def asked_for(answers: Iterable[tuple[Sequence[ToolCall], bool]]) -> Iterator[Asked]:
    """Yield the calls of a model's answers, each of which may have ended at its limit."""
    for calls, is_cut in answers:
        for place, call in enumerate(calls, 1):
            ends = is_cut and place == len(calls) and arguments_of(call.arguments) is None
            yield Asked(call.id, call.name, call.arguments, ends)


def with_results(asked: list[Asked], results: Iterable[Piece]) -> None:
    """Give each call the spans of its runs; a span of no call is one of its own."""
    times = Counter(each.id for each in asked)
    waiting = {each.id: each for each in reversed(asked) if each.id}
    for result in results:
        each = waiting.get(result.call) if result.call else None
        if each is not None and times[each.id] == 1 and _is_later(result, each):
            each.again.append(result)
            continue
        if each is None or each.result is not None:
            each = next((x for x in asked if _fits(x, result)), None)
        if each is None:
            each = Asked(result.call, full_name(result), result.arguments)
            asked.append(each)
        each.result = result


def _is_later(result: Piece, each: Asked) -> bool:
    """Whether a tool ran once more for a call, after all its runs before had ended.

    Two instrumentations that record the same run do so at the same time, one around the other.
    """
    return bool(each.runs) and all(run.end and run.end <= result.start for run in each.runs)


def reached(each: Asked, run: Piece) -> str | None:
    """Return the arguments with which a tool ran; ``None`` if they are not told.

    An instrumentation may record a wrapper of its own, or add what the model did not give.
    """
    text = run.arguments
    asked, told = arguments_of(each.arguments or "{}"), arguments_of(text)
    if told is None and is_object(printed := python_value(text)):
        told, text = printed, json.dumps(printed, ensure_ascii=True, default=str)
    if asked == {} and not text:
        return "{}"  # some leave out what is empty
    if asked is None or told is None:
        return None
    fitting = asked.keys() == told.keys() or (told and told.keys() < asked.keys())
    return text if fitting else None


def arguments_of(text: str) -> dict[str, Any] | None:
    """Return the object that the text of arguments holds; ``None`` if it is none."""
    try:
        value = parse(text)
    except (ValueError, RecursionError):
        return None
    return value if is_object(value) else None


def _fits(asked: Asked, result: Piece) -> bool:
    """Whether a result without a known id is that of a call, by the function's name."""
    if asked.result is not None or (result.call and asked.id and result.call != asked.id):
        return False
    return asked.name in (full_name(result), result.name)


def full_name(result: Piece) -> str:
    """Return the name of the function that a span tells, with its extension."""
    return f"{result.app}__{result.name}" if result.app else result.name


def split_name(name: str) -> tuple[str, str]:
    """Return the extension and the function of a name; no extension if it has none."""
    app, sign, function = name.partition("__")
    return (app, function) if sign else ("", name)
