"""``fedcheck replay`` and ``fedcheck shrink`` as a user calls them."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from fedcheck.conformance.counterexamples.documents import (
    JudgedKernel,
    files_in,
    read_file,
    write_file,
)
from fedcheck.invariants.vocabulary import codec
from fedcheck.invariants.vocabulary.scenario import CacheDelete, Scenario
from fedcheck.reports.record.sample import sample_record
from fedcheck.reports.record.writer import write_record

from .toy_caches import UNSAFE, counterexample, scenario

Fedcheck = Callable[..., subprocess.CompletedProcess[str]]

BROKEN = "mutant:key-with-dot"


@pytest.fixture
def failed(fedcheck: Fedcheck, tmp_path: Path) -> Path:
    """A folder in which a run of a broken kernel has left what it leaves."""
    done = fedcheck(
        *("run", "--kernel", BROKEN, "--select", UNSAFE, "--examples", "0"),
        *("--record", "run.ndjson"),
    )
    assert 1 == done.returncode, done.stderr
    assert "fedcheck replay .fedcheck/counterexamples" in done.stderr
    return tmp_path


def test_a_failing_run_leaves_files_that_replay(fedcheck: Fedcheck, failed: Path) -> None:
    """On the kernel that a file names, on another one, from the folder, the file, the record."""
    folder = ".fedcheck/counterexamples"
    (file,) = files_in(failed / folder)
    for target in (folder, str(file), "run.ndjson"):
        still = fedcheck("replay", target, cwd=failed)
        assert (1, "STILL FAILS") == (still.returncode, still.stdout[:11]), still.stderr
        assert "Expected:" in still.stdout
        assert f"{BROKEN}: 1 still fails (exit code 1)" in still.stdout
    fixed = fedcheck("replay", folder, "run.ndjson", "--kernel", "reference", cwd=failed)

    assert (0, "FIXED") == (fixed.returncode, fixed.stdout[:5])
    assert "reference: 2 fixed (exit code 0)" in fixed.stdout


def test_a_file_that_cannot_be_read_is_not_passed_over(fedcheck: Fedcheck, failed: Path) -> None:
    """In a folder of good ones, it makes the result: cannot judge."""
    folder = failed / ".fedcheck" / "counterexamples"
    (folder / "poem.json").write_text("roses \x1b[31m are red")
    done = fedcheck("replay", str(folder), "--kernel", "reference", "--format", "json", cwd=failed)
    told = json.loads(done.stdout)

    assert (3, 3) == (done.returncode, told["exit_code"])
    assert ["cannot judge", "fixed"] == sorted(x["outcome"] for x in told["replayed"])
    assert "poem.json" in next(x["name"] for x in told["replayed"] if "poem" in x["name"])


@pytest.mark.parametrize("reference", ["exec:touch owned", "evil.module:Kernel", ""])
def test_a_file_starts_no_program(fedcheck: Fedcheck, tmp_path: Path, reference: str) -> None:
    """It may come from anywhere; only --kernel says what is started."""
    folder = tmp_path / "from-elsewhere"
    folder.mkdir()
    write_file(counterexample(kernel=JudgedKernel(reference=reference)), folder)
    done = fedcheck("replay", str(folder))

    assert 2 == done.returncode
    assert "--kernel REF" in done.stderr
    assert not (tmp_path / "owned").exists()


def test_the_configured_kernel_is_the_one_to_replay_on(fedcheck: Fedcheck, failed: Path) -> None:
    """The question is whether ours is mended."""
    (failed / "fedcheck.toml").write_text('kernel = "reference"\n')
    done = fedcheck("replay", ".fedcheck/counterexamples", cwd=failed)

    assert (0, "FIXED") == (done.returncode, done.stdout[:5])


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("nowhere.json", "cannot be read"),
        ("empty", "no .json file"),
        ("clean.ndjson", "found no failure"),
        ("text.txt", "not JSON"),
    ],
)
def test_a_target_that_holds_no_counterexample_is_wrong_usage(
    fedcheck: Fedcheck, tmp_path: Path, target: str, message: str
) -> None:
    """Nothing replayed must not look like everything fixed."""
    (tmp_path / "empty").mkdir()
    write_record(tmp_path / "clean.ndjson", sample_record([]))
    (tmp_path / "text.txt").write_text("hello")
    done = fedcheck("replay", target)

    assert 2 == done.returncode
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def _padded() -> Scenario:
    """The failing scenario between steps that have nothing to do with it."""
    noise = tuple(CacheDelete(key=f"noise-{n}") for n in range(6))
    return Scenario(id="cut-from-production", steps=(*noise, *scenario("mail.box").steps, *noise))


def test_shrink_makes_a_scenario_from_anywhere_small(fedcheck: Fedcheck, tmp_path: Path) -> None:
    """A bare scenario becomes a counterexample that still fails, with nothing left to drop."""
    (tmp_path / "long.json").write_text(codec.to_json(_padded()))
    done = fedcheck("shrink", "long.json", "--kernel", BROKEN, "-o", "short.json")
    assert 0 == done.returncode, done.stderr
    short = read_file(tmp_path / "short.json")

    assert (UNSAFE, "dot stored", BROKEN) == (short.clause, short.kind, short.kernel.reference)
    assert len(short.scenario.steps) <= 4
    assert "no single simplification fails any more" in done.stderr
    assert 1 == fedcheck("replay", "short.json").returncode


def test_shrink_refuses_what_does_not_fail(fedcheck: Fedcheck, tmp_path: Path) -> None:
    """There is nothing to keep while reducing."""
    (tmp_path / "long.json").write_text(codec.to_json(_padded()))
    done = fedcheck("shrink", "long.json", "--kernel", "reference")

    assert (3, "") == (done.returncode, done.stdout)
    assert "breaks no clause on reference" in done.stderr


def test_shrink_says_what_it_was_given(fedcheck: Fedcheck, failed: Path) -> None:
    """Another kernel than the file's is named, and a clause that nobody has is wrong usage."""
    target = str(next((failed / ".fedcheck/counterexamples").glob("*.json")))
    other = fedcheck("shrink", target, "--kernel", "reference", cwd=failed)
    unknown = fedcheck("shrink", target, "--clause", "I-NOTHING/x", cwd=failed)

    assert 3 == other.returncode
    assert f"on reference; it was found on {BROKEN}: name the kernel" in other.stderr
    assert 2 == unknown.returncode
    assert "'I-NOTHING/x' names no clause" in unknown.stderr


@pytest.mark.parametrize(("kernel", "code"), [(BROKEN, 1), ("reference", 0)])
def test_a_file_of_the_first_version_is_read_for_ever(
    fedcheck: Fedcheck, kernel: str, code: int
) -> None:
    """It was written in November 2026, and is never to be edited."""
    frozen = Path(__file__).with_name("frozen-1.json")

    assert code == fedcheck("replay", str(frozen), "--kernel", kernel).returncode
