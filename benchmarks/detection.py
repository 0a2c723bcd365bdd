"""How soon a gate run finds each broken kernel: scenarios until the first breach, and seconds.

Run by hand: ``python benchmarks/detection.py [SEEDS]`` (default 3 seeds).
"""

from __future__ import annotations

import statistics
import sys
import time

from fedcheck.conformance.audit.qualification import scenarios_until_found
from fedcheck.conformance.settings.options import GATE_EXAMPLES
from fedcheck.fixtures.mutants import MUTANTS


def main(seeds: int) -> None:
    """Print a line per broken kernel, then the medians and the total."""
    medians: list[float] = []
    survivors: list[str] = []
    started = time.perf_counter()
    for name in MUTANTS:
        found = [
            scenarios_until_found(f"mutant:{name}", examples=GATE_EXAMPLES, seed=seed)
            for seed in range(seeds)
        ]
        seen = [count for count in found if count is not None]
        if len(seen) < len(found):
            survivors.append(name)
        if seen:
            medians.append(statistics.median(seen))
        print(f"{name:32} {' '.join('never' if n is None else str(n) for n in found)}")
    print(f"{len(MUTANTS)} broken kernels, {len(survivors)} got away {survivors or ''}")
    print(f"median of the medians: {statistics.median(medians):g} scenarios")
    print(f"total: {time.perf_counter() - started:.1f} s for {seeds} gate runs each")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
