"""Building blocks of the scenarios that ask which layer sees what: every text bears a mark."""

from __future__ import annotations

import json
from typing import Any

from ..readings.handlers import CONTROL_PATH
from ..readings.marks import mark
from ..vocabulary.scenario import (
    APPS,
    AnyStep,
    CacheGet,
    CacheSet,
    Call,
    Environment,
    Extension,
    HandlerKind,
    Probe,
    Scenario,
    Section,
    Turn,
)
from .facts import CALIBRATION, EXPOSED, call, turn

HANDLERS: tuple[HandlerKind, ...] = ("chat_function", "tool", "panel", "skeleton")
"""Kinds of handler that work for one user at a time."""

SHOWN, HIDDEN = 0, 5_000
"""First numbers of the marks in messages, and of those in everything else."""


def asked(
    number: int,
    *calls: Call,
    text: str = "what about",
    draft: str = "Done.",
    user: str = "u1",
    session: str = "s1",
) -> Turn:
    """Return a turn whose message bears a mark, so that a prompt can be seen to show it."""
    message = f"{text} {mark(SHOWN + number)}"
    return turn(message, *calls, draft=draft, user=user, session=session)


def word(number: int) -> str:
    """Return a mark that stands in no message."""
    return mark(HIDDEN + number)


def found(number: int, **more: Any) -> Call:
    """Return a call whose data bears the mark of that number and whose summary the next one."""
    data = {"label": word(number), "total": 3, **more}
    return call(data, summary=f"found {word(number + 1)}")


def kinds_of_value(number: int) -> dict[str, Any]:
    """Return values of every kind of JSON that can bear a mark, from that number on."""
    first, *others = map(word, range(number, number + 5))
    return {
        "text": first,
        "list": [others[0], 3],
        "nested": [[others[1]]],
        "rows": [{"label": others[2]}],
        "name": {others[3]: 1},
    }


def marked_extensions(number: int) -> Environment:
    """Return an environment whose sections and panels bear marks, from that number on."""
    extensions = [
        Extension(
            app=app,
            sections=(
                Section(
                    returns_json=(
                        json.dumps({"total": 3, "note": word(number + 10 * place)}),
                        json.dumps({"total": 4, "note": word(number + 10 * place + 1)}),
                    )
                ),
            ),
            panel_json=json.dumps({"node": "text", "content": word(number + 10 * place + 2)}),
        )
        for place, app in enumerate(APPS)
    ]
    return Environment(flags=EXPOSED.flags, extensions=tuple(extensions))


def cached(
    key: str, number: int, *, app: str = APPS[0], handler: HandlerKind = "panel", user: str = "u1"
) -> tuple[AnyStep, AnyStep]:
    """Return a set of an object that bears a mark, and its get."""
    value = {"label": word(number), "n": number}
    return cached_value(key, value, app=app, handler=handler, user=user)


def cached_value(
    key: str, given: Any, *, app: str = APPS[0], handler: HandlerKind = "panel", user: str = "u1"
) -> tuple[AnyStep, AnyStep]:
    """Return a set of a value, and its get."""
    value = json.dumps(given)
    return (
        CacheSet(key=key, value_json=value, ttl_seconds=60, app=app, handler=handler, user=user),
        CacheGet(key=key, app=app, handler=handler, user=user),
    )


def identified(
    handler: HandlerKind = "chat_function",
    *,
    app: str = APPS[0],
    user: str = "u1",
    session: str = "s1",
) -> Probe:
    """Return the probe that shows that a handler runs: it gets the user's id."""
    return Probe(handler=handler, op="get", path=CONTROL_PATH, app=app, user=user, session=session)


def layered(name: str, title: str, *steps: AnyStep, environment: Environment = EXPOSED) -> Scenario:
    """Return a scenario that opens with a calibration turn, as all conversations do."""
    return Scenario(id=name, title=title, steps=(CALIBRATION, *steps), environment=environment)
