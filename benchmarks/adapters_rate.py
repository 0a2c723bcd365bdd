"""Scenarios per second through each way to reach a kernel, and what the journal costs.

First the same kernel, the reference, takes the same fact-ledger scenarios in process, in a
worker and over ``exec:``, so what differs is the way. Then a kernel that answers at once takes
scenarios of one turn over ``exec:`` and ``http://``: what is left is our own work. Nothing is
judged. CPU time counts ours and the kernel's together, so it is the rate on one core.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from _measure import best_of, cpu_seconds, goal

from fedcheck.conformance.adapters.base import Adapter
from fedcheck.conformance.adapters.in_process import InProcessAdapter, quick_json
from fedcheck.conformance.adapters.journal import Journal
from fedcheck.conformance.adapters.reference import open_kernel
from fedcheck.conformance.driving.drive import FreshIds, drive
from fedcheck.conformance.driving.explore import explore
from fedcheck.conformance.driving.judging import judge
from fedcheck.invariants.catalog import catalog, clauses
from fedcheck.invariants.scenarios.facts import fact_scenarios
from fedcheck.invariants.vocabulary.scenario import Call, Scenario, Turn

TARGET = "fedcheck.fixtures.reference:ReferenceKernel"
PROGRAM = [sys.executable, "-m", "fedcheck.conformance.worker", TARGET]
WAYS = {
    "in process": "reference",
    "in a worker": TARGET,
    "over exec:": f"exec:{shlex.join(PROGRAM)}",
}
"""The ways, each with a kernel reference that takes it. ``exec:`` starts the worker's program,
but is not told that it does."""

ONE_TURN = Scenario(
    id="one-turn",
    steps=(
        Turn(
            message="list my tasks",
            calls=(Call(data_json='{"total":36}', summary="36 tasks"),),
            draft="You have 36 tasks.",
        ),
    ),
)
ANSWERS = """
    DESCRIPTION = b'{"kernel":"instant","version":"1","capabilities":["fact_ledger"]}'
    EVENTS = b'{"events":[{"event":"classifier_prompt","step":0,"prompt":"[HISTORY]"}]}'
    def answer(line):
        number = line[line.index(b'"id":') + 5 : line.index(b',"method"')]
        result = DESCRIPTION if b'"describe"' in line[:60] else EVENTS
        return b'{"jsonrpc":"2.0","id":' + number + b',"result":' + result + b'}\\n'
"""
OVER_STDIO = """
    import sys
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(answer(line))
        sys.stdout.buffer.flush()
"""
OVER_HTTP = """
    import socket
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    connection, _ = listener.accept()
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    reader = connection.makefile("rb")
    while line := reader.readline():
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
        if line == b"\\r\\n":
            body = answer(reader.read(length))
            head = b"HTTP/1.1 200 OK\\r\\nContent-Length: %d\\r\\n\\r\\n" % len(body)
            connection.sendall(head + body)
"""


class Instant:
    """Answers at once."""

    def turn(self, _: Turn) -> dict[str, str]:
        """Show a prompt."""
        return {"event": "classifier_prompt", "prompt": "[HISTORY]"}


def main() -> None:
    """Print the rate of each way."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--scenarios", type=int, default=300, help="scenarios of a round [300]")
    parser.add_argument("--rounds", type=int, default=5, help="the best of so many rounds [5]")
    options = parser.parse_args()
    for name, reference in WAYS.items():
        with open_kernel(reference) as adapter:
            scenarios = drawn(adapter, options.scenarios)
            show(
                name, *fastest(running(adapter, scenarios), options.rounds, adapter), len(scenarios)
            )
    with InProcessAdapter("instant", Instant) as adapter:
        here = instantly(adapter, options)
        show("here: at once", *here, 2000)
    with instant_over_stdio() as reference, open_kernel(reference) as adapter:
        best = instantly(adapter, options)
        show("exec: at once", *best, 2000)
        print(
            f"  ms per scenario: {goal(best[1] / 2000 * 1e3, 0.5, ' ms')} = 2,000 a second; "
            f"{best[1] / here[1]:.1f} times as long as in process"
        )
    with instant_over_http() as reference, open_kernel(reference) as adapter:
        show("http: at once", *instantly(adapter, options), 2000)
    journal(options)


