"""A second run says what the first one said; what is kept, and what is not."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType

import pytest

from fedcheck.lint.engine.cache import dependencies
from fedcheck.reports.lint.formats import FORMATS

BAD, BAR = "bad(1)\n", "bar(1)\n"
"""Of equal size; the first has a finding."""


@pytest.mark.parametrize("name", FORMATS)
def test_a_second_run_says_the_same(lint, looks, tmp_path: Path, name: str) -> None:
    """In each format, with what could not be linted; and so does a run without the cache."""
    (tmp_path / "main.py").write_text("bad('Ж\\x00')\nugly(2)\n", encoding="utf-8")
    (tmp_path / "old.py").write_text("print 'python 2'\n")

    first, second = lint("--format", name), lint("--format", name)

    assert (first, 1) == (second, len(looks))
    assert first == lint("--format", name, "--no-cache")
    assert 2 == len(looks)


@pytest.mark.parametrize(
    "words",
    [
        ("--select", "FED902"),
        ("--target-sdk", "6.3.1"),
        ("--all-files",),
        ("--exhaustive",),
        ("--fail-on", "never"),
        ("--no-ignores",),
        ("main.py",),
        ("--format", "json"),
    ],
)
def test_other_words_are_another_run(lint, looks, toy_extension, monkeypatch, words) -> None:
    """Nothing is taken from a run that was asked for otherwise."""
    monkeypatch.chdir(toy_extension())
    lint()

    other = lint(*words)

    assert 2 == len(looks)
    assert lint(*words, "--no-cache") == other


@pytest.mark.parametrize(
    "patched",
    [
        ("sys.version", "3.99.0"),
        ("fedcheck.lint.engine.cache.kept_runs.MAGIC", "fedcheck-lint-run-2"),
        ("sys.path", [*sys.path, "/elsewhere"]),
        ("os.environ", {**os.environ, "NO_COLOR": "1"}),
    ],
)
def test_other_surroundings_are_another_run(
    lint, looks, toy_extension, monkeypatch, patched: tuple[str, object]
) -> None:
    """Another Python, another format of records, other places of packages, other colours."""
    toy_extension()
    lint("ext")
    if patched[0] == "os.environ":
        monkeypatch.setenv("NO_COLOR", "1")
    else:
        monkeypatch.setattr(*patched)
    lint("ext")

    assert 2 == len(looks)


@pytest.mark.parametrize("what", ["own_files", "places_of_distributions"])
def test_other_code_is_another_run(
    lint, looks, later, toy_extension, monkeypatch, tmp_path: Path, what: str
) -> None:
    """An edited module of the linter, and a newly installed package."""
    toy_extension()
    code = tmp_path / "code"
    (code / "a.dist-info").mkdir(parents=True)
    (code / "rule.py").write_text("x = 1\n")
    file = {"own_files": code / "rule.py", "places_of_distributions": code}[what]
    monkeypatch.setattr(f"fedcheck.lint.engine.cache.recording.{what}", lambda: [str(file)])
    monkeypatch.setattr(
        "fedcheck.lint.engine.cache.recording.STARTED", time.time_ns() + 3_000_000_000
    )
    for _ in range(2):
        later()
        lint("ext")
    assert 1 == len(looks)

    (code / "rule.py").write_text("x = 2\n")
    (code / "b.dist-info").mkdir()
    later()

    lint("ext")
    assert 2 == len(looks)


def test_code_that_changes_while_it_runs_is_not_kept(
    lint, records, toy_extension, monkeypatch
) -> None:
    """What was loaded may be older than what lies there."""
    toy_extension()
    monkeypatch.setattr("fedcheck.lint.engine.cache.recording.STARTED", 0)

    lint("ext")

    assert [] == records()


def test_a_file_that_changes_while_it_is_linted_is_not_kept(
    lint, toys: ModuleType, records, toy_extension, monkeypatch
) -> None:
    """The findings are of the old text, the stamp would be of the new one."""
    folder = toy_extension()

    def check(*args: object, **more: object) -> object:
        found = toys.check(*args, **more)
        (folder / "main.py").write_text(BAR)
        return found

    monkeypatch.setattr("fedcheck.lint.engine.engine.check", check)
    lint("ext")

    assert [] == records()


def test_a_file_that_changes_while_it_is_kept_is_not_kept(
    lint, records, toy_extension, monkeypatch
) -> None:
    """The digest would be of a text that nobody has linted."""
    folder = toy_extension()

    def content_of(path: str) -> str:
        (folder / "main.py").write_text(BAR)
        return real(path)

    real = dependencies.content_of
    monkeypatch.setattr("fedcheck.lint.engine.cache.recording.content_of", content_of)
    lint("ext")

    assert [] == records()


@pytest.mark.parametrize(
    "note",
    [
        "main.py: FED901 took longer than 10 s; it was stopped",
        "main.py: FED901 failed: KeyError: 1; report this rule",
    ],
)
def test_what_may_go_otherwise_the_next_time_is_not_kept(
    lint, toys: ModuleType, records, toy_extension, monkeypatch, note: str
) -> None:
    """A rule that ran out of time, or failed."""
    toy_extension()

    def check(*args: object, **more: object) -> object:
        found = toys.check(*args, **more)
        return toys.CheckResult(found.findings, (note,), found.files, found.sources)

    monkeypatch.setattr("fedcheck.lint.engine.engine.check", check)
    assert note in lint("ext").err

    assert [] == records()


def test_rules_of_other_people_are_not_kept(lint, records, toy_extension, monkeypatch) -> None:
    """What they read besides is not known."""
    toy_extension()
    monkeypatch.setattr("fedcheck.lint.cli.main.has_foreign_rules", lambda: True)

    lint("ext")

    assert [] == records()


@pytest.mark.parametrize(
    "words",
    [
        ("--fix",),
        ("--diff",),
        ("--add-ignores", "--reason", "r"),
        ("--baseline", "b.json", "--update-baseline"),
        ("-o", "found.txt"),
        ("--stdin", "--stdin-filename", "ext/main.py"),
        ("--no-cache",),
    ],
)
def test_runs_that_do_more_than_look_are_not_kept(
    lint, records, toy_extension, words: tuple[str, ...]
) -> None:
    """They write, or lint what does not lie on the disk."""
    toy_extension()

    lint(*words, *(() if "--stdin" in words else ("ext",)), stdin=b"bad(1)\n")

    assert [] == records()


def test_a_job_summary_is_written_each_time(
    lint, records, toy_extension, monkeypatch, tmp_path: Path
) -> None:
    """Nothing is kept where one is asked for."""
    toy_extension()
    lint("ext", "--format", "github")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    sizes = [0]
    for _ in range(2):
        lint("ext", "--format", "github")
        sizes.append((tmp_path / "summary.md").stat().st_size)

    assert 1 == len(records())
    assert sizes == [size * sizes[1] for size in range(3)]


def test_many_at_once_do_not_disturb_each_other(
    records, toy_extension, fedcheck, tmp_path: Path
) -> None:
    """Whole records only, and each says what it should."""
    folder = toy_extension()
    (folder / "main.py").write_text("from imperal_sdk import Extension\n")
    command = [Path(sys.executable).with_name("fedcheck"), "lint", "ext"]
    for _ in range(2):
        running = [
            subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True)
            for _ in range(4)
        ]
        outputs = {process.communicate(timeout=120)[0] for process in running}
        assert [fedcheck("lint", "ext", "--no-cache").stdout] == list(outputs)
    assert 1 == len(records())


def test_a_warm_run_loads_next_to_nothing(toy_extension, tmp_path: Path) -> None:
    """Neither the command line's library nor the linter."""
    toy_extension()
    cold = (
        "import fedcheck.lint.engine.cache.recording as cache; cache.own_files = lambda: []\n"
        "from fedcheck.__main__ import main; main()\n"
    )
    warm = (
        "import sys; before = set(sys.modules)\n"
        "from fedcheck.lint.engine.cache.replay import replayed\n"
        "code = replayed(sys.argv[2:])\n"
        "new = {name.partition('.')[0] for name in set(sys.modules) - before}\n"
        "print(code, sorted(new & {'click', 'msgspec', 're', 'libcst', 'hashlib'}))\n"
    )

    def shown(program: str) -> str:
        command = [sys.executable, "-c", program, "lint", "ext"]
        return subprocess.run(
            command, cwd=tmp_path, capture_output=True, text=True, check=False
        ).stdout

    said = shown(cold)
    time.sleep(0.2)  # until the stamps are old enough to be trusted
    shown(warm)

    assert f"{said}0 []\n" == shown(warm)
