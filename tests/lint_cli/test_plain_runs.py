"""An ordinary run needs no library for the command line, and says what it says with it."""

from __future__ import annotations

import gc
import io
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from fedcheck.lint.cli import main as running
from fedcheck.lint.cli.fast_options import plain_options
from fedcheck.lint.cli.options import Options
from fedcheck.lint.cli.preload import load
from fedcheck.lint.commands.lint import command
from fedcheck.reports.console import styles
from fedcheck.reports.lint.formats import FORMATS

BREACH = (
    "from imperal_sdk import Extension\n\next = Extension('x')\n\n\n"
    "@ext.panel('p')\nasync def p(ctx):\n    return ctx.skeleton_data\n"
)
_LOADED = (
    "import sys; from fedcheck.__main__ import main\n"
    "asked = sys.argv.pop().split(',')\n"
    "try:\n    main()\n"
    "finally:\n    print(sorted(set(asked) & set(sys.modules)))\n"
)


def read_by_click(words: list[str], monkeypatch: pytest.MonkeyPatch) -> Options | None:
    """The options that the command reads; None if it refuses the words."""
    seen: list[Options] = []
    monkeypatch.setattr(running, "run", lambda options, _words: seen.append(options) or 0)
    CliRunner().invoke(command, [*words, "--no-cache"])
    return seen[0] if seen else None


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["."],
        ["a.py", "b"],
        ["b", "--all-files", "--exhaustive", "a.py"],
        ["--isolated", "--no-ignores", "--show-suppressed"],
        ["--group"],
        ["--no-group"],
        ["--group", "--no-group"],
        ["--no-group", "--group", "--group"],
        ["--fail-on", "never", "--fail-on=info"],
        *(["--format", name] for name in FORMATS),
        ["--format=json", "--format", "sarif", "b/.."],
    ],
)
def test_ordinary_words_are_read_as_by_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    """Every option, in each of its spellings."""
    (tmp_path / "a.py").touch()
    (tmp_path / "b").mkdir()
    monkeypatch.chdir(tmp_path)

    found = plain_options([*words, "--no-cache"])

    assert found is not None
    assert read_by_click(words, monkeypatch) == found


@pytest.mark.parametrize(
    "words",
    [
        ["--help"],
        ["-h"],
        ["--"],
        ["-"],
        [""],
        ["gone.py"],
        ["--no-cache=1"],
        ["--no-cach"],
        ["--format"],
        ["--format="],
        ["--format", "xml"],
        ["--format", "xml", "--format", "json"],
        ["--fail-on", "ERROR"],
        ["--fix"],
        ["--select", "FED1"],
        ["--statistics", "--format", "json"],
        ["-o", "out.json"],
        ["--stdin"],
        ["--watch"],
    ],
)
def test_other_words_are_left_to_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    """Whatever it refuses, or does more for."""
    (tmp_path / "a.py").touch()
    monkeypatch.chdir(tmp_path)

    assert [None, None] == [plain_options(words), plain_options(["a.py", *words])]


def run_here(words: list[str], modules: str) -> tuple[int, str, str]:
    """The exit code of a run in a new process, what it says, and which of some modules it loads."""
    done = subprocess.run(
        [sys.executable, "-c", _LOADED, "lint", *words, modules],
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.stderr
    said, _, loaded = done.stdout.removesuffix("\n").rpartition("\n")
    return done.returncode, said, loaded


@pytest.mark.parametrize("name", FORMATS)
def test_findings_are_written_without_click(tmp_path: Path, name: str) -> None:
    """In each format, and the report is that of the command."""
    (tmp_path / "main.py").write_text(BREACH)
    words = [str(tmp_path), "--no-cache", "--format", name]

    shown = CliRunner().invoke(command, words)

    assert (1, shown.stdout.rstrip("\n"), "[]") == run_here(words, "click,pkgutil")


def test_what_only_findings_need_is_not_loaded_without(tmp_path: Path) -> None:
    """Each of them takes longer than the rest of ten rules."""
    (tmp_path / "main.py").write_text("from imperal_sdk import ActionResult\n")
    words = [str(tmp_path), "--no-cache"]

    code, said, loaded = run_here(words, "click,difflib,hashlib,libcst,pkgutil")

    assert (0, "[]") == (code, loaded)
    assert said.startswith("No findings (1 Python file, SDK ")


def test_a_wrong_setting_is_told_as_by_the_group(lint_here, tmp_path: Path) -> None:
    """With the same exit code, whichever way the words were read."""
    (tmp_path / "main.py").write_text(BREACH)
    (tmp_path / "fedcheck.toml").write_text("[lint]\nselct = []\n")

    plain = lint_here(str(tmp_path), "--no-cache")
    grouped = lint_here(str(tmp_path), "--no-cache", "--ignore=FED101")

    assert (2, "") == (plain.code, plain.out)
    assert "did you mean 'select'?" in plain.err
    assert plain == grouped


def test_a_mistake_of_the_linter_is_no_finding(
    lint_here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python's own exit code would say that something was found."""
    (tmp_path / "main.py").write_text(BREACH)

    def broken(*_: object) -> int:
        raise ZeroDivisionError

    monkeypatch.setattr(running, "run", broken)

    done = lint_here(str(tmp_path), "--no-cache")

    assert 3 == done.code
    assert done.err.endswith(
        "ZeroDivisionError\nfedcheck made a mistake: please report what is shown above\n"
    )


def test_what_is_loaded_is_frozen_once() -> None:
    """And collections go on."""
    load()
    frozen = gc.get_freeze_count()
    load()

    assert gc.isenabled()
    assert 10_000 < frozen == gc.get_freeze_count()


@pytest.mark.parametrize("colour", ["red", "green", "yellow", "cyan"])
@pytest.mark.parametrize("bold", [True, False])
def test_styles_are_those_of_click(colour: str, bold: bool) -> None:
    """In both directions."""
    ours = styles.styled("a b", colour=colour, bold=bold)

    assert click.style("a b", fg=colour, bold=bold or None) == ours
    assert click.unstyle(f"x{ours}y") == styles.unstyled(f"x{ours}y") == "xa by"


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
@pytest.mark.parametrize("is_terminal", [True, False])
def test_texts_are_written_as_by_click(
    monkeypatch: pytest.MonkeyPatch, encoding: str, is_terminal: bool
) -> None:
    """Also into a stream of ASCII, and styles only to a terminal."""
    written: list[bytes] = []
    for write in (click.echo, styles.echo):
        raw = io.BytesIO()
        stream = io.TextIOWrapper(raw, encoding=encoding)
        monkeypatch.setattr(stream, "isatty", lambda: is_terminal, raising=False)
        monkeypatch.setattr(sys, "stdout", stream)
        write(styles.styled("é", bold=True), nl=True)
        write("x", nl=False)
        written.append(raw.getvalue())

    assert written[0] == written[1]
    assert (is_terminal and encoding == "utf-8") == (b"\x1b" in written[1])
