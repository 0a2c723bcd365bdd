"""Ctrl-C, SIGTERM or SIGHUP in a run: a valid partial record, no verdict, no process left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from fedcheck.invariants.vocabulary.verdict import Verdict
from fedcheck.reports.record.reader import read_record

_FEDCHECK = Path(sys.executable).with_name("fedcheck")
_PATIENCE = 60.0


def _started(folder: Path, *words: str) -> subprocess.Popen[str]:
    """Start a run that would go on for minutes, and wait until its record has begun."""
    process = subprocess.Popen(
        [_FEDCHECK, "run", "--time", "5m", "--record", "run.ndjson", *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    end = time.monotonic() + _PATIENCE
    record = folder / "run.ndjson.part"
    while not (record.exists() and record.stat().st_size):
        assert process.poll() is None
        assert time.monotonic() < end
        time.sleep(0.05)
    time.sleep(2.0)
    return process


def _members(session: int) -> list[str]:
    """The processes of a session that are still there after a moment; the dead do not count."""
    alive: list[str] = []
    for _ in range(50):
        alive = [stat for stat in _stats() if _belongs(stat, session)]
        if not alive:
            break
        time.sleep(0.1)
    return alive


def _stats() -> Iterator[str]:
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            yield path.read_text()


def _belongs(stat: str, session: int) -> bool:
    state, _parent, _group, own_session = stat.rpartition(")")[2].split()[:4]
    return state != "Z" and int(own_session) == session


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize(
    ("words", "number"),
    [
        ((), signal.SIGINT),
        (("-n", "2"), signal.SIGINT),
        (("--kernel", "toy_cache:Kernel"), signal.SIGINT),
        ((), signal.SIGTERM),
        (("-n", "2"), signal.SIGTERM),
        ((), signal.SIGHUP),
    ],
)
def test_an_interrupted_run_leaves_a_valid_partial_record(
    words: tuple[str, ...], number: signal.Signals, tmp_path: Path
) -> None:
    """The record ends properly and says that it was stopped; nothing passes for not being run."""
    (tmp_path / "toy_cache.py").write_text(
        "class Kernel:\n"
        "    def cache_set(self, step):\n"
        "        return {'event': 'cache_outcome', 'outcome': 'refused'}\n"
        "    def cache_get(self, step):\n"
        "        return {'event': 'cache_outcome', 'outcome': 'miss'}\n"
    )
    process = _started(tmp_path, *words)
    os.killpg(process.pid, number)
    _, errors = process.communicate(timeout=_PATIENCE)

    assert 3 == process.returncode, errors
    assert "Traceback" not in errors
    record = read_record(tmp_path / "run.ndjson")
    assert record.summary.interrupted
    assert record.clauses[-1].verdict in (Verdict.NOT_EXERCISED, Verdict.NOT_CLAIMED)
    assert [] == _members(process.pid)
