"""Lint small extensions with some of the rules."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from fedcheck.lint.engine.engine import Target, check
from fedcheck.lint.rule import PREAMBLE
from fedcheck.lint.sdk.releases import versions
from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]


@pytest.fixture
def lint(tmp_path: Path) -> Lint:
    """Return a function: codes, text of main.py, further files → findings."""

    def run(codes: str, text: str, **files: str) -> tuple[Finding, ...]:
        body = text if "from imperal_sdk" in text else PREAMBLE + text
        (tmp_path / "main.py").write_text(body, encoding="utf-8")
        for name, content in files.items():
            path = tmp_path / name.replace("__json", ".json").replace("__py", ".py")
            path.write_text(content, encoding="utf-8")
        result = check([tmp_path], Target(sdk=versions()[-1]), codes=frozenset(codes.split()))
        assert () == result.notes
        return result.findings

    return run


@pytest.fixture
def section(lint: Lint) -> Callable[..., str]:
    """Return a function: body of a skeleton handler → the messages on its shape, joined."""

    def run(body: str, before: str = "", **files: str) -> str:
        indented = "".join(f"    {line}\n" for line in body.splitlines())
        text = f'{before}\n\n@ext.skeleton("n")\nasync def n(ctx):\n{indented}'
        found = lint("FED211 FED212 FED213 FED214", text, **files)
        return " | ".join(f"{item.code} {item.text}" for item in found)

    return run
