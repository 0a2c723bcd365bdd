"""``# fedcheck: ignore[CODE] reason``: what it hides, and what is wrong with one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fedcheck.lint.engine.ignores.directives import directives

IGNORE = "# fedcheck: ignore[FED901] why not"


def codes(lint, *words: str) -> list[tuple[int, str]]:
    """Return line and code of what is left."""
    found = json.loads(lint("--format", "json", *words).out)
    return [(finding["line"], finding["code"]) for finding in found]


@pytest.mark.parametrize(
    "text",
    [
        f"bad(1)  {IGNORE}\n",
        f"bad(1){IGNORE}\n",
        f"{IGNORE}\nbad(1)\n",
        f"{IGNORE}\n\n# more words\nbad(1)\n",
        f"x = [  {IGNORE}\n  bad(1),\n]\n",
        f"x = [\n  bad(1),\n]  {IGNORE}\n",
        f"x = [\n  bad(1),  {IGNORE}\n  2,\n]\n",
        f"x = [\n  {IGNORE}\n  bad(1),\n  2,\n]\n",
        f"x = [\n  bad(1,\n    2),  {IGNORE}\n  3,\n]\n",
        f"x = '''\n''', bad(1)  {IGNORE}\n",
        f"if x and \\\n  bad(1):  {IGNORE}\n    pass\n",
        f"bad(1)  # noqa: E501  {IGNORE}\n",
        f"bad(1)  {IGNORE}  # noqa: E501\n",
        f"bad(1); bad(2)  {IGNORE}\n",
        "bad(1)  # fedcheck: ignore[no-bad] by name\n",
        "bad(1)  #fedcheck:ignore[ FED901 ] - tight\n",
        "# fedcheck: ignore-file[FED901] generated\n\nbad(1)\nbad(2)\n",
        f"bad(1)  {IGNORE}\r\n",
        f"def f():\n\tif x:\n\t\t{IGNORE}\n\t\tbad('\u65e5')\n",
    ],
)
def test_an_ignore_hides_the_finding_it_means(lint, tmp_path: Path, text: str) -> None:
    """On the line, on its own line above, anywhere a comment can stand in a statement."""
    (tmp_path / "main.py").write_text(text, encoding="utf-8", newline="")

    assert [] == codes(lint)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"'{IGNORE}'; bad(1)\n", [(1, "FED901")]),
        (f"'''\n{IGNORE}\n'''\nbad(1)\n", [(4, "FED901")]),
        (f"bad(1)\n{IGNORE}\n", [(1, "FED901"), (2, "FED001")]),
        (f"{IGNORE}\nx = 1\nbad(1)\n", [(1, "FED001"), (3, "FED901")]),
        (f"if x:  {IGNORE}\n    bad(1)\n", [(1, "FED001"), (2, "FED901")]),
        (f"x = [\n  1,  {IGNORE}\n  bad(1),\n]\n", [(2, "FED001"), (3, "FED901")]),
        ("good()  # fedcheck: ignore[FED901] other\n", [(1, "FED902"), (1, "FED001")]),
        ("bad(1)  # fedcheck: ignore\n", [(1, "FED901"), (1, "FED003")]),
        ("bad(1)  # fedcheck: ignore[] why\n", [(1, "FED901"), (1, "FED003")]),
        ("bad(1)  # fedcheck: ignore[FED999] why\n", [(1, "FED901"), (1, "FED003")]),
        ("bad(1)  # fedcheck: ignore[FED9] why\n", [(1, "FED901"), (1, "FED003")]),
        ("bad(1)  # fedcheck: ingore[FED901] why\n", [(1, "FED901"), (1, "FED003")]),
        ("bad(1)  # fedcheck: ignore[FED901]\n", [(1, "FED002")]),
        ("bad(1)  # fedcheck: ignore[FED901] TODO: why\n", [(1, "FED002")]),
        ("bad(1)  # fedcheck: ignore[FED901, FED902] why\n", [(1, "FED001")]),
        ("x = 1  # fedcheck: ignore[FED405] masked\n", [(1, "FED001")]),
        ("bad(1)  # fedcheck: ignore[FED405, FED901] masked\n", [(1, "FED001")]),
        ("bad(1)  # fedcheck: runs in CI\n", [(1, "FED901")]),
        ("# fedcheck: ignore-file[FED902] old\nx = 1\n", [(1, "FED001")]),
    ],
)
def test_what_an_ignore_does_not_hide(
    lint, tmp_path: Path, text: str, expected: list[tuple[int, str]]
) -> None:
    """Texts are no comments; unused, unknown, bare and reason-less ignores are findings."""
    (tmp_path / "main.py").write_text(text)

    assert sorted(expected) == sorted(codes(lint))


@pytest.mark.parametrize(
    ("code", "hint"),
    [
        ("FED9", "an ignore names whole codes"),
        ("fed901", "did you mean FED901?"),
        ("no-badd", "did you mean no-bad?"),
        ("FED909", "`fedcheck rule list` shows all"),
    ],
)
def test_what_may_be_meant_is_no_guess(lint, tmp_path: Path, code: str, hint: str) -> None:
    """Another code is near whichever was meant."""
    (tmp_path / "main.py").write_text(f"bad(1)  # fedcheck: ignore[{code}] why\n")

    assert f"there is no rule '{code}'; {hint}\n" in lint("--format", "concise").out


def test_an_ignore_of_a_retired_rule_says_so(lint, tmp_path: Path) -> None:
    """It is no slip of the pen, and the fix takes it out."""
    (tmp_path / "main.py").write_text("x = 1  # fedcheck: ignore[sensitive-literal] masked\n")

    text = "remove it: FED405 (sensitive-literal) was retired in fedcheck 0.2.0\n"
    assert text in lint("--format", "concise").out
    lint("--fix")
    assert "x = 1\n" == (tmp_path / "main.py").read_text()


def test_rules_that_are_off_leave_their_ignores_alone(lint, tmp_path: Path) -> None:
    """Who lints with one rule must not be told that the ignores of all others are unused."""
    (tmp_path / "main.py").write_text("bad(1)  # fedcheck: ignore[FED901] why\n")

    assert [] == codes(lint, "--ignore", "FED901")
    assert [] == codes(lint, "--select", "FED902")


def test_no_ignores_lets_none_count(lint, tmp_path: Path) -> None:
    """A marketplace does not take the author's word."""
    (tmp_path / "main.py").write_text(f"bad(1)  {IGNORE}\n")

    assert [(1, "FED901")] == codes(lint, "--no-ignores")


