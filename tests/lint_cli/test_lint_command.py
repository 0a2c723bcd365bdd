"""``fedcheck lint``: options, exit codes, what is shown."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from fedcheck.lint.sdk.targets import newest


def test_nothing_found_exits_with_0(lint, tmp_path: Path) -> None:
    """A clean file is reported as such, with its number and the SDK."""
    (tmp_path / "main.py").write_text("good(1)\n")

    done = lint()

    assert 0 == done.code
    assert done.out.startswith("No findings (1 Python file, SDK ")


def test_a_finding_shows_source_mark_chain_and_fix(lint, tmp_path: Path) -> None:
    """The mark stands under the code, also behind wide characters and tabs."""
    (tmp_path / "main.py").write_text("if x:\n\ty = '日本', bad(1)\n", encoding="utf-8")

    done = lint("main.py")

    assert 1 == done.code
    lines = done.out.splitlines()
    assert "main.py:2:12: error FED901 bad is a toy; write good" == lines[0]
    assert "  2 |     y = '日本', bad(1)" == lines[1]
    assert "    | " + 16 * " " + "^^^^^^" == lines[2]
    assert "  via main.py:2:12  calls bad" == lines[3]
    assert "  fix (--fix): Write good" == lines[4]
    assert "\x1b" not in done.out


@pytest.mark.parametrize(
    ("code", "fail_on", "expected"),
    [
        ("bad(1)", "error", 1),
        ("good()", "error", 0),
        ("good()", "warning", 1),
        ("good()", "never", 0),
        ("bad(1)", "never", 0),
        ("stubborn(1)", "warning", 0),
        ("stubborn(1)", "info", 1),
    ],
)
def test_fail_on_decides_the_exit_code(
    lint, tmp_path: Path, code: str, fail_on: str, expected: int
) -> None:
    """Findings below it are shown, and do not fail the run."""
    (tmp_path / "main.py").write_text(f"{code}\n")

    done = lint("--select", "ALL", "--fail-on", fail_on)

    assert expected == done.code
    assert "FED90" in done.out


def test_warnings_fail_by_default_and_notes_do_not(lint, tmp_path: Path) -> None:
    """Without ``--fail-on``, errors and warnings count."""
    (tmp_path / "main.py").write_text("good()\n")
    assert 1 == lint().code

    (tmp_path / "main.py").write_text("stubborn(1)\n")
    assert 0 == lint("--extend-select", "FED905").code


def test_what_cannot_be_linted_exits_with_3(lint, tmp_path: Path) -> None:
    """A file that does not parse is named; findings elsewhere still win."""
    (tmp_path / "main.py").write_text("good(1)\n")
    (tmp_path / "old.py").write_text("print 'python 2'\n")

    done = lint()

    assert 3 == done.code
    assert "not linted: old.py: " in done.err
    (tmp_path / "main.py").write_text("bad(1)\n")
    assert 1 == lint().code


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "print 'python 2'\n",
            "No findings (2 Python files, SDK {}); not everything was linted: 1 problem.",
        ),
        ("bad(1)\n", "1 error in 1 file (2 Python files, SDK {})."),
        ("x = 1\n", "No findings (2 Python files, SDK {})."),
    ],
)
def test_the_summary_tells_whether_everything_was_linted(
    lint, tmp_path: Path, text: str, expected: str
) -> None:
    """No findings in a file that does not parse are no good news; the job summary says so too."""
    (tmp_path / "main.py").write_text("good(1)\n")
    (tmp_path / "old.py").write_text(text)

    assert expected.format(newest()) in lint().out.splitlines()


def test_a_job_summary_tells_whether_everything_was_linted(
    lint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the same words."""
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    (tmp_path / "old.py").write_text("print 'python 2'\n")

    lint("--format", "github")

    said = (tmp_path / "summary.md").read_text()
    assert "No findings in 1 file; not everything was linted: 1 problem." in said


@pytest.mark.parametrize(
    ("number", "fixed", "ignored", "accepted"),
    [
        (1, "1 finding fixed in 1 file.", "1 finding ignored in 1 file.", "1 accepted finding, "),
        (
            2,
            "2 findings fixed in 2 files.",
            "2 findings ignored in 2 files.",
            "2 accepted findings",
        ),
    ],
)
def test_numbers_have_their_nouns(
    lint, tmp_path: Path, number: int, fixed: str, ignored: str, accepted: str
) -> None:
    """One file, two files."""
    for name in range(number):
        (tmp_path / f"m{name}.py").write_text("bad(1)\n")

    assert accepted in lint("--baseline", "b.json", "--update-baseline").out
    assert ignored in lint("--add-ignores", "--reason", "r").out
    for name in range(number):
        (tmp_path / f"m{name}.py").write_text("bad(1)\n")
    assert fixed in lint("--fix").err


