"""The steps of ``action.yml``, run as GitHub runs them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


def read_yaml(text: str) -> Any:
    """Return a YAML document; skip where nothing can read one."""
    return pytest.importorskip("yaml", reason="PyYAML is not installed").safe_load(text)


def read_action() -> Any:
    """Return the action as GitHub reads it."""
    return read_yaml((ROOT / "action.yml").read_text("utf-8"))


def run_step(action: Any, name: str, cwd: Path, **inputs: str) -> tuple[int, str, str]:
    """Run one step as a runner does: inputs in the environment, ``bash -eo pipefail``.

    Returns:
        The exit code, what was printed, and the outputs.
    """
    (step,) = (step for step in action["runs"]["steps"] if step.get("id") == name)
    assert "bash" == step["shell"]
    assert "${{" not in step["run"], "an input in a script would be run as code"
    values = {key: declared.get("default", "") for key, declared in action["inputs"].items()}
    values |= {key.replace("_", "-"): value for key, value in inputs.items()}
    environment = {
        variable: values[expression.removeprefix("${{ inputs.").removesuffix(" }}")]
        for variable, expression in step["env"].items()
        if expression.startswith("${{ inputs.")
    }
    outputs = cwd / "outputs"
    outputs.write_text("")
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],  # noqa: S607
        cwd=cwd,
        env={
            **os.environ,
            **environment,
            "FEDCHECK_PYTHON": sys.executable,
            "GITHUB_OUTPUT": str(outputs),
            "GITHUB_STEP_SUMMARY": str(cwd / "summary.md"),
        },
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr, outputs.read_text()
