"""A counterexample as a conversation: which lines are marked, what is left out."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from fedcheck.reports.record.model import Counterexample
from fedcheck.reports.wording.conversation import (
    AROUND,
    LINES_SHOWN,
    Conversation,
    Piece,
    conversation,
    difference,
)

from .whole import talked, told_example


def example(got: str, prompt: str) -> Counterexample:
    """Return a counterexample whose classifier saw ``prompt``."""
    told = told_example("C/x")
    violation = replace(told.violation, got=got)
    return replace(told, violation=violation, trace=talked(prompt=prompt), other_trace=None)


def marked(told: Conversation) -> list[tuple[str, str]]:
    """Return label and text of each marked line."""
    return [
        (text.label, "".join(piece.text for piece in line.pieces))
        for step in told.steps
        for text in step.texts
        for line in text.lines
        if line.marked
    ]


@pytest.mark.parametrize(
    ("got", "line"),
    [
        ("FACTS: app=a data=9", "FACTS: app=a data=9"),
        ("elsewhere: FACTS: app=a data=9", "FACTS: app=a data=9"),
        ("'zq-17', which stands only in an earlier summary", "a summary with zq-17 in it"),
        ('{"value": "zora@example.com"}', '{"value":"zora@example.com"}'),
        ("a reply that says 1@pier.e", "told 1@pier.e."),
        ("1 FACTS lines", "FACTS: app=a data=9"),
        ('"яяяя … (80 characters) … яя', 'data="яяяяяяя"'),
        ('in its line: "a…[3 of 9 characters]', 'data="a…[3 of 9 characters]'),
    ],
)
def test_line_that_holds_what_was_got_is_marked(got: str, line: str) -> None:
    """However the judge words it."""
    told = conversation(example(got, f"before\n{line}\nbehind"))

    assert [("Prompt of the classifier", line)] == marked(told)


@pytest.mark.parametrize("got", ["0 FACTS lines without it", "only a part of it", "a b", ""])
def test_no_line_is_marked_for_words_of_the_judge(got: str) -> None:
    """What was not got cannot be pointed at."""
    told = conversation(example(got, "FACTS: app=a\na b of it without part"))

    assert [] == marked(told)


def test_long_prompt_keeps_its_ends_and_what_is_about_the_mark() -> None:
    """And says how much is left out."""
    lines = [f"line {n}" for n in range(200)]
    lines[100] = "FACTS: app=a data=9"
    told = conversation(example("FACTS: app=a data=9", "\n".join(lines)))
    shown = next(text for text in told.steps[1].texts if text.marked).lines

    gaps = ["".join(piece.text for piece in line.pieces) for line in shown if line.gap]
    assert ["87 lines left out", "86 lines left out"] == gaps
    assert 2 * (AROUND + 1) + 2 * AROUND + 1 + 2 == len(shown)
    assert len(shown) <= LINES_SHOWN


def test_only_the_broken_step_shows_its_texts() -> None:
    """The others are told in a line."""
    told = conversation(told_example("C/x"))

    assert [(False, 0), (True, 3)] == [(step.broken, len(step.texts)) for step in told.steps]
    assert ["show my mail", "and now"] == [step.said for step in told.steps]


@pytest.mark.parametrize(
    ("expected", "got", "pieces"),
    [
        (
            "data 8 of a",
            "data 9 of a",
            (
                (Piece("data "), Piece("8", marked=True), Piece(" of a")),
                (Piece("data "), Piece("9", marked=True), Piece(" of a")),
            ),
        ),
        ("one", "two", ((Piece("one"),), (Piece("two"),))),
        ("x y " * 300, "x z " * 300, None),
        ("", "", ((), ())),
    ],
)
def test_difference_marks_what_only_one_has(
    expected: str, got: str, pieces: tuple[tuple[Piece, ...], ...] | None
) -> None:
    """Unlike and very long texts are left whole."""
    told = difference(expected, got)

    if pieces is None:
        assert [1, 1] == [len(part) for part in told]
    else:
        assert pieces == told
