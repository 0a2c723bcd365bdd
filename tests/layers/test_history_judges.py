"""The judges of whose turns the classifier sees, on hand-built traces."""

from __future__ import annotations

import pytest

from fedcheck.invariants.readings.marks import mark
from fedcheck.invariants.scenarios.facts import call

from .stage import NOW, Step, judged, turn

PREVIEWED = "C-CLASSIFIER-HISTORY/every-turn-previewed"
FOREIGN = "C-CLASSIFIER-HISTORY/no-other-user"
ONE, TWO, REPLY = mark(11), mark(12), mark(13)
FIRST = turn(ONE, call({"n": 1}))
TALK = turn(TWO, classifier=ONE)
FAILED = turn(TWO, call({}, status="error"), classifier=ONE)
OTHER = turn(ONE, draft=f"{REPLY} it is", reply=f"{REPLY} it is", user="u2")


@pytest.mark.parametrize(
    ("clause", "kind", "steps"),
    [
        (
            PREVIEWED,
            "no preview of a turn without calls",
            [FIRST, TALK, turn(NOW, classifier=ONE)],
        ),
        (
            PREVIEWED,
            "no preview of a turn of failed calls",
            [FIRST, FAILED, turn(NOW, classifier=ONE)],
        ),
        (PREVIEWED, "no preview of a turn with results", [FIRST, TALK, turn(NOW, classifier=TWO)]),
        (FOREIGN, "another user's message", [OTHER, turn(NOW, classifier=ONE)]),
        (FOREIGN, "another user's reply", [OTHER, turn(NOW, classifier=REPLY)]),
    ],
)
def test_history_breach_is_found_and_named(clause: str, kind: str, steps: list[Step]) -> None:
    """Each kind of violation shows in a trace made for it."""
    assert {kind} == judged(clause, *steps)[1]


@pytest.mark.parametrize(
    ("clause", "steps"),
    [
        (PREVIEWED, [FIRST, TALK, turn(NOW, classifier=f"{ONE} {TWO.upper()}")]),
        (FOREIGN, [OTHER, turn(NOW)]),
    ],
)
def test_conforming_history_is_compared_and_left_alone(clause: str, steps: list[Step]) -> None:
    """The clause looked, and found nothing."""
    compared, kinds = judged(clause, *steps)
    assert (True, set()) == (compared > 0, kinds)


@pytest.mark.parametrize(
    ("why", "clause", "steps"),
    [
        ("previews in other words", PREVIEWED, [FIRST, TALK, turn(NOW)]),
        ("another session", PREVIEWED, [FIRST, TALK, turn(NOW, classifier=ONE, session="s2")]),
        ("older than the window", PREVIEWED, [FIRST, *[TALK] * 5, turn(NOW, classifier=TWO)]),
        ("said by both", FOREIGN, [OTHER, turn(ONE), turn(NOW, classifier=ONE)]),
        ("the user's other session", FOREIGN, [FIRST, turn(NOW, classifier=ONE, session="s2")]),
    ],
)
def test_what_cannot_be_told_of_a_history_is_not_judged(
    why: str, clause: str, steps: list[Step]
) -> None:
    """Where the kernel's words for a turn are unknown, or the word is the user's own, silence."""
    assert set() == judged(clause, *steps)[1], why
