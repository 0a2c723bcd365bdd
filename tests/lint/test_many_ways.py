"""Functions that call each other by more ways than anybody can follow."""

from __future__ import annotations

from pathlib import Path

import pytest

from fedcheck.lint.engine.engine import Target, check
from fedcheck.lint.inference.syntax.memo import Clock, OutOfTime
from fedcheck.lint.sdk.releases import versions

HEAD = """
from imperal_sdk import ActionResult, ChatExtension, Extension

ext = Extension("notes", capabilities=["a:b"], display_name="Notes", icon="icon.svg",
                description="Keeps the notes of the user and finds them again")
chat = ChatExtension(ext, tool_name="notes", description="Notes")


@ext.panel("p")
async def p(ctx, x=None, key=""):
    return await f0(ctx, x, key=key), ctx.skeleton_data


@ext.tool("t")
async def t(ctx, x=None):
    found = await f0(ctx, x)
    return ActionResult.success(data=found, summary=str(found))
"""
_TICKS = 400_000
_MANY = 12


def _tables() -> str:
    functions = "".join(
        f"async def f{i}(ctx, x, key=''):\n"
        f"    return await T{(i * 5 + 1) % _MANY}[x](ctx, x, key) or await T{(i * 7 + 3) % _MANY}"
        f"[key](ctx, T{(i * 3) % _MANY}, key)\n"
        for i in range(_MANY)
    )
    entries = ", ".join(f"'{i}': f{i}" for i in range(_MANY))
    return functions + "".join(f"T{i} = {{{entries}}}\n" for i in range(_MANY))


def _branches() -> str:
    return "".join(
        f"async def f{i}(ctx, x, key=''):\n"
        + "".join(
            f"    if x == {j}:\n"
            f"        return await f{(i * j + 1) % _MANY}(ctx, [x], key + '{j}')\n"
            for j in range(_MANY)
        )
        + "    return {'a': x}\n"
        for i in range(_MANY)
    )


def _lambdas() -> str:
    return "".join(
        f"l{i} = lambda c, k, f=None: l{(i + 1) % _MANY}(c, k, l{(i * 7 + 3) % _MANY}) "
        f"or (f or l{(i * 5 + 2) % _MANY})(c, k)\n"
        for i in range(_MANY)
    ) + ("async def f0(ctx, x, key=''):\n    return l0(ctx, key)\n")


def _objects() -> str:
    classes = "".join(
        f"class C{i}:\n    def __init__(self, ctx, o=None):\n        self.ctx = ctx\n"
        f"        self.o = o or C{(i + 1) % _MANY}(ctx, self)\n\n    async def run(self, x, key):\n"
        + "".join(
            f"        await self.o.run(x, key)\n"
            f"        await C{(i * j + 3) % _MANY}(self.ctx, self).run(x, key)\n"
            for j in range(_MANY)
        )
        for i in range(_MANY)
    )
    return f"{classes}async def f0(ctx, x, key=''):\n    return await C0(ctx).run(x, key)\n"


class _Counting(Clock):
    """Is over after a number of steps, on each machine the same."""

    left = 0

    def tick(self) -> None:
        _Counting.left -= 1
        if _Counting.left < 0:
            raise OutOfTime


@pytest.mark.parametrize("functions", [_tables, _branches, _lambdas, _objects])
def test_what_is_near_is_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, functions: object
) -> None:
    """The file is judged to its end; only what is far in is not known."""
    assert callable(functions)
    (tmp_path / "main.py").write_text(f"{HEAD}\n\n{functions()}")
    monkeypatch.setattr("fedcheck.lint.inference.project.Clock", _Counting)
    _Counting.left = _TICKS
    result = check([tmp_path], Target(sdk=versions()[-1]))
    assert ((), ["FED103"]) == (result.notes, [it.code for it in result.findings])
