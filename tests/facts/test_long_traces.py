"""Judging a turn of a long trace costs no more than judging one of a short trace."""

from __future__ import annotations

import cProfile
import pstats

from fedcheck.conformance.driving.judging import judge
from fedcheck.conformance.driving.plan import plan_run
from fedcheck.conformance.settings.options import RunOptions
from fedcheck.invariants.scenarios.facts import call, fact_scenario, turn


def test_judging_is_linear_in_the_number_of_turns() -> None:
    """Counted in calls of functions, which are the same on each machine."""
    calls: list[float] = []
    with plan_run(RunOptions(plugins=False)) as plan:
        for length in (50, 50, 250):
            turns = (
                turn(f"what about {n}", call({"id": f"request-{n}", "n": n}), user=f"u{n % 2}")
                for n in range(length)
            )
            trace = plan.session.trace(fact_scenario("long", "", *turns))
            with cProfile.Profile() as profile:
                judge(trace, plan.session.clauses)
            told: dict[tuple[str, int, str], tuple[int, ...]] = pstats.Stats(profile).stats  # type: ignore[attr-defined]
            calls.append(sum(count for _, count, *_ in told.values()) / length)

    assert calls[2] <= 1.2 * calls[1]
