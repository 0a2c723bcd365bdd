"""An audit on real processes of Dask: the same is found, also when a worker is lost."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from fedcheck.conformance.recordings.auditing import Asked, Audit, silent
from fedcheck.conformance.recordings.starting import started

from .made import REAL, generator, told

pytest.importorskip("distributed", reason="needs the extra `dask`")


def test_a_cluster_finds_what_one_process_finds(
    tmp_path: Path,
    cluster: tuple[str, list[subprocess.Popen[bytes]]],
) -> None:
    """Digest for digest, leaks too; and once more with one worker fewer, killed in the middle."""
    address, workers = cluster
    spans = tmp_path / "spans"
    generator().write(spans, 40, 3, plant_every=5)
    (spans / "planted.json").unlink()
    asked = Asked((str(REAL), str(spans)), keep_all=True)
    with Audit(asked) as audit:
        found = audit.run()
        alone, breaches = told(found), list(found.breaches())

    def kill(phase: str, done: int, _: int) -> None:
        if (phase, done) == ("read", 2):
            workers[1].kill()

    for progress in (silent, kill):
        with started(asked, progress, dask=address) as audit:
            found = audit.run()
            assert alone == told(found)
            assert breaches == list(found.breaches())
    assert {"in a message of the system", "in a message of the assistant"} <= {
        each.kind for _, each in breaches
    }
