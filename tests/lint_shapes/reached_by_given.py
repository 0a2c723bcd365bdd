"""The skeleton read by functions that are given to others, made, or got by their name."""

from __future__ import annotations

from .reached import READS, Code, show

GIVEN: dict[str, Code] = {
    "higher order star": READS + """
async def run(f, *a):
    return await f(*a)
""" + show("return await run(load, ctx)"),
    "higher order": READS + """
async def run(f, c):
    return await f(c)
""" + show("return await run(load, ctx)"),
    "higher order kw": READS + """
async def run(f, *args, **kwargs):
    return await f(*args, **kwargs)
""" + show("return await run(load, ctx=ctx)"),
    "higher order retry": READS + """
import asyncio
async def with_retry(func, *args, retries=3, **kwargs):
    for attempt in range(retries):
        try:
            return await func(*args, **kwargs)
        except ValueError:
            await asyncio.sleep(1)
""" + show("return await with_retry(load, ctx, retries=2)"),
    "higher order lambda": READS + """
async def run(f):
    return await f()
""" + show("return await run(lambda: load(ctx))"),
    "higher order closure": READS + """
async def run(f):
    return await f()
""" + show("""
async def inner():
    return await ctx.skeleton.get("notes")
return await run(inner)
"""),
    "gather": READS + """
import asyncio
""" + show("await asyncio.gather(load(ctx), save(ctx))"),
    "gather star": READS + """
import asyncio
STEPS = (load, save)
""" + show("await asyncio.gather(*(f(ctx) for f in STEPS))"),
    "gather list": READS + """
import asyncio
STEPS = (load, save)
""" + show("""
await asyncio.gather(*[f(ctx) for f in STEPS], return_exceptions=True)
"""),
    "partial call": READS + """
import functools
""" + show("return await functools.partial(load, ctx)()"),
    "partial var": READS + """
from functools import partial
""" + show("""
run = partial(load, ctx)
return await run()
"""),
    "partial given": READS + """
from functools import partial
async def retry(f):
    return await f()
""" + show("return await retry(partial(load, ctx))"),
    "partial table": READS + """
from functools import partial
async def read(key, ctx):
    return await ctx.skeleton.get(key)
ACTIONS = {"a": partial(read, "a"), "b": partial(read, "b")}
""" + show("return await ACTIONS[kind](ctx)"),
    "create task": READS + """
import asyncio
""" + show("""
task = asyncio.create_task(load(ctx))
return await task
"""),
    "task group": READS + """
import asyncio
""" + show("""
async with asyncio.TaskGroup() as tg:
    tg.create_task(load(ctx))
"""),
    "background task": READS + show("await ctx.background_task(load(ctx))"),
    "to thread": READS + """
import asyncio
def read(ctx):
    return asyncio.run(ctx.skeleton.get("notes"))
""" + show("return await asyncio.to_thread(read, ctx)"),
    "run in executor": READS + """
import asyncio
def read(ctx):
    return asyncio.run(ctx.skeleton.get("notes"))
""" + show("""
return await asyncio.get_running_loop().run_in_executor(None, read, ctx)
"""),
    "getattr fstring": """
class Tools:
    async def do_load(self, ctx):
        return await ctx.skeleton.get("notes")
    async def do_save(self, ctx):
        return None
    async def run(self, kind, ctx):
        return await getattr(self, f"do_{kind}")(ctx)
""" + show("return await Tools().run(kind, ctx)"),
    "getattr fstring var": """
class Tools:
    async def do_load(self, ctx):
        return await ctx.skeleton.get("notes")
    async def do_save(self, ctx):
        return None
""" + show("""
method = getattr(Tools(), "do_" + kind, None)
if method is None:
    return None
return await method(ctx)
"""),
    "getattr const": """
class Tools:
    async def do_load(self, ctx):
        return await ctx.skeleton.get("notes")
""" + show('return await getattr(Tools(), "do_load")(ctx)'),
    "getattr module": ("""
import actions
""" + show('return await getattr(actions, f"do_{kind}")(ctx)'), {"actions__py": """
async def do_load(ctx):
    return await ctx.skeleton.get("notes")
"""}),
    "match call": READS + show("""
match kind:
    case "load":
        return await load(ctx)
    case _:
        return await save(ctx)
"""),
    "match pick": READS + show("""
match kind:
    case "load":
        run = load
    case _:
        run = save
return await run(ctx)
"""),
    "walrus": show("""
if (s := ctx.skeleton):
    return await s.get("notes")
"""),
    "closure factory": """
def make(ctx):
    async def inner():
        return await ctx.skeleton.get("notes")
    return inner
""" + show("""
read = make(ctx)
return await read()
"""),
    "closure factory key": """
def reader(key):
    async def read(ctx):
        return await ctx.skeleton.get(key)
    return read
read_notes = reader("notes")
""" + show("return await read_notes(ctx)"),
    "bound method alias": show("""
get = ctx.skeleton.get
return await get("notes")
"""),
    "method given": """
async def run(get):
    return await get("notes")
""" + show("return await run(ctx.skeleton.get)"),
    "ternary pick": READS + show("""
run = load if kind == "load" else save
return await run(ctx)
"""),
    "or pick": READS + show("""
run = run or load
return await run(ctx)
""", 'kind="", run=None'),
    "ternary inline": READS + show('return await (load if kind == "load" else save)(ctx)'),
    "default param": READS + """
async def run(ctx, f=load):
    return await f(ctx)
""" + show("return await run(ctx)"),
    "pick function": READS + """
def pick(kind):
    if kind == "load":
        return load
    return save
""" + show("return await pick(kind)(ctx)"),
    "starargs through": READS + """
async def outer(*args, **kwargs):
    return await load(*args, **kwargs)
""" + show("return await outer(ctx)"),
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
""" + show("return await read(ctx)"),
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
""" + show("await pipeline(ctx, load, save)"),
    "pipeline list arg": READS + """
async def pipeline(ctx, steps):
    for step in steps:
        await step(ctx)
""" + show("await pipeline(ctx, [load, save])"),
    "typing cast": READS + """
from typing import cast, Any
""" + show("""
c = cast(Any, ctx)
return await load(c)
"""),
    "list of ctx": READS + show("""
for c in [ctx]:
    await load(c)
"""),
    "copy replace": READS + """
import copy
""" + show("return await load(copy.copy(ctx))"),
    "coroutine var": READS + show("""
coro = load(ctx)
return await coro
"""),
}  # fmt: skip
"""How a handler comes to the read → the code, and further files."""
