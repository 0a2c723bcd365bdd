"""The judges of the three cache invariants, on traces written by hand."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest
from msgspec.structs import replace

from fedcheck.invariants.judges.cache import (
    i_cache_key_safety,
    i_cache_ttl_cap_300s,
    i_cache_value_size_cap_64kb,
)
from fedcheck.invariants.scenarios.cache import Script
from fedcheck.invariants.vocabulary.invariant import Invariant
from fedcheck.invariants.vocabulary.scenario import CacheGet, CacheSet, Scenario
from fedcheck.invariants.vocabulary.trace import (
    Advanced,
    CacheOutcome,
    Event,
    Given,
    KernelDescription,
    RaisedError,
    Trace,
)
from fedcheck.invariants.vocabulary.trace_view import TraceView
from fedcheck.invariants.vocabulary.verdict import Compared, Violation

KEY = i_cache_key_safety.INVARIANT
TTL = i_cache_ttl_cap_300s.INVARIANT
SIZE = i_cache_value_size_cap_64kb.INVARIANT

ACCEPTED = CacheOutcome(outcome="accepted")
REFUSED = CacheOutcome(outcome="refused")
MISS = CacheOutcome(outcome="miss")
ERROR = CacheOutcome(outcome="error", error=RaisedError(name="TypeError"))
CONTROL_HIT = CacheOutcome(outcome="hit", value_json='{"n": 0}')
HIT = CacheOutcome(outcome="hit", value_json='{"n":2.0}')


def trace(
    scenario: Scenario, answers: list[Event], capabilities: tuple[str, ...] = ("cache",)
) -> TraceView:
    """Return the trace in which each step has that one answer."""
    events: list[Any] = []
    for index, (step, answer) in enumerate(zip(scenario.steps, answers, strict=True)):
        events.append(Given(step=index, user=step.user, session=step.session, stimulus=step))
        events.append(replace(answer, step=index))
    kernel = KernelDescription(kernel="written", version="1", capabilities=capabilities)
    return TraceView(Trace(events=tuple(events), kernel=kernel))


class Judged:
    """What the clauses of an invariant compared and found in a trace, by clause name."""

    def __init__(self, invariant: Invariant, view: TraceView) -> None:
        self.compared: dict[str, int] = defaultdict(int)
        self.violations: dict[str, list[Violation]] = defaultdict(list)
        for clause in invariant.clauses:
            for finding in clause.judge(view):
                if isinstance(finding, Compared):
                    self.compared[clause.name] += 1
                else:
                    self.violations[clause.name].append(finding)

    def kinds(self, clause: str) -> set[str]:
        """Kinds of the violations of a clause."""
        return {violation.kind for violation in self.violations[clause]}


def test_an_error_is_no_refusal() -> None:
    """A set that breaks with an error is not compared, although its control is green."""
    scenario = Script().attempt("mail.box").scenario("error-no-refusal")
    result = Judged(KEY, trace(scenario, [ACCEPTED, CONTROL_HIT, ERROR, MISS]))
    assert {"safe-key-accepted"} == set(result.compared)


def test_a_get_that_breaks_shows_nothing() -> None:
    """Whether the value was stored stays open when the get ends in an error."""
    scenario = Script().attempt("mail.box").scenario("get-error")
    result = Judged(KEY, trace(scenario, [ACCEPTED, CONTROL_HIT, REFUSED, ERROR]))
    assert {"safe-key-accepted"} == set(result.compared)


def test_a_refused_set_that_is_served_is_a_violation() -> None:
    """Stored is judged, not raised; and the text tells what happened."""
    scenario = Script().attempt("mail\n").scenario("raises-and-stores")
    result = Judged(KEY, trace(scenario, [ACCEPTED, CONTROL_HIT, REFUSED, HIT]))
    expected = Violation(
        kind="line feed at end stored",
        step=3,
        expected='nothing is stored under a key ending in a line feed: "mail\\n"',
        got="set: refused; get returned the value",
    )
    assert [expected] == result.violations["unsafe-key-not-stored"]


def test_a_control_of_another_handler_does_not_count() -> None:
    """A chat function that can write proves nothing for a panel."""
    control = Script().scenario("control-chat").steps
    bad = Script(handler="panel").attempt("mail.box").scenario("bad-panel").steps[2:]
    scenario = Scenario(id="control-of-another-handler", steps=(*control, *bad))
    result = Judged(KEY, trace(scenario, [ACCEPTED, CONTROL_HIT, REFUSED, MISS]))
    assert {"safe-key-accepted"} == set(result.compared)


LATER = Script().attempt("mail", ttl=3600).advance(300.5).get("mail").scenario("later")


@pytest.mark.parametrize(
    ("answers", "compared", "kinds"),
    [
        pytest.param([ACCEPTED, HIT, Advanced(), MISS], 1, set(), id="clamped"),
        pytest.param([ACCEPTED, MISS, Advanced(), MISS], 1, set(), id="dropped"),
        pytest.param([ACCEPTED, HIT, Advanced(), HIT], 1, {"far over stored"}, id="kept"),
        pytest.param([ACCEPTED, HIT, Advanced(), ERROR], 0, set(), id="untold"),
    ],
)
def test_with_a_clock_a_long_life_is_judged_after_the_cap(
    answers: list[Event], compared: int, kinds: set[str]
) -> None:
    """A hit right after the set proves nothing; one after the cap does."""
    result = Judged(TTL, trace(LATER, [ACCEPTED, CONTROL_HIT, *answers], ("cache", "clock")))
    assert compared == result.compared["over-cap-not-stored"]
    assert kinds == result.kinds("over-cap-not-stored")


@pytest.mark.parametrize(
    ("said", "capabilities", "compared", "kinds"),
    [
        (300, ("cache",), 1, set()),
        (3600, ("cache",), 1, {"far over stored"}),
        (None, ("cache",), 1, {"far over stored"}),
        (None, ("cache", "clock"), 0, set()),
    ],
)
def test_without_a_late_get_the_reported_life_decides(
    said: float | None, capabilities: tuple[str, ...], compared: int, kinds: set[str]
) -> None:
    """Without a clock a hit is a violation unless the kernel says that it cut the life."""
    scenario = Script().attempt("mail", ttl=3600).scenario("reported-life")
    answer = CacheOutcome(outcome="accepted", ttl_seconds=said)
    view = trace(scenario, [ACCEPTED, CONTROL_HIT, answer, HIT], capabilities)
    result = Judged(TTL, view)
    assert compared == result.compared["over-cap-not-stored"]
    assert kinds == result.kinds("over-cap-not-stored")


def _set_and_got(*gets: tuple[str, CacheOutcome]) -> Judged:
    """The control, a set by a panel, and gets of its key by kinds of handler."""
    value = CacheSet(key="mail", value_json='{"n":2}', ttl_seconds=60, handler="panel")
    steps: list[Any] = [*Script().scenario("control").steps, value]
    steps += [CacheGet(key="mail", handler=handler) for handler, _ in gets]  # type: ignore[arg-type]
    scenario = Scenario(id="other-kinds", steps=tuple(steps))
    answers = [ACCEPTED, CONTROL_HIT, ACCEPTED, *(outcome for _, outcome in gets)]
    return Judged(SIZE, trace(scenario, answers))


def test_a_get_of_another_kind_of_handler_shows_no_loss() -> None:
    """That kinds of handler share the cache is another invariant's promise."""
    alone = _set_and_got(("chat_function", MISS))
    both = _set_and_got(("chat_function", MISS), ("panel", MISS))

    assert (1, set()) == (alone.compared["within-cap-accepted"], alone.kinds("within-cap-accepted"))
    assert {"tiny lost"} == both.kinds("within-cap-accepted")


