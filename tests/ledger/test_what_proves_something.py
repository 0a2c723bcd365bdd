"""What is absent counts only where something was recognised, and what stands there is found."""

from __future__ import annotations

from typing import Any

import pytest

from fedcheck.invariants.scenarios.facts import call, turn
from fedcheck.invariants.vocabulary.scenario import Turn

from .lines import CALIBRATED

OTHERS = "ISOLATION/no-fact-of-another-user"
FAILED = "SUCCESSFUL-ONLY/failed-not-shown"
OLDER = "FIVE-TURNS/nothing-older"
SPOKEN = turn("a message of lanterns", draft="Ana B. wrote it.")


def uno(data: object) -> Turn:
    """A turn of another user, with such a result."""
    return turn("uno", call(data), user="u2", session="s2")


def test_a_prompt_without_facts_proves_no_absence(hand: Any) -> None:
    """Of a kernel that shows facts in a way of its own, nothing negative is said."""
    failed = turn("two", call({"partial": "anchor"}, status="error"))
    steps = [(hand.first, "static"), (uno({"n": 3}), "static")]
    steps += [(failed, "calibrate a=я b=1"), (turn("three"), "calibrate a=я b=1, three")]
    seen, kinds = hand.judged(hand.trace(*steps))

    assert {} == {name: seen[name] for name in (OTHERS, FAILED) if seen.get(name)}
    assert not {OTHERS, FAILED} & set(kinds)


def test_a_prompt_that_owes_no_facts_is_recognised_by_its_message(hand: Any) -> None:
    """A newcomer's prompt shows at least what was said."""
    shown, silent = (
        hand.judged(hand.trace((hand.first, "static"), (uno({"n": 3}), prompt)))[0]
        for prompt in ("[MESSAGE] Uno", "[MESSAGE]")
    )

    assert {"the first turn of a session"} == shown[OTHERS]
    assert OTHERS not in silent


@pytest.mark.parametrize(
    ("data", "prompt", "found"),
    [
        ({"from": "a@b.ru"}, "known: a@b.ru", True),
        ({"from": ["ключ от дома"]}, "Noted: ключ от дома.", True),
        ({"title": "a line\nand another"}, '{\\"title\\": \\"a line and another\\"}', True),
        ({"title": 'says "so" twice'}, r'"says \"so\" twice"', True),
        ({"title": "short"}, "short", False),
        ({"at": "2026-05-15T17:21:04Z"}, "[2026-05-15T17:21:04Z user]", False),
        ({"title": "Ana B. wrote it."}, "Ana B. wrote it.", False),
    ],
)
def test_a_text_of_another_user_is_found_verbatim(
    hand: Any, data: object, prompt: str, found: bool
) -> None:
    """Whatever surrounds it, unless it is short, a moment, or was said to this user too."""
    steps = [(hand.first, "static"), (SPOKEN, f"{CALIBRATED}\nlanterns"), (uno(data), "static")]
    view = hand.trace(*steps, (turn("two"), f"calibrate\n{CALIBRATED}\n{prompt}\ntwo"))

    assert found == ("another user's data in the prompt" in hand.judged(view)[1].get(OTHERS, ()))


def test_a_line_that_stood_there_before_shows_nothing_new(hand: Any) -> None:
    """The kernel's own words are no leak, even if a tool returns them later."""
    static = "Rely on the facts below"
    steps = [(hand.first, static), (uno({"title": static}), static)]
    view = hand.trace(*steps, (turn("two"), f"{static}\n{CALIBRATED}\ntwo"))

    assert OTHERS not in hand.judged(view)[1]


def test_a_failed_result_and_an_older_one_are_found_in_prose(hand: Any) -> None:
    """Without a FACTS line."""
    failed = turn("two", call({"partial": "anchor of it"}, status="error"))
    shown = f"calibrate\n{CALIBRATED}"
    view = hand.trace(
        (hand.first, "static"), (failed, shown), (turn("x"), f"{shown}\nan anchor of it")
    )
    old = turn("zero", call({"title": "the oldest of all"}))
    later = ((turn(f"later {n}"), f"later {n}") for n in range(6))
    late = hand.trace(
        (hand.first, "static"), (old, shown), *later, (turn("end"), "the oldest of all, end")
    )

    assert {"fact of a failed call"} == hand.judged(view)[1][FAILED]
    assert {"outlives the window"} == hand.judged(late)[1][OLDER]
