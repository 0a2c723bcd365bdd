"""The judges of whose turns the classifier sees, on hand-built traces."""

from __future__ import annotations

import pytest

from fedcheck.invariants.readings.marks import mark
from fedcheck.invariants.scenarios.facts import call
from fedcheck.invariants.vocabulary.messages import Message
from fedcheck.invariants.vocabulary.trace import ClassifierPrompt

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


FACTS = (
    'FACTS: app=alpha fn=read_items data={"n": 1}',
    'FACTS: app=alpha fn=read_items data={"n": 2}',
)
SECOND = turn(TWO, call({"n": 2}), classifier=f"{ONE}\n{FACTS[0]}")


@pytest.mark.parametrize(
    ("above", "expected"),
    [
        ("[HISTORY]\n", set[str]()),
        ("[History of 2 turns]\n", set()),
        ("<history>\n", set()),
        ("## History, oldest first\n", set()),
        ('"history":\n', set()),
        ("", {"history under another name"}),
        ("[RECENT]\n", {"history under another name"}),
        ("The history of what was said decides.\n", {"history under another name"}),
    ],
)
def test_the_name_of_the_history(above: str, expected: set[str]) -> None:
    """It stands above the turns, in whatever notation; prose that speaks of it is no name."""
    blocks = f"{above}[x] {ONE}\n{FACTS[0]}\n[x] {TWO}\n{FACTS[1]}"
    asked = [FIRST, SECOND, turn(NOW, classifier=blocks)]

    assert (1, expected) == judged("C-CLASSIFIER-HISTORY/heading-named", *asked, exposed=True)


def test_turns_that_are_messages_need_no_name() -> None:
    """A list of messages is no block."""
    whose = {"step": 2, "user": "u1", "session": "s1"}
    parts = [
        Message(role="user", content=f"{word}\n{line}")
        for word, line in zip((ONE, TWO), FACTS, strict=True)
    ]
    given, _ = turn(NOW)
    asked = (given, [ClassifierPrompt(**whose, prompt=tuple(parts))])

    assert (0, set()) == judged(
        "C-CLASSIFIER-HISTORY/heading-named", FIRST, SECOND, asked, exposed=True
    )
