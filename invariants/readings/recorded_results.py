"""The results that a recorded conversation shows to its model, each beside what its call gave."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple, cast

from ..vocabulary.messages import Message
from ..vocabulary.trace import ModelRequest, ToolResult
from ..vocabulary.trace_view import TraceView


class ShownResult(NamedTuple):
    """A message of a tool, where it stands in a request for the first time.

    Attributes:
        step: index of the turn whose request shows it.
        user: whose turn that is.
        text: what the message says.
        result: what the recording says of its call; ``None`` if nothing, or several have its id.
        of_step: index of the turn in which the call was made; -1 if that is not known.
    """

    step: int
    user: str
    text: str
    result: ToolResult | None
    of_step: int


def recorded_results(view: TraceView) -> tuple[ShownResult, ...]:
    """Return every result that requests show, once for each call or text without a call."""
    told = [event for step in view.steps for event in step.all(ToolResult) if event.id]
    times = Counter(event.id for event in told)
    by_id = {event.id: event for event in told if times[event.id] == 1}
    found: list[ShownResult] = []
    seen: set[tuple[str, str]] = set()
    for step in view.steps:
        for message in new_messages(view, step.index):
            if message.role != "tool":
                continue
            call, text = str(message.tool_call_id or ""), message.content_text
            result = by_id.get(call)
            key = (call, "") if result is not None else (call, text)
            if key in seen:
                continue
            seen.add(key)
            of_step = -1 if result is None else result.step
            found.append(ShownResult(step.index, step.user, text, result, of_step))
    return tuple(found)


def new_messages(view: TraceView, step: int) -> list[Message]:
    """Return the messages of a turn's requests that stood in no earlier request."""
    return view.reading(_new_messages).get(step, [])


def _new_messages(view: TraceView) -> dict[int, list[Message]]:
    found: dict[int, list[Message]] = {}
    last: tuple[Message, ...] = ()
    for step in view.steps:
        for request in step.all(ModelRequest):
            if isinstance(request.prompt, str):
                continue
            found.setdefault(step.index, []).extend(_behind(last, request.prompt))
            last = request.prompt
    return found


def _behind(before: tuple[Message, ...], now: tuple[Message, ...]) -> Iterator[Message]:
    """What a prompt adds to the one before it.

    One that goes on with the same messages, the very same objects, is compared at its joint alone,
    so that a long conversation costs no more for each turn than a short one.
    """
    known = len(before)
    if known and len(now) >= known and now[known - 1] is before[-1] and now[0] is before[0]:
        return iter(now[known:])
    return iter(now[_alike(before, now) :])


def _alike(before: tuple[Message, ...], now: tuple[Message, ...]) -> int:
    for index, (old, new) in enumerate(zip(before, now, strict=False)):
        if old != new:
            return index
    return min(len(before), len(now))


def is_python_literal(text: str) -> bool:
    """Return whether a text is a container as Python shows it."""
    return python_value(text) is not None


def python_value(text: str) -> object:
    """Return the container that a text shows as Python does; ``None`` if it shows none."""
    if text.lstrip()[:1] not in ("{", "[", "("):
        return None
    try:
        value: object = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None
    return cast("object", value) if isinstance(value, (dict, list, tuple, set)) else None
