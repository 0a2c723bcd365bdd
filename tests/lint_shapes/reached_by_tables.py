"""The skeleton read by functions that stand in tables, lists and registries."""

from __future__ import annotations

from .reached import READS, TABLE, Code, show

TABLES: dict[str, Code] = {
    "dict sub": READS + TABLE + show("return await ACTIONS[kind](ctx)"),
    "dict get var": READS + TABLE + show("""
handler = ACTIONS.get(kind)
if handler is None:
    return None
return await handler(ctx)
"""),
    "dict get default": READS + """
ACTIONS = {"save": save}
""" + show("return await ACTIONS.get(kind, load)(ctx)"),
    "dict get var default": READS + """
ACTIONS = {"save": save}
""" + show("""
run = ACTIONS.get(kind, load)
return await run(ctx)
"""),
    "dict sub var": READS + TABLE + show("""
run = ACTIONS[kind]
return await run(ctx)
"""),
    "dict local": READS + show("""
actions = {"load": load, "save": save}
run = actions[kind]
return await run(ctx)
"""),
    "dict display": READS + show('return await {"load": load, "save": save}[kind](ctx)'),
    "dict annotated": READS + """
from typing import Any, Awaitable, Callable
ACTIONS: dict[str, Callable[..., Awaitable[Any]]] = {"load": load, "save": save}
""" + show("""
handler = ACTIONS.get(kind)
if not handler:
    return None
return await handler(ctx)
"""),
    "dict other file": ("""
from actions import ACTIONS
""" + show("""
handler = ACTIONS.get(kind)
return await handler(ctx)
"""), {"actions__py": READS + TABLE}),
    "dict other file mod": ("""
import actions
""" + show("return await actions.ACTIONS[kind](ctx)"), {"actions__py": READS + TABLE}),
    "dict walrus": READS + TABLE + show("""
if (run := ACTIONS.get(kind)) is not None:
    return await run(ctx)
"""),
    "dict lambda": READS + """
ACTIONS = {"load": lambda c: c.skeleton.get("notes"), "save": save}
""" + show("return await ACTIONS[kind](ctx)"),
    "dict lambda var": READS + """
ACTIONS = {"load": lambda c: load(c), "save": lambda c: save(c)}
""" + show("""
run = ACTIONS[kind]
return await run(ctx)
"""),
    "dict tuples": READS + """
ACTIONS = {"load": ("Load", load), "save": ("Save", save)}
""" + show("""
title, run = ACTIONS[kind]
return await run(ctx)
"""),
    "dict tuples items": READS + """
ACTIONS = {"load": ("Load", load), "save": ("Save", save)}
""" + show("""
for key, (title, run) in ACTIONS.items():
    await run(ctx)
"""),
    "dict setitem": READS + """
ACTIONS = {}
ACTIONS["load"] = load
ACTIONS["save"] = save
""" + show("return await ACTIONS[kind](ctx)"),
    "dict update": READS + """
ACTIONS = {"save": save}
ACTIONS.update({"load": load})
""" + show("return await ACTIONS[kind](ctx)"),
    "dict nested": READS + """
ACTIONS = {"notes": {"load": load, "save": save}}
""" + show('return await ACTIONS["notes"][kind](ctx)'),
    "for tuple": READS + show("""
for step in (load, save):
    await step(ctx)
"""),
    "for named list": READS + """
STEPS = [load, save]
""" + show("""
for step in STEPS:
    await step(ctx)
"""),
    "for values": READS + """
STEPS = {"l": load, "s": save}
""" + show("""
for step in STEPS.values():
    await step(ctx)
"""),
    "for items": READS + """
STEPS = {"l": load, "s": save}
""" + show("""
for name, step in STEPS.items():
    await step(ctx)
"""),
    "for pairs": READS + """
STEPS = [("l", load), ("s", save)]
""" + show("""
for name, step in STEPS:
    await step(ctx)
"""),
    "for enumerate": READS + """
STEPS = [load, save]
""" + show("""
for i, step in enumerate(STEPS):
    await step(ctx)
"""),
    "for zip": READS + """
STEPS = [load, save]
""" + show("""
for name, step in zip(["a", "b"], STEPS):
    await step(ctx)
"""),
    "list comp": READS + """
STEPS = [load, save]
""" + show("return [await f(ctx) for f in STEPS]"),
    "for items other file": ("""
from steps import STEPS
""" + show("""
for name, step in STEPS.items():
    await step(ctx)
"""), {"steps__py": READS + """
STEPS = {"l": load, "s": save}
"""}),
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
    "table of function": READS + """
def pick(kind):
    return {"load": load, "save": save}.get(kind)
""" + show("""
run = pick(kind)
return await run(ctx)
"""),
    "dispatch helper": READS + """
HANDLERS = {"load": load, "save": save}
async def dispatch(ctx, kind, **kw):
    fn = HANDLERS.get(kind)
    if fn is None:
        return {"error": "unknown"}
    return await fn(ctx, **kw)
async def load(ctx, **kw):
    return await ctx.skeleton.get("notes")
""" + show("return await dispatch(ctx, kind)"),
    "next match": READS + """
STEPS = [("a", load), ("b", save)]
""" + show("""
run = next(f for n, f in STEPS if n == kind)
return await run(ctx)
"""),
    "merged tables": READS + """
A = {"load": load}
B = {"save": save}
ACTIONS = {**A, **B}
""" + show("return await ACTIONS[kind](ctx)"),
    "merged or": READS + """
A = {"load": load}
B = {"save": save}
ACTIONS = A | B
""" + show("return await ACTIONS[kind](ctx)"),
    "dict call": READS + """
ACTIONS = dict(load=load, save=save)
""" + show("return await ACTIONS[kind](ctx)"),
    "dict comp": READS + """
ACTIONS = {f.__name__: f for f in (load, save)}
""" + show("return await ACTIONS[kind](ctx)"),
    "mappingproxy": READS + """
from types import MappingProxyType
ACTIONS = MappingProxyType({"load": load, "save": save})
""" + show("return await ACTIONS[kind](ctx)"),
    "frozen table tuple key": READS + """
ACTIONS = {("notes", "load"): load, ("notes", "save"): save}
""" + show("""
fn = ACTIONS.get((kind, op))
return await fn(ctx) if fn else None
""", 'kind="", op=""'),
    "try key": READS + TABLE + show("""
try:
    fn = ACTIONS[kind]
except KeyError:
    return None
return await fn(ctx)
"""),
}  # fmt: skip
"""How a handler comes to the read → the code, and further files."""
