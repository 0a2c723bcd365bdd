"""An audit on real processes of Dask: the same is found, also when a worker is lost."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from fedcheck.conformance.recordings.auditing import Asked, silent
from fedcheck.conformance.recordings.starting import started

from .made import REAL, audited, told

pytest.importorskip("distributed", reason="needs the extra `dask`")

_DEADLINE = 60.0


@pytest.fixture(name="cluster")
def _cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler and two workers on loopback; gives the address, and the workers."""
    log = tmp_path / "scheduler.log"
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
    with log.open("wb") as out:
        words = [*command, "--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
        scheduler = subprocess.Popen(words, stdout=out, stderr=out)
    running = [scheduler]
    try:
        address = _address(log)
        workers = [_worker(address, tmp_path / f"worker-{number}") for number in range(2)]
        running += workers
        yield address, workers
    finally:
        for process in running:
            process.kill()
            process.wait(_DEADLINE)


def _address(log: Path) -> str:
    end = time.monotonic() + _DEADLINE
    while time.monotonic() < end:
        if found := re.search(r"tcp://127\.0\.0\.1:\d+", log.read_text("utf-8")):
            return found[0]
        time.sleep(0.05)
    raise AssertionError(log.read_text("utf-8"))


def _worker(address: str, folder: Path) -> subprocess.Popen[bytes]:
    words = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--nthreads", "1"]
    words += ["--no-dashboard", "--no-nanny", "--local-directory", str(folder)]
    with Path(f"{folder}.log").open("wb") as out:
        return subprocess.Popen(words, stdout=out, stderr=out)


def _waited(address: str, workers: int) -> None:
    from distributed import Client

    with Client(address, timeout=_DEADLINE, set_as_default=False) as client:
        client.wait_for_workers(workers, timeout=_DEADLINE)


def test_a_cluster_finds_what_one_process_finds(
    cluster: tuple[str, list[subprocess.Popen[bytes]]],
) -> None:
    """Digest for digest; and once more with one worker fewer, killed in the middle."""
    address, workers = cluster
    _waited(address, 2)
    alone = told(audited(REAL))

    def kill(phase: str, done: int, _: int) -> None:
        if (phase, done) == ("read", 2):
            workers[1].kill()

    for progress in (silent, kill):
        with started(Asked((str(REAL),)), progress, dask=address) as audit:
            assert alone == told(audit.run())
