"""What befalls a turn while it runs, when, and who else there is."""

from __future__ import annotations

import json
from collections.abc import Sequence

from msgspec.structs import replace

from ..scenarios.facts import EXPOSED, call, turn
from ..scenarios.turns import Kind, interrupted, marked
from ..vocabulary.aspect import Aspect, Dimension, Row, Scene, Value
from ..vocabulary.parameters import Parameters
from ..vocabulary.scenario import APPS, AnyStep, Call, Turn

KIND: Dimension[Kind] = Dimension(
    "kind",
    (
        Value("retried", "retried", "a client that got no answer sends its message again"),
        Value("restarted", "restarted", "a worker that is replaced while it works"),
        Value("cancelled", "cancelled", "a user who presses stop"),
    ),
)
"""What befalls it."""

MOMENT: Dimension[str] = Dimension(
    "moment",
    (
        Value("between", "between", "state of a turn that lies in memory alone"),
        Value("late", "late", "the last call is no call any more"),
        Value("first", "first", "a turn that is not yet known"),
        Value("last", "last", "a turn that is known, but not answered or remembered"),
    ),
)
"""When it happens: after one call, before the last one, before all, after all."""

CALLS: Dimension[Sequence[tuple[str, str]]] = Dimension(
    "calls",
    (
        Value("reads", ((APPS[0], "read_items"), (APPS[0], "list_items")), "what tests do"),
        Value("one", ((APPS[0], "read_items"),), "known by its function alone"),
        Value("writes", ((APPS[0], "write_item"),), "what must not be done twice"),
        Value("apps", tuple((app, "read_items") for app in APPS), "a journal for each extension"),
    ),
)
"""Extension and function of the calls, in turn."""

DATA: Dimension[str] = Dimension(
    "data",
    (
        Value("three", "three", "what tests do"),
        Value("five", "five", "room for three calls"),
        Value("long", "long", "a column that cuts, or knows no nested values"),
        Value("equal", "equal", "results that are known by what they are"),
        Value("failed", "failed", "a call that failed is taken for one that never ran"),
        Value("failing", "failing", "a failure ends the turn for good"),
    ),
)
"""How many calls return what."""

BESIDE: Dimension[tuple[str, str]] = Dimension(
    "beside",
    (
        Value("other", ("s2", "fai questo"), "another user with a session of their own"),
        Value("session", ("s1", "fai questo"), "sessions that are known by their name"),
        Value("words", ("s2", "do it"), "turns that are known by what they say"),
        Value("both", ("s1", "do it"), "turns that are known by session and words"),
    ),
)
"""Session and message of another user."""

TOGETHER: Dimension[tuple[bool, bool]] = Dimension(
    "together",
    (
        Value("after", (False, True), "what is left of the turn before"),
        Value("both", (True, True), "one place for what befalls a turn"),
        Value("plain", (True, False), "a stop or a restart of all that runs"),
    ),
)
"""Whether the other user's turn runs at the same time, and whether this befalls it too."""

COURSE: Dimension[str] = Dimension(
    "course",
    (
        Value("once", "once", "what tests do"),
        Value("fresh", "fresh", "the first turn of a session, which is not there yet"),
        Value("thrice", "thrice", "a mark of the turn before that stays"),
        Value("mixed", "mixed", "what one kind leaves behind for another"),
        Value("full", "full", "a turn that takes two places of the window, or none"),
    ),
)
"""What else there is in the session."""

_NEXT: dict[Kind, Kind] = {
    "cancelled": "restarted",
    "restarted": "retried",
    "retried": "cancelled",
}


