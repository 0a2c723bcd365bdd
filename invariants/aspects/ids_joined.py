"""Whose something is, where the ids of two owners are one text once they are joined."""

from __future__ import annotations

import json
from collections.abc import Callable

from ..readings.likeness import SEPARATORS
from ..readings.probes import CONTROL_PATH, READ_PATH
from ..scenarios.facts import EXPOSED, call, turn
from ..scenarios.skeleton import section, values
from ..scenarios.store import read
from ..vocabulary.aspect import Aspect, Dimension, Row, Scene, Value
from ..vocabulary.parameters import Parameters
from ..vocabulary.scenario import (
    FRESH,
    AnyStep,
    CacheGet,
    CacheSet,
    Environment,
    Extension,
    Probe,
    SkeletonRefresh,
    StoreSet,
    Turn,
)

Place = tuple[str, str, str]
"""User, extension, and what it is called there: a key, a section or a function."""

SEPARATOR: Dimension[str] = Dimension(
    "separator",
    tuple(Value(name, by, "a character of the ids themselves") for name, by in SEPARATORS.items()),
)

_USER = f"u{FRESH}"


def _pair(
    user: Callable[[str], tuple[str, str]] = lambda _: (_USER, _USER),
    app: Callable[[str], tuple[str, str]] = lambda _: ("notes", "notes"),
    key: Callable[[str], tuple[str, str]] = lambda _: ("mail", "mail"),
) -> Callable[[str], tuple[Place, Place]]:
    """Return what makes two places of a separator; each part is one text, or two."""

    def places(by: str) -> tuple[Place, Place]:
        one, other = zip(user(by), app(by), key(by), strict=True)
        return one, other

    return places


def _before(text: str) -> Callable[[str], tuple[str, str]]:
    return lambda by: (text, f"list{by}{text}")


def _behind(text: str) -> Callable[[str], tuple[str, str]]:
    return lambda by: (f"{text}{by}list", text)


PARTS: Dimension[Callable[[str], tuple[Place, Place]]] = Dimension(
    "parts",
    (
        Value("app-key", _pair(app=_behind("notes"), key=_before("mail")), "app:key"),
        Value("key-app", _pair(key=_behind("mail"), app=_before("notes")), "key:app"),
        Value("app-user", _pair(app=_behind("notes"), user=_before(_USER)), "app:user"),
        Value("user-app", _pair(user=_behind(_USER), app=_before("notes")), "user:app"),
        Value("user-key", _pair(user=_behind(_USER), key=_before("mail")), "user:key"),
        Value("key-user", _pair(key=_behind("mail"), user=_before(_USER)), "key:user"),
    ),
)
"""Which parts of the place run together, in the order in which they are joined."""


def _scene(row: Row, _: Parameters) -> Scene:
    places = row[PARTS](row[SEPARATOR])
    steps: list[AnyStep] = []
    for number, place in enumerate(places):
        steps += _puts(place, number)
    strained: set[int] = set()
    for place in places:
        strained.add(len(steps))
        steps += _gets(place)
    if row[SEPARATOR] == ".":  # a prompt may name sections so: nobody could tell two apart
        strained = {len([s for s in steps[:n] if not isinstance(s, Turn)]) for n in strained}
        steps = [step for step in steps if not isinstance(step, Turn)]
    return Scene(steps, frozenset(strained), _environment(*places))


def _puts(place: Place, number: int) -> list[AnyStep]:
    user, app, name = place
    session, value = f"s-{user}", f'{{"n":{number}}}'
    return [
        StoreSet(key=name, value_json=value, app=app, user=user, session=session),
        read(name, user=user, app=app),
        CacheSet(key=name, value_json=value, ttl_seconds=60, app=app, user=user, session=session),
        CacheGet(key=name, app=app, user=user, session=session),
        SkeletonRefresh(app=app, section=name, user=user, session=session),
        turn("remember", call({"n": number}, app=app, function=name), user=user, session=session),
    ]


def _gets(place: Place) -> list[AnyStep]:
    user, app, name = place
    session = f"s-{user}"
    inside = Probe(
        handler="skeleton", op="get", path=CONTROL_PATH, app=app, user=user, session=session
    )
    return [
        read(name, user=user, app=app),
        CacheGet(key=name, app=app, user=user, session=session),
        inside,
        Probe(
            handler="skeleton",
            op="call",
            path=READ_PATH,
            args_json=json.dumps([name]),
            app=app,
            user=user,
            session=session,
        ),
        turn("what do I have?", user=user, session=session),
    ]


def _environment(one: Place, other: Place) -> Environment:
    sections: dict[str, dict[str, None]] = {}
    for _, app, name in (one, other):
        sections.setdefault(app, {})[name] = None
    extensions = (
        Extension(
            app=app,
            sections=tuple(section(values(f"{app}/{name}", 3), name=name) for name in names),
        )
        for app, names in sections.items()
    )
    return Environment(flags=EXPOSED.flags, extensions=tuple(extensions))


ASPECT = Aspect(
    name="ids.joined",
    title="Two places that are one text once their parts are joined",
    clauses=(
        "C-STORE-ISOLATION/per-extension",
        "C-STORE-ISOLATION/per-user",
        "C-CACHE-ISOLATION/per-extension",
        "C-CACHE-ISOLATION/per-user",
        "C-SKELETON-ISOLATION/read-per-extension",
        "C-SKELETON-ISOLATION/read-per-user",
        "C-SKELETON-ISOLATION/per-user",
        "C-SKELETON-ISOLATION/per-extension",
        "C-LEDGER-OWNER/extension-named",
        "C-LEDGER-OWNER/function-named",
    ),
    focus=SEPARATOR,
    context=(PARTS,),
    scene=_scene,
)
