"""Scenarios per second through each way to reach a kernel: in process, in a worker, ``exec:``.

The same kernel, the reference, takes the same fact-ledger scenarios each time, so what differs
is the way. Nothing is judged.
"""

from __future__ import annotations

import argparse
import shlex
import sys
import time

from _measure import cpu_seconds

from fedcheck.conformance.adapters.base import Adapter
from fedcheck.conformance.adapters.reference import open_kernel
from fedcheck.conformance.drive import FreshIds
from fedcheck.conformance.explore import explore
from fedcheck.invariants.fact_scenarios import fact_scenarios
from fedcheck.invariants.scenario import Scenario

TARGET = "fedcheck.fixtures.reference:ReferenceKernel"
PROGRAM = [sys.executable, "-m", "fedcheck.conformance.worker", TARGET]
WAYS = {
    "in process": "reference",
    "in a worker": TARGET,
    "over exec:": f"exec:{shlex.join(PROGRAM)}",
}
"""The ways, each with a kernel reference that takes it. ``exec:`` starts the worker's program,
but is not told that it does."""


def main() -> None:
    """Print the rate of each way."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--scenarios", type=int, default=300, help="scenarios of a round [300]")
    parser.add_argument("--rounds", type=int, default=3, help="the best of so many rounds [3]")
    options = parser.parse_args()
    first = 0.0
    for name, reference in WAYS.items():
        with open_kernel(reference) as adapter:
            scenarios = drawn(adapter, options.scenarios)
            adapter.run(scenarios[0])  # a process is started by its first request
            wall, ours = fastest(adapter, scenarios, options.rounds)
        first = first or wall
        print(
            f"{name:<12} {len(scenarios) / wall:7.0f} scenarios/s (wall clock), "
            f"{wall / len(scenarios) * 1e3:.2f} ms each, of which {ours / wall:.0%} is our own "
            f"CPU; {wall / first:.1f} times as long as in process"
        )


def drawn(adapter: Adapter, count: int) -> list[Scenario]:
    """Return the same scenarios each time, under fresh ids."""
    found: list[Scenario] = []
    ids = FreshIds()
    strategy = fact_scenarios(adapter.describe().parameters)
    explore(strategy, lambda x: found.append(ids.rename(x).scenario), examples=count, seed=0)
    return found


def fastest(adapter: Adapter, scenarios: list[Scenario], rounds: int) -> tuple[float, float]:
    """Return the seconds of the fastest round, and the CPU time that our process took of it."""

    def once() -> tuple[float, float]:
        started = time.perf_counter()
        ours = cpu_seconds(lambda: [adapter.run(scenario) for scenario in scenarios])
        return time.perf_counter() - started, ours

    return min(once() for _ in range(rounds))


if __name__ == "__main__":
    main()