def test_suppressed_findings_are_kept_with_their_reason(lint, tmp_path: Path) -> None:
    """They are only left out of the list."""
    (tmp_path / "main.py").write_text(f"bad(1)  {IGNORE}\n")

    (found,) = json.loads(lint("--format", "json", "--show-suppressed").out)

    assert ("inline", "why not") == (found["suppressed"], found["justification"])
    assert "1 suppressed" in lint().out


def test_no_ignore_is_unused_while_something_cannot_be_linted(lint, tmp_path: Path) -> None:
    """What it hides may depend on the file that could not be read; excluded files do not count."""
    file = tmp_path / "main.py"
    file.write_text(f"x = 1  {IGNORE}\n")
    (tmp_path / "old.py").write_text("print 'python 2'\n")

    assert [] == codes(lint)
    lint("--fix")
    assert f"x = 1  {IGNORE}\n" == file.read_text()
    (tmp_path / "fedcheck.toml").write_text('[lint]\nexclude = ["old.py"]\n')
    assert [(1, "FED001")] == codes(lint)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"x = 1  {IGNORE}\ny = 2\n", "x = 1\ny = 2\n"),
        (f"x = 1\n{IGNORE}\ny = 2\n", "x = 1\ny = 2\n"),
        (f"x = 1  {IGNORE}  # noqa\n", "x = 1  # noqa\n"),
        (f"x = 1  # noqa  {IGNORE}\r\n", "x = 1  # noqa\r\n"),
        (f"x = 1  {IGNORE}", "x = 1"),
        (
            "good()  # fedcheck: ignore[FED901, FED902] why\n",
            "good()  # fedcheck: ignore[FED902] why\n",
        ),
    ],
)
def test_unused_ignores_are_removed_by_fix(lint, tmp_path: Path, before: str, after: str) -> None:
    """The code, or the whole comment, or its line; nothing else."""
    file = tmp_path / "main.py"
    file.write_text(before, newline="")

    assert 0 == lint("--fix").code
    assert after.encode() == file.read_bytes()


