"""Scenarios for the skeleton: sections whose values bear a word of their own, and a strategy."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any
from zlib import crc32

from msgspec import UNSET, UnsetType

from ..vocabulary.parameters import Parameters
from ..vocabulary.scenario import (
    APPS,
    SECTION,
    Advance,
    AnyStep,
    DisableExtension,
    Environment,
    Extension,
    Scenario,
    Section,
    SkeletonRefresh,
    Turn,
)
from .drawing import Recipe, from_recipes
from .lookalike_apps import ALIKE, alike_environment
from .payloads import UNICODE_SAMPLES

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

_LETTERS = "bcdfghjklmnpqrstvwxz"
_RETURNS = 12
LONG = 5_000
"""Characters from which on a string is long in every reading; no document names a limit."""

MESSAGES = ("what is new?", "and now?", "отправь на тот же адрес", "ok")


@cache
def word(*parts: object) -> str:
    """Return a word of nine letters that is found nowhere but where it was planted."""
    number = crc32(repr(parts).encode())
    letters: list[str] = []
    for _ in range(7):
        number, place = divmod(number, len(_LETTERS))
        letters.append(_LETTERS[place])
    return "zq" + "".join(letters)


def value(app: str, count: int, **more: Any) -> dict[str, Any]:
    """Return what an extension's section holds at its n-th refresh."""
    return {"mark": word(app, count), "total": count + 3, **more}


def values(app: str, count: int = _RETURNS) -> list[dict[str, Any]]:
    """Return values that differ at each refresh."""
    return [value(app, n) for n in range(count)]


def section(
    returns: Sequence[Any],
    *,
    ttl: int = 300,
    alert: bool = False,
    declared: bool = True,
    name: str = SECTION,
    alert_says: tuple[str, ...] | UnsetType | None = UNSET,
) -> Section:
    """Return a section with these values; it is that of the pool unless it has a name."""
    return Section(
        name=name,
        ttl_seconds=ttl,
        alert=alert,
        declared=declared,
        returns_json=tuple(json.dumps(each) for each in returns),
        alert_says=alert_says,
    )


def environment(**sections: Section) -> Environment:
    """Return the pool of extensions; those that are not named change at each refresh."""
    return Environment(
        extensions=tuple(
            Extension(app=app, sections=(sections[app],)) if app in sections else _changing(app)
            for app in APPS
        )
    )


@cache
def _changing(app: str) -> Extension:
    """Return an extension of the pool whose section changes at each refresh."""
    return Extension(app=app, sections=(section(values(app)),))


def alike_sections() -> Environment:
    """Return extensions that are alike; what two of them are joined with makes one text."""
    own = {app: (section(values(app)),) for app in ALIKE}
    more = section(values("notes/list-overview"), name="list-overview")
    return alike_environment({**own, "notes": (*own["notes"], more)}, exposed=False)


def scenario(name: str, title: str, *steps: AnyStep, where: Environment | None = None) -> Scenario:
    """Return a scenario."""
    return Scenario(id=name, title=title, steps=steps, environment=where or environment())


def refresh(app: str = APPS[0], *, user: str = "u1", section: str = SECTION) -> SkeletonRefresh:
    """Return the step that refreshes a section."""
    return SkeletonRefresh(app=app, section=section, user=user, session=f"{user}-s")


def refresh_alike() -> list[SkeletonRefresh]:
    """Return the steps that refresh all sections of the extensions that are alike."""
    return [
        *(refresh(app) for app in ALIKE),
        refresh("notes", section="list-overview"),
    ]


def refresh_all(user: str = "u1") -> list[SkeletonRefresh]:
    """Return the steps that refresh the sections of all extensions."""
    return [refresh(app, user=user) for app in APPS]


def say(
    message: str = MESSAGES[0], *, user: str = "u1", session: str = "", draft: str = "Done."
) -> Turn:
    """Return a turn without calls."""
    return Turn(message=message, user=user, session=session or f"{user}-s", draft=draft)


def wait(seconds: float, *, user: str = "u1") -> Advance:
    """Return the step that moves the clock on by so many seconds."""
    return Advance(seconds=seconds, user=user, session=f"{user}-s")


def disable(app: str = APPS[0], *, user: str = "u1") -> DisableExtension:
    """Return the step that disables an extension."""
    return DisableExtension(app=app, user=user, session=f"{user}-s")


def skeleton_scenarios(_parameters: Parameters) -> SearchStrategy[Scenario]:
    """Return the strategy: refreshes, turns, waits and removals of two users, in any order."""
    return from_recipes(_drawn, 3)


_TTLS = (30, 60, 120, 300)
_WAITS = (3, 20, 45, 90, 250, 400, 4000)


def _drawn(recipes: tuple[Recipe, ...]) -> Scenario:
    first = recipes[0]
    clocked = first.pick((False, True))
    ttls = [first.pick(_TTLS) for _ in APPS]
    where = environment(
        **{
            app: section([_drawn_value(app, n, first) for n in range(_RETURNS)], ttl=ttl)
            for app, ttl in zip(APPS, ttls, strict=True)
        }
    )
    steps: list[AnyStep] = [refresh(first.pick(APPS)), say()]
    gone: set[tuple[str, str]] = set()
    for recipe in recipes[1:]:
        steps.extend(_drawn_step(recipe, gone, clocked=clocked) for _ in range(4))
    return scenario("explore", "", *steps, say(), say(user="u2"), where=where)


def _drawn_value(app: str, count: int, recipe: Recipe) -> dict[str, Any]:
    sample = UNICODE_SAMPLES[count % len(UNICODE_SAMPLES)]
    more = recipe.pick(({}, {"note": sample}, {"next": None, "open": True}))
    return value(app, count, **more)


def _drawn_step(recipe: Recipe, gone: set[tuple[str, str]], *, clocked: bool) -> AnyStep:
    kind = recipe.pick(("turn", "turn", "refresh", "refresh", "wait", "disable", "other"))
    user, app = recipe.pick(("u1", "u1", "u2")), recipe.pick(APPS)
    if kind == "wait" and clocked:
        return wait(recipe.pick(_WAITS), user=user)
    if kind == "disable" and (user, app) not in gone:
        gone.add((user, app))
        return disable(app, user=user)
    if kind == "refresh" and (user, app) not in gone:
        return refresh(app, user=user)
    session = "other" if kind == "other" else ""
    return say(recipe.pick(MESSAGES), user=user, session=session and f"{user}-{session}")
