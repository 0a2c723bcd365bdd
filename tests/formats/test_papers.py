"""The project's own papers that programs read: valid for these programs."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .schemas import REPOSITORY, unavailable


@pytest.mark.parametrize(
    ("schema", "pattern"),
    [
        ("vendor.citation-file-format", "CITATION.cff"),
        ("vendor.github-issue-forms", ".github/ISSUE_TEMPLATE/*.yml"),
    ],
)
def test_a_paper_is_valid(schema: str, pattern: str) -> None:
    """The published schemas accept the citation and the issue templates."""
    if importlib.util.find_spec("check_jsonschema") is None:
        unavailable("check-jsonschema is not installed: pip install 'fedcheck[test]'")
    files = sorted(str(path) for path in REPOSITORY.glob(pattern))
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, *files]
    run = subprocess.run(check, capture_output=True, text=True, check=False)
    assert (0, True) == (run.returncode, bool(files)), run.stdout + run.stderr


def test_the_container_is_built_as_its_linter_wants(tmp_path: Path) -> None:
    """Hadolint, which reads the shell commands too, has nothing to say; of a worse one it has."""
    text = (REPOSITORY / "Containerfile").read_text("utf-8")
    hadolint = shutil.which("hadolint", path=str(Path(sys.executable).parent))
    if hadolint is None:
        unavailable("hadolint is not installed: pip install 'fedcheck[test]'")
    worse = tmp_path / "Containerfile"
    worse.write_text(text.replace("python:3.12-slim", "python"), "utf-8")
    for path, code in [(REPOSITORY / "Containerfile", 0), (worse, 1)]:
        run = subprocess.run([hadolint, str(path)], capture_output=True, text=True, check=False)
        assert code == run.returncode, run.stdout + run.stderr


def test_the_container_holds_the_wheel_and_no_root() -> None:
    """It is built from the wheel, runs as a user, and names ordinary images alone."""
    text = (REPOSITORY / "Containerfile").read_text("utf-8")
    assert {"python:3.12-slim"} == set(re.findall(r"^FROM (\S+)", text, re.MULTILINE))
    assert ["1000"] == re.findall(r"^USER (\S+)", text, re.MULTILINE)
    assert text.index("pip wheel") < text.index("pip install") < text.index("ENTRYPOINT")
