"""What judges once overlooked, or blamed wrongly: hand-built traces of each such case."""

from __future__ import annotations

import json

import pytest

from fedcheck.invariants.scenarios.facts import call
from fedcheck.invariants.vocabulary.scenario import Advance, CacheGet, CacheSet
from fedcheck.invariants.vocabulary.trace import Advanced, CacheOutcome, ClassifierPrompt

from .stage import HI, Step, judged, turn

USER, EXTENSION = "C-CACHE-ISOLATION/per-user", "C-CACHE-ISOLATION/per-extension"
EXPIRED = "I-CACHE-TTL-CAP-300S/expired-not-served"
GUARD = "I-NARRATOR-NO-FABRICATED-CONTENT-CLAIMS/guard"
EXACT = "I-CROSS-TURN-FACT-LEDGER-DEEP-SERIALIZED/exact-leaves"
LONE = "C-LEDGER-UNICODE/lone-surrogates-survive"
RENDERED = "I-CLASSIFIER-PROMPT-RENDERS-FACT-LEDGER/every-call-rendered"
TRUE, NEARLY = "483920175", "483920176"


def put(number: int, life: int, **who: str) -> list[Step]:
    """A set with a life, and its get, which hits."""
    text = json.dumps({"n": number})
    given = CacheSet(key="k", value_json=text, ttl_seconds=life, **who)  # type: ignore[arg-type]
    return [(given, [CacheOutcome(outcome="accepted")]), got(number, **who)]


def got(number: int | None, **who: str) -> Step:
    """A get that hits the value of that number, or misses."""
    outcome = CacheOutcome(outcome="miss")
    if number is not None:
        outcome = CacheOutcome(outcome="hit", value_json=json.dumps({"n": number}))
    return CacheGet(key="k", **who), [outcome]  # type: ignore[arg-type]


def later(seconds: float) -> Step:
    """The clock moves on."""
    return Advance(seconds=seconds), [Advanced()]


@pytest.mark.parametrize(("served", "expected"), [(1, True), (None, False)])
@pytest.mark.parametrize(("clause", "who"), [(USER, {"user": "u2"}), (EXTENSION, {"app": "beta"})])
def test_when_the_own_value_is_over(
    clause: str, who: dict[str, str], served: int | None, expected: bool
) -> None:
    """What somebody else has set does not stand in for it."""
    steps = [*put(1, 300), *put(2, 60, **who), later(90), got(served, **who)]
    compared, kinds = judged(clause, *steps)

    assert compared > 0
    assert expected == bool(kinds)


def test_a_miss_proves_nothing_once_the_others_value_is_over_too() -> None:
    """There is nothing left that could have been served."""
    before, _ = judged(USER, *put(1, 60), *put(2, 60, user="u2"))

    assert (before, set()) == judged(
        USER, *put(1, 60), *put(2, 60, user="u2"), later(90), got(None, user="u2")
    )


@pytest.mark.parametrize(("served", "expected"), [(2, {"served after its end"}), (None, set())])
def test_a_key_that_is_set_again_has_the_new_life(served: int | None, expected: set[str]) -> None:
    """However long the first one was."""
    steps = [*put(1, 300), *put(2, 60), later(59), got(2), later(3), got(served)]

    assert expected == judged(EXPIRED, *steps)[1]


@pytest.mark.parametrize(
    ("reply", "expected"), [(f"It is {NEARLY}.", {"invented number told"}), ("It is so.", set())]
)
def test_a_claim_that_is_true_but_for_its_end(reply: str, expected: set[str]) -> None:
    """It is as invented as any other."""
    step = turn(HI, call({"n": TRUE}), draft=f"It is {NEARLY}.", reply=reply)

    assert (1, expected) == judged(GUARD, step)


@pytest.mark.parametrize(
    ("who", "expected"),
    [({"user": "u2", "session": "s2"}, (1, {"invented number told"})), ({}, (0, set()))],
)
def test_a_claim_that_an_earlier_turn_bears_out(
    who: dict[str, str], expected: tuple[int, set[str]]
) -> None:
    """The same user may remember it; another one was never told."""
    told = f"It is {TRUE}."
    steps = [turn(HI, call({"n": TRUE})), turn(HI, draft=told, reply=told, **who)]

    assert expected == judged(GUARD, *steps)


def shown(data: object, text: str) -> list[Step]:
    """A turn with this data, and a prompt in which its FACTS line shows that text."""
    line = f"[u] ask\nFACTS: app=alpha fn=read_items data={text}\n"
    return [turn("first"), turn("ask", call(data)), turn("next", classifier=line)]


def test_half_a_surrogate_pair_is_judged_by_the_advisory_clause_alone() -> None:
    """A store of UTF-8 cannot keep it; that is no breach of a MUST."""
    steps = shown({"a": "x\ud800", "b": 1.5}, '{"a": "x\\ufffd", "b": 1.5}')

    assert (0, set()) == judged_exposed(EXACT, *steps)
    assert {"string changed"} == judged_exposed(LONE, *steps)[1]


@pytest.mark.parametrize(
    ("text", "expected"), [("[0.30000000000000004]", set()), ("[0.3]", {"number changed"})]
)
def test_every_digit_of_a_fraction_counts(text: str, expected: set[str]) -> None:
    """Fifteen are not enough."""
    assert (1, expected) == judged_exposed(EXACT, *shown([0.1 + 0.2], text))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('[u] ask\nFACTS: app=alpha fn=read_items data={"n": 1}\n', set()),
        ("", {"no FACTS line at all"}),
    ],
)
def test_a_long_message_leaves_room_for_facts(line: str, expected: set[str]) -> None:
    """However much the user has written."""
    message = "please " * 900
    long = turn(message, classifier=line)
    assert isinstance(long[1][0], ClassifierPrompt)

    steps = [turn("first"), turn("ask", call({"n": 1})), long]
    assert expected == judged(RENDERED, *steps)[1]


def judged_exposed(clause: str, *steps: Step) -> tuple[int, set[str]]:
    """The same, in a run that shows raw data."""
    return judged(clause, *steps, exposed=True)
