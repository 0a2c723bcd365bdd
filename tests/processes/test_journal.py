"""The scenario under way is on disk before it is sent, and only a violent end leaves it there."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from fedcheck.conformance.adapters.process import ProcessAdapter
from fedcheck.invariants.vocabulary.errors import UsageError
from fedcheck.invariants.vocabulary.scenario import Scenario, Turn

Open = Callable[..., ProcessAdapter]


def turn(name: str) -> Scenario:
    """Return a scenario of one turn."""
    return Scenario(id=name, steps=(Turn(message="m"),))


def scenario_in(journal: Path) -> str:
    """Return the id of the scenario that a journal holds."""
    line, *_ = journal.read_text("ascii").splitlines()
    return json.loads(line)["scenario"]["id"]


def test_journal_goes_with_the_adapter(
    open_raw: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """There is one file while a kernel is at work, nobody else may read it, and none is left."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    adapter = open_raw()
    assert [] == list(tmp_path.iterdir())
    adapter.run(turn("a scenario that is rather long"))
    adapter.run(turn("fine"))
    (journal,) = tmp_path.iterdir()
    assert 0o600 == journal.stat().st_mode & 0o777
    assert "fine" == scenario_in(journal)
    adapter.close()
    assert [] == list(tmp_path.iterdir())


def test_journal_that_cannot_be_written(
    open_raw: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Nothing is sent that is not on disk."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    with pytest.raises(UsageError, match="set TMPDIR to another folder"):
        open_raw().run(turn("fine"))


OWNER = """
    import sys, time
    from fedcheck.conformance.adapters.reference import open_kernel
    from fedcheck.invariants.vocabulary.scenario import Scenario, Turn

    adapter = open_kernel("reference")
    adapter.run(Scenario(id="the last one", steps=(Turn(message="m"),)))
    print("ready", flush=True)
    time.sleep(600)
"""


@pytest.mark.parametrize(
    ("number", "left"),
    [(signal.SIGTERM, []), (signal.SIGHUP, []), (signal.SIGKILL, ["the last one"])],
)
def test_journal_and_signals(number: int, left: list[str], tmp_path: Path) -> None:
    """Who is told to end removes it; who is killed leaves it, and it names what was sent last."""
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(OWNER)],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        text=True,
    ) as owner:
        assert owner.stdout is not None
        assert "ready\n" == owner.stdout.readline()
        owner.send_signal(number)
        assert -number == owner.wait(60)
    assert left == [scenario_in(journal) for journal in tmp_path.iterdir()]


def test_kernel_that_takes_us_along_is_named(tmp_path: Path) -> None:
    """Hosted in our own process nothing holds a kernel back; its killer is still known."""
    words = ["run", "--no-config", "--in-process", "--kernel", "crashing_at_everything:Kernel"]
    done = subprocess.run(
        [sys.executable, "-m", "fedcheck", *words],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert 7 == done.returncode
    (journal,) = tmp_path.glob("fedcheck-journal-*.json")
    assert scenario_in(journal)
