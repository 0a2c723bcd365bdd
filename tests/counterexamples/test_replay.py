"""A counterexample that is run again: fixed, still failing, flaky, or beyond judgement."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

import pytest

from fedcheck.conformance.counterexamples.documents import CounterexampleFile
from fedcheck.conformance.counterexamples.replay import FLAKY_REPETITIONS, Outcome, Replayed, replay
from fedcheck.invariants.vocabulary.scenario import Advance, CacheGet, CacheSet, Scenario, Turn

from .toy_caches import (
    CLAUSES,
    KIND,
    Careless,
    Chatty,
    Dotted,
    Silent,
    Strict,
    counterexample,
    scenario,
    session,
)


def replayed(
    kernel: Callable[..., object], example: CounterexampleFile, repetitions: int = 0
) -> Replayed:
    """Replay on a kernel class."""
    return replay(session(kernel), example, CLAUSES, repetitions=repetitions)


def test_what_still_shows_still_fails() -> None:
    """In every run, with the violation and the trace of this time."""
    told = replayed(Dotted, counterexample())

    assert (Outcome.STILL_FAILS, 5, 5) == (told.outcome, told.shown, told.attempts)
    assert told.violation is not None
    assert KIND == told.violation.kind
    assert told.trace is not None


def test_what_no_longer_shows_is_fixed() -> None:
    """The judge compared in each run and found nothing."""
    told = replayed(Strict, counterexample())

    assert (Outcome.FIXED, 0, 5) == (told.outcome, told.shown, told.attempts)
    assert "kept in 5 of 5 runs" in told.reason


def test_another_kind_of_difference_is_not_fixed() -> None:
    """The clause is still broken; the reason says that it is in another way."""
    told = replayed(Careless, counterexample(scenario=scenario("a/b"), kind="gone"))

    assert Outcome.STILL_FAILS is told.outcome
    assert "as another kind of difference" in told.reason


def test_what_comes_and_goes_is_flaky() -> None:
    """With a run of either sort."""
    made = count()

    def sometimes() -> Strict:
        return Dotted() if next(made) % 2 else Strict()

    sometimes.capabilities = ("cache",)  # type: ignore[attr-defined]
    told = replayed(sometimes, counterexample())

    assert Outcome.FLAKY is told.outcome
    assert 0 < told.shown < told.attempts
    assert told.trace is not None
    assert told.other_trace is not None


def test_what_was_flaky_is_run_more_often() -> None:
    """Five runs could miss it; one's own number wins."""
    flaky = counterexample(reproduced=2, attempts=5)

    assert FLAKY_REPETITIONS == replayed(Strict, flaky).attempts
    assert 3 == replayed(Strict, flaky, 3).attempts


@pytest.mark.parametrize(
    ("kernel", "changes", "reason"),
    [
        (Chatty, {}, "does not claim cache"),
        (Strict, {"clause": "I-CACHE-KEY-SAFETY/unsafe-keys"}, "did you mean I-CACHE-KEY-SAFETY/"),
        (Strict, {"clause": "Z"}, "`fedcheck list`"),
        (Strict, {"clause": "", "kind": ""}, "--scenarios"),
        (Strict, {"scenario": Scenario(id="s", steps=(Advance(seconds=1),))}, "clock"),
        (Strict, {"scenario": Scenario(id="s", steps=(Turn(message="m"),))}, "fact_ledger"),
        (Strict, {"scenario": Scenario(id="s", steps=(CacheGet(key="k"),))}, "nothing to compare"),
        (Silent, {}, "step 1"),
        (
            Dotted,
            {"scenario": Scenario(id="s", steps=(CacheSet(key="m.", value_json="{"),))},
            "",
        ),
    ],
)
def test_what_cannot_be_judged_says_why(
    kernel: Callable[..., object], changes: dict[str, object], reason: str
) -> None:
    """Silence, a lacking capability and a renamed clause are never taken for a fix."""
    told = replayed(kernel, counterexample(**changes))

    assert Outcome.CANNOT_JUDGE is told.outcome
    assert reason in told.reason


def test_a_kernel_that_dies_cannot_be_judged() -> None:
    """The bug may be gone or not."""

    class Dying(Strict):
        def cache_set(self, step: CacheSet) -> None:  # type: ignore[override]
            raise RuntimeError("disk full")

    told = replayed(Dying, counterexample())

    assert Outcome.CANNOT_JUDGE is told.outcome
    assert "disk full" in told.reason


@pytest.mark.parametrize(
    ("kernel", "outcome"), [(Silent, Outcome.STILL_FAILS), (Strict, Outcome.FIXED)]
)
def test_a_breakdown_is_fixed_when_the_kernel_answers(
    kernel: Callable[..., object], outcome: Outcome
) -> None:
    """Whatever it answers: the file is about the breakdown alone."""
    example = counterexample(clause="", kind="", breakdown="error")

    assert outcome is replayed(kernel, example).outcome
