"""The linter around its engine: a toy engine, and the command in this process."""

from __future__ import annotations

import importlib.util
import io
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest

from fedcheck.lint.cache.kept_runs import SUFFIX

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


@pytest.fixture(autouse=True)
def caches(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Keep caches away from those of the user; return the folder in which they are."""
    folder = tmp_path_factory.mktemp("caches")
    name = "LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME"
    monkeypatch.setenv(name, str(folder))
    return folder


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """Put the toy engine in place of the real one, and go into an empty folder."""
    toy = _load()
    monkeypatch.setattr("fedcheck.lint.engine.check", toy.check)
    monkeypatch.setattr("fedcheck.lint.rules.all_rules", lambda: toy.TOY_RULES)
    quiet_files = "fedcheck.lint.files.quiet.quiet_files"
    monkeypatch.setattr(quiet_files, lambda _folders: None)  # the toys name no SDK
    monkeypatch.setattr("fedcheck.lint.cache.recording.own_files", lambda: [str(_FILE)])
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


@pytest.fixture
def looks(toys: ModuleType, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that grows by one whenever the engine looks at files."""
    seen: list[int] = []

    def check(*args: object, **more: object) -> object:
        seen.append(len(seen))
        return toys.check(*args, **more)

    monkeypatch.setattr("fedcheck.lint.engine.check", check)
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
