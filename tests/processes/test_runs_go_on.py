"""Whole runs over kernels that misbehave in one corner: evidence there, verdicts elsewhere."""

from __future__ import annotations

import importlib
import shlex
import sys
import tempfile
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from fedcheck.conformance.running.suite import run_suite
from fedcheck.conformance.settings.options import RunOptions
from fedcheck.invariants.vocabulary.errors import KernelCrashed, ProtocolError
from fedcheck.invariants.vocabulary.verdict import Verdict, Violation
from fedcheck.reports.record.model import BodyLine, Header, Incident, RunRecord

from .web import Web

KERNELS = Path(__file__).parent.parent / "kernels"
KEYS, LIVES, SIZES = "I-CACHE-KEY-SAFETY", "I-CACHE-TTL-CAP-300S", "I-CACHE-VALUE-SIZE-CAP-64KB"

Judge = Callable[..., RunRecord]


class Silent:
    """An observer that looks away."""

    def planned(self, header: Header, scenarios: int) -> None: ...

    def advanced(self, invariant: str, scenarios: int) -> None: ...

    def stage(self, name: str, total: int | None) -> None: ...

    def reducing(self, clause: str, tried: int, most: int) -> None: ...

    def failed(self, violation: Violation) -> None: ...

    def found(self, line: BodyLine) -> None: ...


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Judge]:
    """Judge two invariants of a kernel; in the end no file and no process may be left."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    mark = uuid.uuid4().hex

    def judged(action: str, *, timeout: float = 60, **more: Any) -> RunRecord:
        command = shlex.join([sys.executable, str(KERNELS / "small_cache.py"), action, mark])
        return of(f"exec:{command}", timeout=timeout, **more)

    yield judged
    assert [] == list(tmp_path.iterdir())
    assert [] == _processes(mark)


def of(reference: str, *select: str, **more: Any) -> RunRecord:
    """Judge two invariants of the cache, of which only the second one reaches the corner."""
    options = RunOptions(kernel=reference, select=select or (KEYS, LIVES), examples=0, **more)
    return run_suite(options, Silent())


def _processes(mark: str) -> list[str]:
    running = [_read(folder / "cmdline") for folder in Path("/proc").glob("[0-9]*")]
    return [words for words in running if mark in words]


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""


def judged_elsewhere(record: RunRecord) -> tuple[set[Verdict], list[Incident]]:
    """Return the verdicts on the corner and what happened there; all else must have passed."""
    verdicts = {x.clause: x.verdict for x in record.clauses if x.verdict is not Verdict.NOT_CLAIMED}
    elsewhere = {verdict for clause, verdict in verdicts.items() if clause.startswith(KEYS)}
    assert {Verdict.PASS} == elsewhere
    assert 3 == record.summary.exit_code
    assert {LIVES} == {incident.invariant for incident in record.incidents}
    for incident in record.incidents:
        assert incident.scenario is not None
        assert any(getattr(step, "ttl_seconds", 0) == 301 for step in incident.scenario.steps)
    return {v for clause, v in verdicts.items() if clause.startswith(LIVES)}, [*record.incidents]


def test_kernel_without_trouble_is_conformant(judge: Judge) -> None:
    """The small cache keeps what it claims; so the troubles below are the only ones."""
    assert 0 == judge("none").summary.exit_code


@pytest.mark.parametrize(
    ("action", "verdict", "message", "status", "stderr"),
    [
        ("exit", Verdict.CRASH, "the process ended instead of answering", 3, "the reason\n"),
        ("abort", Verdict.CRASH, "the process ended instead of answering (SIGABRT", -6, ""),
        ("in the middle", Verdict.ERROR, "half a line, then the end", 3, "the reason\n"),
        ("close stdout", Verdict.CRASH, "it closed its stdout and lived on", None, ""),
        ("grandchild", Verdict.CRASH, "the process ended instead of answering", 5, ""),
        ("wrong id", Verdict.ERROR, "Answer each request once, with its id", None, ""),
        ("trailing", Verdict.ERROR, "after the answer came 'bye", None, ""),
        ("not utf-8", Verdict.ERROR, "is not UTF-8", None, ""),
        ("garbage", Verdict.ERROR, "not JSON", None, ""),
        ("deep", Verdict.ERROR, "nested too deeply", None, ""),
        ("nan", Verdict.ERROR, "NaN is not a JSON value", None, ""),
        ("double event", Verdict.ERROR, "the key 'text' stands twice", None, ""),
        ("unknown event", Verdict.ERROR, "Invalid value 'promt'", None, ""),
        ("many events", Verdict.ERROR, "more than 20,000 events", None, ""),
        ("long line", Verdict.ERROR, "a line of more than", None, ""),
        ("endless events", Verdict.ERROR, "more than 67,108,864 bytes", None, ""),
        ("error", Verdict.ERROR, "the kernel answered error -32000", None, ""),
        ("error with a reason", Verdict.ERROR, "error -32000: 'down'", None, "the reason\n"),
    ],
)
def test_run_goes_on(
    judge: Judge, action: str, verdict: Verdict, message: str, status: int | None, stderr: str
) -> None:
    """Only the clauses of that corner are lost, with the scenario, the status, the last words."""
    verdicts, incidents = judged_elsewhere(judge(action))

    assert {verdict} == verdicts
    assert message in incidents[0].message
    assert (status, stderr) == (incidents[0].exit_status, incidents[0].stderr_tail)


@pytest.mark.parametrize("action", ["hang", "spin", "half then hang", "hang with grandchild"])
def test_run_goes_on_after_the_deadline(judge: Judge, action: str) -> None:
    """A kernel that does not come back costs its deadline, and its clauses only."""
    verdicts, incidents = judged_elsewhere(judge(action, timeout=2))

    assert {Verdict.TIMEOUT} == verdicts
    assert "no answer within 2 s" in incidents[0].message


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps a limit on memory")
def test_run_goes_on_after_a_leak(judge: Judge) -> None:
    """The limit on memory ends the leak, not the run."""
    verdicts, incidents = judged_elsewhere(judge("leak", memory_limit=256 * 2**20))

    assert {Verdict.CRASH} == verdicts
    assert "limited to 268,435,456 bytes" in incidents[0].message
    assert "MemoryError" in incidents[0].stderr_tail


@pytest.mark.parametrize("action", ["many notifications", "forgotten events"])
def test_events_that_do_not_add_up(judge: Judge, action: str) -> None:
    """Too many, or fewer than were announced: neither is judged."""
    assert {Verdict.ERROR} == judged_elsewhere(judge(action))[0]


def test_endless_crashes_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel that crashes at everything is given up soon, in clear words: exit code 3."""
    monkeypatch.chdir(KERNELS)
    record = of("crashing_at_everything:Kernel", KEYS, LIVES, SIZES, timeout=60)
    words = "given up after 20 restarts; the last failure was: scenario"
    given_up = [incident.message for incident in record.incidents if words in incident.message]

    assert 3 == record.summary.exit_code
    assert given_up
    assert all("(exit status 7)" in message for message in given_up)


