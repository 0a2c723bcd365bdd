"""What the benchmarks share: CPU clocks and how a goal is printed."""

from __future__ import annotations

import gc
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Sequence
from pathlib import Path

FEDCHECK = [sys.executable, "-m", "fedcheck"]
"""The command under measurement, of the environment that runs the benchmark."""


def cpu_seconds(work: Callable[[], object]) -> float:
    """Return the CPU time of a call in this process, with the garbage of others swept before."""
    gc.collect()
    started = time.process_time()
    work()
    return time.process_time() - started


def cpu_seconds_of(
    command: Sequence[str], folder: Path | None = None, codes: Collection[int] = (0,)
) -> float:
    """Return the CPU time, user and system, of a command and of what it waited for.

    Raises:
        CalledProcessError: if it ends with another exit code than these.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    quiet = subprocess.DEVNULL
    done = subprocess.run(command, cwd=folder, check=False, stdout=quiet, stderr=quiet)
    if done.returncode not in codes:
        raise subprocess.CalledProcessError(done.returncode, list(command))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime)


def best_of(rounds: int, measure: Callable[[], float]) -> float:
    """Return the smallest of some measurements: what others do can only add to it."""
    return min(measure() for _ in range(rounds))


def peak_memory() -> float:
    """Return the peak memory of this process in MB (Linux).

    ``ru_maxrss`` counts what the process that started this one took as well.
    """
    status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def goal(value: float, limit: float, unit: str = "") -> str:
    """Return a value with its goal and whether it is met."""
    met = "met" if value <= limit else "MISSED"
    return f"{value:.2f}{unit} (goal {limit:g}{unit} {met})"
