"""Whatever changes, a run with kept results says what one without says."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

posix = pytest.mark.skipif(sys.platform == "win32", reason="links and modes of POSIX")
BAD, BAR = "bad(1)\n", "bar(1)\n"
"""Of equal size; the first has a finding."""
SETTINGS = "[lint]\nselect = ['FED901']\n"


def _edit(folder: Path) -> None:
    (folder / "main.py").write_text(BAR)


def _edit_and_restore_the_time(folder: Path) -> None:
    before = (folder / "main.py").stat()
    (folder / "main.py").write_text(BAR)
    os.utime(folder / "main.py", ns=(before.st_atime_ns, before.st_mtime_ns))


def _add(folder: Path) -> None:
    (folder / "part" / "new.py").write_text(BAR)


def _add_in_new_folder(folder: Path) -> None:
    (folder / "part" / "deep").mkdir()
    (folder / "part" / "deep" / "new.py").write_text(BAR)


def _delete(folder: Path) -> None:
    (folder / "part" / "other.py").unlink()


def _rename(folder: Path) -> None:
    (folder / "part" / "other.py").rename(folder / "part" / "another.py")


def _rename_the_folder(folder: Path) -> None:
    (folder / "part").rename(folder / "parts")


def _change_manifest(folder: Path) -> None:
    (folder / "imperal.json").write_text('{"sdk_version": "6.3.1"}')


def _remove_manifest(folder: Path) -> None:
    (folder / "imperal.json").unlink()


def _draw(folder: Path) -> None:
    (folder / "part" / "icon.svg").write_text("<svg/>")


def _require(folder: Path) -> None:
    (folder / "requirements.txt").write_text("imperal-sdk==6.3.2\n")


def _require_above(folder: Path) -> None:
    (folder.parent / "requirements.txt").write_text("imperal-sdk==6.3.2\n")


def _settle(folder: Path) -> None:
    (folder / "fedcheck.toml").write_text(SETTINGS)


def _settle_above(folder: Path) -> None:
    (folder.parent / "pyproject.toml").write_text("[tool.fedcheck.lint]\nselect = ['FED901']\n")


def _begin_a_repository(folder: Path) -> None:
    (folder / ".git").mkdir()


def _ignore(folder: Path) -> None:
    (folder / "main.py").write_text("bad(1)  # fedcheck: ignore[FED901] a toy\n")


CHANGES = [
    _edit,
    _edit_and_restore_the_time,
    _add,
    _add_in_new_folder,
    _delete,
    _rename,
    _rename_the_folder,
    _change_manifest,
    _remove_manifest,
    _draw,
    _require,
    _require_above,
    _settle,
    _settle_above,
    _begin_a_repository,
    _ignore,
]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("waits", [True, False])
def test_changes_are_seen(
    lint,
    looks,
    later,
    toy_extension,
    monkeypatch,
    tmp_path: Path,
    change: Callable[[Path], None],
    waits: bool,
) -> None:
    """At once, in the same tick of the clock, and later, when stamps are trusted."""
    monkeypatch.chdir(toy_extension())
    for _ in range(2):
        lint()
        if waits:
            later()
    assert 1 == len(looks)

    change(tmp_path / "ext")

    changed = lint()
    assert 2 == len(looks)
    assert lint("--no-cache") == changed


def _touch(folder: Path) -> None:
    (folder / "main.py").touch()
    os.utime(folder / "part" / "other.py", ns=(1, 1))


def _check_out_again(folder: Path) -> None:
    shutil.copytree(folder, folder.with_name("copy"))
    shutil.rmtree(folder)
    folder.with_name("copy").rename(folder)


def _leave_other_files(folder: Path) -> None:
    (folder / "part" / "__pycache__").mkdir()
    (folder / ".main.py.swp").write_text("x")
    (folder / "notes.txt").write_text("x")
    (folder / "part" / "test_other.py").write_text(BAD)


@pytest.mark.parametrize("change", [_touch, _check_out_again, _leave_other_files])
def test_what_has_only_another_stamp_is_looked_at_once(
    lint, looks, later, toy_extension, monkeypatch, change: Callable[[Path], None]
) -> None:
    """Equal content is read again, not linted; then its new stamps are trusted."""
    folder = toy_extension()
    lint("ext")
    later()

    change(folder)

    lint("ext")
    later()
    lint("ext")
    monkeypatch.setattr("fedcheck.lint.engine.cache.recording.refreshed", lambda *_: 1 / 0)
    lint("ext")
    assert 1 == len(looks)


def test_a_baseline_counts_and_so_does_the_day(
    lint, looks, toy_extension, monkeypatch, tmp_path: Path
) -> None:
    """An entry added or dropped is seen, and a new day, because entries age."""
    toy_extension()
    words = ("ext", "--baseline", "b.json")
    lint(*words, "--update-baseline")
    assert [0, 0] == [lint(*words).code for _ in range(2)]
    assert 2 == len(looks)

    now = time.time_ns
    monkeypatch.setattr("time.time_ns", lambda: now() + 86_400_000_000_000)
    lint(*words)
    assert 3 == len(looks)
    text = (tmp_path / "b.json").read_text()
    (tmp_path / "b.json").write_text(text.replace('"FED901"', '"FED906"'))
    assert 1 == lint(*words).code


def test_settings_that_were_named_count(lint, looks, toy_extension, tmp_path: Path) -> None:
    """A change in the file of ``--config`` is seen."""
    toy_extension()
    (tmp_path / "my.toml").write_text(SETTINGS)
    words = ("ext", "--config", "my.toml")
    assert [1, 1] == [lint(*words).code for _ in range(2)]
    assert 1 == len(looks)

    (tmp_path / "my.toml").write_text(SETTINGS.replace("1", "2"))

    assert 0 == lint(*words).code


def test_the_end_of_a_repository_counts(lint, looks, toy_extension, tmp_path: Path) -> None:
    """Settings above it count from then on; a commit in it changes nothing."""
    toy_extension("a/ext")
    repository = tmp_path / "a" / ".git"
    repository.mkdir()
    (tmp_path / "fedcheck.toml").write_text(SETTINGS.replace("1", "2"))
    assert [1, 1] == [lint("a/ext").code for _ in range(2)]
    (repository / "HEAD").write_text("x")
    assert (1, 1) == (lint("a/ext").code, len(looks))

    (repository / "HEAD").unlink()
    repository.rmdir()

    assert 0 == lint("a/ext").code


@posix
def test_where_links_lead_counts(lint, looks, toy_extension, tmp_path: Path) -> None:
    """A link to an equal extension elsewhere has other settings above it."""
    one = toy_extension("a/ext")
    two = shutil.copytree(one, tmp_path / "b" / "ext")
    (two.parent / "fedcheck.toml").write_text(SETTINGS.replace("1", "2"))
    (tmp_path / "link").symlink_to(one)
    assert [1, 1] == [lint("link").code for _ in range(2)]
    assert 1 == len(looks)

    (tmp_path / "link").unlink()
    (tmp_path / "link").symlink_to(two)

    assert 0 == lint("link").code


@posix
def test_settings_above_where_a_link_leads_count(lint, toy_extension, tmp_path: Path) -> None:
    """They are looked for there, not above the link."""
    (tmp_path / "link").symlink_to(toy_extension("a/ext"))
    assert [1, 1] == [lint("link").code for _ in range(2)]

    (tmp_path / "a" / "fedcheck.toml").write_text(SETTINGS.replace("1", "2"))

    assert 0 == lint("link").code


@posix
def test_a_link_that_comes_to_life_counts(lint, toy_extension, tmp_path: Path) -> None:
    """The folder has not changed, only what lies behind the link."""
    folder = toy_extension()
    (folder / "far.py").symlink_to(tmp_path / "far.py")
    (folder / "main.py").write_text(BAR)
    (folder / "part" / "other.py").write_text(BAR)
    assert [3, 3] == [lint("ext").code for _ in range(2)]

    (tmp_path / "far.py").write_text(BAD)

    assert 1 == lint("ext").code


_TEXTS = [BAD, BAR, "x = 1\n", "bad(1)\nugly(2)\n", "bad(1)  # fedcheck: ignore[FED901] y\n", "("]


class Wild:
    """Changes an extension at random."""

    def __init__(self, folder: Path, seed: int) -> None:
        self._folder = folder
        self._random = random.Random(seed)  # noqa: S311 - a test

    def __call__(self) -> None:
        self._random.choice([self._write, self._write, self._restore, self._delete, self._rename,
                             self._touch, self._settle, self._link])()  # fmt: skip

    def _file(self) -> Path:
        folder = self._random.choice(["", "part", "part/deep", "tests", "new"])
        return self._folder / folder / self._random.choice(["a.py", "b.py", "main.py"])

    def _write(self) -> None:
        file = self._file()
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.is_symlink():
            file.write_text(self._random.choice(_TEXTS))

    def _restore(self) -> None:
        for file in sorted(self._folder.rglob("*.py"))[:1]:
            if not file.is_symlink():
                status = file.stat()
                text = file.read_text().replace("bad", "bax")
                file.write_text(text)
                os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))

    def _delete(self) -> None:
        self._file().unlink(missing_ok=True)

    def _rename(self) -> None:
        if (self._folder / "part").exists() and not (self._folder / "moved").exists():
            (self._folder / "part").rename(self._folder / "moved")

    def _touch(self) -> None:
        for file in self._folder.rglob("*.py"):
            if file.exists():
                file.touch()

    def _settle(self) -> None:
        name, text = self._random.choice([
            ("fedcheck.toml", SETTINGS),
            ("fedcheck.toml", "[lint]\nexclude = ['part']\n"),
            ("requirements.txt", "imperal-sdk==6.3.2\n"),
            ("requirements.txt", "-r base.txt\n"), ("base.txt", "imperal-sdk==6.3.2\n"),
            ("imperal.json", '{"sdk_version": "6.3.1"}'),
        ])  # fmt: skip
        (self._folder / name).write_text(text)

    def _link(self) -> None:
        file = self._folder / "link.py"
        if sys.platform != "win32":
            file.unlink(missing_ok=True)
            file.symlink_to(self._file())


@pytest.mark.parametrize("seed", range(8))
def test_whatever_happens_warm_is_cold(lint, toy_extension, seed: int) -> None:
    """After each change a run with the cache says what one without says."""
    folder = toy_extension()
    wild = Wild(folder, seed)
    for _ in range(15):
        wild()
        cold = lint("ext", "--no-cache")
        assert [cold, cold] == [lint("ext"), lint("ext")]


_SPY = """
import os, sys
from pathlib import Path
top = os.path.realpath(sys.argv[1])
seen, names = set(), {"open": 0, "os.scandir": 0, "os.listdir": 0}
spying = True
def note(path):
    if spying and isinstance(path, (str, os.PathLike)):
        full = os.path.abspath(path)
        if full.startswith(top + os.sep):
            seen.add(full)
