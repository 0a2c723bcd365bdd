"""Tests the tests: which clauses catch which broken kernel, and which styles alarm.

The kill table (clause × broken kernel) and the tolerance table (clause × conforming style)
are the suite's own qualification: no plug-in takes part.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...invariants.vocabulary.invariant import Invariant
from ...invariants.vocabulary.scenario import Scenario
from ..driving.explore import derived_seed, explore
from ..driving.plan import Plan, plan_run
from ..driving.session import Unit
from ..driving.tally import UnitResult
from ..running.suite import merged
from ..running.units import run_units
from ..running.watch import Watch
from ..settings.options import RunOptions


def broken_clauses(kernel: str, *, examples: int, seed: int = 0) -> dict[str, tuple[str, ...]]:
    """Return the clauses that a kernel is seen to break, each with the kinds of difference.

    Args:
        kernel: kernel reference.
        examples: scenarios to explore per invariant, beyond the fixed ones.
        seed: what exploration draws from.

    Raises:
        KernelError: the kernel could not be reached.
    """
    options = RunOptions(kernel=kernel, examples=examples, seed=seed, plugins=False)
    with plan_run(options) as plan:
        units: list[UnitResult] = []
        run_units(plan, Watch(options), units)
    tallies = merged(units)
    return {
        clause_id: tuple(sorted(tally.failures))
        for clause_id, tally in sorted(tallies.items())
        if tally.failures
    }


def scenarios_until_found(kernel: str, *, examples: int, seed: int = 0) -> int | None:
    """Return how many scenarios of a gate run it takes until a kernel is seen to break a clause.

    Counts invariant by invariant, its fixed scenarios, then exploration.

    Args:
        kernel: kernel reference.
        examples: scenarios to explore per invariant, beyond the fixed ones.
        seed: what exploration draws from.

    Returns:
        The number of scenarios, or ``None`` if the kernel got away with all of them.
    """
    options = RunOptions(kernel=kernel, examples=examples, seed=seed, plugins=False)
    with plan_run(options) as plan:
        count = 0
        for invariant in plan.invariants:
            unit = Unit(plan.session, invariant.id)
            for scenario, origin in gate_scenarios(plan, invariant):
                unit.attempt(scenario, origin)
                count += 1
                if any(tally.failures for tally in unit.result.tallies.values()):
                    return count
    return None


def gate_scenarios(plan: Plan, invariant: Invariant) -> Iterator[tuple[Scenario, str]]:
    """Yield the scenarios of a gate for an invariant, each with its origin, in its order."""
    options = plan.options
    for scenario in plan.fixed_scenarios(invariant):
        yield scenario, f"fixed:{scenario.id}"
    drawn: list[Scenario] = []
    explore(
        invariant.strategy(plan.description.parameters),
        drawn.append,
        examples=options.examples,
        seed=derived_seed(options.seed, invariant.id),
    )
    for scenario in drawn:
        yield scenario, "explore"
