"""An extension that uses much of the SDK, and uses it well, is met with silence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

Lint = Callable[..., list[tuple[str, str, int]]]

CODE = (Path(__file__).parent / "clean_extension.py.txt").read_text(encoding="utf-8")


def test_nothing_is_found_in_a_good_extension(lint: Lint) -> None:
    """Every rule is silent for the newest SDK, on both paths."""
    assert [] == lint({"main.py": CODE}, sdk="6.3.7")
    assert [] == lint({"main.py": CODE}, sdk="6.3.7", exhaustive=True)


def test_an_older_sdk_lacks_what_came_later(lint: Lint) -> None:
    """``for_user`` came with 5.9.22, ``code=`` before."""
    lines = CODE.splitlines()
    found = lint({"main.py": CODE}, sdk="5.9.20")
    assert [("FED105", "error")] * 2 == [(code, severity) for code, severity, _ in found]
    assert all(".for_user(" in lines[line - 1] for _, _, line in found)


def test_an_old_sdk_lacks_the_error_code(lint: Lint) -> None:
    """``ActionResult.error(code=…)`` raises TypeError before 5.9."""
    lines = CODE.splitlines()
    found = [line for code, _, line in lint({"main.py": CODE}, sdk="5.0.1") if code == "FED108"]
    assert 2 == len(found)
    assert all("code=" in lines[line - 1] for line in found)
