"""Kernels in processes of their own, and a look at what they leave behind."""

from __future__ import annotations

import shlex
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fedcheck.conformance.adapters.process import ProcessAdapter
from fedcheck.conformance.adapters.reference import open_kernel
from fedcheck.invariants.vocabulary.errors import KernelError, KernelTimeout
from fedcheck.invariants.vocabulary.scenario import Scenario

KERNELS = Path(__file__).parent.parent / "kernels"
PATIENT = 60.0
SHORT = 0.5


@pytest.fixture(autouse=True)
def _in_the_folder_of_the_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    if not Path("/proc/self/stat").exists():
        pytest.skip("looks for left processes in /proc")
    monkeypatch.chdir(KERNELS)


@pytest.fixture(autouse=True)
def _own_folder_for_temporary_files(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """What is killed on purpose leaves its journal; it shall not lie about."""
    folder = str(tmp_path_factory.mktemp("temporary"))
    monkeypatch.setenv("TMPDIR", folder)
    monkeypatch.setattr(tempfile, "tempdir", folder)


@pytest.fixture
def open_process() -> Iterator[Callable[[str], ProcessAdapter]]:
    """Open kernels that have a process, with much patience; in the end nothing may be left."""
    adapters: list[ProcessAdapter] = []

    def opened(reference: str) -> ProcessAdapter:
        adapter = open_kernel(reference, timeout=PATIENT)
        assert isinstance(adapter, ProcessAdapter)
        adapters.append(adapter)
        return adapter

    yield opened
    left = [adapter.pid for adapter in adapters if adapter.pid is not None]
    for adapter in adapters:
        adapter.close()
    assert all(_gone(pid) for pid in left)


@pytest.fixture
def raw_reference() -> Callable[[str], str]:
    """Name the program that misbehaves as told: by its argument when it is described."""

    def named(start: str = "") -> str:
        return f"exec:{shlex.join([sys.executable, str(KERNELS / 'raw.py'), start])}"

    return named


@pytest.fixture
def open_raw(
    open_process: Callable[[str], ProcessAdapter], raw_reference: Callable[[str], str]
) -> Callable[..., ProcessAdapter]:
    """Open the program that misbehaves as told."""
    return lambda start="": open_process(raw_reference(start))


@pytest.fixture
def is_gone() -> Callable[[int], bool]:
    """Tell, after some patience, whether a process and all of its group are gone."""
    return _gone


@pytest.fixture
def comes_true() -> Callable[[Callable[[], bool]], bool]:
    """Wait for a condition, patiently."""
    return _comes_true


@pytest.fixture
def failing() -> Callable[[ProcessAdapter, Scenario, type[KernelError]], KernelError]:
    """Run a scenario that must fail; the process and what it started must then be gone."""

    def fails(adapter: ProcessAdapter, scenario: Scenario, kind: type[KernelError]) -> KernelError:
        adapter.describe()
        pid = adapter.pid
        assert pid is not None
        adapter.timeout = SHORT if kind is KernelTimeout else PATIENT
        with pytest.raises(kind) as raised:
            adapter.run(scenario)
        adapter.timeout = PATIENT
        assert kind is type(raised.value)
        assert str(raised.value).startswith(f"{adapter.reference}: scenario {scenario.id!r}: ")
        assert adapter.pid is None
        assert _gone(pid)
        return raised.value

    return fails


def _gone(pid: int) -> bool:
    return _comes_true(lambda: _group(pid) == [])


def _group(pid: int) -> list[int]:
    """Return the running processes of a group; those that wait to be reaped do not run."""
    states = {int(s.parent.name): _state(s).split() for s in Path("/proc").glob("[0-9]*/stat")}
    return [p for p, s in states.items() if s and s[2] == str(pid) and s[0] not in "ZX"]


def _state(stat: Path) -> str:
    try:
        return stat.read_text().rpartition(") ")[2]
    except OSError:
        return ""


def _comes_true(condition: Callable[[], bool]) -> bool:
    patience_ends = time.monotonic() + PATIENT
    while not condition():
        if time.monotonic() > patience_ends:
            return False
        time.sleep(0.01)
    return True