def _scene(row: Row, parameters: Parameters) -> Scene:
    kind, course = row[KIND], row[COURSE]
    session, words = row[BESIDE]
    overlaps, befallen = row[TOGETHER]
    second, third = (_NEXT[kind], _NEXT[_NEXT[kind]]) if course == "mixed" else (kind, kind)
    before = ("u3", session) if course == "fresh" else ("u1", "s1")
    steps: list[AnyStep] = [turn("hello", user="u4", session="s4")]
    for number in range(1, 1 + (parameters.window if course == "full" else 2)):
        calls = _calls(row, number)[: 1 if course == "full" else None]
        steps.append(_said(number, f"say {number}", calls, before))
    steps.append(_said(30, "mine", _calls(row, 30), ("u1", "s9")))
    steps.append(_said(31, "uno", _calls(row, 31), ("u2", session)))
    start = len(steps)
    steps.append(_befallen(row, _said(32, "do it", _calls(row, 32)), kind))
    theirs = _said(33, words, _calls(row, 33), ("u2", session))
    theirs = _befallen(row, theirs, third) if befallen else theirs
    steps += [replace(theirs, overlaps=True) if overlaps else theirs, turn("and now?")]
    if course in ("thrice", "mixed"):
        steps.append(_befallen(row, _said(40, "do more", _calls(row, 40)), second, 1))
        steps.append(_befallen(row, _said(41, "do all", _calls(row, 41)), third, 2))
    steps += [
        _said(34, "do it", _calls(row, 34)[:1]),
        turn("and then?"),
        _befallen(row, _said(35, words, _calls(row, 35), ("u2", session)), third, 2),
        turn("e adesso?", user="u2", session=session),
        turn("and mine?", session="s9"),
    ]
    return Scene(steps, frozenset(range(start, len(steps))), EXPOSED)


def _said(
    number: int, message: str, calls: Sequence[Call], who: tuple[str, str] = ("u1", "s1")
) -> Turn:
    """Return a turn whose reply holds a word of its own."""
    said = turn(message, *calls, user=who[0], session=who[1])
    return replace(said, draft=f"Done as zq{number}said.")


def _befallen(row: Row, turn_: Turn, kind: Kind, later: int = 0) -> Turn:
    """Let it happen at the row's moment, or so many of them later."""
    calls = len(turn_.calls)
    moments = {"first": 0, "between": 1, "late": calls - 1, "last": calls}
    at = (list(moments).index(row[MOMENT]) + later) % len(moments)
    return interrupted(turn_, kind, list(moments.values())[at])


def _calls(row: Row, number: int) -> list[Call]:
    owners, data = row[CALLS], row[DATA]
    places = range(5 if data == "five" else 3)
    found = [
        marked(number, place, app=app, function=function)
        for place, (app, function) in ((n, owners[n % len(owners)]) for n in places)
    ]
    if data == "long":
        found[:2] = [replace(one, data_json=_long(one)) for one in found[:2]]
    if data == "equal":
        found[:2] = [replace(one, data_json='{"n": 1}') for one in found[:2]]
    if data in ("failed", "failing"):
        place = 0 if data == "failed" else 1
        app, function = owners[place % len(owners)]
        found[place] = call({}, app=app, function=function, status="error")
    return found


def _long(one: Call) -> str:
    """Return a call's data with what a store may not keep: a long text, depth, null, numbers."""
    deep = {"items": [None, {"n": 9007199254740993, "share": 0.5}], "text": "kept " * 60}
    return one.data_json[:-1] + ", " + json.dumps(deep)[1:]


ASPECT = Aspect(
    name="turns.interrupted",
    title="What befalls a turn",
    clauses=(
        "C-TURN-RETRIED/nothing-lost",
        "C-TURN-RETRIED/nothing-doubled",
        "C-TURN-RETRIED/done-once",
        "C-TURN-RETRIED/nothing-of-another-user",
        "C-TURN-RESTARTED/nothing-lost",
        "C-TURN-RESTARTED/nothing-doubled",
        "C-TURN-RESTARTED/done-once",
        "C-TURN-RESTARTED/nothing-of-another-user",
        "C-TURN-CANCELLED/nothing-lost",
        "C-TURN-CANCELLED/nothing-doubled",
        "C-TURN-CANCELLED/done-once",
        "C-TURN-CANCELLED/nothing-after",
        "C-TURN-CANCELLED/nothing-of-another-user",
    ),
    focus=KIND,
    context=(MOMENT, CALLS, DATA, BESIDE, TOGETHER, COURSE),
    scene=_scene,
)
