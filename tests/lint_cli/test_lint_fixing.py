"""``--fix``: what is changed, what is never changed, and when a fix is taken back."""

from __future__ import annotations

import codecs
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fedcheck.lint.engine.fixes.fixing import Change, save
from fedcheck.lint.engine.run import Linter
from fedcheck.lint.files.source import SourceFile
from fedcheck.lint.settings.model import Settings


def test_a_safe_fix_is_made(lint, tmp_path: Path) -> None:
    """The file is changed, the run is green, and a second run changes nothing."""
    file = tmp_path / "main.py"
    file.write_text("x = bad(1)  # keep   me\n")

    done = lint("--fix")

    assert 0 == done.code
    assert "1 finding fixed in 1 file." in done.err
    assert "x = good(1)  # keep   me\n" == file.read_text()
    assert "fixed" not in lint("--fix").err


def test_a_fix_that_leaves_another_finding_is_not_safe(lint, tmp_path: Path) -> None:
    """``bad()`` would become ``good()``, which is a finding itself; a person must look."""
    file = tmp_path / "main.py"
    file.write_text("bad()\nbad(1)\n")

    done = lint("--fix", "--format", "json")

    assert "bad()\ngood(1)\n" == file.read_text()
    (left,) = json.loads(done.out)
    assert ("FED901", "unsafe") == (left["code"], left["fix"]["safety"])
    lint("--fix", "--unsafe-fixes")
    assert "good()\ngood(1)\n" == file.read_text()


def test_unsafe_fixes_are_made_only_when_asked_for(lint, tmp_path: Path) -> None:
    """And then they are."""
    file = tmp_path / "main.py"
    file.write_text("ugly(1)\n")

    assert 1 == lint("--fix").code
    assert "ugly(1)\n" == file.read_text()
    assert 0 == lint("--fix", "--unsafe-fixes").code
    assert "nice(1)\n" == file.read_text()


def test_a_fix_that_does_not_parse_is_dropped(lint, tmp_path: Path) -> None:
    """The others of the same file are made."""
    file = tmp_path / "main.py"
    file.write_text("broken(1)\nbad(1)\n")

    assert 1 == lint("--fix").code
    assert "broken(1)\ngood(1)\n" == file.read_text()


def test_a_fix_that_changes_nothing_ends(lint, tmp_path: Path) -> None:
    """A finding that its own fix leaves in place is not fixed for ever."""
    file = tmp_path / "main.py"
    file.write_text("stubborn(1)\nbad(1)\n")

    lint("--fix", "--select", "ALL")

    assert "stubborn(1)\ngood(1)\n" == file.read_text()


def test_neighbouring_lines_are_removed(lint, tmp_path: Path) -> None:
    """A fix that reaches beyond its finding is not blamed for the finding behind it."""
    file = tmp_path / "main.py"
    file.write_text("gone(1)\ngone(1)\ngone(2)\nbad(1)\nx = 1\n")

    assert 0 == lint("--fix").code
    assert "good(1)\nx = 1\n" == file.read_text()


def test_suppressed_findings_are_not_fixed(lint, tmp_path: Path) -> None:
    """The author has decided."""
    file = tmp_path / "main.py"
    text = "bad(1)  # fedcheck: ignore[FED901] on purpose\n"
    file.write_text(text)

    assert 0 == lint("--fix").code
    assert text == file.read_text()


@pytest.mark.parametrize(
    "data",
    [
        b"x = 1\r\nbad(\r\n  1)\r\ny = 2",
        codecs.BOM_UTF8 + b"# \xd0\xb6\nbad(1)\n",
        b"# -*- coding: latin-1 -*-\n'\xe9'; bad('\xe9')\n",
        b"# coding: cp1251\r\nx = '\xe6'; bad(1)",
        b"def f():\n\x0c    bad(1)  \n\n\n",
        b"x = '''\n\tbad(1)\r\n'''\nbad(1)\t\n",
        b"a = 1\rbad(1)\rb = 2\r",
        "x = '\u2028\x85', bad(1)\n".encode(),
    ],
)
def test_nothing_but_the_fix_is_changed(lint, tmp_path: Path, data: bytes) -> None:
    """Line endings, encoding, BOM, form feeds, blanks and the end of the file stay."""
    file = tmp_path / "main.py"
    file.write_bytes(data)

    assert 0 == lint("--fix").code

    head, _, tail = data.rpartition(b"bad(")
    assert head + b"good(" + tail == file.read_bytes()