sys.addaudithook(lambda event, args: event in names and note(args[0]))
for name in ("stat", "lstat"):
    def spied(path, *more, _real=getattr(os, name), **options):
        note(path)
        return _real(path, *more, **options)
    setattr(os, name, spied)
from fedcheck.lint.cli.options import Options
from fedcheck.lint.cli.main import run
run(Options(paths=tuple(map(Path, sys.argv[2:])), config=None, isolated=False))
spying = False
from fedcheck.lint.engine.cache.dependencies import ENTRIES, SETTLING, Dependencies
known = Dependencies(map(Path, sys.argv[2:]))
folders = {p for p in known.stamped if os.path.isdir(p)}
def covered(path):
    folder, name = os.path.split(path)
    listed = name.endswith(".py") or name in (*SETTLING, ".git")
    above = any(str(a) == path for p in known.stamped for a in Path(p).parents)
    return path in known.stamped or path in known.present or (listed and folder in folders) or (
        above and os.path.isdir(path)) or os.path.isfile(folder)
print(len(seen), sorted(path for path in seen if not covered(path)))
"""


@pytest.mark.parametrize(
    "paths",
    [
        ["ext"],
        ["ext/part"],
        ["ext/part/other.py"],
        ["ext/part/deep/er/main.py", "two"],
        ["."],
        ["link/part"],
    ],
)
def test_nothing_is_read_that_is_not_known(tmp_path: Path, paths: list[str]) -> None:
    """Whatever the linter opens, lists or looks for below a folder is a dependency of the run."""
    if sys.platform == "win32" and "link/part" in paths:
        pytest.skip("links need rights there")
    for root in (tmp_path / "up" / "ext", tmp_path / "up" / "two" / "three"):
        (root / "part" / "deep" / "er").mkdir(parents=True)
        (root / "tests").mkdir()
        (root / "main.py").write_text("from imperal_sdk import Extension\nimport part.other\n")
        for name in ("part/other.py", "part/deep/er/main.py", "tests/test_x.py"):
            (root / name).write_text("async def f(ctx):\n    return ctx.skeleton_data\n")
        (root / "imperal.json").write_text("{}")
        (root / "requirements.txt").write_text("-r ../base.txt\nimperal-sdk>=6\n")
        (root / "part" / "deep" / "er" / "requirements.txt").write_text("-c ../pins.txt\n")
    if "link/part" in paths:
        (tmp_path / "up" / "link").symlink_to(tmp_path / "up" / "ext")

    command = [sys.executable, "-c", _SPY, str(tmp_path), *paths]
    shown = subprocess.run(
        command, cwd=tmp_path / "up", capture_output=True, text=True, check=False
    )
    number, unknown = shown.stdout.splitlines()[-1].split(" ", 1)
    assert ("[]", True) == (unknown, int(number) > 5)
