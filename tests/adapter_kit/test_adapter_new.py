"""``fedcheck adapter new``: what it writes runs at once and keeps what it claims."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fedcheck.conformance.adapter_template import LANGUAGES


def fedcheck(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a folder, as from a terminal."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        [sys.executable, "-m", "fedcheck", *words],
        cwd=folder,
        env=env,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def begun(language: str, folder: Path) -> str:
    """Write an adapter into a folder; return the kernel reference that the command tells."""
    if language == "javascript" and shutil.which("node") is None:
        pytest.skip("no node on PATH; install Node.js 20 or newer")
    done = fedcheck(folder, "adapter", "new", "--language", language, "mine")
    assert 0 == done.returncode, done.stderr
    (written,) = (folder / "mine").iterdir()
    assert f"Written: {written.relative_to(folder)}\n" in done.stdout
    return LANGUAGES[language].reference


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_speaks_the_protocol_and_keeps_its_promises(language: str, tmp_path: Path) -> None:
    """The two commands that it tells succeed without a change to the file."""
    reference = begun(language, tmp_path)
    folder = tmp_path / "mine"
    smoked = fedcheck(folder, "smoke", "--kernel", reference, "--timeout", "60")
    judged = fedcheck(
        folder, "run", "--kernel", reference, "--timeout", "60", "--select", "I-CACHE-*"
    )

    assert 0 == smoked.returncode, smoked.stdout + smoked.stderr
    assert "my-kernel 0.1, fedcheck/1" in smoked.stdout
    assert 0 == judged.returncode, judged.stdout + judged.stderr


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_the_toy_that_is_judged(language: str, tmp_path: Path) -> None:
    """With a bug in the toy the verdict is red: nothing is imitated around it."""
    reference = begun(language, tmp_path)
    (file,) = (tmp_path / "mine").iterdir()
    text = file.read_text("utf-8")
    assert 1 == len(re.findall(r"<= 300\b", text))
    file.write_text(re.sub(r"<= 300\b", "<= 301", text), "utf-8")
    words = ["--timeout", "60", "--select", "I-CACHE-TTL-CAP-300S", "--examples", "0"]
    judged = fedcheck(tmp_path / "mine", "run", "--kernel", reference, *words)

    assert 1 == judged.returncode, judged.stdout + judged.stderr
    assert re.search(r"over-cap-not-stored +FAIL", judged.stdout)


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    """A file of that name stays as it is."""
    (tmp_path / "kernel.py").write_text("mine\n")
    done = fedcheck(tmp_path, "adapter", "new", ".")

    assert (2, "mine\n") == (done.returncode, (tmp_path / "kernel.py").read_text())
    assert "kernel.py: is there already; name another folder" in done.stderr


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    """The reason is told."""
    (tmp_path / "file").write_text("")
    done = fedcheck(tmp_path, "adapter", "new", "file/below")

    assert 2 == done.returncode
    assert "cannot be written: Not a directory" in done.stderr
