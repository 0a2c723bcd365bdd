"""Three extensions in one folder, the command in this process, and which of them it judges."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fedcheck.lint.engine.cache import extensions
from fedcheck.lint.engine.cache.store import EXTENSION_SUFFIX
from fedcheck.lint.engine.extension_run import ExtensionRun
from fedcheck.lint.engine.results import Found

MAIN = """\
from imperal_sdk import ChatExtension, Extension

from helper import load, store

ext = Extension("notes", display_name="Notes", description="Keeps notes", icon="note.svg")
chat = ChatExtension(ext, tool_name="notes", description="Notes")


@chat.function("status", action_type="read")
async def fn_status(ctx, params):
    found = await load(ctx)
    await store(ctx.cache, f"a key {params.x}")
    return found
"""
"""Its findings are in the other file, and their ways begin here."""
HELPER = """\
async def load(ctx):
    ctx.cache.delete("old")
    return await ctx.skeleton.get("account")


async def store(cache, key):
    await cache.set(key, {"a": 1}, ttl_seconds=900)
"""
MANIFEST = '{"sdk_version": "6.0.0", "functions": []}\n'


@pytest.fixture(autouse=True)
def _caches_of_one_test(caches: Path) -> None:
    """Let no test see what another one kept."""


@pytest.fixture(autouse=True)
def _linter_is_old(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the linter's code be older than this process, also while somebody edits it."""
    monkeypatch.setattr(extensions, "STARTED", time.time_ns() + 10**13)
    monkeypatch.setattr(extensions, "linter_files", lambda: [extensions.__file__])


@pytest.fixture
def tree(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Write the extensions one, two and three; go into the folder around them, and return it."""
    folder = tmp_path / "work"
    for name in ("one", "two", "three"):
        (folder / name).mkdir(parents=True)
        (folder / name / "main.py").write_text(MAIN.replace("notes", name))
        (folder / name / "helper.py").write_text(HELPER)
        (folder / name / "imperal.json").write_text(MANIFEST)
    monkeypatch.chdir(folder)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    return folder


@pytest.fixture
def lint(tree: Path, lint_here: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that runs ``fedcheck lint`` over the tree."""
    assert tree.is_dir()
    return lint_here


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list to which the name of each extension is added that the engine judges."""
    names: list[str] = []
    real = ExtensionRun.found

    def found(run: ExtensionRun) -> Found:
        names.append(run.inputs().root.name)
        return real(run)

    monkeypatch.setattr(ExtensionRun, "found", found)
    return names


@pytest.fixture
def entries(caches: Path) -> Callable[[], list[Path]]:
    """Return a function that lists what is kept of extensions."""
    return lambda: sorted(caches.rglob(f"*{EXTENSION_SUFFIX}"))
