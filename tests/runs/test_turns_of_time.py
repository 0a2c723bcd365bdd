"""Turns at the same time, delivered again, stopped and taken up: how they are taken and judged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from fedcheck.conformance.adapters.in_process import InProcessAdapter
from fedcheck.conformance.counterexamples.reduce import simpler
from fedcheck.conformance.driving.drive import FreshIds, drive, needs
from fedcheck.conformance.driving.judging import judge
from fedcheck.fixtures.reference import ReferenceKernel
from fedcheck.invariants.catalog import clauses, own_invariants
from fedcheck.invariants.rows import aspects, fixed_scenarios, rows
from fedcheck.invariants.scenarios.facts import EXPOSED, call, turn
from fedcheck.invariants.scenarios.turns import interrupted, marked
from fedcheck.invariants.vocabulary.errors import ProtocolError
from fedcheck.invariants.vocabulary.parameters import DOCUMENTED
from fedcheck.invariants.vocabulary.protocol import INTERRUPTING, problems
from fedcheck.invariants.vocabulary.scenario import AnyStep, Scenario, Turn
from fedcheck.invariants.vocabulary.trace import CAPABILITIES, StepFailed, TurnInterrupted
from fedcheck.invariants.vocabulary.verdict import Violation
from fedcheck.reports.wording.scenario_text import step_texts

_CLAUSES = clauses(own_invariants())
_TOGETHER = (
    turn("one", marked(1, 0)),
    replace(turn("two", marked(2, 0), user="u2", session="s2"), overlaps=True),
)


def _scenario(*steps: AnyStep) -> Scenario:
    return Scenario(id="s", steps=steps, environment=EXPOSED)


def _broken(kernel: type, scenario: Scenario) -> set[str]:
    """Return the clauses that a kernel is seen to break in a scenario, which it must take."""
    adapter = InProcessAdapter("k", kernel)
    trace = drive(adapter, adapter.describe(), scenario, ids=FreshIds("n"))
    assert [] == problems(trace)
    found = judge(trace, _CLAUSES).items()
    return {name for name, each in found if any(isinstance(one, Violation) for one in each)}


class _Taking:
    """Answers turns that overlap with whatever ``answer`` makes of them."""

    capabilities = ("fact_ledger", "turn_overlap")
    answer: Callable[[list[Turn]], Any]

    def turn(self, step: Turn) -> dict[str, str]:
        return {"event": "classifier_prompt", "prompt": step.message}

    def turns_together(self, steps: list[Turn]) -> Any:
        return type(self).answer(steps)


def _taking(answer: Callable[[list[Turn]], Any]) -> InProcessAdapter:
    made = type("Made", (_Taking,), {"answer": staticmethod(answer)})
    return InProcessAdapter("k", made)


def test_a_class_takes_turns_that_overlap_by_a_method_of_its_own() -> None:
    """Each answer belongs to its step; a turn that does not overlap goes the usual way."""
    kernel = _taking(
        lambda steps: [
            [{"event": "classifier_prompt", "prompt": f"with {len(steps)}: {step.message}"}]
            for step in steps
        ]
    )
    events = kernel.run(_scenario(*_TOGETHER, turn("three")))

    told = [(event.step, event.user, getattr(event, "prompt", "")) for event in events]
    assert [(0, "u1", "with 2: one"), (1, "u2", "with 2: two"), (2, "u1", "three")] == told


def test_a_class_that_answers_for_another_number_of_turns_breaks_the_protocol() -> None:
    """The message says what was wanted and got."""
    with pytest.raises(ProtocolError, match="each of the 2 turns did, in order, got 1 answers"):
        _taking(lambda _: [[]]).run(_scenario(*_TOGETHER))


def test_a_class_without_the_method_says_so_for_each_turn() -> None:
    """None of them is left without an event."""
    kernel = InProcessAdapter("k", type("Plain", (), {"turn": _Taking.turn}))
    events = kernel.run(_scenario(*_TOGETHER))

    assert [0, 1] == [event.step for event in events if isinstance(event, StepFailed)]


def test_what_befalls_a_turn_must_be_told() -> None:
    """A kernel that does nothing of the kind is an error, and no pass."""

    class Deaf(ReferenceKernel):
        def turn(self, step: Turn) -> Any:
            return super().turn(replace(step, interrupted=UNSET))

    adapter = InProcessAdapter("k", Deaf)
    stopped = interrupted(turn("one", marked(1, 0)), "cancelled", 0)
    trace = drive(adapter, adapter.describe(), _scenario(stopped), ids=FreshIds("n"))

    assert ["turn owes exactly one turn_interrupted event"] == [
        problem.message.partition(";")[0] for problem in problems(trace)
    ]


def test_a_kernel_that_claims_none_of_it_gets_no_scenario_of_it() -> None:
    """Neither rows of the tables nor any other verdict than before."""
    four = {*INTERRUPTING, "turn_overlap"}
    claimed = frozenset(CAPABILITIES) - four
    planned = [each for each in own_invariants() if each.capabilities <= claimed]

    assert not [each.id for each in planned if each.id.startswith(("C-TURN-R", "C-TURN-C"))]
    for invariant in planned:
        for scenario in fixed_scenarios(invariant, planned, DOCUMENTED, claimed):
            assert not scenario.id.startswith("turns."), scenario.id
            assert not needs(scenario) & four, scenario.id


def test_a_kernel_with_one_of_the_claims_is_judged_by_it_alone() -> None:
    """Turns of the other kinds are left out of its rows."""
    aspect = next(each for each in aspects() if each.name == "turns.interrupted")
    claimed = frozenset(CAPABILITIES) - INTERRUPTING | {"turn_cancel"}

    kinds = {
        step.interrupted.kind
        for row in rows(aspect)
        for step in aspect.scenario(row, DOCUMENTED, claimed).steps
        if isinstance(step, Turn) and step.interrupted is not UNSET
    }
    assert {"cancelled"} == kinds


@pytest.mark.parametrize("kind", ["retried", "restarted", "cancelled"])
def test_a_kernel_that_shows_no_facts_at_all_loses_none_here(kind: Any) -> None:
    """That it shows none is for other clauses to say: nothing is compared with nothing."""

    class Silent(ReferenceKernel):
        class ledger_part(ReferenceKernel.ledger_part):  # noqa: N801
            def lines(self, facts: Any, /) -> list[str]:
                del facts
                return []

    plain = turn("one", marked(1, 0), marked(1, 1))
    befallen = interrupted(turn("two", marked(2, 0), marked(2, 1)), kind, 2)

    assert set() == _broken(Silent, _scenario(plain, turn("x"), befallen, turn("y")))


def test_a_kernel_that_shows_each_fact_twice_doubles_none_here() -> None:
    """A turn that came again is like any other."""

    class Twice(ReferenceKernel):
        class ledger_part(ReferenceKernel.ledger_part):  # noqa: N801
            def lines(self, facts: Any, /) -> list[str]:
                return [line for line in super().lines(facts) for _ in range(2)]

    plain = turn("one", marked(1, 0))
    again = interrupted(turn("two", marked(2, 0)), "retried", 1)

    assert set() == _broken(Twice, _scenario(plain, turn("x"), again, turn("y")))


def test_what_all_users_have_in_common_is_nobody_s() -> None:
    """Equal data, and words that the scenario says elsewhere, are no leak."""
    same = call({"ref": "zq9common"})
    steps = (
        turn("one", same, user="u2", session="s2"),
        turn("two", same),
        interrupted(turn("three zq9common", same), "restarted", 1),
        turn("four", user="u2", session="s2"),
    )

    assert set() == _broken(ReferenceKernel, _scenario(*steps))


def test_it_is_told_and_made_small() -> None:
    """A reader sees what befell the turn; reducing tries without it."""
    step = interrupted(replace(_TOGETHER[1], overlaps=True), "restarted", 1)
    (text,) = step_texts(_scenario(step))

    assert 'meanwhile says "two"' == text.deed
    assert "the turn is taken up by a new process after 1 call" in text.details
    tried = [each.steps[0] for each in simpler(_scenario(step))]
    assert replace(step, interrupted=UNSET) in tried
    assert replace(step, overlaps=UNSET) in tried


def test_the_reference_kernel_tells_where_it_happens() -> None:
    """The order of events says how much had come back."""
    step = interrupted(turn("one", marked(1, 0), marked(1, 1)), "restarted", 1)
    adapter = InProcessAdapter("k", ReferenceKernel)
    trace = drive(adapter, adapter.describe(), _scenario(step), ids=FreshIds("n"))
    kinds = [type(event).__name__ for event in trace.events]

    assert 1 == kinds[: kinds.index(TurnInterrupted.__name__)].count("CallDispatched")