@pytest.mark.parametrize(
    "text",
    [
        "bad(1)\ngood()\n",
        "bad(1); good()\n",
        "x = '''\na''', bad(1), '''\n'''\n",
        "x = bad(1) + \\\n    bad(2)\n",
        "foo(\n  bad(1),  # a remark\n  good(),\n)\n",
        "bad(1)  # fedcheck: ignore[FED902] earlier\ngood()\n",
        "if bad(1):\r\n\tgood()",
        "bad(\n  1,\n)\n",
        "x = f'''{\nbad(1)}'''\n",
        "bad(\n  bad(1),\n)\n",
        "foo(bad(1),\n  bad(2),\n  bad(3))\n",
    ],
)
def test_add_ignores_makes_the_next_run_quiet(lint, tmp_path: Path, text: str) -> None:
    """Each finding gets a comment that parses, means it, and says why; what is left fails."""
    file = tmp_path / "main.py"
    file.write_text(text, newline="")

    done = lint("--add-ignores", "--reason", "legacy, see # 12")

    left = codes(lint)
    assert int(bool(left)) == done.code
    assert bool(left) == ("(main.py); use per-file-ignores" in done.out)
    assert [] == [code for code in left if code[1] != "FED001" or "earlier" not in text]
    assert "legacy, see no.  12" in file.read_text() or "earlier" in file.read_text()


@given(st.text(alphabet="#fedcheck: ignore[FED901] why\n'\"\\()\t\r\x0c\0\u2028x", max_size=60))
def test_no_text_breaks_the_reader(text: str) -> None:
    """Whatever a file holds, its comments are read without an error."""
    for directive in directives(text + "# fedcheck: ignore[X] y"):
        assert directive.first <= directive.last


def test_a_reason_that_a_file_cannot_hold_is_escaped(lint, tmp_path: Path) -> None:
    """The finding gets its comment all the same."""
    file = tmp_path / "main.py"
    file.write_bytes(b"# coding: latin-1\nbad(1)  # \xe9\n")

    done = lint("--add-ignores", "--reason", "caf\xe9 \u0436")

    assert 0 == done.code
    assert "1 finding ignored in 1 file." in done.out
    assert b"ignore[FED901] caf\xe9 \\u0436\n" in file.read_bytes()
    assert [] == codes(lint)


def test_the_nearest_ignore_counts(lint, tmp_path: Path) -> None:
    """That of the line gives its reason, and that of the statement is for the other lines."""
    text = "foo(bad(1),  # fedcheck: ignore[FED901] {}\n  bad(2),  {}\n)\n"
    (tmp_path / "main.py").write_text(text.format("all", "# fedcheck: ignore[FED901] two"))
    found = json.loads(lint("--format", "json", "--show-suppressed").out)
    assert ["all", "two"] == [finding["justification"] for finding in found]

    (tmp_path / "main.py").write_text(text.format("all", ""))
    found = json.loads(lint("--format", "json", "--show-suppressed").out)
    assert ["all", "all"] == [finding["justification"] for finding in found]
