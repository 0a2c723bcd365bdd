"""An audit on real processes of Dask: the same is found, also when a worker is lost."""

from __future__ import annotations

import subprocess

import pytest

from fedcheck.conformance.recordings.auditing import Asked, silent
from fedcheck.conformance.recordings.starting import started

from .made import REAL, audited, told

pytest.importorskip("distributed", reason="needs the extra `dask`")


def test_a_cluster_finds_what_one_process_finds(
    cluster: tuple[str, list[subprocess.Popen[bytes]]],
) -> None:
    """Digest for digest; and once more with one worker fewer, killed in the middle."""
    address, workers = cluster
    alone = told(audited(REAL))

    def kill(phase: str, done: int, _: int) -> None:
        if (phase, done) == ("read", 2):
            workers[1].kill()

    for progress in (silent, kill):
        with started(Asked((str(REAL),)), progress, dask=address) as audit:
            assert alone == told(audit.run())
