"""Peak memory of a gate run, with the processes that it starts (Linux: reads ``/proc``).

The resident memory of all processes of the run is added up every few milliseconds. What several
of them share, such as the interpreter's own code, counts for each: the sum errs on the high side.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from _measure import FEDCHECK, goal

GOAL = 150.0
INTERVAL = 0.02
PROC = Path("/proc")
RUNS = {
    "the default": [],
    "in two processes": ["-n", "2"],
    "kernel in a worker": ["--kernel", "fedcheck.fixtures.reference:ReferenceKernel"],
}
"""What is measured: a name, and the arguments of ``fedcheck run``."""


def main() -> None:
    """Print the peak of each run."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--examples", help="as for `fedcheck run`; its default otherwise")
    options = parser.parse_args()
    if not (PROC / "self" / "status").exists():
        raise SystemExit("this system has no /proc/<pid>/status: nothing can be measured")
    more = ["--examples", options.examples] if options.examples else []
    with tempfile.TemporaryDirectory() as folder:
        for name, arguments in RUNS.items():
            peak, processes = peak_of([*FEDCHECK, "run", *arguments, *more], folder)
            print(f"{name:<20} {goal(peak, GOAL, ' MB')}, at most {processes} processes at once")
    print(f"an interpreter alone {alone():.0f} MB")


def peak_of(command: Sequence[str], folder: str | None = None) -> tuple[float, int]:
    """Return the peak of a command in MB, and how many processes it had at most."""
    peak, most = 0.0, 0
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as run:
        while run.poll() is None:
            family = list(descendants(run.pid))
            peak = max(peak, sum(map(megabytes, family)))
            most = max(most, len(family))
            time.sleep(INTERVAL)
    if run.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {run.returncode}: nothing was measured")
    return peak, most


def descendants(pid: int) -> Iterator[int]:
    """Yield the ids of a process and of all that it started."""
    yield pid
    try:
        children = [
            int(child)
            for tasks in (PROC / str(pid) / "task").glob("*/children")
            for child in tasks.read_text().split()
        ]
    except OSError:  # it has just ended
        return
    for child in children:
        yield from descendants(child)


def megabytes(pid: int) -> float:
    """Return the resident memory of a process; 0 when it is gone."""
    try:
        lines = (PROC / str(pid) / "status").read_text().splitlines()
    except OSError:
        return 0.0
    sizes = (line.split()[1] for line in lines if line.startswith("VmRSS:"))
    return sum(map(int, sizes)) / 1024


def alone() -> float:
    """Return the memory of an interpreter that has only started."""
    return peak_of([sys.executable, "-c", f"import time; time.sleep({10 * INTERVAL})"])[0]


if __name__ == "__main__":
    main()
