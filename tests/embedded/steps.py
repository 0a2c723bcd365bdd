"""Steps for the embedded kernels, and the kinds of what comes back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from fedcheck.invariants.vocabulary.scenario import Call, Turn
from fedcheck.invariants.vocabulary.trace import AnyEvent, Event


def call(data: Any = None, **fields: Any) -> Call:
    """Return a call that returns this data."""
    return Call(data_json=json.dumps({} if data is None else data), **fields)


def turn(*calls: Call, message: str = "go", **fields: str) -> Turn:
    """Return a turn with these calls."""
    return Turn(message=message, calls=calls, **fields)


def kinds(events: Sequence[AnyEvent]) -> list[type[Event]]:
    """Return the kinds of the events, in order."""
    return [type(event) for event in events]
