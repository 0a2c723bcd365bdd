"""Processes of this machine that audit: plain ones, and those of a local cluster of Dask."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import subprocess
import sys

import pytest

from fedcheck.conformance.recordings import starting
from fedcheck.conformance.recordings.auditing import Asked
from fedcheck.conformance.recordings.workers import Processes
from fedcheck.invariants.vocabulary.errors import KernelError

from .made import REAL, audited, told

_DEADLINE = 60.0

_WAITING = """
import multiprocessing, time
from fedcheck.conformance.recordings.workers import Processes
if __name__ == "__main__":
    processes = Processes(1)
    waiting = processes.each(time.sleep, [600])
    import threading
    threading.Thread(target=next, args=(waiting,), daemon=True).start()
    while not multiprocessing.active_children():
        time.sleep(0.05)
    print(multiprocessing.active_children()[0].pid, flush=True)
    time.sleep(600)
"""


@pytest.mark.parametrize("has_dask", [False, True], ids=["processes", "local cluster"])
def test_a_worker_that_is_killed_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, has_dask: bool
) -> None:
    """What it did not end another does; and no process stays behind."""
    if has_dask:
        pytest.importorskip("distributed", reason="needs the extra `dask`")
        pytest.importorskip("cryptography", reason="needs the extra `dask`")
    monkeypatch.setattr(starting, "find_spec", lambda _: object() if has_dask else None)
    killed: list[int | None] = []

    def kill(phase: str, done: int, _: int) -> None:
        if (phase, done) == ("read", 1):
            victim = multiprocessing.active_children()[0]
            victim.kill()
            killed.append(victim.pid)

    with starting.started(Asked((str(REAL),)), kill, workers=2) as audit:
        assert told(audited(REAL)) == told(audit.run())
    assert 1 == len(killed)
    assert [] == multiprocessing.active_children()


def test_processes_that_are_always_lost_are_told() -> None:
    """What ends every process that tries it ends the audit with a reason."""
    processes = Processes(1)
    try:
        with pytest.raises(KernelError, match="were ended 3 times"):
            list(processes.each(os._exit, [1]))
    finally:
        processes.close()


@pytest.mark.skipif(sys.platform == "win32", reason="kills by signal")
def test_processes_end_with_the_one_that_started_them() -> None:
    """Also where it is killed, and can let nobody go."""
    parent = subprocess.Popen([sys.executable, "-c", _WAITING], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    parent.kill()
    try:
        parent.communicate(timeout=_DEADLINE)  # the child writes where its parent did
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
