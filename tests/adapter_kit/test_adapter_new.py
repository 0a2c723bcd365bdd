"""``fedcheck adapter new``: what it writes runs at once and keeps what it claims."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from fedcheck.conformance.scaffolding.adapter_template import LANGUAGES

Fedcheck = Callable[..., subprocess.CompletedProcess[str]]


def begun(fedcheck: Fedcheck, language: str, folder: Path) -> str:
    """Write an adapter into a folder; return the kernel reference that the command tells."""
    if language == "javascript" and shutil.which("node") is None:
        pytest.skip("no node on PATH; install Node.js 20 or newer")
    done = fedcheck("adapter", "new", "--language", language, "mine", cwd=folder)
    assert 0 == done.returncode, done.stderr
    (written,) = (folder / "mine").iterdir()
    assert f"Written: {written.relative_to(folder)}\n" in done.stdout
    return LANGUAGES[language].reference


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_speaks_the_protocol_and_keeps_its_promises(
    fedcheck: Fedcheck, language: str, tmp_path: Path
) -> None:
    """The two commands that it tells succeed without a change to the file."""
    reference = begun(fedcheck, language, tmp_path)
    folder = tmp_path / "mine"
    smoked = fedcheck("smoke", "--kernel", reference, "--timeout", "60", cwd=folder)
    judged = fedcheck(
        "run", "--kernel", reference, "--timeout", "60", "--select", "I-CACHE-*", cwd=folder
    )

    assert 0 == smoked.returncode, smoked.stdout + smoked.stderr
    assert "my-kernel 0.1, fedcheck/1" in smoked.stdout
    assert 0 == judged.returncode, judged.stdout + judged.stderr


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_the_toy_that_is_judged(fedcheck: Fedcheck, language: str, tmp_path: Path) -> None:
    """With a bug in the toy the verdict is red: nothing is imitated around it."""
    reference = begun(fedcheck, language, tmp_path)
    (file,) = (tmp_path / "mine").iterdir()
    text = file.read_text("utf-8")
    assert 1 == len(re.findall(r"<= 300\b", text))
    file.write_text(re.sub(r"<= 300\b", "<= 301", text), "utf-8")
    words = ["--timeout", "60", "--select", "I-CACHE-TTL-CAP-300S", "--examples", "0"]
    judged = fedcheck("run", "--kernel", reference, *words, cwd=tmp_path / "mine")

    assert 1 == judged.returncode, judged.stdout + judged.stderr
    assert re.search(r"over-cap-not-stored +FAIL", judged.stdout)


def test_nothing_is_overwritten(fedcheck: Fedcheck, tmp_path: Path) -> None:
    """A file of that name stays as it is."""
    (tmp_path / "kernel.py").write_text("mine\n")
    done = fedcheck("adapter", "new", ".")

    assert (2, "mine\n") == (done.returncode, (tmp_path / "kernel.py").read_text())
    assert "kernel.py: is there already; name another folder" in done.stderr


def test_a_folder_that_cannot_be_made(fedcheck: Fedcheck, tmp_path: Path) -> None:
    """The reason is told."""
    (tmp_path / "file").write_text("")
    done = fedcheck("adapter", "new", "file/below")

    assert 2 == done.returncode
    assert "cannot be written: Not a directory" in done.stderr
