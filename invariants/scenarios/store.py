"""Building blocks of the store scenarios: a document is kept, handlers read it back."""

from __future__ import annotations

import json

from ..readings.store import READ_PATH
from ..vocabulary.scenario import APPS, AnyStep, HandlerKind, Probe, StoreSet

HANDLERS: tuple[HandlerKind, ...] = ("chat_function", "panel", "tool", "skeleton")
"""Kinds of handler that work for one user at a time."""


def keep(
    key: str, number: int, *, user: str = "u1", app: str = APPS[0], session: str = ""
) -> StoreSet:
    """Return the step that keeps a document of its own."""
    value = json.dumps({"n": number, f"field{number}": [number, None]})
    where = session or f"s-{user}"
    return StoreSet(key=key, value_json=value, app=app, user=user, session=where)


def read(
    key: str,
    *,
    user: str = "u1",
    app: str = APPS[0],
    session: str = "",
    handler: HandlerKind = "chat_function",
) -> Probe:
    """Return the step in which a handler reads a document."""
    return Probe(
        handler=handler,
        op="call",
        path=READ_PATH,
        args_json=json.dumps([key]),
        app=app,
        user=user,
        session=session or f"s-{user}",
    )


def kept_and_read(key: str, number: int, *, user: str = "u1", app: str = APPS[0]) -> list[AnyStep]:
    """Return the steps that keep a document and read it back at once."""
    return [keep(key, number, user=user, app=app), read(key, user=user, app=app)]