def test_diff_shows_and_changes_nothing(lint, tmp_path: Path) -> None:
    """It is a patch that git applies, and it exits with 1 because there is something to do."""
    file = tmp_path / "main.py"
    before = "# é\nbad(1)\r\nx = bad(2)"
    file.write_bytes(before.encode())

    done = lint("--diff")

    assert 1 == done.code
    assert before.encode() == file.read_bytes()
    patch = subprocess.run(
        ["git", "apply", "--unsafe-paths", "-"],  # noqa: S607
        input=done.out.encode(),
        cwd=tmp_path,
        check=False,
        capture_output=True,
    )
    assert (0, b"") == (patch.returncode, patch.stderr)
    assert before.replace("bad", "good").encode() == file.read_bytes()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems allow fewer names")
@pytest.mark.parametrize("tool", ["git", "patch"])
@pytest.mark.parametrize(
    "name",
    [
        b"x y.py",
        b"\xc3\xa9.py",
        b'q"\\.py',
        b"a\tb.py",
        b"a\nb.py",
        b"\xff.py",
        b"a\xe2\x80\xaeb.py",
    ],
)
def test_a_patch_finds_its_file(lint, tmp_path: Path, name: bytes, tool: str) -> None:
    """Whatever its name; and what is applied is what ``--fix`` would have written."""
    if shutil.which(tool) is None:
        pytest.skip(f"there is no {tool}")
    file = tmp_path / os.fsdecode(name)
    file.write_bytes(b"bad(1)\r\nx = bad(2)")

    assert 1 == lint("--diff", "-o", "found.patch").code

    words = ["git", "apply"] if tool == "git" else ["patch", "-p1", "--binary", "-i"]
    subprocess.run([*words, "found.patch"], cwd=tmp_path, check=True, capture_output=True)
    assert b"good(1)\r\nx = good(2)" == file.read_bytes()


def test_a_patch_that_cannot_be_filed_is_shown(lint, tmp_path: Path) -> None:
    """And the user is told."""
    (tmp_path / "main.py").write_text("bad(1)\n")

    done = lint("--diff", "-o", "no/such/found.patch")

    assert 1 == done.code
    assert "+good(1)" in done.out
    assert "could not be written" in done.err


def test_an_empty_patch_that_cannot_be_filed_is_no_success(lint, tmp_path: Path) -> None:
    """Somebody will look for the file."""
    (tmp_path / "main.py").write_text("good(1)\n")

    assert 3 == lint("--diff", "-o", "no/such/found.patch").code
    assert 0 == lint("--diff", "-o", "found.patch").code


def test_standard_input_comes_back_fixed(lint) -> None:
    """Byte for byte but for the fix; also when there is nothing to fix."""
    assert (0, "good(1)\r\n") == lint("--stdin", "--fix", stdin=b"bad(1)\r\n")[:2]
    assert (1, "good()\n") == lint("--stdin", "--fix", stdin=b"good()\n")[:2]


def test_the_mode_of_a_file_and_a_link_stay(lint, tmp_path: Path) -> None:
    """A fixed script is still executable; a link inside the tree is still a link."""
    file = tmp_path / "main.py"
    file.write_text("bad(1)\n")
    file.chmod(0o755)
    (tmp_path / "other.py").symlink_to(file)

    lint("--fix")

    assert 0o755 == file.stat().st_mode & 0o777
    assert (tmp_path / "other.py").is_symlink()
    assert "good(1)\n" == file.read_text()
    assert ["main.py", "other.py"] == sorted(x.name for x in tmp_path.iterdir())


def test_a_link_out_of_the_tree_is_not_followed(lint, tmp_path: Path, tmp_path_factory) -> None:
    """A hostile tree cannot have other people's files rewritten."""
    outside = tmp_path_factory.mktemp("outside") / "victim.py"
    outside.write_text("bad(1)\n")
    (tmp_path / "main.py").symlink_to(outside)

    done = lint("--fix")

    assert "bad(1)\n" == outside.read_text()
    assert "link to a file outside" in done.err
    assert 0 != done.code


