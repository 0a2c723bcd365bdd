"""The example plug-in, really installed: its invariant is judged, its kernels have a name."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from fedcheck.conformance.scaffolding.invariant_template import plugin_files
from fedcheck.reports.record.reader import read_record

ROOT = Path(__file__).resolve().parent.parent.parent
EXAMPLE = ROOT / "examples" / "plugin"
ID, CLAUSE = "ACME-REPLY-SHOWN", "ACME-REPLY-SHOWN/reply-shown"
BROKEN = "acme-reply-shown-broken"

Fedcheck = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which the example was installed, as pip does it."""
    folder = tmp_path_factory.mktemp("plugin")
    source = shutil.copytree(
        EXAMPLE, folder / "source", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info")
    )
    options = ["--no-deps", "--no-build-isolation", "--no-index", "--quiet"]
    subprocess.run(
        [sys.executable, "-m", "pip", "install", *options, "--target", folder / "site", source],
        check=True,
        capture_output=True,
    )
    return folder / "site"


@pytest.fixture
def fedcheck(fedcheck_process: Fedcheck, site: Path) -> Fedcheck:
    """Run the command where the plug-in is installed."""
    return partial(fedcheck_process, PYTHONPATH=str(site))


def test_its_invariant_is_listed_and_explained(fedcheck: Fedcheck) -> None:
    """Like one of our own."""
    assert ID in fedcheck("list").stdout
    assert "Where words were drafted" in fedcheck("explain", ID).stdout


@pytest.mark.parametrize("workers", ["1", "2"])
def test_its_broken_kernel_is_caught_and_the_record_names_the_plugin(
    fedcheck: Fedcheck, tmp_path: Path, workers: str
) -> None:
    """Also when the invariants are spread over processes, which load the same plug-ins."""
    select = ("--select", ID, "--select", "C-USER-AUTHORITATIVE")
    done = fedcheck(
        *("run", "--kernel", BROKEN, *select, "--examples", "3", "-n", workers),
        *("--record", "run.ndjson"),
    )
    record = read_record(tmp_path / "run.ndjson")
    verdicts = {x.clause: x.verdict.value for x in record.clauses}

    assert "fail" == verdicts.pop(CLAUSE), done.stderr
    assert {"pass"} == set(verdicts.values())
    assert BROKEN == record.header.kernel.kernel
    assert {
        ("fedcheck.invariants", "acme-reply-shown", "fedcheck-acme-reply-shown", "0.1.0"),
        ("fedcheck.kernels", BROKEN, "fedcheck-acme-reply-shown", "0.1.0"),
    } == {(x.group, x.name, x.distribution, x.version) for x in record.header.plugins}
    assert {64} == {len(x.digest) for x in record.header.plugins}


def test_it_binds_with_a_requirement_set_of_its_own(fedcheck: Fedcheck) -> None:
    """Without one, a new clause is advisory, and nothing that decides was judged."""
    run = ("run", "--kernel", BROKEN, "--select", ID, "--examples", "0")

    assert 3 == fedcheck(*run).returncode
    assert 1 == fedcheck(*run, "--require", str(EXAMPLE / "requirements.json")).returncode


def test_the_reference_kernel_keeps_it(fedcheck: Fedcheck, tmp_path: Path) -> None:
    """Every class of input was seen."""
    fedcheck("run", "--select", ID, "--examples", "5", "--record", "run.ndjson")

    assert ["pass"] == [x.verdict.value for x in read_record(tmp_path / "run.ndjson").clauses]


@pytest.mark.parametrize("words", [("--no-plugins",), ()])
def test_it_can_be_kept_out(fedcheck: Fedcheck, tmp_path: Path, words: tuple[str, ...]) -> None:
    """By a flag, or by the environment; neither invariant nor kernel is there then."""
    environment = {} if words else {"FEDCHECK_NO_PLUGINS": "1"}
    run = ("run", "--select", "C-USER-AUTHORITATIVE", "--examples", "0", "--record", "run.ndjson")

    assert 2 == fedcheck("run", "--select", ID, *words, **environment).returncode
    assert 2 == fedcheck("run", "--kernel", BROKEN, *words, **environment).returncode
    assert 0 == fedcheck(*run, *words, **environment).returncode
    header = read_record(tmp_path / "run.ndjson").header
    assert ((), False) == (header.plugins, CLAUSE in header.excluded)


def test_a_required_clause_without_its_plugin_stops_the_run(fedcheck: Fedcheck) -> None:
    """A gate that silently lost a clause would be green."""
    words = ("run", "--no-plugins", "--require", str(EXAMPLE / "requirements.json"))
    done = fedcheck(*words)

    assert 2 == done.returncode
    assert f"names {CLAUSE}, which no invariant here has" in done.stderr


def test_its_counterexample_replays_and_needs_the_plugin(fedcheck: Fedcheck) -> None:
    """Without it the clause is unknown, which is no fix."""
    fedcheck("run", "--kernel", BROKEN, "--select", ID, "--examples", "0")
    folder = ".fedcheck/counterexamples"

    assert 1 == fedcheck("replay", folder, "--kernel", BROKEN).returncode
    assert 0 == fedcheck("replay", folder, "--kernel", "reference").returncode
    lost = fedcheck("replay", folder, "--kernel", "reference", "--no-plugins")
    assert 3 == lost.returncode
    assert "a plug-in is missing" in lost.stdout


def test_its_own_tests_pass(site: Path, tmp_path: Path) -> None:
    """As its author would run them."""
    tests = shutil.copytree(EXAMPLE / "tests", tmp_path / "tests")
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", tests],
        cwd=tmp_path,
        env={**env, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert 0 == done.returncode, done.stdout
    assert "2 passed" in done.stdout


def test_it_is_what_the_command_writes(tmp_path: Path) -> None:
    """``fedcheck invariant new`` is the one source of both."""
    done = subprocess.run(
        [sys.executable, "-m", "fedcheck", "invariant", "new", ID, "it"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    written = _files(tmp_path / "it")

    assert 0 == done.returncode, done.stderr
    assert plugin_files(ID) == written
    assert written == _files(EXAMPLE)


def _files(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text("utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts and ".egg-info" not in str(path)
    }
