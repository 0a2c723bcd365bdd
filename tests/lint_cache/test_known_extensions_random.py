"""Whatever happens to a tree, what is known of its extensions never shows."""

from __future__ import annotations

import os
import random
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from fedcheck.reports.lint.formats import FORMATS

_MORE = """\
import importlib

from two import helper
from imperal_sdk import Extension


async def late(ctx):
    return ctx.skeleton_data, helper.load(ctx), await ctx.notify.push("x")
"""
_TEXTS = [
    _MORE,
    "x = 1\n",
    "async def load(ctx): ...\n\n\nasync def store(cache, key):\n    await cache.set('a b', 1)\n",
    "from helper import store\n\n\nasync def load(ctx):\n    await store(ctx.cache, 'x y')\n",
    "# fedcheck: ignore-file[FED201, FED301] an old kernel\n" + _MORE,
    "async def load(ctx):\n    return await ctx.skeleton.get('a')  # fedcheck: ignore[FED201]\n",
    "async def load(ctx):\n    return ctx.skeleton  # fedcheck: ignore[FED999] nothing\n",
    "def f(:\n",
    "# -*- coding: cp1251 -*-\nx = '\u0416'\n",
]
_NAMES = ["main.py", "app.py", "helper.py", "deep/helper.py", "helper/__init__.py", "tests/a.py"]
_SETTINGS = [
    "",
    "exclude = ['helper.py']",
    "exclude = ['two/*']\nall-files = true",
    "select = ['FED2', 'FED3']",
    "per-file-ignores = { 'one/*' = ['FED301'] }",
    "target-sdk = '6.3.1'",
    "fail-on = 'never'\nextend-select = ['ALL']",
]
_WORDS: list[tuple[str, ...]] = [
    (),
    ("one", "two/main.py"),
    ("two/helper.py",),
    ("--select", "FED2,FED0"),
    ("--all-files",),
    ("--exhaustive", "one"),
    ("--no-ignores",),
    ("--show-suppressed",),
    ("--baseline", "b.json"),
    ("--target-sdk", "next"),
    ("--diff",),
]


class Wild:
    """Changes three extensions at random.

    Args:
        tree: the folder around them.
        seed: of what happens.
    """

    def __init__(self, tree: Path, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311 - a test
        self._tree = tree
        self._seen: list[tuple[Path, bytes]] = []

    def __call__(self) -> None:
        """Do one thing."""
        kinds = [self._write] * 3 + [self._restore] * 2 + [self._edit_in_place, self._delete,
                 self._rename, self._rename_folder, self._manifest, self._require, self._settle,
                 self._copy, self._swap, self._touch, self._link, self._draw]  # fmt: skip
        self.random.choice(kinds)()

    def _folder(self) -> Path:
        return self._tree / self.random.choice(["one", "two", "three"])

    def _some(self, pattern: str = "*.py") -> list[Path]:
        found = sorted(x for x in self._tree.rglob(pattern) if x.is_file() and not x.is_symlink())
        return self.random.sample(found, min(1, len(found)))

    def _put(self, file: Path, data: bytes) -> None:
        if not any(above.is_file() for above in file.parents) and not file.is_dir():
            file.parent.mkdir(parents=True, exist_ok=True)
            if not file.is_symlink():
                file.write_bytes(data)
                self._seen.append((file, data))

    def _write(self) -> None:
        text = self.random.choice(_TEXTS)
        self._put(self._folder() / self.random.choice(_NAMES), text.encode("cp1251"))

    def _restore(self) -> None:
        """As a switch of branches does."""
        if self._seen:
            self._put(*self.random.choice(self._seen))

    def _edit_in_place(self) -> None:
        for file in self._some():
            data, status = file.read_bytes(), file.stat()
            self._seen.append((file, data))
            file.write_bytes(data.replace(b"900", b"100").replace(b"skeleton", b"skeletoN"))
            os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))

    def _delete(self) -> None:
        for file in self._some():
            file.unlink()

    def _rename(self) -> None:
        for file in self._some():
            file.rename(file.with_name(self.random.choice(["helper.py", "other.py", "app.py"])))

    def _rename_folder(self) -> None:
        old, new = self._folder(), self._tree / self.random.choice(["one", "four"])
        if old.exists() and not new.exists():
            old.rename(new)

    def _manifest(self) -> None:
        text = self.random.choice(
            ['{"sdk_version": "6.3.2"}', "{", '{"functions": [{"name": "x"}]}']
        )
        self._put(self._folder() / "imperal.json", text.encode())

    def _draw(self) -> None:
        text = self.random.choice(["<svg/>", '<svg viewBox="0 0 1 1"/>', "<svg>"])
        self._put(self._folder() / "note.svg", text.encode())

    def _require(self) -> None:
        place = self.random.choice([self._tree, self._folder()])
        version = self.random.choice(["==6.3.2", ">=6", ""])
        self._put(place / "requirements.txt", f"imperal-sdk{version}\n".encode())

    def _settle(self) -> None:
        text = f"[lint]\n{self.random.choice(_SETTINGS)}\n"
        (self._tree / "fedcheck.toml").write_text(text)

    def _copy(self) -> None:
        old, new = self._folder(), self._tree / "copy"
        if old.exists() and not new.exists():
            shutil.copytree(old, new, symlinks=True)

    def _swap(self) -> None:
        one, two, aside = (self._tree / name for name in ("one", "two", "aside"))
        if one.exists() and two.exists():
            one.rename(aside)
            two.rename(one)
            aside.rename(two)

    def _touch(self) -> None:
        for file in self._some("*"):
            file.touch()

    def _link(self) -> None:
        link = self._folder() / "link.py"
        if sys.platform != "win32" and link.parent.exists():
            link.unlink(missing_ok=True)
            link.symlink_to(self._tree / "two" / "helper.py")


@pytest.mark.parametrize(
    "seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(3, 10))]
)
def test_whatever_happens_known_is_cold(
    lint: Callable[..., object], judged: list[str], tree: Path, seed: int
) -> None:
    """After each change, for each way to ask, a run says byte for byte what one without says."""
    wild = Wild(tree, seed)
    lint("--baseline", "b.json", "--update-baseline", "--no-cache")
    known = cold = 0
    for _ in range(12):
        wild()
        words = ("--format", wild.random.choice(list(FORMATS)), *wild.random.choice(_WORDS))
        for asked in (words, ()):
            judged.clear()
            said = lint(*asked)
            known += len(judged)
            judged.clear()
            assert lint(*asked, "--no-cache") == said
            cold += len(judged)
    assert 0 < known < cold * 0.8


@pytest.mark.parametrize("name", FORMATS)
def test_each_format_says_the_same(lint, judged: list[str], tree: Path, name: str) -> None:
    """With findings, their ways, suppressed ones, and what could not be linted."""
    for file, text in (("one/helper.py", _TEXTS[4]), ("two/helper.py", _TEXTS[5])):
        (tree / file).write_text(text)
    (tree / "three" / "app.py").write_text("def f(:\n")
    lint()
    judged.clear()

    said = lint("--format", name, "--show-suppressed", "--all-files")

    assert lint("--format", name, "--show-suppressed", "--all-files", "--no-cache") == said
    again = lint("--format", name, "--all-files", "--fail-on", "never")
    assert lint("--format", name, "--all-files", "--fail-on", "never", "--no-cache") == again
    assert 9 == len(judged)
