"""Trees without the SDK are passed over without loading the linter, and nothing else is."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest
from click.testing import CliRunner

from fedcheck.__main__ import main
from fedcheck.conformance.commands.group import NOT_JUDGED
from fedcheck.lint.cli.fast_exit import quiet_run
from fedcheck.lint.commands.lint import command
from fedcheck.lint.engine.cache.replay import replayed
from fedcheck.lint.files.quiet import Quiet, quiet_files
from fedcheck.lint.files.walking import python_files
from fedcheck.reports.lint.findings import FailOn
from fedcheck.reports.lint.silence import EMPTY, FAIL_ON

BREACH = "async def load(ctx):\n    return ctx.skeleton_data\n"
MAIN = (
    "from imperal_sdk import Extension\nfrom part.helper import load\n\n"
    'ext = Extension("n", capabilities=["n:read"])\n\n\n'
    '@ext.panel("p")\nasync def p(ctx):\n    return await load(ctx)\n'
)


def _write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


QUIET = {"a.py": BREACH, "b/c.py": "x = 1\n"}


@pytest.mark.parametrize("name", ["text", *EMPTY])
def test_output_is_that_of_the_linter(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """Each format, from the words alone and from the linter."""
    _write(tmp_path, QUIET)
    words = [str(tmp_path), f"--format={name}", "--no-cache"]
    code = quiet_run(words)
    result = CliRunner().invoke(command, words)
    assert (0, capsys.readouterr().out) == (code, result.output)
    assert 0 == result.exit_code


OLD = "imperal-sdk==5.0.0\n"


@pytest.mark.parametrize(
    ("words", "sdk"),
    [
        (["."], "6.3.7"),
        (["b"], "5.0.0"),
        ([".", "b"], "6.3.7"),
        (["b", "."], "5.0.0, 6.3.7"),
        (["b/.."], "6.3.7"),
        (["empty", "."], "6.3.7"),
        (["b", "./b"], "5.0.0"),
    ],
)
def test_the_target_is_that_of_the_linter(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    sdk: str,
) -> None:
    """A folder stands for the files that no earlier one holds, and an empty one for nothing."""
    _write(tmp_path, {**QUIET, "b/requirements.txt": OLD, "empty/requirements.txt": OLD})
    monkeypatch.chdir(tmp_path)
    assert 0 == quiet_run([*words, "--no-cache"])
    result = CliRunner().invoke(command, [*words, "--no-cache"])
    said = capsys.readouterr().out
    assert (said, f"SDK {sdk})") == (result.output, said[said.index("SDK") : said.index(".\n")])


@pytest.mark.parametrize("name", ["text", *EMPTY])
def test_a_target_that_is_no_release_is_told(tmp_path: Path, name: str) -> None:
    """In each format: on stderr, by the linter."""
    _write(tmp_path, {**QUIET, "requirements.txt": "imperal-sdk==4.77.1\n"})
    words = [str(tmp_path), "--format", name, "--no-cache"]
    assert quiet_run(words) is None
    assert "knows no release 4.77.1" in CliRunner().invoke(command, words).stderr


def test_each_finding_tells_by_which_release_it_was_judged(tmp_path: Path) -> None:
    """A run over a tree has many targets; what is no release is judged by a neighbour."""
    releases = {"new": "6.3.7", "old": "5.0.0", "odd": "6.3.99"}
    for name, release in releases.items():
        required = {"main.py": MAIN, "requirements.txt": f"imperal-sdk=={release}\n"}
        _write(tmp_path / name, {**required, "part/helper.py": BREACH})
    words = [str(tmp_path), "--no-cache", "--format"]

    rows = json.loads(CliRunner().invoke(command, [*words, "json"]).stdout)
    (run,) = json.loads(CliRunner().invoke(command, [*words, "sarif"]).stdout)["runs"]

    judged = {(Path(row["path"]).relative_to(tmp_path).parts[0], row["sdk"]) for row in rows}
    assert {("new", "6.3.7"), ("old", "5.0.0"), ("odd", "6.3.7")} == judged
    assert [row["sdk"] for row in rows] == [
        it["properties"]["imperal-sdk"] for it in run["results"]
    ]


def test_rules_of_other_packages_are_the_linters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that cannot be loaded is told, whatever is linted."""
    _write(tmp_path / "tree", QUIET)
    _write(tmp_path, {"acme-1.0.dist-info/entry_points.txt": "[fedcheck.rules]\nx = acme:RULE\n"})
    words = [str(tmp_path / "tree"), "--no-cache"]
    assert 0 == quiet_run(words)
    monkeypatch.syspath_prepend(tmp_path)
    assert quiet_run(words) is None


