"""What befalls a turn while it runs, when, and who else there is."""

from __future__ import annotations

from collections.abc import Sequence

from ..scenarios.facts import EXPOSED, call, turn
from ..scenarios.turns import Kind, interrupted, marked
from ..vocabulary.aspect import Aspect, Dimension, Row, Scene, Value
from ..vocabulary.parameters import Parameters
from ..vocabulary.scenario import APPS, AnyStep, Call

KIND: Dimension[Kind] = Dimension(
    "kind",
    (
        Value("retried", "retried", "a client that got no answer sends its message again"),
        Value("restarted", "restarted", "a worker that is replaced while it works"),
        Value("cancelled", "cancelled", "a user who presses stop"),
    ),
)
"""What befalls it."""

MOMENT: Dimension[int] = Dimension(
    "moment",
    (
        Value("between", 1, "state of a turn that lies in memory alone"),
        Value("late", 2, "the last call is no call any more"),
        Value("first", 0, "a turn that is not yet known"),
        Value("last", 3, "a turn that is known, but not answered or remembered"),
    ),
)
"""How many of three calls have come back."""

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

BESIDE: Dimension[tuple[str, str]] = Dimension(
    "beside",
    (
        Value("other", ("s2", "fai questo"), "another user with a session of their own"),
        Value("session", ("s1", "fai questo"), "sessions that are known by their name"),
        Value("words", ("s2", "do it"), "turns that are known by what they say"),
        Value("both", ("s1", "do it"), "turns that are known by session and words"),
    ),
)
"""Session and message of another user, whose turn this befalls too."""

COURSE: Dimension[str] = Dimension(
    "course",
    (
        Value("once", "once", "what tests do"),
        Value("fresh", "fresh", "the first turn of a session, which is not there yet"),
        Value("twice", "twice", "a mark of the turn before that stays"),
        Value("failed", "failed", "a call that failed is taken for one that never ran"),
    ),
)
"""What else there is in the session."""


def _scene(row: Row, _: Parameters) -> Scene:
    kind, course = row[KIND], row[COURSE]
    session, words = row[BESIDE]
    plain = row[MOMENT] if kind == "cancelled" else 3
    before = ("u3", session) if course == "fresh" else ("u1", "s1")
    steps: list[AnyStep] = [
        turn("uno", *_calls(row, 0), user="u2", session=session),
        turn("due", user="u2", session=session),
        turn("one", *_calls(row, 1)[:plain], user=before[0], session=before[1]),
        turn("two", *_calls(row, 2)[:plain], user=before[0], session=before[1]),
        turn("three", user=before[0], session=before[1]),
        turn("tre", user="u2", session=session),
    ]
    strained = {len(steps)}
    steps += [interrupted(turn("do it", *_calls(row, 3)), kind, row[MOMENT])]
    if course == "twice":
        strained.add(len(steps))
        steps.append(interrupted(turn("do more", *_calls(row, 4)), kind, row[MOMENT]))
    theirs = turn(words, *_calls(row, 5), user="u2", session=session)
    steps += [
        interrupted(theirs, kind, row[MOMENT]),
        turn("and now?"),
        turn("e adesso?", user="u2", session=session),
    ]
    return Scene(steps, frozenset(strained), EXPOSED)


def _calls(row: Row, number: int) -> list[Call]:
    owners = row[CALLS]
    found = [
        marked(number, place, app=app, function=function)
        for place, (app, function) in ((n, owners[n % len(owners)]) for n in range(3))
    ]
    if row[COURSE] == "failed":
        app, function = owners[0]
        found[0] = call({}, app=app, function=function, status="error")
    return found


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
        "C-TURN-CANCELLED/nothing-after",
        "C-TURN-CANCELLED/nothing-of-another-user",
    ),
    focus=KIND,
    context=(MOMENT, CALLS, BESIDE, COURSE),
    scene=_scene,
)
