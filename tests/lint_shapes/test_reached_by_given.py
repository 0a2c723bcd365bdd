"""The skeleton read by functions that are given to others, made, or got by their name."""

from __future__ import annotations

import pytest

from .conftest import Lint
from .reached import READS, found

GIVEN: dict[str, str | tuple[str, dict[str, str]]] = {
    "higher order star": READS + """
async def run(f, *a):
    return await f(*a)
@HANDLER
async def show(ctx):
    return await run(load, ctx)
""",
    "higher order": READS + """
async def run(f, c):
    return await f(c)
@HANDLER
async def show(ctx):
    return await run(load, ctx)
""",
    "higher order kw": READS + """
async def run(f, *args, **kwargs):
    return await f(*args, **kwargs)
@HANDLER
async def show(ctx):
    return await run(load, ctx=ctx)
""",
    "higher order retry": READS + """
import asyncio
async def with_retry(func, *args, retries=3, **kwargs):
    for attempt in range(retries):
        try:
            return await func(*args, **kwargs)
        except ValueError:
            await asyncio.sleep(1)
@HANDLER
async def show(ctx):
    return await with_retry(load, ctx, retries=2)
""",
    "higher order lambda": READS + """
async def run(f):
    return await f()
@HANDLER
async def show(ctx):
    return await run(lambda: load(ctx))
""",
    "higher order closure": READS + """
async def run(f):
    return await f()
@HANDLER
async def show(ctx):
    async def inner():
        return await ctx.skeleton.get("notes")
    return await run(inner)
""",
    "gather": READS + """
import asyncio
@HANDLER
async def show(ctx):
    await asyncio.gather(load(ctx), save(ctx))
""",
    "gather star": READS + """
import asyncio
STEPS = (load, save)
@HANDLER
async def show(ctx):
    await asyncio.gather(*(f(ctx) for f in STEPS))
""",
    "gather list": READS + """
import asyncio
STEPS = (load, save)
@HANDLER
async def show(ctx):
    await asyncio.gather(*[f(ctx) for f in STEPS], return_exceptions=True)
""",
    "partial call": READS + """
import functools
@HANDLER
async def show(ctx):
    return await functools.partial(load, ctx)()
""",
    "partial var": READS + """
from functools import partial
@HANDLER
async def show(ctx):
    run = partial(load, ctx)
    return await run()
""",
    "partial given": READS + """
from functools import partial
async def retry(f):
    return await f()
@HANDLER
async def show(ctx):
    return await retry(partial(load, ctx))
""",
    "partial table": READS + """
from functools import partial
async def read(key, ctx):
    return await ctx.skeleton.get(key)
ACTIONS = {"a": partial(read, "a"), "b": partial(read, "b")}
@HANDLER
async def show(ctx, kind=""):
    return await ACTIONS[kind](ctx)
""",
    "create task": READS + """
import asyncio
@HANDLER
async def show(ctx):
    task = asyncio.create_task(load(ctx))
    return await task
""",
    "task group": READS + """
import asyncio
@HANDLER
async def show(ctx):
    async with asyncio.TaskGroup() as tg:
        tg.create_task(load(ctx))
""",
    "background task": READS + """
@HANDLER
async def show(ctx):
    await ctx.background_task(load(ctx))
""",
    "to thread": READS + """
import asyncio
def read(ctx):
    return asyncio.run(ctx.skeleton.get("notes"))
@HANDLER
async def show(ctx):
    return await asyncio.to_thread(read, ctx)
""",
    "run in executor": READS + """
import asyncio
def read(ctx):
    return asyncio.run(ctx.skeleton.get("notes"))
@HANDLER
async def show(ctx):
    return await asyncio.get_running_loop().run_in_executor(None, read, ctx)
""",
    "getattr fstring": """
class Tools:
    async def do_load(self, ctx):
        return await ctx.skeleton.get("notes")
    async def do_save(self, ctx):
        return None
    async def run(self, kind, ctx):
        return await getattr(self, f"do_{kind}")(ctx)
@HANDLER
async def show(ctx, kind=""):
    return await Tools().run(kind, ctx)
""",
    "getattr fstring var": """
class Tools:
    async def do_load(self, ctx):
        return await ctx.skeleton.get("notes")
    async def do_save(self, ctx):
        return None
@HANDLER
async def show(ctx, kind=""):
    method = getattr(Tools(), "do_" + kind, None)
    if method is None:
        return None
    return await method(ctx)
""",
    "getattr const": """
class Tools:
    async def do_load(self, ctx):
        return await ctx.skeleton.get("notes")
@HANDLER
async def show(ctx, kind=""):
    return await getattr(Tools(), "do_load")(ctx)
""",
    "getattr module": ("""
import actions
@HANDLER
async def show(ctx, kind=""):
    return await getattr(actions, f"do_{kind}")(ctx)
""", {"actions__py": """
async def do_load(ctx):
    return await ctx.skeleton.get("notes")
"""}),
    "match call": READS + """
@HANDLER
async def show(ctx, kind=""):
    match kind:
        case "load":
            return await load(ctx)
        case _:
            return await save(ctx)
""",
    "match pick": READS + """
@HANDLER
async def show(ctx, kind=""):
    match kind:
        case "load":
            run = load
        case _:
            run = save
    return await run(ctx)
""",
    "walrus": """
@HANDLER
async def show(ctx, kind=""):
    if (s := ctx.skeleton):
        return await s.get("notes")
""",
    "closure factory": """
def make(ctx):
    async def inner():
        return await ctx.skeleton.get("notes")
    return inner
@HANDLER
async def show(ctx, kind=""):
    read = make(ctx)
    return await read()
""",
    "closure factory key": """
def reader(key):
    async def read(ctx):
        return await ctx.skeleton.get(key)
    return read
read_notes = reader("notes")
@HANDLER
async def show(ctx, kind=""):
    return await read_notes(ctx)
""",
    "bound method alias": """
@HANDLER
async def show(ctx, kind=""):
    get = ctx.skeleton.get
    return await get("notes")
""",
    "method given": """
async def run(get):
    return await get("notes")
@HANDLER
async def show(ctx, kind=""):
    return await run(ctx.skeleton.get)
""",
    "ternary pick": READS + """
@HANDLER
async def show(ctx, kind=""):
    run = load if kind == "load" else save
    return await run(ctx)
""",
    "or pick": READS + """
@HANDLER
async def show(ctx, kind="", run=None):
    run = run or load
    return await run(ctx)
""",
    "ternary inline": READS + """
@HANDLER
async def show(ctx, kind=""):
    return await (load if kind == "load" else save)(ctx)
""",
    "default param": READS + """
async def run(ctx, f=load):
    return await f(ctx)
@HANDLER
async def show(ctx, kind=""):
    return await run(ctx)
""",
    "pick function": READS + """
def pick(kind):
    if kind == "load":
        return load
    return save
@HANDLER
async def show(ctx, kind=""):
    return await pick(kind)(ctx)
""",
    "starargs through": READS + """
async def outer(*args, **kwargs):
    return await load(*args, **kwargs)
@HANDLER
async def show(ctx, kind=""):
    return await outer(ctx)
""",
    "decorated pass": """
import functools
def logged(f):
    @functools.wraps(f)
    async def inner(*args, **kwargs):
        return await f(*args, **kwargs)
    return inner
@logged
async def read(ctx):
    return await ctx.skeleton.get("notes")
@HANDLER
async def show(ctx, kind=""):
    return await read(ctx)
""",
    "handler wrapped": READS + """
import functools
def logged(f):
    @functools.wraps(f)
    async def inner(ctx, *args, **kwargs):
        return await f(ctx, *args, **kwargs)
    return inner
@HANDLER
@logged
async def show(ctx, kind=""):
    return await load(ctx)
""",
    "reduce pipeline": READS + """
async def pipeline(ctx, *steps):
    for step in steps:
        await step(ctx)
@HANDLER
async def show(ctx, kind=""):
    await pipeline(ctx, load, save)
""",
    "pipeline list arg": READS + """
async def pipeline(ctx, steps):
    for step in steps:
        await step(ctx)
@HANDLER
async def show(ctx, kind=""):
    await pipeline(ctx, [load, save])
""",
    "typing cast": READS + """
from typing import cast, Any
@HANDLER
async def show(ctx, kind=""):
    c = cast(Any, ctx)
    return await load(c)
""",
    "list of ctx": READS + """
@HANDLER
async def show(ctx, kind=""):
    for c in [ctx]:
        await load(c)
""",
    "copy replace": READS + """
import copy
@HANDLER
async def show(ctx, kind=""):
    return await load(copy.copy(ctx))
""",
    "coroutine var": READS + """
@HANDLER
async def show(ctx, kind=""):
    coro = load(ctx)
    return await coro
""",
}  # fmt: skip
"""How a handler comes to the read → the code, and further files."""


@pytest.mark.parametrize("how", GIVEN)
def test_a_panel_may_not_read(lint: Lint, how: str) -> None:
    """The read is an error whatever leads to it."""
    severities = {item.severity for item in found(lint, GIVEN[how], '@ext.panel("p")')}
    assert {"error"} == severities


@pytest.mark.parametrize("how", GIVEN)
def test_the_way_begins_at_the_handler(lint: Lint, how: str) -> None:
    """The message and the chain name the handler that comes there."""
    for item in found(lint, GIVEN[how], '@ext.panel("p")'):
        assert '@ext.panel("p") show' in item.message
        assert '@ext.panel("p") show gets the context' == item.chain[0].note


@pytest.mark.parametrize("how", GIVEN)
@pytest.mark.parametrize("handler", ['@ext.skeleton("p", ttl=60)', ""])
def test_a_skeleton_handler_may(lint: Lint, how: str, handler: str) -> None:
    """The same code is right where only a skeleton handler runs it, or nobody."""
    assert [] == found(lint, GIVEN[how], handler)
