"""The skeleton read by functions and methods that something holds: a name, an object, a table."""

from __future__ import annotations

from .reached import READS, Code, show

GIVEN: dict[str, Code] = {
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
    "match call": READS + show("""
match kind:
    case "load":
        return await load(ctx)
    case _:
        return await save(ctx)
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
    "bound method alias": show("""
get = ctx.skeleton.get
return await get("notes")
"""),
    "method given": """
async def run(get):
    return await get("notes")
""" + show("return await run(ctx.skeleton.get)"),
    "list of ctx": READS + show("""
for c in [ctx]:
    await load(c)
"""),
    "coroutine var": READS + show("""
coro = load(ctx)
return await coro
"""),
    "singleton": """
class Service:
    async def load(self, ctx):
        return await ctx.skeleton.get("notes")
service = Service()
""" + show("return await service.load(ctx)"),
    "inner class": """
class Api:
    class Notes:
        @staticmethod
        async def load(ctx):
            return await ctx.skeleton.get("notes")
""" + show("return await Api.Notes.load(ctx)"),
    "staticmethod table": """
class Tools:
    @staticmethod
    async def load(ctx):
        return await ctx.skeleton.get("notes")
ACTIONS = {"load": Tools.load}
""" + show("return await ACTIONS[kind](ctx)"),
    "method table": """
class Tools:
    async def load(self, ctx):
        return await ctx.skeleton.get("notes")
tools = Tools()
ACTIONS = {"load": tools.load}
""" + show("return await ACTIONS[kind](ctx)"),
    "dict state": """
async def read(state):
    return await state["ctx"].skeleton.get("notes")
""" + show('return await read({"ctx": ctx, "n": 1})'),
    "dict state var": """
async def read(state):
    ctx = state["ctx"]
    return await ctx.skeleton.get("notes")
""" + show("""
state = {"ctx": ctx}
return await read(state)
"""),
    "tuple index": READS + """
STEPS = (load, save)
""" + show("return await STEPS[0](ctx)"),
}  # fmt: skip
"""How a handler comes to the read → the code, and further files."""
