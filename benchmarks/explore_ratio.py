"""What judging adds to drawing: exploring fact-ledger scenarios against only drawing them.

Both sides draw with one seed, so they draw the same scenarios; that is checked. The parts
are then timed alone, over the same scenarios, to show where the difference goes.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

from _measure import cpu_seconds, goal

from fedcheck.conformance.driving.explore import explore
from fedcheck.conformance.driving.plan import Plan, plan_run
from fedcheck.conformance.driving.session import Unit
from fedcheck.conformance.settings.options import RunOptions
from fedcheck.invariants.scenarios.facts import fact_scenarios
from fedcheck.invariants.vocabulary.scenario import Scenario

INVARIANT = "I-CROSS-TURN-FACT-LEDGER-DEEP-SERIALIZED"
GOAL = 1.3

Attempt = Callable[[Scenario], object]


def main() -> None:
    """Print the ratio and the parts."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--examples", type=int, default=1000, help="scenarios [1000]")
    parser.add_argument("--seed", type=int, default=0, help="what is drawn from [0]")
    parser.add_argument("--rounds", type=int, default=3, help="the best of so many counts [3]")
    parser.add_argument("--kernel", default="reference", help="kernel to explore [reference]")
    parser.add_argument("--select", action="append", default=[], help="judge only these [all]")
    options = parser.parse_args()
    wanted = RunOptions(kernel=options.kernel, select=tuple(options.select))
    with plan_run(wanted) as plan:
        scenarios = compare(plan, options)
        tell_parts(plan, scenarios, options.rounds)


def compare(plan: Plan, options: argparse.Namespace) -> list[Scenario]:
    """Time drawing alone and exploring, in turns; return what was drawn."""
    strategy = fact_scenarios(plan.description.parameters)

    def cost(attempt: Attempt) -> tuple[float, list[Scenario]]:
        drawn: list[Scenario] = []

        def body(scenario: Scenario) -> None:
            drawn.append(scenario)
            attempt(scenario)

        seconds = cpu_seconds(
            lambda: explore(strategy, body, examples=options.examples, seed=options.seed)
        )
        return seconds, drawn

    drawing: list[float] = []
    exploring: list[float] = []
    for _ in range(options.rounds):
        unit = Unit(plan.session, INVARIANT)
        alone, drawn = cost(lambda _: None)
        whole, explored = cost(lambda scenario, unit=unit: unit.attempt(scenario, "explore"))
        if drawn != explored:
            raise SystemExit("the two sides drew different scenarios: nothing can be compared")
        drawing.append(alone)
        exploring.append(whole)
    turns = sum(len(scenario.steps) for scenario in drawn)
    judges = len(plan.session.clauses)
    print(f"{len(drawn):,} scenarios, {turns:,} turns, {judges} clauses, {options.kernel}")
    print(f"drawing alone    {min(drawing):6.2f} s")
    print(f"exploring        {min(exploring):6.2f} s")
    print(f"ratio            {goal(min(exploring) / min(drawing), GOAL):>6}")
    return drawn


def tell_parts(plan: Plan, scenarios: list[Scenario], rounds: int) -> None:
    """Time each part of an attempt over all scenarios."""
    session = plan.session
    traces = [session.trace(scenario) for scenario in scenarios]
    parts = {
        "kernel alone": lambda: [session.adapter.run(scenario) for scenario in scenarios],
        "driving, with it": lambda: [session.trace(scenario) for scenario in scenarios],
        "judging": lambda: [session.findings(trace) for trace in traces],
    }
    for name, part in parts.items():
        best = min(cpu_seconds(part) for _ in range(rounds))
        print(f"  {name:<18}{best:6.2f} s, {best / len(scenarios) * 1e3:.2f} ms a scenario")


if __name__ == "__main__":
    main()
