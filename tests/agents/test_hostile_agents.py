"""Agents that cheat, flood or cling: the verdict is an error or a breach, and nothing is left."""

from __future__ import annotations

import shlex
import sys
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from fedcheck.conformance.adapters.agent import adapter as module
from fedcheck.conformance.running.progress import watching
from fedcheck.conformance.running.suite import run_suite
from fedcheck.conformance.settings.options import RunOptions
from fedcheck.invariants.vocabulary.verdict import Verdict
from fedcheck.reports.record.model import RunRecord
from fedcheck.reports.record.protection import is_protected

AGENT = Path(__file__).with_name("hostile.py")
CLAUSE = "C-AGENT-RESTART"


@pytest.fixture
def mark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Return a word for the processes of a test; in the end no file may be left."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    yield uuid.uuid4().hex
    assert [] == list(tmp_path.iterdir())


def judged(action: str, mark: str, *, timeout: float = 60.0) -> RunRecord:
    """Judge the agent by what it says again after restarts, and by its replies."""
    command = shlex.join([sys.executable, str(AGENT), action, mark])
    options = RunOptions(
        kernel=f"agent:exec:{command}",
        select=(CLAUSE, "C-AGENT-REPLY"),
        examples=0,
        timeout=timeout,
        reduce=0,
    )
    with watching(None, quiet=True) as observer:
        return run_suite(options, observer)


def running(mark: str) -> list[str]:
    """Return the command lines of processes with this word."""
    found: list[str] = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_text()
        except OSError:
            continue
        found += [words] * (mark in words)
    return found


@pytest.mark.parametrize(
    ("action", "verdict", "told"),
    [
        ("twice", Verdict.ERROR, "is of no turn that runs"),
        ("ahead", Verdict.ERROR, "is of no turn that runs"),
        ("flood", Verdict.ERROR, "16,777,216 bytes"),
    ],
)
def test_what_breaks_the_protocol_is_no_verdict(
    action: str, verdict: Verdict, told: str, mark: str
) -> None:
    """Answers that nobody asked for, and words without end, are errors."""
    record = judged(action, mark)

    assert 3 == record.summary.exit_code
    assert verdict in {each.verdict for each in record.clauses if each.clause.startswith(CLAUSE)}
    assert not {each.verdict for each in record.clauses} & {Verdict.PASS, Verdict.FAIL}
    assert any(told in incident.message for incident in record.incidents)
    assert [] == running(mark)


def test_an_agent_that_hangs_is_waited_for_so_long_only_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not for every scenario as long as a first turn may take."""
    waited: list[float] = []
    silence = module.AgentAdapter._silence  # pyright: ignore[reportPrivateUsage]

    def noted(self: module.AgentAdapter, link: module.Link) -> str:
        waited.append(self._allowed)  # pyright: ignore[reportPrivateUsage]
        return silence(self, link)

    monkeypatch.setattr(module.AgentAdapter, "_silence", noted)
    program = tmp_path / "silent.py"
    program.write_text("print('{\"ready\": true}', flush=True)\nwhile True: input()\n")
    monkeypatch.setattr(module, "START_SECONDS", 5.0)
    command = shlex.join([sys.executable, str(program)])
    options = RunOptions(
        kernel=f"agent:exec:{command}", select=("C-AGENT-*",), examples=0, timeout=0.2
    )
    with watching(None, quiet=True) as observer:
        record = run_suite(options, observer)

    assert 3 == record.summary.exit_code
    assert [5.0] == [each for each in waited if each > 0.2]
    assert len(waited) > 1


def test_a_reply_of_another_turn_is_a_breach(mark: str) -> None:
    """What the model said in another turn, or to another user, is no reply of this one."""
    record = judged("another's reply", mark)

    found = {each.clause: each.verdict for each in record.clauses}
    assert {Verdict.FAIL, Verdict.FLAKY} & {found["C-AGENT-REPLY/reply-whole"]}
    assert Verdict.PASS is found["C-AGENT-RESTART/continues-after-restart"]
    assert [] == running(mark)


def test_children_do_not_outlive_the_run(mark: str) -> None:
    """Those in a session of their own as well, where the system permits it."""
    record = judged("child", mark)

    assert 0 == record.summary.exit_code
    if is_protected(record.summary.protection):
        assert [] == running(mark)
