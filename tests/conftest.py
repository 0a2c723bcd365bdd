"""What tests share: Hypothesis and signals that are the same everywhere, and the command."""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import settings

settings.register_profile("tests", derandomize=True, deadline=None, database=None)
settings.load_profile("tests")

# A shell's background jobs start with SIGINT ignored, those of `nohup` with SIGHUP too, and
# every child inherits that.
for _number, _usual in [
    (signal.SIGINT, signal.default_int_handler),
    (signal.SIGHUP, signal.SIG_DFL),
    (signal.SIGTERM, signal.SIG_DFL),
]:
    if signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, _usual)


_HERE = Path(__file__).parent


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let ``pytest.ini`` name what is ``core``, and what is ``slow``."""
    parser.addini("core", "folders/ and files whose quick tests are marked `core`", "args")
    parser.addini("slow", "files, or file::test, whose tests are marked `slow`", "args")


def pytest_configure(config: pytest.Config) -> None:
    """Tell of names that lead nowhere, when they are asked for."""
    named = [*config.getini("core"), *(name.partition("::")[0] for name in config.getini("slow"))]
    gone = [name for name in named if not (_HERE / name).exists()]
    if gone and config.option.markexpr == "core":
        raise pytest.UsageError(f"tests/pytest.ini names {', '.join(gone)}: correct it")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Read no other file for ``-m core``: reading all of them takes longer than its tests."""
    asked = config.option.markexpr == "core" and collection_path.suffix == ".py"
    return True if asked and not _is_core(collection_path, config) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what is ``slow`` and what is ``core``."""
    slow = tuple(config.getini("slow"))
    for item in items:
        if _place(item).startswith(slow):
            item.add_marker("slow")
        if _is_core(item.path, config) and not item.get_closest_marker("slow"):
            item.add_marker("core")


def _place(item: pytest.Item) -> str:
    """Return ``file::test`` from the folder of the tests on."""
    inside = _HERE in item.path.parents
    return f"{item.path.relative_to(_HERE).as_posix()}::{item.name}" if inside else ""


def _is_core(path: Path, config: pytest.Config) -> bool:
    names = tuple(config.getini("core"))
    return _HERE in path.parents and path.relative_to(_HERE).as_posix().startswith(names)


@pytest.fixture(scope="session", autouse=True)
def _own_cache_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep what the linter remembers away from the user, and the user's from the tests."""
    with pytest.MonkeyPatch.context() as patch:
        _keep_caches_in(tmp_path_factory.mktemp("caches"), patch)
        yield


def _keep_caches_in(folder: Path, patch: pytest.MonkeyPatch) -> None:
    patch.setenv("LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME", str(folder))


@pytest.fixture
def caches(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Keep caches of this test alone; return the folder in which they are."""
    folder = tmp_path_factory.mktemp("caches")
    _keep_caches_in(folder, monkeypatch)
    return folder


class Done(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str


@pytest.fixture
def lint_here(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> Callable[..., Done]:
    """Return a function that runs ``fedcheck lint`` in this process, with the words given to it."""

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
        return Done(code, out.decode("utf-8", "surrogateescape"), err.decode())

    return run


@pytest.fixture
def fedcheck(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run the command in this process, with these words: a new one takes longer than most commands.

    It runs in the test's folder or in ``cwd``.
    """

    def run(*words: str | Path, cwd: Path = tmp_path) -> subprocess.CompletedProcess[str]:
        from fedcheck.__main__ import main

        monkeypatch.chdir(cwd)
        monkeypatch.setenv("COLUMNS", "100")
        monkeypatch.setattr(sys, "argv", ["fedcheck", *map(str, words)])
        with pytest.raises(SystemExit) as stop:
            main()
        out, err = capfd.readouterr()
        code = stop.value.code if isinstance(stop.value.code, int) else 0
        return subprocess.CompletedProcess(words, code, out, err)

    return run


@pytest.fixture
def fedcheck_process(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run the installed command in a process of its own, as from a terminal.

    It runs in the test's folder or in ``cwd``; what else is named is a variable of its environment.
    """
    command = Path(sys.executable).with_name("fedcheck")

    def run(
        *words: str | Path, cwd: Path = tmp_path, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [command, *words],
            cwd=cwd,
            env={**os.environ, "COLUMNS": "100", **environment},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    return run


_DEADLINE = 60.0


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler of Dask and two workers on loopback; gives the address, and the workers."""
    log = tmp_path / "scheduler.log"
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
    with log.open("wb") as out:
        words = [*command, "--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
        scheduler = subprocess.Popen(words, stdout=out, stderr=out)
    running = [scheduler]
    try:
        address = _address(log)
        workers = [_worker(address, tmp_path / f"worker-{number}") for number in range(2)]
        running += workers
        _wait_for_workers(address, 2)
        yield address, workers
    finally:
        for process in running:
            process.kill()
            process.wait(_DEADLINE)


def _address(log: Path) -> str:
    end = time.monotonic() + _DEADLINE
    while time.monotonic() < end:
        if found := re.search(r"tcp://127\.0\.0\.1:\d+", log.read_text("utf-8")):
            return found[0]
        time.sleep(0.05)
    raise AssertionError(log.read_text("utf-8"))


def _worker(address: str, folder: Path) -> subprocess.Popen[bytes]:
    words = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--nthreads", "1"]
    words += ["--no-dashboard", "--no-nanny", "--local-directory", str(folder)]
    with Path(f"{folder}.log").open("wb") as out:
        return subprocess.Popen(words, stdout=out, stderr=out)


def _wait_for_workers(address: str, workers: int) -> None:
    from distributed import Client

    with Client(address, timeout=_DEADLINE, set_as_default=False) as client:
        client.wait_for_workers(workers, timeout=_DEADLINE)
