"""The skeleton read by methods and by what decorators put into tables."""

from __future__ import annotations

import pytest

from .conftest import Lint
from .reached import READS, found

REGISTRIES: dict[str, str | tuple[str, dict[str, str]]] = {
    "singleton": """
class Service:
    async def load(self, ctx):
        return await ctx.skeleton.get("notes")
service = Service()
@HANDLER
async def show(ctx):
    return await service.load(ctx)
""",
    "class registry": """
class Load:
    async def run(self, ctx):
        return await ctx.skeleton.get("notes")
class Save:
    async def run(self, ctx):
        return None
REGISTRY = {"load": Load, "save": Save}
@HANDLER
async def show(ctx, kind=""):
    return await REGISTRY[kind]().run(ctx)
""",
    "class registry init": """
class Load:
    def __init__(self, ctx):
        self.ctx = ctx
    async def run(self):
        return await self.ctx.skeleton.get("notes")
class Save:
    def __init__(self, ctx):
        self.ctx = ctx
    async def run(self):
        return None
REGISTRY = {"load": Load, "save": Save}
@HANDLER
async def show(ctx, kind=""):
    cls = REGISTRY.get(kind)
    return await cls(ctx).run()
""",
    "instance registry": """
class Load:
    async def run(self, ctx):
        return await ctx.skeleton.get("notes")
class Save:
    async def run(self, ctx):
        return None
REGISTRY = {"load": Load(), "save": Save()}
@HANDLER
async def show(ctx, kind=""):
    return await REGISTRY[kind].run(ctx)
""",
    "instance list": """
class Load:
    async def run(self, ctx):
        return await ctx.skeleton.get("notes")
class Save:
    async def run(self, ctx):
        return None
@HANDLER
async def show(ctx, kind=""):
    for step in [Load(), Save()]:
        await step.run(ctx)
""",
    "decorator registry": """
REG = {}
def register(name):
    def deco(f):
        REG[name] = f
        return f
    return deco
@register("load")
async def load(ctx):
    return await ctx.skeleton.get("notes")
@HANDLER
async def show(ctx, kind=""):
    return await REG[kind](ctx)
""",
    "decorator registry get": ("""
from registry import REG
import reads
@HANDLER
async def show(ctx, kind=""):
    handler = REG.get(kind)
    if handler:
        return await handler(ctx)
""", {"registry__py": """
REG = {}
def register(name):
    def deco(f):
        REG[name] = f
        return f
    return deco
""", "reads__py": """
from registry import register
@register("load")
async def load(ctx):
    return await ctx.skeleton.get("notes")
"""}),
    "decorator registry list": """
STEPS = []
def step(f):
    STEPS.append(f)
    return f
@step
async def load(ctx):
    return await ctx.skeleton.get("notes")
@HANDLER
async def show(ctx, kind=""):
    for run in STEPS:
        await run(ctx)
""",
    "named tuple member": READS + """
from typing import NamedTuple, Any
class Action(NamedTuple):
    title: str
    run: Any
LOAD = Action("Load", load)
@HANDLER
async def show(ctx, kind=""):
    return await LOAD.run(ctx)
""",
    "named tuple list": READS + """
from typing import NamedTuple, Callable
class Action(NamedTuple):
    title: str
    run: Callable
ACTIONS = [Action("Load", load), Action("Save", save)]
@HANDLER
async def show(ctx, kind=""):
    for action in ACTIONS:
        await action.run(ctx)
""",
    "dataclass member": READS + """
from dataclasses import dataclass
from typing import Callable
@dataclass
class Action:
    title: str
    run: Callable
ACTIONS = {"l": Action("Load", load), "s": Action("Save", save)}
@HANDLER
async def show(ctx, kind=""):
    await ACTIONS[kind].run(ctx)
""",
    "class attr table": READS + """
class Router:
    actions = {"load": load, "save": save}
    async def run(self, kind, ctx):
        return await self.actions[kind](ctx)
@HANDLER
async def show(ctx, kind=""):
    return await Router().run(kind, ctx)
""",
    "self table": """
class Router:
    def __init__(self):
        self.actions = {"load": self.load, "save": self.save}
    async def load(self, ctx):
        return await ctx.skeleton.get("notes")
    async def save(self, ctx):
        return None
    async def run(self, kind, ctx):
        handler = self.actions.get(kind)
        return await handler(ctx)
@HANDLER
async def show(ctx, kind=""):
    return await Router().run(kind, ctx)
""",
    "dunder call": """
class Loader:
    async def __call__(self, ctx):
        return await ctx.skeleton.get("notes")
load = Loader()
@HANDLER
async def show(ctx, kind=""):
    return await load(ctx)
""",
    "dunder call table": """
class Loader:
    def __init__(self, key):
        self.key = key
    async def __call__(self, ctx):
        return await ctx.skeleton.get(self.key)
ACTIONS = {"a": Loader("a"), "b": Loader("b")}
@HANDLER
async def show(ctx, kind=""):
    return await ACTIONS[kind](ctx)
""",
    "dunder getitem": """
class Notes:
    def __init__(self, ctx):
        self.ctx = ctx
    def __getitem__(self, key):
        return self.ctx.skeleton.get(key)
@HANDLER
async def show(ctx, kind=""):
    return await Notes(ctx)["notes"]
""",
    "dunder await": """
class Notes:
    def __init__(self, ctx):
        self.ctx = ctx
    def __await__(self):
        return self.ctx.skeleton.get("notes").__await__()
@HANDLER
async def show(ctx, kind=""):
    return await Notes(ctx)
""",
    "inner class": """
class Api:
    class Notes:
        @staticmethod
        async def load(ctx):
            return await ctx.skeleton.get("notes")
@HANDLER
async def show(ctx, kind=""):
    return await Api.Notes.load(ctx)
""",
    "staticmethod table": """
class Tools:
    @staticmethod
    async def load(ctx):
        return await ctx.skeleton.get("notes")
ACTIONS = {"load": Tools.load}
@HANDLER
async def show(ctx, kind=""):
    return await ACTIONS[kind](ctx)
""",
    "method table": """
class Tools:
    async def load(self, ctx):
        return await ctx.skeleton.get("notes")
tools = Tools()
ACTIONS = {"load": tools.load}
@HANDLER
async def show(ctx, kind=""):
    return await ACTIONS[kind](ctx)
""",
}  # fmt: skip
"""How a handler comes to the read → the code, and further files."""


@pytest.mark.parametrize("how", REGISTRIES)
def test_a_panel_may_not_read(lint: Lint, how: str) -> None:
    """The read is an error whatever leads to it."""
    severities = {item.severity for item in found(lint, REGISTRIES[how], '@ext.panel("p")')}
    assert {"error"} == severities


@pytest.mark.parametrize("how", REGISTRIES)
def test_the_way_begins_at_the_handler(lint: Lint, how: str) -> None:
    """The message and the chain name the handler that comes there."""
    for item in found(lint, REGISTRIES[how], '@ext.panel("p")'):
        assert '@ext.panel("p") show' in item.message
        assert '@ext.panel("p") show gets the context' == item.chain[0].note


@pytest.mark.parametrize("how", REGISTRIES)
@pytest.mark.parametrize("handler", ['@ext.skeleton("p", ttl=60)', ""])
def test_a_skeleton_handler_may(lint: Lint, how: str, handler: str) -> None:
    """The same code is right where only a skeleton handler runs it, or nobody."""
    assert [] == found(lint, REGISTRIES[how], handler)
