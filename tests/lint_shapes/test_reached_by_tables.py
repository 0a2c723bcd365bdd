"""The skeleton read by functions that stand in tables, lists and registries."""

from __future__ import annotations

import pytest

from .conftest import Lint
from .reached import READS, found

TABLES: dict[str, str | tuple[str, dict[str, str]]] = {
    "dict sub": READS + """
ACTIONS = {"load": load, "save": save}
@HANDLER
async def show(ctx, name=""):
    return await ACTIONS[name](ctx)
""",
    "dict get var": READS + """
ACTIONS = {"load": load, "save": save}
@HANDLER
async def show(ctx, kind=""):
    handler = ACTIONS.get(kind)
    if handler is None:
        return None
    return await handler(ctx)
""",
    "dict get default": READS + """
ACTIONS = {"save": save}
@HANDLER
async def show(ctx, kind=""):
    return await ACTIONS.get(kind, load)(ctx)
""",
    "dict get var default": READS + """
ACTIONS = {"save": save}
@HANDLER
async def show(ctx, kind=""):
    run = ACTIONS.get(kind, load)
    return await run(ctx)
""",
    "dict sub var": READS + """
ACTIONS = {"load": load, "save": save}
@HANDLER
async def show(ctx, kind=""):
    run = ACTIONS[kind]
    return await run(ctx)
""",
    "dict local": READS + """
@HANDLER
async def show(ctx, kind=""):
    actions = {"load": load, "save": save}
    run = actions[kind]
    return await run(ctx)
""",
    "dict display": READS + """
@HANDLER
async def show(ctx, kind=""):
    return await {"load": load, "save": save}[kind](ctx)
""",
    "dict annotated": READS + """
from typing import Any, Awaitable, Callable
ACTIONS: dict[str, Callable[..., Awaitable[Any]]] = {"load": load, "save": save}
@HANDLER
async def show(ctx, kind=""):
    handler = ACTIONS.get(kind)
    if not handler:
        return None
    return await handler(ctx)
""",
    "dict other file": ("""
from actions import ACTIONS
@HANDLER
async def show(ctx, kind=""):
    handler = ACTIONS.get(kind)
    return await handler(ctx)
""", {"actions__py": READS + """
ACTIONS = {"load": load, "save": save}
"""}),
    "dict other file mod": ("""
import actions
@HANDLER
async def show(ctx, kind=""):
    return await actions.ACTIONS[kind](ctx)
""", {"actions__py": READS + """
ACTIONS = {"load": load, "save": save}
"""}),
    "dict walrus": READS + """
ACTIONS = {"load": load, "save": save}
@HANDLER
async def show(ctx, kind=""):
    if (run := ACTIONS.get(kind)) is not None:
        return await run(ctx)
""",
    "dict lambda": READS + """
ACTIONS = {"load": lambda c: c.skeleton.get("notes"), "save": save}
@HANDLER
async def show(ctx, kind=""):
    return await ACTIONS[kind](ctx)
""",
    "dict lambda var": READS + """
ACTIONS = {"load": lambda c: load(c), "save": lambda c: save(c)}
@HANDLER
async def show(ctx, kind=""):
    run = ACTIONS[kind]
    return await run(ctx)
""",
    "dict tuples": READS + """
ACTIONS = {"load": ("Load", load), "save": ("Save", save)}
@HANDLER
async def show(ctx, kind=""):
    title, run = ACTIONS[kind]
    return await run(ctx)
""",
    "dict tuples items": READS + """
ACTIONS = {"load": ("Load", load), "save": ("Save", save)}
@HANDLER
async def show(ctx, kind=""):
    for key, (title, run) in ACTIONS.items():
        await run(ctx)
""",
    "dict setitem": READS + """
ACTIONS = {}
ACTIONS["load"] = load
ACTIONS["save"] = save
@HANDLER
async def show(ctx, kind=""):
    return await ACTIONS[kind](ctx)
""",
    "dict update": READS + """
ACTIONS = {"save": save}
ACTIONS.update({"load": load})
@HANDLER
async def show(ctx, kind=""):
    return await ACTIONS[kind](ctx)
""",
    "dict nested": READS + """
ACTIONS = {"notes": {"load": load, "save": save}}
@HANDLER
async def show(ctx, kind=""):
    return await ACTIONS["notes"][kind](ctx)
""",
    "for tuple": READS + """
@HANDLER
async def show(ctx):
    for step in (load, save):
        await step(ctx)
""",
    "for named list": READS + """
STEPS = [load, save]
@HANDLER
async def show(ctx):
    for step in STEPS:
        await step(ctx)
""",
    "for values": READS + """
STEPS = {"l": load, "s": save}
@HANDLER
async def show(ctx):
    for step in STEPS.values():
        await step(ctx)
""",
    "for items": READS + """
STEPS = {"l": load, "s": save}
@HANDLER
async def show(ctx):
    for name, step in STEPS.items():
        await step(ctx)
""",
    "for pairs": READS + """
STEPS = [("l", load), ("s", save)]
@HANDLER
async def show(ctx):
    for name, step in STEPS:
        await step(ctx)
""",
    "for enumerate": READS + """
STEPS = [load, save]
@HANDLER
async def show(ctx):
    for i, step in enumerate(STEPS):
        await step(ctx)
""",
    "for zip": READS + """
STEPS = [load, save]
@HANDLER
async def show(ctx):
    for name, step in zip(["a", "b"], STEPS):
        await step(ctx)
""",
    "list comp": READS + """
STEPS = [load, save]
@HANDLER
async def show(ctx):
    return [await f(ctx) for f in STEPS]
""",
    "for items other file": ("""
from steps import STEPS
@HANDLER
async def show(ctx):
    for name, step in STEPS.items():
        await step(ctx)
""", {"steps__py": READS + """
STEPS = {"l": load, "s": save}
"""}),
    "dict state": """
async def read(state):
    return await state["ctx"].skeleton.get("notes")
@HANDLER
async def show(ctx):
    return await read({"ctx": ctx, "n": 1})
""",
    "dict state var": """
async def read(state):
    ctx = state["ctx"]
    return await ctx.skeleton.get("notes")
@HANDLER
async def show(ctx):
    state = {"ctx": ctx}
    return await read(state)
""",
    "tuple index": READS + """
STEPS = (load, save)
@HANDLER
async def show(ctx, kind=""):
    return await STEPS[0](ctx)
""",
    "table of function": READS + """
def pick(kind):
    return {"load": load, "save": save}.get(kind)
@HANDLER
async def show(ctx, kind=""):
    run = pick(kind)
    return await run(ctx)
""",
    "dispatch helper": READS + """
HANDLERS = {"load": load, "save": save}
async def dispatch(ctx, kind, **kw):
    fn = HANDLERS.get(kind)
    if fn is None:
        return {"error": "unknown"}
    return await fn(ctx, **kw)
async def load(ctx, **kw):
    return await ctx.skeleton.get("notes")
@HANDLER
async def show(ctx, kind=""):
    return await dispatch(ctx, kind)
""",
    "next match": READS + """
STEPS = [("a", load), ("b", save)]
@HANDLER
async def show(ctx, kind=""):
    run = next(f for n, f in STEPS if n == kind)
    return await run(ctx)
""",
    "merged tables": READS + """
A = {"load": load}
B = {"save": save}
ACTIONS = {**A, **B}
@HANDLER
async def show(ctx, kind=""):
    return await ACTIONS[kind](ctx)
""",
    "merged or": READS + """
A = {"load": load}
B = {"save": save}
ACTIONS = A | B
@HANDLER
async def show(ctx, kind=""):
    return await ACTIONS[kind](ctx)
""",
    "dict call": READS + """
ACTIONS = dict(load=load, save=save)
@HANDLER
async def show(ctx, kind=""):
    return await ACTIONS[kind](ctx)
""",
    "dict comp": READS + """
ACTIONS = {f.__name__: f for f in (load, save)}
@HANDLER
async def show(ctx, kind=""):
    return await ACTIONS[kind](ctx)
""",
    "mappingproxy": READS + """
from types import MappingProxyType
ACTIONS = MappingProxyType({"load": load, "save": save})
@HANDLER
async def show(ctx, kind=""):
    return await ACTIONS[kind](ctx)
""",
    "frozen table tuple key": READS + """
ACTIONS = {("notes", "load"): load, ("notes", "save"): save}
@HANDLER
async def show(ctx, kind="", op=""):
    fn = ACTIONS.get((kind, op))
    return await fn(ctx) if fn else None
""",
    "try key": READS + """
ACTIONS = {"load": load, "save": save}
@HANDLER
async def show(ctx, kind=""):
    try:
        fn = ACTIONS[kind]
    except KeyError:
        return None
    return await fn(ctx)
""",
}  # fmt: skip
"""How a handler comes to the read → the code, and further files."""


@pytest.mark.parametrize("how", TABLES)
def test_a_panel_may_not_read(lint: Lint, how: str) -> None:
    """The read is an error whatever leads to it."""
    severities = {item.severity for item in found(lint, TABLES[how], '@ext.panel("p")')}
    assert {"error"} == severities


@pytest.mark.parametrize("how", TABLES)
def test_the_way_begins_at_the_handler(lint: Lint, how: str) -> None:
    """The message and the chain name the handler that comes there."""
    for item in found(lint, TABLES[how], '@ext.panel("p")'):
        assert '@ext.panel("p") show' in item.message
        assert '@ext.panel("p") show gets the context' == item.chain[0].note


@pytest.mark.parametrize("how", TABLES)
@pytest.mark.parametrize("handler", ['@ext.skeleton("p", ttl=60)', ""])
def test_a_skeleton_handler_may(lint: Lint, how: str, handler: str) -> None:
    """The same code is right where only a skeleton handler runs it, or nobody."""
    assert [] == found(lint, TABLES[how], handler)