def test_ctrl_c_is_no_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It says what the other commands say, with their exit code."""

    def stopped(_folders: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("fedcheck.lint.files.quiet.quiet_files", stopped)
    monkeypatch.setattr("sys.argv", ["fedcheck", "lint", "--no-cache", str(tmp_path)])
    with pytest.raises(SystemExit) as stop:
        main()
    assert (NOT_JUDGED, "\nStopped.\n") == (stop.value.code, capsys.readouterr().err)


@pytest.mark.parametrize(
    "words",
    [
        ["--exhaustive", "--all-files", "--isolated"],
        ["--fail-on", "never"],
        ["--fail-on=error", "--format", "json", "--format=concise"],
    ],
)
def test_options_that_change_nothing_are_known(tmp_path: Path, words: list[str]) -> None:
    """A tree in which nothing can be found has nothing found with them."""
    _write(tmp_path, QUIET)
    assert 0 == quiet_run([*words, "--no-cache", str(tmp_path)])


@pytest.mark.parametrize(
    "words",
    [
        ["--select", "FED"],
        ["--fix"],
        ["--help"],
        ["--nonsense"],
        ["--"],
        ["nowhere"],
        [""],
        ["--fail-on"],
        ["--fail-on", "fatal"],
        ["--format", "sarif"],
        ["--no-cache=yes"],
        ["a.py"],
    ],
)
def test_other_words_are_the_linters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    """Wrong ones too: it says what is wrong with them."""
    _write(tmp_path, QUIET)
    monkeypatch.chdir(tmp_path)
    assert quiet_run([*words, "--no-cache"]) is None


@pytest.mark.parametrize(
    "file",
    [
        {"fedcheck.toml": '[lint]\ntarget-sdk = "5.0.0"\n'},
        {"pyproject.toml": '["tool"."f\\u0065dcheck".lint]\n'},
        {"pyproject.toml": "no TOML"},
        {"requirements.txt": "imperal-sdk==99.0.0\n"},
    ],
)
def test_what_is_settled_is_the_linters(tmp_path: Path, file: dict[str, str]) -> None:
    """Also a file that cannot be read, and a target that is told on stderr."""
    _write(tmp_path, {**QUIET, **file})
    assert quiet_run(["--no-cache", str(tmp_path)]) is None


def test_isolated_asks_no_settings(tmp_path: Path) -> None:
    """Then even a broken file of settings does not matter."""
    _write(tmp_path, {**QUIET, "fedcheck.toml": "no TOML"})
    assert 0 == quiet_run(["--no-cache", "--isolated", str(tmp_path)])


def test_the_current_folder_is_looked_at_without_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As by the linter."""
    monkeypatch.chdir(tmp_path)
    assert quiet_run(["--no-cache"]) is None
    _write(tmp_path, QUIET)
    assert 0 == quiet_run(["--no-cache"])


def test_a_quiet_run_is_kept(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    later: Callable[[], None],
) -> None:
    """It is said again until a file begins to name the SDK."""
    _write(tmp_path, QUIET)
    later()
    monkeypatch.setattr("fedcheck.lint.engine.cache.recording.own_files", list[str])
    words = [str(tmp_path)]
    assert [None, 0, 0] == [replayed(words), quiet_run(words), replayed(words)]
    said = capsys.readouterr().out.splitlines()
    assert ["No findings (2 Python files, SDK 6.3.7)."] * 2 == said
    _write(tmp_path, {"a.py": f"import imperal_sdk\n{BREACH}"})
    assert [None, None] == [replayed(words), quiet_run(words)]


def test_neither_click_nor_msgspec_is_loaded(tmp_path: Path) -> None:
    """Each of them takes as long as Python's own start."""
    _write(tmp_path, QUIET)
    script = (
        "import sys; from fedcheck.__main__ import main\n"
        "try:\n    main()\n"
        "finally:\n    print(sorted({'click', 'msgspec', 'libcst', 'ast'} & set(sys.modules)))\n"
    )
    command_line = [sys.executable, "-c", script, "lint", "--no-cache", str(tmp_path)]
    done = subprocess.run(command_line, capture_output=True, text=True, check=True)
    assert ["No findings (2 Python files, SDK 6.3.7).", "[]"] == done.stdout.splitlines()


def test_the_choices_are_those_of_the_settings() -> None:
    """They stand where nothing else must be loaded."""
    assert get_args(FailOn) == FAIL_ON


def test_quiet_files_are_counted_once(tmp_path: Path) -> None:
    """A folder that is named twice has each file once."""
    _write(tmp_path, {"a.py": "", "b/c.py": "", "b/test_c.py": "", ".git/d.py": "", "e.txt": ""})
    found = quiet_files([tmp_path, tmp_path / "b"])
    assert Quiet(2, frozenset([tmp_path])) == found


@pytest.mark.parametrize(
    "files",
    [
        {"a.py": "x = 1\n", "b/c.py": "import imperal_sdk\n"},
        {"a.py": "x = 1\n", "b/imperal.json": "{}"},
        {"a.txt": ""},
    ],
)
def test_the_linter_has_to_look(tmp_path: Path, files: dict[str, str]) -> None:
    """The SDK is named, a manifest stands there, or there is no Python at all."""
    _write(tmp_path, files)
    assert quiet_files([tmp_path]) is None


def test_a_folder_inside_an_extension_is_not_quiet(tmp_path: Path) -> None:
    """Its files need not name the SDK: the entry above hands them a context."""
    _write(tmp_path, {"main.py": MAIN, "imperal.json": "{}", "part/helper.py": BREACH})
    result = CliRunner().invoke(command, [str(tmp_path / "part"), "--format", "concise"])
    assert (1, True) == (result.exit_code, "FED103" in result.output)


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_unreadable_files_are_told(tmp_path: Path) -> None:
    """A link that leads nowhere is a note, as it is in an extension."""
    _write(tmp_path, {"a.py": "x = 1\n"})
    (tmp_path / "b.py").symlink_to(tmp_path / "nowhere.py")
    result = CliRunner().invoke(command, [str(tmp_path)])
    assert (3, True) == (result.exit_code, "b.py" in result.output)


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_files_are_found_in_order_and_links_to_folders_are_not_followed(tmp_path: Path) -> None:
    """Files of a folder come before its folders, both by name."""
    _write(tmp_path, {"z.py": "", "a/b.py": "", "a/c/d.py": "", "b/a.py": "", "venv/x.py": ""})
    (tmp_path / "loop").symlink_to(tmp_path)
    found = [path.relative_to(tmp_path).as_posix() for path in python_files(tmp_path)]
    assert ["z.py", "a/b.py", "a/c/d.py", "b/a.py"] == found
