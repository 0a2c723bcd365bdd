"""Linting runs nothing of the tree, however a module in it is called and however it is started."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest

from .action_steps import read_action, run_step

_FEDCHECK = str(Path(sys.executable).with_name("fedcheck"))
_ISOLATED = (sys.executable, "-I", "-m", "fedcheck")
_STARTED_BY_PYTHON = ("sitecustomize", "usercustomize", "pip", "ensurepip", "venv", "fedcheck")
_PACKAGES = ("fedcheck", "libcst", "click", "rich", "encodings", "importlib", "pip", "venv")
_APP = """\
# {mark}
from imperal_sdk import Extension
import json, typing, ast, click, libcst, sitecustomize

ext = Extension("app-{number}", display_name="App", description="An app among planted modules")


@ext.panel("p")
async def p(ctx):
    return await ctx.notify.push("{number}")
"""
_PLANTED = """\
try:
    import posix as system
except ImportError:
    import nt as system
place = system.open({mark!r}, system.O_WRONLY | system.O_CREAT | system.O_APPEND, 0o600)
system.write(place, __name__.encode() + b" ")
system.close(place)
"""
"""Leaves a mark even before an interpreter has files, as where it looks for its encodings."""

_PADDING = "# a line of a long file that says nothing\n" * 8_000
_FINDS = 1
"""Exit code of a lint that has findings: the tree was linted, and not only refused."""


@pytest.fixture
def mark(tmp_path: Path) -> Path:
    """Return the file that every planted module writes its name into."""
    return tmp_path / "mark"


@pytest.fixture
def tree(tmp_path: Path, mark: Path) -> Path:
    """Return a tree with two extensions and a module of every name that a start might load."""
    root = tmp_path / "tree"
    root.mkdir()
    planted = _PLANTED.format(mark=str(mark))
    names = {*sys.stdlib_module_names, *packages_distributions(), *_STARTED_BY_PYTHON}
    for name in sorted(name for name in names if name.isidentifier()):
        (root / f"{name}.py").write_text(planted)
    for name in _PACKAGES:
        (root / name).mkdir()
        for part in ("__init__.py", "__main__.py"):
            (root / name / part).write_text(planted)
    metadata = root / "planted-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: planted\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text("[fedcheck.rules]\nplanted = click:rule\n")
    (root / "planted.pth").write_text("import sitecustomize\n")
    for name in ("conftest.py", "setup.py", "__init__.py", "__main__.py"):
        (root / name).write_text(planted)
    for number in range(2):
        (root / f"app{number}").mkdir()
        text = _APP.format(mark=mark, number=number)
        (root / f"app{number}" / "main.py").write_text(text + _PADDING)
    return root


@pytest.fixture
def hostile(tree: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the tree, in an environment whose variables lead interpreters into it."""
    monkeypatch.setenv("PYTHONPATH", f"{tree}{os.pathsep}.")
    monkeypatch.setenv("PYTHONSTARTUP", str(tree / "click.py"))
    monkeypatch.setenv("PYTHONUSERBASE", str(tree))
    return tree


def linted(tree: Path, *command: str) -> None:
    """Lint the tree from inside; something must have been found."""
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)
    assert _FINDS == done.returncode, done.stdout + done.stderr
    assert "FED105" in done.stdout


def test_what_is_planted_leaves_a_mark(hostile: Path, mark: Path) -> None:
    """An interpreter that is not isolated loads it: else these tests would show nothing."""
    subprocess.run([sys.executable, "-c", ""], cwd=hostile, capture_output=True, check=False)
    assert mark.exists()


@pytest.mark.parametrize("words", [(), ("-j", "2"), ("--all-files",), ("--exhaustive", "-j", "2")])
def test_the_command_loads_nothing_of_the_tree(
    tree: Path, mark: Path, words: Sequence[str]
) -> None:
    """In one process or several, over every file, with and without what an earlier run kept."""
    for _ in range(2):
        linted(tree, _FEDCHECK, "lint", "--format", "concise", "--target-sdk", "next", *words)
    assert not mark.exists()


@pytest.mark.parametrize("words", [(), ("-j", "2", "--no-cache")])
def test_an_isolated_start_loads_nothing_of_the_tree(
    hostile: Path, mark: Path, words: Sequence[str]
) -> None:
    """Whatever the environment says."""
    linted(hostile, *_ISOLATED, "lint", "--format", "concise", *words)
    assert not mark.exists()


def test_the_hooks_load_nothing_of_the_tree(
    hostile: Path, mark: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their entries, as pre-commit starts them: by the programs of their own environment."""
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
    hooks = Path(__file__).resolve().parents[2] / ".pre-commit-hooks.yaml"
    programs = Path(sys.executable).parent
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    for hook in yaml.safe_load(hooks.read_text("utf-8")):
        program, *words = hook["entry"].split()
        linted(hostile, str(programs / program), *words)
    assert not mark.exists()


def test_the_steps_of_the_action_load_nothing_of_the_tree(
    hostile: Path, mark: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The installation as well, which is left at a package that is not there."""
    monkeypatch.setenv("TMPDIR", str(hostile.parent))
    action: Any = read_action()
    code, printed, _ = run_step(action, "lint", hostile, sarif="found.sarif", format="concise")
    assert (_FINDS, True) == (code, "FED105" in printed), printed
    code, printed, _ = run_step(action, "install", hostile, wheel="no-such-package.whl")
    assert 0 != code, printed
    assert "no-such-package" in printed
    assert not mark.exists()


@pytest.mark.parametrize("command", [(_FEDCHECK,), _ISOLATED])
def test_the_server_loads_nothing_of_the_tree(
    tree: Path, mark: Path, command: Sequence[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Started in the folder that is edited; isolated, also where variables lead into it."""
    pytest.importorskip("pygls", reason="the extra `lsp` is not installed")
    from .editor_client import Editor, edit_with

    if command == _ISOLATED:
        monkeypatch.setenv("PYTHONPATH", str(tree))

    async def session(editor: Editor) -> int:
        editor.open("app0/main.py", (tree / "app0" / "main.py").read_text())
        return len(await editor.diagnostics("app0/main.py", 1))

    assert 0 < edit_with(tree, session, command)
    assert not mark.exists()
