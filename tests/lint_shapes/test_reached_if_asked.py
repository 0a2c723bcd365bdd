"""Conditions, keys, places and defaults that choose whether the skeleton is read."""

from __future__ import annotations

import pytest

from .conftest import Lint
from .reached import READS, found, two_handlers

TABLE = 'ACTIONS = {"load": load, "save": save}\n'
CHOSEN: dict[str, tuple[str, str, str]] = {
    "asked": (TABLE, "return None", (
        'if kind == "save":\n'
        "        return await ACTIONS[kind](ctx)"
    )),
    "asked in": (TABLE, "return None", (
        'if kind not in ("save", "other"):\n'
        "        return None\n"
        "    f = ACTIONS[kind]\n"
        "    return await f(ctx)"
    )),
    "asked in unknown": (TABLE, "return None", (
        "if kind not in ctx.config.allowed:\n"
        "        return None\n"
        "    f = ACTIONS[kind]\n"
        "    return await f(ctx)"
    )),
    "asked later": (TABLE, "return None", (
        "f = ACTIONS.get(kind)\n"
        '    if kind == "save":\n'
        "        return await f(ctx)"
    )),
    "default": ("""
async def run(ctx, f=load):
    return await f(ctx)
""", "return await run(ctx)", "return await run(ctx, save)"),
    "default kw": ("""
async def run(ctx, *, f=load):
    return await f(ctx)
""", "return await run(ctx)", "return await run(ctx, f=save)"),
    "pick": ("""
def pick(kind):
    if kind == 'load':
        return load
    return save
""", 'return await pick("load")(ctx)', 'return await pick("save")(ctx)'),
    "pick table": (TABLE + """
def pick(kind):
    return ACTIONS[kind]
""", 'return await pick("load")(ctx)', 'return await pick("save")(ctx)'),
    "index": ("""
STEPS = (load, save)
""", "return await STEPS[0](ctx)", "return await STEPS[1](ctx)"),
    "slice": ("""
STEPS = (load, save)
""", "return await STEPS[0](ctx)", (
        "for s in STEPS[1:]:\n"
        "        await s(ctx)"
    )),
    "slice neg": ("""
STEPS = (load, save)
""", "return await STEPS[0](ctx)", (
        "for s in STEPS[-1:]:\n"
        "        await s(ctx)"
    )),
    "const key": (
        TABLE,
        'return await ACTIONS["load"](ctx)',
        'return await ACTIONS["save"](ctx)',
    ),
    "const get": (
        TABLE,
        'return await ACTIONS.get("load")(ctx)',
        'return await ACTIONS.get("save", save)(ctx)',
    ),
    "loop is": ("", "return None", (
        "for s in (load, save):\n"
        "        if s is load:\n"
        "            continue\n"
        "        await s(ctx)"
    )),
    "loop key": (TABLE, "return None", (
        "for n, s in ACTIONS.items():\n"
        '        if n != "load":\n'
        "            await s(ctx)"
    )),
    "loop key continue": (TABLE, "return None", (
        "for n, s in ACTIONS.items():\n"
        '        if n == "load":\n'
        "            continue\n"
        "        await s(ctx)"
    )),
    "loop comp": (
        TABLE,
        "return None",
        'return [await s(ctx) for n, s in ACTIONS.items() if n != "load"]',
    ),
    "flag": ("""
async def run(f, c, real=False):
    if real:
        return await f(c)
""", "return await run(load, ctx, real=True)", "return await run(load, ctx)"),
    "flag table": (TABLE + """
async def go(c, kind, real):
    if real:
        return await ACTIONS[kind](c)
""", 'return await go(ctx, "load", True)', 'return await go(ctx, "load", False)'),
    "or default": ("""
async def run(ctx, f=None):
    f = f or load
    return await f(ctx)
""", "return await run(ctx)", "return await run(ctx, save)"),
    "none default": ("""
async def run(ctx, f=None):
    if f is None:
        f = load
    return await f(ctx)
""", "return await run(ctx)", "return await run(ctx, save)"),
    "ternary": ("""
async def run(ctx, fresh):
    f = load if fresh else save
    return await f(ctx)
""", "return await run(ctx, True)", "return await run(ctx, False)"),
    "ternary inline": ("""
async def run(ctx, fresh):
    return await (load if fresh else save)(ctx)
""", "return await run(ctx, True)", "return await run(ctx, False)"),
    "match pick": ("""
async def run(ctx, kind):
    match kind:
        case 'a':
            f = load
        case _:
            f = save
    return await f(ctx)
""", 'return await run(ctx, "a")', 'return await run(ctx, "b")'),
    "if pick": ("""
async def run(ctx, kind):
    if kind == 'a':
        f = load
    else:
        f = save
    return await f(ctx)
""", 'return await run(ctx, "a")', 'return await run(ctx, "b")'),
}  # fmt: skip
"""What tells the handlers apart → the code, what the first one does, what the second one does."""
UNTOLD = frozenset(
    {
        "asked",
        "asked in",
        "asked in unknown",
        "asked later",
        "loop is",
        "loop key",
        "loop key continue",
        "loop comp",
    }
)
"""Shapes of which nothing says who reads: they are left alone in either case."""


@pytest.mark.parametrize("what", CHOSEN)
def test_what_a_panel_does_not_read_is_left_alone(lint: Lint, what: str) -> None:
    """The skeleton handler reads by the same helpers as the panel, which asks for other things."""
    before, reads, other = CHOSEN[what]
    code = READS + before + two_handlers(reads, other)
    assert [] == found(lint, code, "")


@pytest.mark.parametrize("what", [each for each in CHOSEN if each not in UNTOLD])
def test_the_same_is_found_the_other_way_round(lint: Lint, what: str) -> None:
    """Where the panel reads and the skeleton handler does not, it is an error."""
    before, reads, other = CHOSEN[what]
    code = READS + before + two_handlers(other, reads)
    assert {"error"} == {item.severity for item in found(lint, code, "")}
