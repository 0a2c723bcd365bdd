"""The reducer: what it returns still fails, is no larger, and cannot be made simpler."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fedcheck.conformance.counterexamples.reduce import BUDGET, reduce
from fedcheck.invariants.scenarios.facts import call, fact_scenario, fact_scenarios, turn
from fedcheck.invariants.scenarios.payloads import document, rows
from fedcheck.invariants.vocabulary.codec import to_json
from fedcheck.invariants.vocabulary.parameters import DOCUMENTED
from fedcheck.invariants.vocabulary.scenario import (
    Advance,
    CacheSet,
    Call,
    Probe,
    Scenario,
    SkeletonRefresh,
    Turn,
)

Predicate = Callable[[Scenario], bool]


class Counted:
    """A predicate that counts how often it is asked."""

    def __init__(self, predicate: Predicate) -> None:
        self._predicate = predicate
        self.asked = 0

    def __call__(self, scenario: Scenario) -> bool:
        self.asked += 1
        return self._predicate(scenario)


def calls(scenario: Scenario) -> Iterator[Call]:
    """All calls of a scenario."""
    return (x for step in scenario.steps if isinstance(step, Turn) for x in step.calls)


def data(scenario: Scenario) -> list[Any]:
    """The data of all calls."""
    return [json.loads(each.data_json) for each in calls(scenario)]


def mentions(text: str) -> Predicate:
    """Whether some call returns this text."""
    return lambda scenario: any(text in each.data_json for each in calls(scenario))


PREDICATES: dict[str, Predicate] = {
    "always": lambda _: True,
    "two calls": lambda x: len(data(x)) >= 2,
    "three steps": lambda x: len(x.steps) >= 3,
    "a list": lambda x: any("[" in each.data_json for each in calls(x)),
    "a true": mentions("true"),
    "a failed call": lambda x: any(each.status == "error" for each in calls(x)),
    "two sessions": lambda x: len({step.session for step in x.steps}) >= 2,
    "a long message": lambda x: any(
        isinstance(step, Turn) and len(step.message) > 9 for step in x.steps
    ),
    "odd characters": lambda x: sum(len(each.data_json) for each in calls(x)) % 2 == 1,
}


@settings(max_examples=40)
@given(scenario=fact_scenarios(DOCUMENTED), name=st.sampled_from(sorted(PREDICATES)))
def test_a_reduced_scenario_is_a_local_minimum(scenario: Scenario, name: str) -> None:
    """It fails, is no larger, and nothing simpler that the reducer knows fails."""
    fails = PREDICATES[name]
    if not fails(scenario):
        return
    reduced = reduce(scenario, fails, budget=20_000)

    assert fails(reduced)
    assert len(to_json(reduced)) <= len(to_json(scenario))
    assert reduced == reduce(reduced, fails, budget=20_000)


@settings(max_examples=40)
@given(scenario=fact_scenarios(DOCUMENTED), budget=st.integers(0, 60))
def test_the_budget_counts_runs(scenario: Scenario, budget: int) -> None:
    """However large the scenario, no more runs are made, and the result still fails."""
    fails = Counted(lambda x: len(x.steps) >= 2)
    reduced = reduce(scenario, fails, budget=budget)

    assert fails.asked <= budget
    assert len(reduced.steps) >= 2


def test_the_same_scenario_is_reduced_alike_every_time() -> None:
    """No clock, no chance."""
    scenario = fact_scenario("x", "x", turn("go", call(rows(30)), call(document(12, 3))))

    assert 1 == len({to_json(reduce(scenario, mentions("t-7"))) for _ in range(3)})


def test_nothing_is_tried_beyond_what_fails() -> None:
    """A scenario of which every part is needed stays as it is."""
    scenario = fact_scenario("x", "x", turn("go", call({"n": 1})))

    assert scenario == reduce(scenario, lambda x: x == scenario)


@pytest.mark.parametrize(
    ("given_data", "needed", "smallest"),
    [
        ({"a": 1, "b": {"c": [1, 2, "needle", 3]}}, "needle", {"c": ["needle"]}),
        (rows(25), "t-17", {"id": "t-17"}),
        (["x" * 90 + "needle" + "y" * 90], "needle", ["needle"]),
        ({"n": 2**64, "keep": True}, "true", {"keep": True}),
        ({"in": {"in": {"in": "needle"}}}, "needle", {"in": "needle"}),
        (["needle", {"e": {}}], "{}", {}),
    ],
)
def test_data_shrinks_to_what_is_needed(given_data: Any, needed: str, smallest: Any) -> None:
    """Keys, items, nesting and text that do not matter go."""
    noise = [turn(f"noise {n}", call(document(n, n))) for n in range(4)]
    scenario = fact_scenario("x", "x", *noise, turn("go", call([]), call(given_data)))

    reduced = reduce(scenario, mentions(needed), budget=5000)

    assert [smallest] == data(reduced)
    assert [Turn(message="hi", calls=(call(smallest),))] == [*reduced.steps]


@pytest.mark.parametrize(
    ("number", "condition", "smallest"),
    [
        (2**64, lambda n: n > 1000, 1001),
        (-500, lambda n: n < -3, -4),
        (123456.789, lambda n: n > 0.5, 1),
        (7, lambda n: n % 2 == 1, 1),
        (True, lambda n: n is True, True),
    ],
)
def test_numbers_shrink_towards_zero(
    number: Any, condition: Callable[[Any], bool], smallest: Any
) -> None:
    """Halved, then counted down; a boolean stays a boolean."""
    scenario = Scenario(id="x", steps=(turn("go", call({"n": number})),))

    def fails(candidate: Scenario) -> bool:
        found = data(candidate)
        return bool(found and found[0]) and condition(found[0]["n"])

    assert [{"n": smallest}] == data(reduce(scenario, fails, budget=20_000))


def test_a_scenario_written_by_hand_shrinks_as_well() -> None:
    """Steps of all kinds, keys and values: only what makes it fail is left."""
    scenario = Scenario(
        id="by-hand",
        title="what I saw in production",
        steps=(
            Probe(handler="tool", op="get", path="user.imperal_id"),
            SkeletonRefresh(),
            CacheSet(key="session:user/42", value_json='{"a": [1, 2], "b": "text"}'),
            Advance(seconds=60),
            turn("and then?", call({"n": 1}), draft="A long reply."),
        ),
    )

    reduced = reduce(
        scenario, lambda x: any(isinstance(step, CacheSet) and "/" in step.key for step in x.steps)
    )

    assert (CacheSet(key="/", value_json='{"b": "text"}'),) == reduced.steps
    assert ("by-hand", scenario.environment) == (reduced.id, reduced.environment)


def test_a_stored_value_still_tells_who_has_set_it() -> None:
    """Two users' values reduced to nothing would be alike, and the leak not seen."""
    value = json.dumps({"of": "u2", "items": [*range(50)]})
    scenario = Scenario(id="x", steps=(CacheSet(key="k", value_json=value),))

    def of_somebody(candidate: Scenario) -> bool:
        return any(isinstance(x, CacheSet) and '"of"' in x.value_json for x in candidate.steps)

    reduced = reduce(scenario, of_somebody)
    assert (CacheSet(key="", value_json='{"of": "u2"}'),) == reduced.steps


@pytest.mark.parametrize("text", ["1E400", "[1, -1e999]", "NaN", "not json", "", "9" * 5000])
def test_values_that_cannot_be_written_again_are_left_alone(text: str) -> None:
    """Every candidate is a valid scenario, whatever somebody wrote by hand."""
    tried: list[str] = []
    scenario = Scenario(id="x", steps=(CacheSet(key="kk", value_json=text), SkeletonRefresh()))

    def fails(candidate: Scenario) -> bool:
        tried.extend(x.value_json for x in candidate.steps if isinstance(x, CacheSet))
        return True

    reduce(scenario, fails)

    assert {text} >= set(tried)


def test_the_usual_budget_is_enough_for_a_fixed_scenario() -> None:
    """The largest of ours, with an ordinary condition, ends by itself."""
    fails = Counted(mentions("t-599"))
    scenario = fact_scenario("x", "x", turn("go", call(rows(600))), turn("two", call({"n": 2})))

    reduced = reduce(scenario, fails)

    assert fails.asked < BUDGET
    assert [{"id": "t-599"}] == data(reduced)
