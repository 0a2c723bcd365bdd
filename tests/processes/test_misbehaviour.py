"""Kernels that misbehave in ways that need room, memory or a second request."""

from __future__ import annotations

import resource
import sys
from collections.abc import Callable

import pytest

from fedcheck.conformance.adapters.own_process import Hosting
from fedcheck.conformance.adapters.process import ProcessAdapter
from fedcheck.conformance.adapters.reference import open_kernel
from fedcheck.invariants.vocabulary.errors import (
    KernelCrashed,
    KernelError,
    KernelTimeout,
    KernelUnreachable,
    ProtocolError,
    UsageError,
)
from fedcheck.invariants.vocabulary.scenario import Scenario, Turn
from fedcheck.invariants.vocabulary.trace import StepFailed

Open = Callable[..., ProcessAdapter]
Failing = Callable[[ProcessAdapter, Scenario, type[KernelError]], KernelError]

MEGABYTE = 2**20


def turn(name: str) -> Scenario:
    """Return a scenario of one turn whose id tells ``raw.py`` what to do."""
    return Scenario(id=name, steps=(Turn(message="m"),))


@pytest.mark.parametrize(
    ("name", "kind", "message"),
    [
        ("half then hang", KernelTimeout, """within 0.5 s, only '{"jsonrpc":"2.0","id":'"""),
        ("out of order", KernelTimeout, "no answer within 0.5 s; find out"),
        ("in the middle", ProtocolError, "half a line, then the end of output"),
        ("flood both", ProtocolError, "a line of more than 16,777,216 bytes"),
        ("double id", ProtocolError, "the key 'id' stands twice in one object"),
        ("double event", ProtocolError, "the key 'text' stands twice in one object"),
        ("many events", ProtocolError, "more than 20,000 events of one scenario"),
        ("many notifications", ProtocolError, "more than 20,000 events of one scenario"),
        ("deep and whole", ProtocolError, "nested too deeply"),
    ],
)
def test_what_kernels_do(
    open_raw: Open, failing: Failing, name: str, kind: type[KernelError], message: str
) -> None:
    """Each misdeed has its error, nothing is left running, and the next scenario is served."""
    adapter = open_raw()
    error = failing(adapter, turn(name), kind)
    assert message in str(error)
    assert 1 == len(adapter.run(turn("fine")))


def test_exit_in_the_middle_has_status_and_last_words(open_raw: Open, failing: Failing) -> None:
    """Half an answer and then the end: what was got, what was said, how it ended."""
    error = failing(open_raw(), turn("in the middle"), ProtocolError)
    assert ("the reason\n", 3) == (error.stderr_tail, error.exit_status)


def test_late_answers_are_not_believed(open_raw: Open) -> None:
    """Who answers the request before this one is not heard: his process is gone by then."""
    adapter = open_raw()
    adapter.describe()
    adapter.timeout = 0.5
    for _ in range(2):
        with pytest.raises(KernelTimeout):
            adapter.run(turn("out of order"))


def test_a_gigabyte_on_stderr_costs_time_and_no_memory(open_raw: Open) -> None:
    """It is read while we wait, and only its end is kept."""
    adapter = open_raw()
    adapter.describe()
    before = _peak_memory()
    assert 1 == len(adapter.run(turn("flood stderr 1 GB")))
    assert _peak_memory() - before < 20 * MEGABYTE


def _peak_memory() -> int:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def test_description_that_changes_at_once(open_raw: Open) -> None:
    """A kernel is asked twice who it is, and must know."""
    adapter = open_raw("changes at once")
    with pytest.raises(ProtocolError, match=r"changed its description: version was '0' and is now"):
        adapter.describe()
    assert adapter.pid is None


def test_description_that_changes_after_a_crash(open_raw: Open, failing: Failing) -> None:
    """What comes back after a crash must be the kernel that is being judged."""
    adapter = open_raw("changes when started again")
    failing(adapter, turn("abort"), KernelCrashed)
    with pytest.raises(ProtocolError, match="describe: the kernel changed its description"):
        adapter.run(turn("fine"))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps a limit on memory")
def test_memory_limit(raw_reference: Callable[..., str]) -> None:
    """A kernel that leaks is stopped by the limit, which the error names; the next one runs."""
    with open_kernel(
        raw_reference(), timeout=60, hosting=Hosting(memory_limit=256 * MEGABYTE)
    ) as adapter:
        adapter.describe()
        with pytest.raises(KernelCrashed) as raised:
            adapter.run(turn("leak"))
        assert 1 == len(adapter.run(turn("fine")))
    assert "MemoryError" in raised.value.stderr_tail
    assert "exit status 1; it was limited to 268,435,456 bytes of memory" in str(raised.value)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps a limit on memory")
def test_memory_limit_of_a_worker() -> None:
    """A Python kernel that leaks in a worker fails its step, and the worker goes on."""
    with open_kernel(
        "toys:Leaky", timeout=60, hosting=Hosting(memory_limit=256 * MEGABYTE)
    ) as adapter:
        (event,) = adapter.run(turn("leak"))
    assert isinstance(event, StepFailed)
    assert event.message.startswith("MemoryError")


@pytest.mark.parametrize("reference", ["reference", "mutant:emails-shown", "http://localhost:1/"])
def test_memory_limit_needs_a_process(reference: str) -> None:
    """Nobody can limit what is not started for the run."""
    with pytest.raises(UsageError, match=r"--memory-limit: .* is no process"):
        open_kernel(reference, hosting=Hosting(memory_limit=MEGABYTE))


@pytest.mark.parametrize("limit", [1, 512, MEGABYTE - 1])
def test_a_memory_limit_in_which_nothing_starts_is_refused(
    raw_reference: Callable[..., str], limit: int
) -> None:
    """Before anything is started: whoever writes 512 means 512M."""
    for reference in (raw_reference(), "toys:Leaky"):
        with pytest.raises(UsageError, match=r"in [\d,]+ bytes? no process starts; .* 512M"):
            open_kernel(reference, hosting=Hosting(memory_limit=limit))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps a limit on memory")
@pytest.mark.parametrize(
    ("words", "limit", "told", "tail"),
    [
        ("MemoryError", 256 * MEGABYTE, "in 268,435,456 bytes of memory its process does not", ""),
        ("MemoryError", None, "the process ended instead of answering", "MemoryError\n"),
        ("no disk", 256 * MEGABYTE, "the process ended instead of answering", "no disk\n"),
    ],
)
def test_a_worker_that_does_not_start_within_its_limit(
    monkeypatch: pytest.MonkeyPatch, words: str, limit: int | None, told: str, tail: str
) -> None:
    """The interpreter's own last words would say nothing to anybody; any others are shown."""
    # It reads the request first: else it depends on the system which end is seen.
    dying = [sys.executable, "-c", f"input(); raise SystemExit({words!r})"]
    with open_kernel("toys:Leaky", timeout=60, hosting=Hosting(memory_limit=limit)) as adapter:
        monkeypatch.setattr(adapter, "_command", dying)
        with pytest.raises(KernelUnreachable) as raised:
            adapter.describe()
    assert tail == raised.value.stderr_tail
    assert told in str(raised.value)


def test_memory_limit_elsewhere(raw_reference: Callable[..., str]) -> None:
    """A system that would take the limit without keeping it is not pretended to."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "platform", "darwin")
        adapter = open_kernel(raw_reference(), hosting=Hosting(memory_limit=MEGABYTE))
        with pytest.raises(UsageError, match="darwin cannot limit a process"):
            adapter.describe()
