"""The project's own papers that programs read: valid for these programs."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

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
