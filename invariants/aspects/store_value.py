"""Which documents a store gives back as they were, whatever happens before they are read."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..scenarios.dimensions import APP
from ..scenarios.facts import call, turn
from ..scenarios.store import HANDLERS, read
from ..scenarios.values import VALUE
from ..vocabulary.aspect import Aspect, Dimension, Row, Scene, Value
from ..vocabulary.parameters import Parameters
from ..vocabulary.scenario import (
    UNSEEN,
    Advance,
    AnyStep,
    CacheSet,
    HandlerKind,
    RenderPanel,
    SkeletonRefresh,
    StoreSet,
)

_DAY = 86_400
_HOME = "s-u1"
_KEY, _CONTROL = f"settings-{UNSEEN}", f"control-{UNSEEN}"

Between = Callable[[Parameters], Sequence[AnyStep]]


def _waited(seconds: float) -> Between:
    return lambda _: [Advance(seconds=seconds, session=_HOME)]


def _turns(parameters: Parameters) -> list[AnyStep]:
    return [
        turn(f"ask {number}", call({"n": number}), session=_HOME)
        for number in range(parameters.window + 2)
    ]


def _failed(_: Parameters) -> list[AnyStep]:
    return [turn("ask", call({}, status="error"), session=_HOME)]


def _others(_: Parameters) -> list[AnyStep]:
    return [_kept(f"note-{number}", f'{{"n":{number}}}') for number in range(60)]


def _elsewhere(_: Parameters) -> list[AnyStep]:
    value = '{"n":98}'
    return [
        StoreSet(key=_KEY, value_json=value, user="u2", session="s-u2"),
        CacheSet(key=_KEY, value_json=value, ttl_seconds=60, session=_HOME),
        turn("and here?", session="s-later"),
    ]


def _refreshed(_: Parameters) -> list[AnyStep]:
    return [SkeletonRefresh(session=_HOME), RenderPanel(session=_HOME)]


BETWEEN: Dimension[Between] = Dimension(
    "between",
    (
        Value("nothing", lambda _: [], "what tests do"),
        Value("other-documents", _others, "only so many documents are kept"),
        Value("others", _elsewhere, "what users, sessions or the cache share"),
        Value("refresh", _refreshed, "a refresh, or a page, that starts anew"),
        Value("turns", _turns, "documents that go when the facts go"),
        Value("failed-turn", _failed, "a rollback that takes more with it"),
        Value("hour", _waited(3_601), "documents that live in the cache"),
        Value("day", _waited(_DAY + 1), "a sweep once a day"),
        Value("month", _waited(31 * _DAY), "documents that are archived after thirty days"),
        Value("years", _waited(800 * _DAY), "documents that a retention period ends"),
    ),
)
"""What happens between keeping and reading."""

KINDS: Dimension[HandlerKind] = Dimension(
    "reader",
    tuple(
        Value(kind.replace("_", "-"), kind, "a client of its own, with a parser of its own")
        for kind in HANDLERS
    ),
)
"""The kind of handler that reads."""


def _kept(key: str, value: str, app: str = "alpha") -> StoreSet:
    return StoreSet(key=key, value_json=value, app=app, session=_HOME)


def _scene(row: Row, parameters: Parameters) -> Scene:
    kind, app = row[KINDS], row[APP]
    keys = (_KEY, *(f"document-{number}-{UNSEEN}" for number in range(1, len(row[VALUE]))))
    steps: list[AnyStep] = [
        _kept(_CONTROL, '{"n":1}', app),
        read(_CONTROL, app=app, handler=kind),
    ]
    strained = frozenset(range(len(steps), len(steps) + 2 * len(keys), 2))
    for key, value in zip(keys, row[VALUE], strict=True):
        steps += [_kept(key, value, app), read(key, app=app, handler=kind)]
    steps += row[BETWEEN](parameters)
    for key in keys:
        steps.append(read(key, app=app, handler=kind))
        steps.append(read(key, app=app, handler=kind, session="s-later"))
    return Scene(steps, strained)


ASPECT = Aspect(
    name="store.value",
    title="A document of the store",
    clauses=(
        "C-STORE-LASTING/newest-read",
        "C-STORE-LASTING/across-sessions",
        "C-STORE-LASTING/outlives-the-channels",
    ),
    focus=VALUE,
    context=(BETWEEN, KINDS, APP),
    scene=_scene,
)