def test_kernel_that_is_another_one_in_each_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several processes must judge one kernel: what it claims decides what is judged."""
    monkeypatch.chdir(KERNELS)
    with pytest.raises(ProtocolError, match="the kernel changed its description: version was"):
        of("by_process:Kernel", timeout=60, workers=2)


def test_kernel_that_ends_one_of_several_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """In process nothing holds it back; the run says what to do instead of breaking down."""
    monkeypatch.chdir(KERNELS)
    monkeypatch.setattr(sys, "path", list(sys.path))
    with pytest.raises(KernelCrashed, match="without --in-process"):
        of("crashing_in_a_worker:Kernel", in_process=True, workers=2)


@pytest.mark.parametrize(
    ("action", "verdict", "message"),
    [
        ("close", Verdict.CRASH, "the connection ended"),
        ("reset", Verdict.CRASH, "the connection ended"),
        ("html", Verdict.ERROR, "HTTP status 500"),
        ("redirect", Verdict.ERROR, "a redirect to"),
        ("drip body", Verdict.TIMEOUT, "no answer within 2 s"),
    ],
)
def test_run_goes_on_over_http(action: str, verdict: Verdict, message: str) -> None:
    """What a server does in the corner costs the clauses of that corner."""
    cache = small_cache()
    server = Web(
        None, lambda p: action if cache.is_trouble(p["scenario"]) else cache.run(p["scenario"])
    )
    server.description = cache.DESCRIPTION
    try:
        verdicts, incidents = judged_elsewhere(of(server.address, timeout=2))
    finally:
        server.close()
    assert {verdict} == verdicts
    assert message in incidents[0].message


def test_one_kernel_four_ways(judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
    """However a kernel is reached, the record names the same one, and how it was reached."""
    cache = small_cache()
    server = Web(None, lambda p: cache.run(p["scenario"]))
    server.description = cache.DESCRIPTION
    monkeypatch.chdir(KERNELS)
    monkeypatch.syspath_prepend(str(KERNELS))
    whole = "small_cache_object:kernel"
    try:
        records = [judge("none"), of(server.address), of(whole), of(whole, in_process=True)]
    finally:
        server.close()
    headers = [record.header for record in records]

    assert ["exec", "http", "hosted", "in-process"] == [x.transport for x in headers]
    assert [headers[0].kernel] * 4 == [x.kernel for x in headers]
    assert [0] * 4 == [record.summary.exit_code for record in records]


def small_cache() -> ModuleType:
    """Return the program as a module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(KERNELS))
        return importlib.import_module("small_cache")
