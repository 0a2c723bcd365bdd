"""What is judged again after a change, what is not; either way a run says what a cold one says."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from fedcheck.lint.cli.watch import watch
from fedcheck.reports.lint.formats import FORMATS

ALL = ["one", "two", "three"]


def _edit(tree: Path) -> None:
    (tree / "two" / "main.py").write_text("import imperal_sdk\n")


def _edit_without_a_trace(tree: Path) -> None:
    file = tree / "two" / "helper.py"
    before = file.stat()
    file.write_text(file.read_text().replace("900", "100"))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


def _ignore(tree: Path) -> None:
    file = tree / "two" / "helper.py"
    file.write_text(f"# fedcheck: ignore-file[FED201] an old kernel\n{file.read_text()}")


def _add(tree: Path) -> None:
    (tree / "two" / "deep").mkdir()
    (tree / "two" / "deep" / "new.py").write_text("x = 1\n")


def _shadow(tree: Path) -> None:
    """A package of this name was looked for, and was not there."""
    (tree / "two" / "helper").mkdir()
    (tree / "two" / "helper" / "__init__.py").write_text("async def load(ctx): ...\n")


def _delete(tree: Path) -> None:
    (tree / "two" / "helper.py").unlink()


def _rename(tree: Path) -> None:
    (tree / "two" / "helper.py").rename(tree / "two" / "helpers.py")


def _rename_the_extension(tree: Path) -> None:
    (tree / "two").rename(tree / "four")


def _change_manifest(tree: Path) -> None:
    (tree / "two" / "imperal.json").write_text('{"functions": [{"name": "x"}]}')


def _remove_manifest(tree: Path) -> None:
    (tree / "two" / "imperal.json").unlink()


def _draw(tree: Path) -> None:
    (tree / "two" / "note.svg").write_text("<svg/>")


def _require(tree: Path) -> None:
    (tree / "two" / "requirements.txt").write_text("imperal-sdk==6.3.2\n")


def _exclude(tree: Path) -> None:
    (tree / "fedcheck.toml").write_text("[lint]\nexclude = ['two/helper.py']\n")


@pytest.mark.parametrize(
    ("change", "again"),
    [
        (_edit, ["two"]),
        (_edit_without_a_trace, ["two"]),
        (_ignore, ["two"]),
        (_add, ["two"]),
        (_shadow, ["two"]),
        (_delete, ["two"]),
        (_rename, ["two"]),
        (_rename_the_extension, ["four"]),
        (_change_manifest, ["two"]),
        (_remove_manifest, ["two"]),
        (_draw, ["two"]),
        (_require, ["two"]),
        (_exclude, ["two"]),
    ],
)
def test_only_what_changed_is_judged(
    lint, judged: list[str], tree: Path, change: Callable[[Path], None], again: list[str]
) -> None:
    """And what was known of it before is still known when the change is undone."""
    lint()
    assert sorted(ALL) == sorted(judged)
    judged.clear()
    shutil.copytree(tree, tree.with_name("before"))

    change(tree)

    changed = lint()
    assert again == judged
    assert changed == lint("--no-cache")
    judged.clear()
    shutil.rmtree(tree)
    shutil.copytree(tree.with_name("before"), tree)
    os.chdir(tree)
    assert lint("--format", "json") == lint("--format", "json", "--no-cache")
    assert 3 == len(judged)


def _require_above(tree: Path) -> tuple[str, ...]:
    for name in ALL:
        (tree / name / "imperal.json").unlink()
    (tree / "requirements.txt").write_text("imperal-sdk==6.3.2\n")
    return ()


def _settle(tree: Path) -> tuple[str, ...]:
    (tree / "fedcheck.toml").write_text("[lint]\nselect = ['FED2']\n")
    return ()


@pytest.mark.parametrize(
    "change",
    [
        lambda _tree: ("--select", "FED2"),
        lambda _tree: ("--ignore", "FED505"),
        lambda _tree: ("--target-sdk", "6.3.1"),
        lambda _tree: ("--all-files",),
        lambda _tree: ("--exhaustive",),
        lambda tree: (str(tree),),
        lambda _tree: ("one/main.py", "two/main.py", "three/main.py"),
        _require_above,
        _settle,
    ],
)
def test_what_decides_for_all_is_seen_by_all(
    lint, judged: list[str], tree: Path, change: Callable[[Path], tuple[str, ...]]
) -> None:
    """Nothing is taken from a run with other rules, another target, another extent or names."""
    lint()
    judged.clear()

    words = change(tree)

    assert lint(*words) == lint(*words, "--no-cache")
    assert sorted(ALL * 2) == sorted(judged)


def _touch(tree: Path) -> tuple[str, ...]:
    for file in tree.rglob("*"):
        file.touch()
    return ()


def _leave_other_files(tree: Path) -> tuple[str, ...]:
    (tree / "two" / "notes.txt").write_text("x")
    (tree / "two" / "tests").mkdir()
    (tree / "two" / "tests" / "test_x.py").write_text("bad")
    return ()


def _leave_one_out(tree: Path) -> tuple[str, ...]:
    shutil.rmtree(tree / "two")
    return ()


def _ignore_per_file(tree: Path) -> tuple[str, ...]:
    settled = "[lint]\nfail-on = 'never'\nper-file-ignores = {'two/*' = ['FED201']}\n"
    (tree / "fedcheck.toml").write_text(settled)
    return ()


@pytest.mark.parametrize(
    "change",
    [
        _touch,
        _leave_other_files,
        _leave_one_out,
        _ignore_per_file,
        lambda _tree: ("--fail-on", "never"),
        lambda _tree: ("--no-ignores",),
        lambda _tree: ("--statistics",),
        lambda _tree: ("one", "two"),
        lambda _tree: ("-o", "found.txt"),
        *(lambda _tree, name=name: ("--format", name) for name in FORMATS),
    ],
)
def test_what_decides_later_costs_nothing(
    lint, judged: list[str], tree: Path, change: Callable[[Path], tuple[str, ...]]
) -> None:
    """Judging is spared where only what is shown or accepted has changed, in each format."""
    lint()
    judged.clear()

    words = change(tree)

    changed = lint(*words)
    assert [] == judged
    assert changed == lint(*words, "--no-cache")


def test_a_file_that_is_named_besides_its_folder_counts(lint, tree: Path) -> None:
    """It is linted though no entry imports it; its bytes and its name are the same either way."""
    text = "from imperal_sdk import Extension, Nonexistent\n"
    (tree / "one" / "alone.py").write_text(text)
    folder = lint("one")

    both = lint("one", "one/alone.py")

    assert ("alone.py" in folder.out, "alone.py" in both.out) == (False, True)
    assert folder == lint("one", "--fail-on", "warning")


def test_a_folder_that_is_named_besides_its_file_counts(lint, tree: Path) -> None:
    """The other files are linted too; alone, they were only followed into."""
    main = str(tree / "one" / "main.py")
    alone = lint(main, "--format", "concise")

    both = lint(main, str(tree / "one"), "--format", "concise")

    assert ("helper.py" in alone.out, "helper.py" in both.out) == (False, True)


def test_a_baseline_is_applied_each_time(lint, judged: list[str], tree: Path) -> None:
    """Entries hide what is known, and a dropped one shows it again."""
    words = ("--baseline", "b.json")
    lint(*words, "--update-baseline")
    judged.clear()
    assert (0, lint(*words, "--no-cache")) == (lint(*words).code, lint(*words))
    file = tree / "b.json"
    file.write_text(file.read_text().replace("FED201", "FED202"))

    assert lint(*words, "--no-cache") == lint(*words)
    assert sorted(ALL * 2) == sorted(judged)


def test_fixes_are_made_of_what_is_known(lint, judged: list[str], tree: Path) -> None:
    """The same ones as without: the spans are of the same bytes. Mended texts are judged."""
    lint()
    (tree / "two" / "helper.py").write_text("async def load(ctx): ...\n")
    lint("two")
    judged.clear()
    copy = shutil.copytree(tree, tree.with_name("copy"))
    known = lint("--fix", "--unsafe-fixes")
    texts = {file.relative_to(tree): file.read_bytes() for file in tree.rglob("*.py")}
    assert {"one", "three"} == set(judged)

    os.chdir(copy)
    assert known == lint("--fix", "--unsafe-fixes", "--no-cache")
    assert texts == {file.relative_to(copy): file.read_bytes() for file in copy.rglob("*.py")}
    assert b"await ctx.cache.delete" in texts[Path("one/helper.py")]


def test_what_an_editor_has_not_saved_is_not_kept(lint, judged: list[str], entries, tree) -> None:
    """Nobody will ask for it again; what is known may be said of what it holds."""
    words = ("--stdin", "--stdin-filename", "one/main.py")
    text = (tree / "one" / "main.py").read_bytes()
    for _ in range(2):
        assert 1 == lint(*words, stdin=text).code
    assert (2, []) == (len(judged), entries())

    lint("one/main.py")
    saved = lint(*words, stdin=text)

    assert (3, lint("one/main.py")) == (len(judged), saved)


def test_watching_judges_what_changed(lint, judged: list[str], entries, tree, monkeypatch) -> None:
    """Also settings and requirements count while it runs, and broken ones end nothing."""
    steps = iter([
        lambda: _edit(tree),
        lambda: _require(tree),
        lambda: (tree / "fedcheck.toml").write_text("[lint]\nfail-on = 'never'\n"),
        lambda: (tree / "fedcheck.toml").write_text("[lint]\nfail = 1\n"),
        lambda: (tree / "fedcheck.toml").write_text("[lint]\nselect = ['FED2']\n"),
    ])  # fmt: skip
    turns: list[list[str]] = []

    def sleep(_seconds: float) -> None:
        turns.append(sorted(judged))
        judged.clear()
        step = next(steps, None)
        if step is None:
            raise KeyboardInterrupt
        step()

    monkeypatch.setitem(watch.__kwdefaults__, "sleep", sleep)
    done = lint("--watch", "--format", "json")

    assert [sorted(ALL), ["two"], ["two"], [], [], sorted(ALL)] == turns
    assert "lint has no setting 'fail'" in done.err
    assert done.out.endswith(lint("--format", "json", "--no-cache").out)
    assert 8 == len(entries())
