"""Turns that run at the same time: whose they are, and what is alike in them."""

from __future__ import annotations

import json
from collections.abc import Sequence

from msgspec.structs import replace

from ..readings.marks import mark
from ..scenarios.facts import CALIBRATION, EXPOSED, call, turn
from ..scenarios.turns import marked
from ..vocabulary.aspect import Aspect, Dimension, Row, Scene, Value
from ..vocabulary.parameters import Parameters
from ..vocabulary.scenario import APPS, AnyStep, Call, Turn

Who = tuple[str, str]
"""User and session."""

WHO: Dimension[Sequence[Who]] = Dimension(
    "who",
    (
        Value("users", (("u1", "s1"), ("u2", "s2")), "state of the turn that began last"),
        Value("session", (("u1", "s1"), ("u2", "s1")), "sessions that are known by their name"),
        Value("sessions", (("u1", "s1"), ("u1", "s2")), "state of the user's last session"),
        Value("three", (("u1", "s1"), ("u2", "s2"), ("u3", "s3")), "room for two"),
    ),
)
"""Whose the turns are."""

CALLS: Dimension[str] = Dimension(
    "calls",
    (
        Value("two", "two", "what tests do"),
        Value("none", "none", "a turn that has nothing of its own to show"),
        Value("equal", "equal", "results that are known by what they are"),
        Value("large", "large", "a cap for all turns that run"),
        Value("failed", "failed", "a failure of one that ends all"),
    ),
)
"""What the turns call."""

SAID: Dimension[str] = Dimension(
    "said",
    (
        Value("apart", "{}", "what tests do"),
        Value("alike", "do it", "turns that are known by what they say"),
    ),
)
"""What they say, with their number."""

COURSE: Dimension[int] = Dimension(
    "course",
    (
        Value("once", 1, "what tests do"),
        Value("again", 2, "state of the last time that stays"),
    ),
)
"""How often they run at the same time."""


def _scene(row: Row, parameters: Parameters) -> Scene:
    parties, steps = row[WHO], list[AnyStep]([CALIBRATION])
    steps += [
        turn(f"before {n}", marked(0, n), user=user, session=session)
        for n, (user, session) in enumerate(parties)
    ]
    strained: set[int] = set()
    for round_ in range(1, row[COURSE] + 1):
        for n, who in enumerate(parties):
            calls = _calls(row[CALLS], round_, n, parameters)
            said = _said(10 * round_ + n, row[SAID].format(n), calls, who)
            steps.append(replace(said, overlaps=True) if n else said)
    for n, (user, session) in enumerate(parties):
        strained.add(len(steps))
        steps.append(turn(f"after {n}", user=user, session=session))
    return Scene(steps, frozenset(strained), EXPOSED)


def _calls(what: str, round_: int, party: int, parameters: Parameters) -> list[Call]:
    number = 10 * round_ + party
    if what == "none" and party == 0:
        return []
    if what == "equal":
        return [call({"n": round_}, app=APPS[party % 2])]
    if what == "large":
        return [call({"ref": f"zq{number}long", "text": "x" * parameters.turn_cap})]
    if what == "failed" and party == 1:
        return [call({}, status="error"), _own(number, 1)]
    return [_own(number, place) for place in range(2)]


def _own(number: int, place: int) -> Call:
    """Return a call whose data hold words that nobody writes by chance, for each kind of judge."""
    whole = marked(number, place, app=APPS[place])
    word = json.dumps({"word": mark(10 * number + place)})
    return replace(whole, data_json=f"{whole.data_json[:-1]}, {word[1:]}")


def _said(number: int, words: str, calls: Sequence[Call], who: Who) -> Turn:
    """Return a turn whose reply holds a word of its own."""
    draft = f"Done: {mark(1000 + number)}."
    return turn(words, *calls, user=who[0], session=who[1], draft=draft)


ASPECT = Aspect(
    name="turns.overlap",
    title="Turns at the same time",
    clauses=(
        "C-LEDGER-ISOLATION/no-fact-of-another-user",
        "C-LEDGER-ISOLATION/no-fact-of-another-session",
        "C-LEDGER-ISOLATION/equal-data-kept-apart",
        "I-DISPATCH-RESULT-DATA-PLUMBED/payload-is-data",
        "I-CLASSIFIER-PROMPT-RENDERS-FACT-LEDGER/every-call-rendered",
        "I-FACT-LEDGER-PER-TURN-AGG-CAP/within-cap",
        "C-LEDGER-ONE-LINE-PER-CALL/no-call-with-two-lines",
        "I-NARRATOR-NO-FABRICATED-CONTENT-CLAIMS/isolation",
    ),
    focus=WHO,
    context=(CALLS, SAID, COURSE),
    scene=_scene,
    capabilities=frozenset({"fact_ledger", "turn_overlap"}),
)
