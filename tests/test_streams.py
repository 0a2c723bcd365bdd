"""Where output goes: to a reader that leaves, onto a full disk, or to nobody."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = str(Path(sys.executable).with_name("fedcheck"))
CAREFUL = ("run", "--select", "I-CACHE-KEY-SAFETY", "--examples", "0", "--counterexamples", "")
CARELESS = (*CAREFUL, "--kernel", "mutant:key-unchecked")
LINT = ("lint", "--isolated", "--no-cache", "main.py")


def ended(
    folder: Path, words: tuple[str, ...], redirected: str
) -> subprocess.CompletedProcess[str]:
    """Run the command in a shell that sends its streams somewhere else."""
    script = f'set -o pipefail; "$0" "$@" {redirected}'
    return subprocess.run(
        ["/bin/bash", "-c", script, COMMAND, *words],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("redirected", ["| true", ">&-", "2>&-", ">&- 2>&-", "2>/dev/full"])
@pytest.mark.parametrize(
    ("words", "code"),
    [(CAREFUL, 0), (CARELESS, 1), (("explain", "nobody"), 2), (("catalog",), 0)],
)
def test_the_exit_code_needs_no_reader(
    words: tuple[str, ...], code: int, redirected: str, tmp_path: Path
) -> None:
    """A verdict is the same whoever listens, and nothing is said of a reader that left."""
    done = ended(tmp_path, words, redirected)

    assert code == done.returncode
    assert "Traceback" not in done.stderr
    assert "cannot be written" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
@pytest.mark.parametrize(
    ("words", "code"), [(CAREFUL, 2), (CARELESS, 1), (("catalog",), 2), (LINT, 3)]
)
def test_lost_output_is_no_success(words: tuple[str, ...], code: int, tmp_path: Path) -> None:
    """What is missing is told; a verdict that is worse than that stays."""
    (tmp_path / "main.py").write_text("x = 1\n")
    done = ended(tmp_path, words, ">/dev/full")

    assert code == done.returncode
    assert "Traceback" not in done.stderr
    assert "standard output cannot be written: No space left on device" in done.stderr


def test_what_a_run_writes_besides_needs_no_reader(tmp_path: Path) -> None:
    """The record and the reports are whole although nobody reads the summary."""
    words = (*CARELESS, "--record", "run.ndjson", "--junit", "junit.xml")
    ended(tmp_path, words, "| true")

    assert (tmp_path / "junit.xml").read_text("utf-8").rstrip().endswith("</testsuites>")
    assert 0 == ended(tmp_path, ("report", "run.ndjson"), "").returncode
