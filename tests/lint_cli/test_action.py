"""``action.yml`` and ``.pre-commit-hooks.yaml``: their commands are run as the tools run them.

The tools themselves run them in ``.ci/lint_gates.py``.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from .action_steps import ROOT, read_action, read_yaml, run_step

_BAD = """\
from imperal_sdk import Extension

ext = Extension("notes")


@ext.panel("notes")
async def notes(ctx):
    return await ctx.skeleton.get("notes")
"""

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")


@pytest.fixture(scope="module")
def action() -> Any:
    """Return the action, read once."""
    return read_action()


def test_the_action_lints(action: Any, tmp_path: Path) -> None:
    """Annotations, SARIF, a summary, and the exit code as an output."""
    (tmp_path / "main.py").write_text(_BAD)

    code, printed, outputs = run_step(action, "lint", tmp_path, sarif="found.sarif")

    assert (1, "exit-code=1\n") == (code, outputs)
    assert "::error file=main.py,line=8,endLine=8,title=FED201 " in printed
    assert '"FED201"' in (tmp_path / "found.sarif").read_text()
    assert "FED201" in (tmp_path / "summary.md").read_text()


def test_inputs_are_data(action: Any, tmp_path: Path) -> None:
    """Several paths and arguments, one a line; blanks and commands in them are only text."""
    folder = tmp_path / "my $(touch owned) extension"
    folder.mkdir()
    (folder / "main.py").write_text(_BAD)
    (tmp_path / "clean.py").write_text("x = 1\n")

    code, printed, _ = run_step(
        action,
        "lint",
        tmp_path,
        lint=f"{folder.name}\nclean.py\n",
        lint_arguments="--select\nFED201\n--fail-on\nnever",
        format="concise",
    )

    assert 0 == code
    assert f"{folder.name}/main.py:8:" in printed
    assert not (tmp_path / "owned").exists()


def test_an_unwritable_sarif_file_fails_the_step(action: Any, tmp_path: Path) -> None:
    """A report that is missing must not look like a clean one."""
    (tmp_path / "main.py").write_text("x = 1\n")

    code, printed, _ = run_step(action, "lint", tmp_path, sarif="no/such/found.sarif")

    assert 3 == code
    assert "could not be written" in printed


def test_the_action_judges_a_kernel(action: Any, tmp_path: Path) -> None:
    """The record is written, and the verdict is the exit code."""
    arguments = "--examples\n0\n--select\nI-CACHE-KEY-SAFETY"

    good = run_step(action, "run", tmp_path, kernel="reference", run_arguments=arguments)
    bad = run_step(action, "run", tmp_path, kernel="mutant:key-with-dot", run_arguments=arguments)

    assert (0, "exit-code=0\n") == (good[0], good[2]), good[1]
    assert (1, "exit-code=1\n") == (bad[0], bad[2]), bad[1]
    assert (tmp_path / "fedcheck.ndjson").is_file()


def test_the_installation_quotes_what_it_is_given(action: Any) -> None:
    """It takes its own folder or a wheel, and no input becomes a part of its script."""
    (step,) = (step for step in action["runs"]["steps"] if step.get("id") == "install")

    assert "${{ github.action_path }}" == step["env"]["FEDCHECK_ACTION"]
    assert "${{" not in step["run"]
    checked = subprocess.run(["bash", "-n", "-c", step["run"]], check=False)  # noqa: S607
    assert 0 == checked.returncode


def test_the_hooks_are_commands_of_ours(tmp_path: Path) -> None:
    """Each entry runs, lints the whole folder, and needs no file names."""
    hooks = read_yaml((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    (tmp_path / "main.py").write_text(_BAD.replace("skeleton.get(", "user.id, ("))

    for hook in hooks:
        assert hook["pass_filenames"] is False
        assert hook["entry"].startswith("python -I -m fedcheck ")
        words = hook["entry"].split()[1:]
        done = subprocess.run(
            [sys.executable, *words], cwd=tmp_path, check=False, capture_output=True
        )
        assert 2 > done.returncode, done.stderr.decode()
    assert "ctx.user.imperal_id" in (tmp_path / "main.py").read_text()
