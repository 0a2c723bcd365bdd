"""What happens to one cache key, step by step: the scenes of the aspects of the cache.

A scene opens with a control, a plain set that must be kept, in the kind of handler that acts.
Every set has a value of its own. What can be observed is: each kind of handler reads.
"""

from __future__ import annotations

from collections.abc import Callable

from ..readings.cache_rules import SURE_TTL, Life
from ..vocabulary.aspect import Dimension, Scene, Value
from ..vocabulary.parameters import Parameters
from ..vocabulary.scenario import (
    APPS,
    Advance,
    AnyStep,
    CacheGet,
    CacheSet,
    HandlerKind,
    RenderPanel,
    SkeletonRefresh,
    StoreSet,
)
from .dimensions import KINDS
from .facts import call, turn

CONTROL, KEY, OTHER = "control", "mail", "note"


class Stage:
    """Cache steps of one kind of handler, in the order in which they are told."""

    def __init__(self, handler: HandlerKind, parameters: Parameters, *, app: str = APPS[0]) -> None:
        self.steps: list[AnyStep] = []
        self.app = app
        self.strained: set[int] = set()
        self.handler: HandlerKind = handler
        self.cap = parameters.ttl_max_seconds
        self.set(CONTROL).get(CONTROL)

    def set(
        self,
        key: str,
        value: str | None = None,
        *,
        life: Life = SURE_TTL,
        handler: HandlerKind | None = None,
        user: str = "u1",
        strained: bool = False,
    ) -> Stage:
        """Set a key; without a value, to one that no other set has."""
        if strained:
            self.strained.add(len(self.steps))
        self.steps.append(
            CacheSet(
                key=key,
                value_json=f'{{"n":{len(self.steps)}}}' if value is None else value,
                ttl_seconds=life,
                app=self.app,
                handler=handler or self.handler,
                user=user,
                session=f"s-{user}",
            )
        )
        return self

    def get(self, key: str, *, handler: HandlerKind | None = None, user: str = "u1") -> Stage:
        """Get a key."""
        self.steps.append(
            CacheGet(
                key=key,
                app=self.app,
                handler=handler or self.handler,
                user=user,
                session=f"s-{user}",
            )
        )
        return self

    def get_everywhere(self, key: str) -> Stage:
        """Get a key in every kind of handler, first in the one that acts."""
        self.get(key)
        for kind in KINDS:
            if kind != self.handler:
                self.get(key, handler=kind)
        return self

    def wait(self, seconds: float) -> Stage:
        """Let time pass."""
        self.steps.append(Advance(seconds=seconds, session="s-u1"))
        return self

    def take(self, *steps: AnyStep) -> Stage:
        """Take other steps."""
        self.steps += steps
        return self

    def scene(self) -> Scene:
        """Return what was told."""
        return Scene(self.steps, frozenset(self.strained))


Act = Callable[[Stage], object]
"""Something that happens on a stage."""


def _kept_briefly(stage: Stage) -> None:
    stage.set(KEY).get(KEY)


def _kept_long(stage: Stage) -> None:
    stage.set(KEY, life=stage.cap).get(KEY)


def _expired(stage: Stage) -> None:
    stage.set(KEY).get(KEY).wait(SURE_TTL + 2).get(KEY)


def _refused(stage: Stage) -> None:
    stage.set(KEY, life=10 * stage.cap).get(KEY)


def _of_another_kind(stage: Stage) -> None:
    kind: HandlerKind = "panel" if stage.handler != "panel" else "chat_function"
    stage.set(KEY, handler=kind).get(KEY, handler=kind)


def _of_another_user(stage: Stage) -> None:
    stage.set(KEY, life=stage.cap, user="u2").get(KEY, user="u2")


BEFORE: Dimension[Act] = Dimension(
    "before",
    (
        Value("nothing", lambda _: None, "what tests begin with"),
        Value("kept-briefly", _kept_briefly, "an update that keeps the entry's first checks"),
        Value("kept-long", _kept_long, "an update that keeps the entry's first life"),
        Value("expired", _expired, "an entry that is revived, not made anew"),
        Value("refused", _refused, "a refusal that leaves something behind"),
        Value("of-another-kind", _of_another_kind, "checks that only the first writer meets"),
        Value("of-another-user", _of_another_user, "an entry, or its life, that users share"),
    ),
)
"""What happened to the key before."""


def _read_often(stage: Stage) -> None:
    stage.get_everywhere(KEY)


def _another_key(stage: Stage) -> None:
    stage.set(OTHER, life=stage.cap).get(OTHER)


def _refreshed(stage: Stage) -> None:
    stage.take(SkeletonRefresh(session="s-u1"))


def _talked(stage: Stage) -> None:
    stage.take(turn("what is new?", call({"n": 1}), session="s-u1"))


def _failed(stage: Stage) -> None:
    stage.take(turn("what is new?", call({}, status="error"), session="s-u1"))


MEANWHILE: Dimension[Act] = Dimension(
    "meanwhile",
    (
        Value("nothing", lambda _: None, "what tests do"),
        Value("read", _read_often, "a get that renews the life"),
        Value("another-key", _another_key, "one life for all keys of an owner"),
        Value("refresh", _refreshed, "a refresh that touches every entry"),
        Value("turn", _talked, "a turn that loads and saves the whole cache"),
        Value("failed-turn", _failed, "a rollback that restores entries"),
        Value("of-another-user", _of_another_user, "an entry, or its life, that users share"),
    ),
)
"""What happens while the entry lives."""


def _many_keys(stage: Stage) -> None:
    for number in range(30):
        stage.set(f"other-{number}")


def _elsewhere(stage: Stage) -> None:
    step = CacheSet(key=KEY, value_json='{"n":99}', app=APPS[1], session="s-u1")
    stage.take(step, CacheGet(key=KEY, app=APPS[1], session="s-u1"))


def _in_another_session(stage: Stage) -> None:
    stage.take(turn("and here?", call({"n": 2}), session="s-later"))


BETWEEN: Dimension[Act] = Dimension(
    "between",
    (
        *MEANWHILE.values,
        Value("time", lambda stage: stage.wait(SURE_TTL // 2), "a life that is cut by half"),
        Value("panel", lambda stage: stage.take(RenderPanel(session="s-u1")), "a page starts anew"),
        Value(
            "document",
            lambda stage: stage.take(StoreSet(key=KEY, value_json='{"n":98}', session="s-u1")),
            "one namespace for cache and store",
        ),
        Value("many-keys", _many_keys, "only the newest entries are kept"),
        Value("another-extension", _elsewhere, "a write that clears other extensions' entries"),
        Value("another-session", _in_another_session, "a cache that begins anew with a session"),
    ),
)
"""What may happen between a set and a get, more than while a life is watched."""