def drawn(adapter: Adapter, count: int) -> list[Scenario]:
    """Return the same scenarios each time."""
    found: list[Scenario] = []
    strategy = fact_scenarios(adapter.describe().parameters)
    explore(strategy, found.append, examples=count, seed=0)
    return found


def running(adapter: Adapter, scenarios: list[Scenario]) -> Callable[[], object]:
    """Return what drives the adapter through the scenarios."""
    description, ids = adapter.describe(), FreshIds()
    return lambda: [drive(adapter, description, each, ids=ids) for each in scenarios]


def instantly(adapter: Adapter, options: argparse.Namespace) -> tuple[float, float]:
    """Measure 2,000 scenarios of one turn."""
    return fastest(running(adapter, [ONE_TURN] * 2000), options.rounds, adapter)


def fastest(work: Callable[[], object], rounds: int, adapter: Adapter) -> tuple[float, float]:
    """Return wall-clock seconds and CPU seconds, ours and the kernel's, of the fastest round."""
    pid = getattr(adapter, "pid", None)
    work()  # a process is started by its first request

    def once() -> tuple[float, float]:
        wall, ours, theirs = time.perf_counter(), time.process_time(), cpu_of(pid)
        work()
        ours, theirs = time.process_time() - ours, cpu_of(pid) - theirs
        return time.perf_counter() - wall, ours + theirs

    measured = [once() for _ in range(rounds)]
    return min(wall for wall, _ in measured), min(cpu for _, cpu in measured)


def cpu_of(pid: int | None) -> float:
    """Return the CPU seconds of a running process (Linux; elsewhere 0)."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / 100


def show(name: str, wall: float, cpu: float, count: int) -> None:
    """Print a rate."""
    rate = f"{count / wall:7.0f} scenarios/s (wall clock), {count / cpu:7.0f} per CPU second"
    print(f"{name:<14} {rate}")


@contextmanager
def instant_over_stdio() -> Iterator[str]:
    """Yield the reference of a kernel that answers at once."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "instant.py")
        program.write_text(textwrap.dedent(ANSWERS) + textwrap.dedent(OVER_STDIO))
        yield f"exec:{shlex.join([sys.executable, str(program)])}"


@contextmanager
def instant_over_http() -> Iterator[str]:
    """Yield the address of a kernel that answers at once."""
    program = textwrap.dedent(ANSWERS) + textwrap.dedent(OVER_HTTP)
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        yield f"http://127.0.0.1:{int(server.stdout.readline())}/"
        server.kill()


def journal(options: argparse.Namespace) -> None:
    """Print the journal's part of driving and judging the reference kernel in process."""
    with open_kernel("reference") as adapter, tempfile.TemporaryDirectory() as folder:
        scenarios = drawn(adapter, options.scenarios)
        kept = Journal(Path(folder, "journal.json"))
        judged = judging(adapter, scenarios)
        whole = best_of(options.rounds, lambda: cpu_seconds(judged))
        part = best_of(
            options.rounds,
            lambda: cpu_seconds(lambda: [kept.note(quick_json(x)) for x in scenarios]),
        )
        kept.close()
    told = goal(part / whole * 100, 3, " %")
    print(f"journal: {told} of driving and judging in process")


def judging(adapter: Adapter, scenarios: list[Scenario]) -> Callable[[], object]:
    """Return what drives the adapter through the scenarios and judges every trace."""
    description, ids, judged = adapter.describe(), FreshIds(), clauses(catalog())
    return lambda: [judge(drive(adapter, description, each, ids=ids), judged) for each in scenarios]


if __name__ == "__main__":
    main()
