"""Whose a cached or stored value is, whatever kind of value it is and whoever reads it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

from ..scenarios.dimensions import HANDLER, KINDS
from ..scenarios.store import read
from ..vocabulary.aspect import Aspect, Dimension, Row, Scene, Value
from ..vocabulary.parameters import Parameters
from ..vocabulary.scenario import (
    APPS,
    UNSEEN,
    AnyStep,
    CacheGet,
    CacheSet,
    HandlerKind,
    StoreSet,
)

_KEY = f"mail-{UNSEEN}"
"""What an earlier scenario has left there would be taken for a value of somebody in this one."""

Owner = tuple[str, str]
"""User and extension."""

VALUE: Dimension[Callable[[int], str]] = Dimension(
    "value",
    (
        Value("object", lambda n: f'{{"n":{n}}}', "what tests use"),
        Value("text", lambda n: f'"of number {n}"', "texts that lie in a table of their own"),
        Value("digits", lambda n: f'"{4_000 + n}"', "texts that are numbers"),
        Value("number", lambda n: str(7_000 + n), "counters that all share"),
        Value("fraction", lambda n: f"{n}.25", "numbers of another type"),
        Value("true", lambda n: "true" if n == 1 else f"[{n}]", "flags that all share"),
        Value("list", lambda n: f'["a",{n}]', "lists that lie in a table of their own"),
        Value("objects", lambda n: f'[{{"n":{n}}}]', "pages of rows, cached for all"),
        Value("empty-object", lambda n: "{}" if n == 1 else f'{{"n":{n}}}', "one for all"),
        Value("large", lambda n: f'"{"x" * 9_000}{n}"', "what does not fit beside the others"),
    ),
)
"""JSON text of the value that the owner of that number sets."""

OWNERS: Dimension[tuple[Owner, Owner, Owner]] = Dimension(
    "owners",
    (
        Value("users", (("u1", APPS[0]), ("u2", APPS[0]), ("u3", APPS[0])), "no user in a key"),
        Value("extensions", (("u1", APPS[0]), ("u1", APPS[1]), ("u1", APPS[2])), "no extension"),
    ),
)
"""The first sets, the second gets and then sets too, the third never sets."""

READER: Dimension[Callable[[HandlerKind], HandlerKind]] = Dimension(
    "reader",
    (
        Value("same", lambda kind: kind, "what tests do"),
        Value(
            "another",
            lambda kind: KINDS[(KINDS.index(kind) + 1) % len(KINDS)],
            "a client of its own, without the owner's",
        ),
    ),
)
"""The kind of handler that gets what others have set."""


def _scene(row: Row, _: Parameters) -> Scene:
    first, second, third = row[OWNERS]
    kind, value = row[HANDLER], row[VALUE]
    reader = row[READER](kind)
    steps = [
        *_put(first, value(1), kind),
        *_get(first, kind),
        *_get(second, reader),
        *_get(third, reader),
        *_put(second, value(2), kind),
        *_get(second, kind),
        *chain.from_iterable(_get(owner, reader) for owner in (second, first, third)),
    ]
    return Scene(steps, frozenset({4, 6, 14, 16}))


def _put(owner: Owner, value: str, kind: HandlerKind) -> tuple[AnyStep, AnyStep]:
    user, app = owner
    return (
        CacheSet(
            key=_KEY,
            value_json=value,
            ttl_seconds=60,
            app=app,
            handler=kind,
            user=user,
            session=f"s-{user}",
        ),
        StoreSet(key=_KEY, value_json=value, app=app, user=user, session=f"s-{user}"),
    )


def _get(owner: Owner, kind: HandlerKind) -> tuple[AnyStep, AnyStep]:
    user, app = owner
    return (
        CacheGet(key=_KEY, app=app, handler=kind, user=user, session=f"s-{user}"),
        read(_KEY, user=user, app=app, handler=kind),
    )


ASPECT = Aspect(
    name="owner.value",
    title="Whose a cached or stored value is",
    clauses=(
        "C-CACHE-ISOLATION/per-user",
        "C-CACHE-ISOLATION/per-extension",
        "C-STORE-ISOLATION/per-user",
        "C-STORE-ISOLATION/per-extension",
    ),
    focus=VALUE,
    context=(OWNERS, READER, HANDLER),
    scene=_scene,
)
