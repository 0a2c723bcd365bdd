"""However it ends, no process of a kernel is left behind."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fedcheck.conformance.adapters.process import ProcessAdapter
from fedcheck.conformance.adapters.reference import open_kernel
from fedcheck.invariants.vocabulary.errors import KernelCrashed, KernelError
from fedcheck.invariants.vocabulary.scenario import CacheGet, Scenario, Turn

PATIENT = 60.0

Open = Callable[..., ProcessAdapter]
IsGone = Callable[[int], bool]

HANG = Scenario(id="hang", steps=(CacheGet(key="hang"),))
FINE = Scenario(id="fine", steps=(Turn(message="m"),))


def started(adapter: ProcessAdapter) -> int:
    """Start the kernel; return its process id."""
    adapter.describe()
    assert adapter.pid is not None
    return adapter.pid


def test_close_twice_and_use_again(open_raw: Open, is_gone: IsGone) -> None:
    """Closing is harmless; a closed adapter starts anew."""
    adapter = open_raw()
    pid = started(adapter)
    adapter.close()
    adapter.close()
    assert adapter.pid is None
    assert is_gone(pid)
    assert 1 == len(adapter.run(FINE))


def test_descendant_in_another_session_is_killed(
    open_process: Open, comes_true: Callable[[Callable[[], bool]], bool], tmp_path: Path
) -> None:
    """A process that left the group is ended with the others."""
    adapter = open_process("toys:Frail")
    stray = tmp_path / "stray.pid"
    with pytest.raises(KernelCrashed):
        adapter.run(Scenario(id="s", steps=(CacheGet(key="leave_a_stray", app=str(stray)),)))
    assert comes_true(lambda: not _runs(int(stray.read_text())))


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] not in "ZX"
    except OSError:
        return False


def test_interrupt_in_a_call(open_raw: Open, is_gone: IsGone) -> None:
    """After Ctrl-C nobody knows where in the conversation we are, so it ends."""
    adapter = open_raw()
    pid = started(adapter)
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        with pytest.raises(KeyboardInterrupt):
            adapter.run(HANG)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert adapter.pid is None
    assert is_gone(pid)


def test_collected_adapter(raw_reference: Callable[..., str], is_gone: IsGone) -> None:
    """An adapter that nobody closed ends its process when it is collected."""
    adapter = open_kernel(raw_reference(), timeout=PATIENT)
    assert isinstance(adapter, ProcessAdapter)
    pid = started(adapter)
    del adapter
    assert is_gone(pid)


def test_worker_outlives_the_thread_that_started_it(open_process: Open) -> None:
    """The worker is tied to our process, not to one of its threads."""
    adapter = open_process("toys:Frail")
    thread = threading.Thread(target=adapter.describe)
    thread.start()
    thread.join()
    pid = adapter.pid
    assert pid is not None
    assert 1 == len(adapter.run(Scenario(id="s", steps=(CacheGet(key="fine"),))))
    assert pid == adapter.pid


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_fork_of_the_owner_does_not_end_the_kernel(open_raw: Open) -> None:
    """A forked child that closes its copy must not take its parent's kernel along."""
    adapter = open_raw()
    pid = started(adapter)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            adapter.close()
            status = 0
        finally:
            os._exit(status)
    assert 0 == os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert 1 == len(adapter.run(FINE))
    assert pid == adapter.pid


OWNER = """
    import sys
    from fedcheck.conformance.adapters.reference import open_kernel
    from fedcheck.invariants.vocabulary.scenario import CacheGet, Scenario

    adapter = open_kernel(sys.argv[1], timeout=600)
    adapter.describe()
    print(adapter.pid, flush=True)
    if sys.argv[2] == "hang":
        adapter.run(Scenario(id="hang", steps=(CacheGet(key="hang"),)))
    if sys.argv[2] == "raise":
        raise ValueError
"""


@contextlib.contextmanager
def owner(reference: str, then: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Start a process that owns a kernel; give it and the kernel's process id."""
    command = [sys.executable, "-c", textwrap.dedent(OWNER), reference, then]
    pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(command, stdout=pipe, stderr=nothing, text=True) as process:
        assert process.stdout is not None
        try:
            yield process, int(process.stdout.readline())
        finally:
            process.kill()


@pytest.mark.parametrize(("then", "status"), [("leave", 0), ("raise", 1)])
def test_owner_that_does_not_close(
    raw_reference: Callable[..., str], is_gone: IsGone, then: str, status: int
) -> None:
    """The end of the interpreter ends the kernel."""
    with owner(raw_reference(), then) as (process, pid):
        assert status == process.wait(PATIENT)
        assert is_gone(pid)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("hosted", [True, False])
def test_owner_that_is_stopped(
    raw_reference: Callable[..., str], is_gone: IsGone, number: signal.Signals, hosted: bool
) -> None:
    """Ctrl-C, a polite kill and a closed terminal end a hanging kernel too."""
    with owner("toys:Frail" if hosted else raw_reference(), "hang") as (process, pid):
        process.send_signal(number)
        assert -number == process.wait(PATIENT)
        assert is_gone(pid)


@pytest.mark.parametrize("hosted", [True, False])
def test_owner_that_is_killed(
    raw_reference: Callable[..., str], is_gone: IsGone, hosted: bool
) -> None:
    """A kernel does not outlive us, even hanging, even when we are killed."""
    with owner("toys:Frail" if hosted else raw_reference(), "hang") as (process, pid):
        process.kill()
        process.wait(PATIENT)
        assert is_gone(pid)


def test_no_open_file_is_left(open_raw: Open) -> None:
    """Crash after crash, the pipes of the ended process are closed."""
    adapter = open_raw()
    adapter.restarts = 100
    adapter.run(FINE)
    before = len(list(Path("/proc/self/fd").iterdir()))
    for name in ("exit", "half", "garbage", "close stdout"):
        with pytest.raises(KernelError):
            adapter.run(Scenario(id=name, steps=(Turn(message="m"),)))
        adapter.run(FINE)
    assert before == len(list(Path("/proc/self/fd").iterdir()))
