"""A file whose time is over takes nothing from the others: what was half found is forgotten."""

from __future__ import annotations

from pathlib import Path

import pytest

from fedcheck.lint.engine.engine import CheckResult, Target, check
from fedcheck.lint.inference.syntax.memo import Clock, OutOfTime
from fedcheck.lint.sdk.releases import versions

HELPERS = """
async def section(ctx, keep):
    if keep is None:
        return None
    return await keep(ctx.skeleton.get("s"))


async def kept(ctx, key, model):
    return await ctx.cache.get(key=key, model=model)


async def fetched(ctx):
    return await ctx.store.get("notes", "1")


def label(doc):
    return doc["title"], doc.titel
"""
MAIN = """
from imperal_sdk import ActionResult, Extension

from a_helpers import fetched, kept, label, section

ext = Extension("notes", capabilities=["a:b"], display_name="Notes", icon="icon.svg",
                description="Keeps the notes of the user and finds them again")


async def read(ctx):
    return await ctx.skeleton.get("s")


async def shown(coroutine):
    return await coroutine


@ext.panel("p")
async def p(ctx, key=""):
    doc = await ctx.store.get("notes", "1")
    await section(ctx, shown)
    await kept(ctx, "a b", dict)
    first = await fetched(ctx)
    await section(ctx, shown)
    return label(doc), first["title"], ctx.skeleton_data, await read(ctx), ctx.user.id


@ext.tool("t")
async def t(ctx):
    return ActionResult.success({"doc": await ctx.store.get("notes", "1")}, "Done")
"""


class _Interrupted(Clock):
    """Is over in the first file after some ticks, and never in the others."""

    ticks = 0
    files = 0

    def start(self, seconds: float) -> None:
        _Interrupted.files += 1
        super().start(seconds)

    def tick(self) -> None:
        if _Interrupted.files == 1:
            _Interrupted.ticks -= 1
            if _Interrupted.ticks < 0:
                raise OutOfTime


def _lint(folder: Path) -> CheckResult:
    return check([folder], Target(sdk=versions()[-1]))


def test_what_was_half_found_is_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever the first file is stopped, the second one has the findings that it always has."""
    (tmp_path / "a_helpers.py").write_text(HELPERS)
    (tmp_path / "main.py").write_text(MAIN)
    expected = [it for it in _lint(tmp_path).findings if it.path.endswith("main.py")]
    assert len({it.code for it in expected}) > 3
    monkeypatch.setattr("fedcheck.lint.inference.project.Clock", _Interrupted)
    stopped = 0
    for ticks in (*range(10), *range(10, 400, 13)):
        _Interrupted.ticks, _Interrupted.files = ticks, 0
        result = _lint(tmp_path)
        stopped += bool(result.notes)
        assert expected == [it for it in result.findings if it.path.endswith("main.py")]
    assert stopped > 10
