"""A run on real processes of Dask: the same verdicts, also when a worker is lost."""

from __future__ import annotations

import subprocess

import pytest
from msgspec.structs import replace

from fedcheck.conformance.running.suite import run_suite
from fedcheck.conformance.settings.options import RunOptions
from fedcheck.invariants.vocabulary.errors import UsageError
from fedcheck.reports.record.model import ClauseResult, RunRecord

from .watched import Quiet

pytest.importorskip("distributed", reason="needs the extra `dask`")

_ASKED = RunOptions(
    kernel="mutant:key-unchecked", select=("I-CACHE-*", "C-CACHE-*"), examples=3, reduce=0
)


def _told(record: RunRecord) -> list[ClauseResult]:
    return [replace(each, seconds=0.0) for each in record.clauses]


def test_a_cluster_says_what_one_process_says(
    cluster: tuple[str, list[subprocess.Popen[bytes]]],
) -> None:
    """Each clause and counterexample; and once more when a worker is killed in the middle."""
    address, workers = cluster
    alone = run_suite(_ASKED, Quiet())
    asked = replace(_ASKED, dask=address)

    def kill(_invariant: str, _scenarios: int) -> None:
        if workers[1].poll() is None and "more fixed scenarios, and exploration" in dying.stages:
            workers[1].kill()
            workers[1].wait()

    dying = Quiet(kill)
    for observer in (Quiet(), dying):
        judged = run_suite(asked, observer)
        assert _told(alone) == _told(judged)
        assert [x.id for x in alone.counterexamples] == [x.id for x in judged.counterexamples]
    assert workers[1].poll() is not None


def test_an_address_without_a_scheduler_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message names it, and says what to start."""
    monkeypatch.setattr("fedcheck.conformance.driving.cluster._WAIT", "1s")
    asked = replace(_ASKED, dask="tcp://127.0.0.1:9", select=("I-CACHE-KEY-SAFETY",))

    with pytest.raises(UsageError, match=r"tcp://127\.0\.0\.1:9: no scheduler answers"):
        run_suite(asked, Quiet())