@pytest.mark.parametrize("named", ["{}", "{}/ext", "{}/ext/../ext"])
def test_a_patch_applies_to_the_current_folder(lint, tmp_path: Path, named: str) -> None:
    """However the tree was named; what lies outside keeps its name."""
    (tmp_path / "ext").mkdir()
    (tmp_path / "ext" / "main.py").write_text("bad(1)\n")

    assert "--- a/ext/main.py\n+++ b/ext/main.py\n" in lint(named.format(tmp_path), "--diff").out
    for format_name, place in (("gitlab", '"ext/main.py"'), ("github", "file=ext/main.py,")):
        assert place in lint(named.format(tmp_path), "--format", format_name).out
    os.chdir(tmp_path / "ext")
    assert "a/../ext" not in lint("..", "--diff").out


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--select", "FED901"), "bad()\ngood(1)\n"),
        (("--select", "FED901", "--unsafe-fixes"), "good()\ngood(1)\n"),
    ],
)
def test_findings_of_rules_that_were_not_selected_count(
    lint, tmp_path: Path, words: tuple[str, ...], expected: str
) -> None:
    """A call that is wrong in another way is not put right, whoever looks."""
    (tmp_path / "main.py").write_text("bad()\nbad(1)\n")

    shown = lint("--fix", *words).out

    assert expected == (tmp_path / "main.py").read_text()
    assert "FED902" not in shown


def test_a_file_that_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    """The author's newer text is never overwritten."""
    file = tmp_path / "main.py"
    file.write_text("newer\n")
    change = Change(SourceFile(file, "main.py", b"bad(1)\n"), b"good(1)\n")

    (problem,) = save({"main.py": change}, [tmp_path])

    assert "main.py: not written: it was changed meanwhile; run again" == problem
    assert "newer\n" == file.read_text()


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_file_is_named(tmp_path: Path) -> None:
    """And left as it was."""
    file = tmp_path / "main.py"
    file.write_bytes(b"bad(1)\n")
    file.chmod(0o444)
    change = Change(SourceFile(file, "main.py", b"bad(1)\n"), b"good(1)\n")

    assert "read-only" in save({"main.py": change}, [tmp_path])[0]


_CALLS = st.sampled_from(
    ["bad(1)", "bad()", "bad(bad(2))", "good()", "ugly(bad(3))", "broken(bad(1))", "stubborn(1)"]
)
_LINES = st.one_of(
    _CALLS,
    _CALLS.map(lambda call: f"x = ({call},  # bad(1)\n   'é', {call})"),
    _CALLS.map(lambda call: f"if x:\n\t{call} # fedcheck: ignore[FED901] why"),
    st.sampled_from(["", "# fedcheck: ignore-file[FED903] old", "'''\nbad(1)\n'''", "y = '日本'"]),
)


@given(
    lines=st.lists(_LINES, max_size=6),
    ending=st.sampled_from(["\n", "\r\n"]),
    bom=st.booleans(),
    unsafe=st.booleans(),
)
@settings(max_examples=150)
def test_a_fixed_file_has_nothing_left_to_fix(toys_for_property, lines, ending, bom, unsafe):
    """Fixing twice is fixing once, the result parses, and only call names differ."""
    toys, fixer = toys_for_property
    text = ending.join("\n".join(lines).split("\n"))
    data = (codecs.BOM_UTF8 if bom else b"") + text.encode()
    path = Path("/nowhere/main.py")
    linter = Linter(
        [path],
        Settings(),
        toys.TOY_RULES,
        frozenset(r.code for r in toys.TOY_RULES),
        wanted="6.3.7",
    )
    first = linter.lint({path: data})

    once = fixer(linter, unsafe=unsafe).fix(first, {path: data})

    fixed = once.changes["/nowhere/main.py"].after if once.changes else data
    again = linter.lint({path: fixed})
    twice = fixer(linter, unsafe=unsafe).fix(again, {path: fixed})
    assert {} == twice.changes
    assert fixed.count(ending.encode()) == data.count(ending.encode())
    assert fixed.startswith(codecs.BOM_UTF8) == bom
    names = [b"good", b"nice", b"bad", b"ugly"]
    assert _without(data, names) == _without(fixed, names)


def _without(data: bytes, names: list[bytes]) -> bytes:
    for name in names:
        data = data.replace(name, b"")
    return data


@pytest.fixture(scope="module")
def toys_for_property():
    """Put the toy engine in place once for all examples."""
    from importlib import util

    from fedcheck.lint.engine.fixes.fixing import Fixer

    spec = util.spec_from_file_location("toys", Path(__file__).with_name("toy_engine.py"))
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("fedcheck.lint.engine.engine.check", module.check)
        yield module, Fixer
