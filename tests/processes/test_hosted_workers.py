"""A Python kernel in a worker process of ours: it cannot disturb the protocol or take us along."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from fedcheck.conformance.adapters.process import ProcessAdapter
from fedcheck.conformance.adapters.reference import open_kernel
from fedcheck.invariants.vocabulary.errors import (
    FedcheckError,
    KernelCrashed,
    KernelError,
    KernelReferenceError,
    KernelTimeout,
    KernelUnreachable,
    ProtocolError,
)
from fedcheck.invariants.vocabulary.scenario import CacheGet, CacheSet, Scenario, Turn
from fedcheck.invariants.vocabulary.trace import CacheOutcome, StepFailed

Open = Callable[[str], ProcessAdapter]
Failing = Callable[[ProcessAdapter, Scenario, type[KernelError]], KernelError]


def gets(*keys: str) -> Scenario:
    """Return a scenario of ``cache_get`` steps whose keys tell ``toys.Frail`` what to do."""
    return Scenario(id="gets", steps=tuple(CacheGet(key=key) for key in keys))


def test_hosted_kernel_answers_as_it_does_in_process(
    open_process: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker shows the same description and events as hosting here."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    steps = (Turn(message="m"), CacheSet(key="k", value_json="1"), CacheGet(key="k"))
    scenario = Scenario(id="s", steps=steps)
    there, here = open_process("toys:Polite"), open_kernel("toys:Polite", in_process=True)
    assert here.describe() == there.describe()
    assert here.run(scenario) == there.run(scenario)


@pytest.mark.parametrize("key", ["flood", "raise_error", "call_exit", "read_stdin"])
def test_hosted_kernel_cannot_disturb_the_protocol(open_process: Open, key: str) -> None:
    """Prints, floods, exceptions, exits and reading stdin leave the worker in service."""
    adapter = open_process("toys:Frail")
    adapter.describe()
    pid = adapter.pid
    first, second = adapter.run(gets(key, "fine"))
    assert isinstance(first, StepFailed) == (key in {"raise_error", "call_exit"})
    assert 0 == first.step
    assert CacheOutcome(step=1, user="u1", session="s1", outcome="miss") == second
    assert pid == adapter.pid


@pytest.mark.parametrize(
    ("key", "kind"),
    [
        ("abort", KernelCrashed),
        ("leave", KernelCrashed),
        ("leave_a_grandchild", KernelCrashed),
        ("leave_a_stray", KernelCrashed),
        ("hang", KernelTimeout),
        ("sleep", KernelTimeout),
    ],
)
def test_hosted_kernel_that_fails(
    open_process: Open, failing: Failing, key: str, kind: type[KernelError]
) -> None:
    """The steps before the failing one are kept, and the next scenario runs."""
    adapter = open_process("toys:Frail")
    (event,) = failing(adapter, gets("fine", key, "fine"), kind).events
    assert isinstance(event, dict)
    assert ("cache_outcome", 0) == (event["event"], event["step"])
    assert 1 == len(adapter.run(gets("fine")))


def test_native_crash_shows_where(open_process: Open, failing: Failing) -> None:
    """The worker's fault handler tells which method was running."""
    error = failing(open_process("toys:Frail"), gets("abort"), KernelCrashed)
    assert "in abort" in error.stderr_tail


def test_malformed_event_is_a_protocol_error_that_ends_nothing(open_process: Open) -> None:
    """The worker names step and field, and stays."""
    steps = (CacheSet(key="list", value_json="1"), CacheSet(key="number", value_json="1"))
    adapter = open_process("toys:Generous")
    adapter.describe()
    pid = adapter.pid
    with pytest.raises(ProtocolError, match=r"scenario 's': step 1 \(cache_set\)") as raised:
        adapter.run(Scenario(id="s", steps=steps))
    assert (2, pid) == (len(raised.value.events), adapter.pid)


@pytest.mark.parametrize(
    ("target", "kind", "message"),
    [
        ("toyz:Polite", KernelReferenceError, "no module named 'toyz'"),
        ("toys:Polit", KernelReferenceError, "did you mean Polite"),
        ("toys:number", KernelReferenceError, "is not a kernel"),
        ("broken_import:K", KernelUnreachable, "No module named 'a_module_that_nobody_has'"),
        ("raising_import:K", KernelUnreachable, "OSError: no configuration found"),
        ("exiting_import:K", KernelUnreachable, "SystemExit: usage"),
        ("dying_import:K", KernelUnreachable, "(exit status 9)"),
        ("toys:Boastful", ProtocolError, "unknown capability 'cach'"),
    ],
)
def test_hosted_kernel_that_cannot_be_had(
    open_process: Open, target: str, kind: type[FedcheckError], message: str
) -> None:
    """A wrong name is a usage error; a module that fails makes the kernel unreachable."""
    adapter = open_process(target)
    with pytest.raises(kind) as raised:
        adapter.describe()
    assert kind is type(raised.value)
    assert message in str(raised.value)
    assert adapter.pid is None


def test_last_words_of_a_dying_import(open_process: Open) -> None:
    """What the module wrote to stderr before it died is kept."""
    with pytest.raises(KernelUnreachable) as raised:
        open_process("dying_import:K").describe()
    assert "dying words\n" == raised.value.stderr_tail


def worker(request: dict[str, object]) -> tuple[int, dict[str, object]]:
    """Send one request to a worker and close its stdin; return exit status and answer."""
    command = [sys.executable, "-m", "fedcheck.conformance.worker", "toys:Frail"]
    done = subprocess.run(
        command,
        input=json.dumps({"jsonrpc": "2.0", "id": "a", **request}) + "\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, json.loads(done.stdout)


def test_worker_ends_when_stdin_closes() -> None:
    """An orphaned worker ends, even with a thread of the kernel still running."""
    scenario = {"id": "s", "steps": [{"step": "cache_get", "key": "leave_a_thread"}]}
    status, answer = worker({"method": "run", "params": {"scenario": scenario}})
    outcome = {"event": "cache_outcome", "step": 0, "outcome": "miss"}
    assert 0 == status
    assert outcome.items() <= answer["result"]["events"][0].items()


def test_worker_refuses_unknown_methods() -> None:
    """The worker is a proper server of the protocol."""
    status, answer = worker({"method": "reset", "params": {}})
    assert (0, "a", -32601) == (status, answer["id"], answer["error"]["code"])


def test_worker_finds_the_kernel_in_the_current_folder(
    open_process: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A ten-line kernel in any folder is judged from there."""
    (tmp_path / "my_module.py").write_text(
        "class Kernel:\n    def advance(self, step):\n        return {'event': 'advanced'}\n"
    )
    monkeypatch.chdir(tmp_path)
    description = open_process("my_module:Kernel").describe()
    assert ("Kernel", ("clock",)) == (description.kernel, description.capabilities)