def test_a_get_of_another_kind_of_handler_shows_that_an_unsafe_key_was_kept() -> None:
    """Whoever gets the value, it was stored; whoever misses it, only the same kind tells."""
    bad = CacheSet(key="mail.box", value_json='{"n":2}', ttl_seconds=60)
    steps = (*Script().scenario("control").steps, bad, CacheGet(key="mail.box", handler="panel"))
    scenario = Scenario(id="unsafe-elsewhere", steps=steps)
    hit = Judged(KEY, trace(scenario, [ACCEPTED, CONTROL_HIT, ACCEPTED, HIT]))
    miss = Judged(KEY, trace(scenario, [ACCEPTED, CONTROL_HIT, ACCEPTED, MISS]))

    assert {"dot stored"} == hit.kinds("unsafe-key-not-stored")
    assert 0 == miss.compared["unsafe-key-not-stored"]


def test_booleans_are_not_numbers_in_values() -> None:
    """A value comes back equal only if true stays true."""
    scenario = Script().attempt("mail", value='{"on":true}').scenario("boolean-value")
    wrong = CacheOutcome(outcome="hit", value_json='{"on":1}')
    result = Judged(SIZE, trace(scenario, [ACCEPTED, CONTROL_HIT, ACCEPTED, wrong]))
    assert {"tiny changed"} == result.kinds("within-cap-accepted")


def test_a_recording_is_timed_by_its_own_clock_and_from_where_it_begins() -> None:
    """A miss an hour after the set is no loss, and a set before the beginning is not judged."""
    first = CacheSet(key="early", value_json='{"n":1}')
    steps = [first, CacheGet(key="early"), CacheSet(key="k", value_json='{"n":2}')]
    answers = [(ACCEPTED, 0.0), (MISS, 1.0), (ACCEPTED, 10.0), (MISS, 3610.0)]
    events: list[Any] = []
    for index, (step, (answer, at)) in enumerate(
        zip([*steps, CacheGet(key="k")], answers, strict=True)
    ):
        events.append(Given(step=index, stimulus=step))
        events.append(CacheOutcome(step=index, at=at, outcome=answer.outcome))
    view = TraceView(
        Trace(
            events=tuple(events),
            kernel=KernelDescription(kernel="recorded", version="1", capabilities=("cache",)),
            origin="recording",
            complete_from=1,
        )
    )
    assert {} == Judged(KEY, view).compared
