"""What each turn of a recorded conversation newly shows to its model, and what Python printed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import cast

from ..vocabulary.messages import Message
from ..vocabulary.trace import ModelRequest
from ..vocabulary.trace_view import TraceView


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
