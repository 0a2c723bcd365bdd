"""The linter around its engine: a toy engine, and the command in this process."""

from __future__ import annotations

import importlib.util
import io
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest

_FILE = Path(__file__).with_name("toy_engine.py")


def _load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("fedcheck_toy_engine", _FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Done(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str


Lint = Callable[..., Done]


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """Put the toy engine in place of the real one, and go into an empty folder."""
    toy = _load()
    monkeypatch.setattr("fedcheck.lint.engine.check", toy.check)
    monkeypatch.setattr("fedcheck.lint.rules.all_rules", lambda: toy.TOY_RULES)
    monkeypatch.setattr("fedcheck.lint.quiet.quiet_files", lambda _folders: None)  # no SDK in toys
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    return toy


@pytest.fixture
def lint(
    toys: ModuleType, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> Lint:
    """Return a function that runs ``fedcheck lint`` with the toy rules."""
    assert toys.TOY_RULES

    def run(*words: str, stdin: bytes | None = None) -> Done:
        from fedcheck.__main__ import main

        monkeypatch.setattr(sys, "argv", ["fedcheck", "lint", *words])
        if stdin is not None:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as stop:
            main()
        sys.stdout.flush()
        out, err = capfdbinary.readouterr()
        code = stop.value.code if isinstance(stop.value.code, int) else 0
        return Done(code, out.decode(), err.decode())

    return run