def test_the_help_lists_the_exit_codes(lint) -> None:
    """One a line."""
    lines = [line.strip() for line in lint("--help").out.splitlines()]

    assert "3 something could not be linted" in lines


def test_an_empty_folder_is_not_clean(lint) -> None:
    """Silence is not a pass."""
    done = lint()

    assert 3 == done.code
    assert "no Python file was found" in done.err


def test_an_unknown_target_is_told(lint, toy_extension: Callable[..., Path]) -> None:
    """Who mistypes a version learns by which release the verdict was made."""
    toy_extension()

    told = lint("--target-sdk", "99.0", "--format", "concise")
    known = lint("--target-sdk", "6.3.7", "--format", "concise")

    assert "knows no release 99.0; it judged by" in told.err
    assert (told.out, told.code) == (known.out, known.code)
    assert "" == known.err


def test_an_unknown_target_is_told_where_there_is_no_code(lint, tmp_path: Path) -> None:
    """The target that was asked for is the one that is named."""
    told = lint("--target-sdk", "99.0", "--isolated", str(tmp_path))

    assert "SDK 99.0" in told.out
    assert "knows no release 99.0" in told.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("nowhere.py",), "nowhere.py"),
        (("--select", "lost-error"), "FED537 (lost-error) was retired in fedcheck 0.2.0; leave"),
        (("--select", "FED990"), "there is no lint rule 'FED990'"),
        (("--select", "no-badd"), "did you mean no-bad?"),
        (("--target-sdk", "newest"), "no version of the SDK"),
        (("--baseline", "none.json"), "make it with --update-baseline"),
        (("--update-baseline",), "--baseline FILE"),
        (("--add-ignores",), "--reason TEXT"),
        (("--fix", "--watch"), "cannot be combined"),
        (("--stdin-filename", "main.py"), "--stdin-filename needs --stdin"),
        (("--stdin", "."), "give its name with --stdin-filename"),
        (("--unsafe-fixes",), "--unsafe-fixes needs --fix"),
        (("--reason", "legacy"), "--reason needs --add-ignores"),
        (("--statistics", "--format", "json"), "leave out --format json"),
        (("--add-ignores", "--reason", "TODO: why"), "counts as no reason"),
        (("--stdin", "--watch"), "cannot be combined"),
        (("--format", "poem"), "poem"),
        (("--select", ""), "--select has an empty value"),
        (("--target-sdk", ""), "--target-sdk has an empty value"),
        (("--cache-dir=",), "--cache-dir has an empty value"),
        (("--diff", "--format", "json"), "--diff shows a patch, no findings; leave out --format"),
        (("--diff", "--statistics"), "leave out --statistics"),
        (("--stdin", "--fix", "-o", "x.txt"), "writes the fixed text, no findings; leave out --ou"),
        (("--update-baseline", "--baseline", "x.json", "-o", "x.txt"), "leave out --output"),
        (("--add-ignores", "--reason", "old", "--format", "sarif"), "leave out --format"),
        (("-o", "main.py"), "it is Python code, which findings would replace"),
        (("--extend-select", " , "), "--extend-select names no rule"),
        (("--isolated", "--config", "x.toml"), "--config"),
        (("--config", "x.toml"), "x.toml cannot be read"),
    ],
)
def test_wrong_usage_exits_with_2(lint, words: tuple[str, ...], message: str) -> None:
    """It is never taken for a verdict."""
    done = lint(*words)

    assert 2 == done.code
    assert message in done.err


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ((), {"FED901", "FED902"}),
        (("--select", "FED901"), {"FED901"}),
        (("--select", "no-bad"), {"FED901"}),
        (("--select", "no-*"), {"FED901", "FED902", "FED905"}),
        (("--select", "FED9"), {"FED901", "FED902", "FED905"}),
        (("--ignore", "FED901"), {"FED902"}),
        (("--ignore", "FED901,FED902"), set()),
        (("--extend-select", "FED905", "--ignore", "FED902"), {"FED901", "FED905"}),
        (("--select", "FED9", "--ignore", "FED905"), {"FED901", "FED902"}),
    ],
)
def test_rules_are_selected(lint, tmp_path: Path, words: tuple[str, ...], expected: set[str]):
    """By code, beginning, name and glob; what is ignored wins."""
    (tmp_path / "main.py").write_text("bad(1)\ngood()\nstubborn(1)\n")

    found = json.loads(lint(*words, "--format", "json").out)

    assert expected == {finding["code"] for finding in found}


