"""The linter around its engine: a toy engine, and the command in this process."""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from fedcheck.lint.engine.cache.kept_runs import SUFFIX

_FILE = Path(__file__).with_name("toy_engine.py")


def _load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("fedcheck_toy_engine", _FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(autouse=True)
def _caches_of_one_test(caches: Path) -> None:
    """Let no test see what another one kept."""


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """Put the toy engine in place of the real one, and go into an empty folder."""
    toy = _load()
    monkeypatch.setattr("fedcheck.lint.engine.engine.check", toy.check)
    monkeypatch.setattr("fedcheck.lint.rules.all_rules", lambda: toy.TOY_RULES)
    quiet_files = "fedcheck.lint.files.quiet.quiet_files"
    monkeypatch.setattr(quiet_files, lambda _folders: None)  # the toys name no SDK
    monkeypatch.setattr("fedcheck.lint.engine.cache.recording.own_files", lambda: [str(_FILE)])
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    return toy


@pytest.fixture
def lint(toys: ModuleType, lint_here: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that runs ``fedcheck lint`` with the toy rules."""
    assert toys.TOY_RULES
    return lint_here


@pytest.fixture
def looks(toys: ModuleType, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that grows by one whenever the engine looks at files."""
    seen: list[int] = []

    def check(*args: object, **more: object) -> object:
        seen.append(len(seen))
        return toys.check(*args, **more)

    monkeypatch.setattr("fedcheck.lint.engine.engine.check", check)
    return seen


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Return a function that lets ten seconds pass."""
    passed = [0]
    now = time.time_ns

    monkeypatch.setattr("time.time_ns", lambda: now() + passed[0])

    def wait() -> None:
        passed[0] += 10_000_000_000

    return wait


@pytest.fixture
def records(caches: Path) -> Callable[..., list[Path]]:
    """Return a function that lists the kept results."""
    return lambda folder=caches: sorted(folder.rglob(f"*{SUFFIX}"))


@pytest.fixture
def toy_extension(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that writes a small extension with two findings, and returns its folder."""

    def write(name: str = "ext") -> Path:
        root = tmp_path / name
        (root / "part").mkdir(parents=True)
        (root / "main.py").write_text("bad(1)\n")
        (root / "part" / "other.py").write_text("bad(1)\n")
        (root / "imperal.json").write_text("{}")
        return root

    return write
