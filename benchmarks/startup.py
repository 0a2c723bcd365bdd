"""How soon one has an answer: CPU time of ``fedcheck --version`` and of a whole gate run."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from _measure import FEDCHECK, best_of, cpu_seconds_of, goal

VERSION_GOAL = 0.15
GATE_GOAL = 10.0


def main() -> None:
    """Print both, and what the interpreter itself takes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10, help="the best of so many starts [10]")
    parser.add_argument("--gate-rounds", type=int, default=1, help="the same for gate runs [1]")
    parser.add_argument("--workers", type=int, default=2, help="processes of a spread run [2]")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        starts(options.rounds, Path(name))
        gates(options, Path(name))


def starts(rounds: int, folder: Path) -> None:
    """Print the CPU time of ``--version``, beside that of an interpreter that does nothing."""
    bare = best_of(rounds, lambda: cpu_seconds_of([sys.executable, "-c", "pass"], folder))
    version = best_of(rounds, lambda: cpu_seconds_of([*FEDCHECK, "--version"], folder))
    print(f"python -c pass           {bare:6.3f} s")
    print(f"fedcheck --version       {goal(version, VERSION_GOAL, ' s')}")
    print(f"  of the bare interpreter's time: {version / bare:.1f} times")


def gates(options: argparse.Namespace, folder: Path) -> None:
    """Print the CPU time of a run with defaults, in one process and in several."""
    alone = best_of(options.gate_rounds, lambda: cpu_seconds_of([*FEDCHECK, "run"], folder))
    print(f"fedcheck run             {goal(alone, GATE_GOAL, ' s')}")
    spread = [*FEDCHECK, "run", "-n", str(options.workers)]
    whole = best_of(options.gate_rounds, lambda: cpu_seconds_of(spread, folder))
    print(f"fedcheck run -n {options.workers}        {goal(whole, GATE_GOAL, ' s')}")
    print(f"  spreading costs {whole / alone:.2f} times the CPU time")


if __name__ == "__main__":
    main()
