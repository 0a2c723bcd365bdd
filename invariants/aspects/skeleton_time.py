"""Sections are refreshed every ttl seconds for each user, and their ages are right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..scenarios.facts import call, turn
from ..scenarios.skeleton import environment, refresh, refresh_all, say, section, value, wait
from ..vocabulary.aspect import Aspect, Dimension, Row, Scene, Value
from ..vocabulary.parameters import Parameters
from ..vocabulary.scenario import APPS, AnyStep, SkeletonRefresh

_APP = APPS[0]
_MOST_RETURNS = 60
_DAY = 86_400


def _period(ttl: int) -> float:
    """Seconds after which a section has been refreshed in every reading of "every ttl"."""
    return ttl * 1.1 + 6


Gaps = Callable[[int], Sequence[float]]
"""From a ttl to the seconds between one look and the next; a negative gap ends without a look."""

LAPSE: Dimension[Gaps] = Dimension(
    "lapse",
    (
        Value("a-period", lambda ttl: [_period(ttl)], "what tests wait for"),
        Value("periods", lambda ttl: [_period(ttl)] * 5, "a period that grows, or ends"),
        Value(
            "short-steps",
            lambda ttl: [-ttl / 4] * 4 + [ttl / 4, -ttl / 4, -ttl / 2, ttl / 2],
            "only a wait as long as the period counts",
        ),
        Value("looks-between", lambda ttl: [ttl / 3] * 9, "each turn puts the refresh off"),
        Value("just-before", lambda ttl: [ttl * 0.8] * 4, "a period that begins with each look"),
        Value("at-once", lambda ttl: [10 * ttl, _period(ttl)], "what is overdue is never done"),
        Value("seconds", lambda ttl: [7, 20, ttl + 20], "ages of another section, or another time"),
        Value("minutes", lambda ttl: [145, ttl + 145], "minutes that are cut off, or written 2:25"),
        Value("hours", lambda ttl: [3 * 3_600 + 700, _period(ttl)], "ages without their hours"),
        Value("a-day", lambda ttl: [_DAY + 900, _period(ttl)], "ages modulo a day"),
        Value("a-night", lambda ttl: [30, -9 * 3_600, _period(ttl)], "idle users are forgotten"),
    ),
)

TTL: Dimension[int] = Dimension(
    "ttl",
    (
        Value("usual", 300, "what the pages use"),
        Value("short", 30, "a least period, or whole minutes"),
        Value("odd", 97, "periods of a common clock"),
        Value("long", 5_400, "a longest period; a store that forgets after an hour"),
        Value("days", 3 * _DAY, "ages without their days; what begins anew each night"),
    ),
)

CHANGE: Dimension[Callable[[int], Any]] = Dimension(
    "change",
    (
        Value("always", lambda count: value(_APP, count), "what tests return"),
        Value("never", lambda _: value(_APP, 0), "nothing new: no refresh, or no new age"),
        Value("seldom", lambda count: value(_APP, count // 3), "less often when nothing changes"),
        Value("to-and-fro", lambda count: value(_APP, count % 2), "compared with what was before"),
    ),
)
"""From the number of the refresh to what the section holds."""

BEGUN: Dimension[Sequence[AnyStep]] = Dimension(
    "begun",
    (
        Value("by-hand", (refresh(_APP), say()), "what tests begin with"),
        Value("turn", (say(), refresh(_APP), say()), "periods of what nobody asked for"),
        Value("unasked", (refresh(APPS[1]), say()), "only what was refreshed once is again"),
        Value("twice", (refresh(_APP), refresh(_APP), say()), "two schedules, or none"),
        Value("with-others", (*refresh_all(), say()), "one section of a user, or the newest"),
        Value(
            "in-two-sessions",
            (say(), SkeletonRefresh(session="u1-later", app=_APP), say()),
            "a schedule of the session",
        ),
    ),
)

Active = Callable[[int, float], list[AnyStep]]
"""From the number of a wait and its length to steps that take so long."""


def _others(number: int, seconds: float) -> list[AnyStep]:
    users = ("u2", "u3", "u4", "u5")
    user = users[number % 4]
    return [refresh(_APP, user=user), say(user=user), wait(seconds, user=user)]


def _talking(number: int, seconds: float) -> list[AnyStep]:
    go = turn("go", call({"n": number}), session="u1-s")
    return [go, wait(seconds / 2), say(session="u1-later"), wait(seconds / 2)]


def _failing(_: int, seconds: float) -> list[AnyStep]:
    return [wait(seconds), turn("go", call({}, status="error"), session="u1-s")]


def _by_hand(number: int, seconds: float) -> list[AnyStep]:
    if number % 2:
        return [wait(seconds)]
    return [wait(seconds / 2), refresh(_APP), wait(seconds / 2)]


ACTIVE: Dimension[Active] = Dimension(
    "active",
    (
        Value("alone", lambda _, seconds: [wait(seconds)], "what tests do"),
        Value("other-waits", lambda _, seconds: [wait(seconds, user="u2")], "users of a session"),
        Value("others", _others, "one schedule for all users, or for the first"),
        Value("talking", _talking, "activity that puts refreshes off"),
        Value("failing", _failing, "a failure that stops the schedule of its extension"),
        Value("by-hand", _by_hand, "refreshes by hand end the schedule, or do not move it"),
    ),
)
"""Who does something while time passes."""


def _scene(row: Row, _: Parameters) -> Scene:
    ttl = row[TTL]
    steps = list(row[BEGUN])
    strained: set[int] = set()
    for number, gap in enumerate(row[LAPSE](ttl)):
        steps += row[ACTIVE](number, abs(gap))
        if gap > 0:
            strained.add(len(steps))
            steps.append(say())
    passed = sum(map(abs, row[LAPSE](ttl)))
    count = min(_MOST_RETURNS, int(passed / ttl) + len(steps) + 3)
    own = section([row[CHANGE](number) for number in range(count)], ttl=ttl)
    return Scene(steps, frozenset(strained), environment(**{_APP: own}))


ASPECT = Aspect(
    name="skeleton.time",
    title="The age of a section",
    clauses=(
        "C-SKELETON-REFRESH/every-ttl",
        "C-SKELETON-REFRESH/first-refresh-unasked",
        "I-SKELETON-STALENESS-ENVELOPE/age-accurate",
        "I-SKELETON-STALENESS-ENVELOPE/age-shown",
    ),
    focus=LAPSE,
    context=(TTL, CHANGE, BEGUN, ACTIVE),
    scene=_scene,
)