def test_many_findings_are_grouped_by_rule_worst_first(lint, tmp_path: Path) -> None:
    """A legacy tree gets three examples of each rule, errors first, and how to begin."""
    (tmp_path / "main.py").write_text("good()\n" * 20)
    assert lint().out.startswith("main.py:1:1: ")
    (tmp_path / "main.py").write_text("good()\n" * 60 + "bad(1)\n" * 50)

    done = lint()

    assert done.out.startswith("FED901 no-bad: 50 errors in 1 file\n")
    assert 3 == done.out.count(": error FED901 ")
    assert 3 == done.out.count(": warning FED902 ")
    assert "… 47 more" in done.out
    assert "--baseline FILE --update-baseline" in done.out
    assert 110 == lint("--no-group").out.count("is a toy")
    assert 110 == lint("--format", "concise").out.count("is a toy")


def test_statistics_count_the_rules(lint, tmp_path: Path) -> None:
    """Most frequent first, with the number that could be fixed."""
    (tmp_path / "main.py").write_text("good()\nbad(1)\nbad(2)\n")

    lines = lint("--statistics").out.splitlines()

    assert ["2 FED901 no-bad (2 fixable)", "1 FED902 no-empty-good"] == lines[:2]


def test_standard_input_is_linted_under_a_name(lint, tmp_path: Path) -> None:
    """The text counts, not the file; other files of the extension only help to understand."""
    (tmp_path / "main.py").write_text("from imperal_sdk import Extension\nbad(1)\n")
    (tmp_path / "other.py").write_text("bad(2)\n")
    words = ("--stdin", "--stdin-filename", "main.py", "--format", "concise")

    assert (0, "") == lint(*words, stdin=b"good(1)\n")[:2]
    done = lint(*words, stdin=b"\n\nbad(3)\n")
    assert (1, "main.py:3:1: error FED901 bad is a toy; write good\n") == done[:2]


@pytest.mark.parametrize("form", ["text", "concise", "github"])
def test_a_format_for_people_does_not_forbid_a_patch(lint, tmp_path: Path, form: str) -> None:
    """An alias or the action may always give one."""
    (tmp_path / "main.py").write_text("bad(1)\n")

    done = lint("--diff", "--format", form)

    assert (1, True) == (done.code, "+good(1)" in done.out)


def test_a_closed_standard_input_is_told(lint, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python then has no stream for it."""
    monkeypatch.setattr(sys, "stdin", None)

    done = lint("--stdin")

    assert (2, True) == (done.code, "standard input is closed; pipe the text in" in done.err)


def test_a_named_file_alone_is_reported(lint, tmp_path: Path) -> None:
    """The rest of its extension is read, and not reported."""
    (tmp_path / "main.py").write_text("from imperal_sdk import Extension\nbad(1)\n")
    (tmp_path / "other.py").write_text("bad(2)\n")

    assert ["other.py"] == [f["path"] for f in json.loads(lint("other.py", "--format", "json").out)]


def test_output_goes_into_a_file(lint, tmp_path: Path) -> None:
    """Whole or not at all, and nothing on standard output."""
    (tmp_path / "main.py").write_text("bad(1)\n")

    done = lint("--format", "json", "-o", "found.json")

    assert (1, "") == done[:2]
    assert "FED901" == json.loads((tmp_path / "found.json").read_text())[0]["code"]


def test_an_output_that_cannot_be_written_loses_nothing(lint, tmp_path: Path) -> None:
    """The findings come on standard output instead, and the run is not green."""
    (tmp_path / "main.py").write_text("stubborn(1)\n")

    done = lint("--extend-select", "FED905", "--format", "concise", "-o", "no/such/found.txt")

    assert 3 == done.code
    assert "FED905" in done.out
    assert "could not be written" in done.err


def test_a_failing_renderer_loses_nothing(lint, tmp_path: Path, monkeypatch) -> None:
    """The findings follow as plain lines."""

    def fail(*_: object) -> str:
        raise KeyError("renderer")

    monkeypatch.setattr("fedcheck.reports.lint.sarif.render", fail)
    (tmp_path / "main.py").write_text("bad(1)\n")

    done = lint("--format", "sarif")

    assert 1 == done.code
    assert "main.py:1:1: error FED901 bad is a toy; write good\n" == done.out
    assert "could not be written (KeyError: 'renderer')" in done.err


def test_a_note_gives_no_command_to_a_build(lint, tmp_path: Path) -> None:
    """Azure Pipelines takes orders from the middle of a line, on standard error too."""
    (tmp_path / "##vso[task.x]y.py").write_text("print 'python 2'\n")

    done = lint("--all-files")

    assert 3 == done.code
    assert "vso[task.x]y.py: " in done.err
    assert "##vso[" not in done.err
