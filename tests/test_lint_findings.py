"""What the benchmark says of two lists of findings."""

from __future__ import annotations

import runpy
from pathlib import Path

_FILE = Path(__file__).parents[1] / "benchmarks" / "lint_findings.py"
_OLD = "a@1/app.py\t9\tFED101\terror\na@1/app.py\t10\tFED301\tinfo\na@1/app.py\t10\tFED301\tinfo\n"
_NEW = "a@1/app.py\t9\tFED101\twarning\na@1/app.py\t10\tFED301\tinfo\n"


def test_what_went_and_came_is_named_and_counted() -> None:
    """Also one of two equal findings, and nothing where nothing changed."""
    tool = runpy.run_path(str(_FILE))
    old, new = tool["read"](_OLD, "old"), tool["read"](_NEW, "new")
    assert [
        "- a@1/app.py\t9\tFED101\terror",
        "+ a@1/app.py\t9\tFED101\twarning",
        "- a@1/app.py\t10\tFED301\tinfo",
        "FED101 error: -1 +0",
        "FED101 warning: -0 +1",
        "FED301 info: -1 +0",
    ] == tool["compare"](old, new)
    assert [] == tool["compare"](new, new)
