"""The skeleton read by methods and by what decorators put into tables."""

from __future__ import annotations

from .reached import LOAD, READS, REGISTER, RUNNERS, Code, keeping, show

REGISTRIES: dict[str, Code] = {
    "singleton": """
class Service:
    async def load(self, ctx):
        return await ctx.skeleton.get("notes")
service = Service()
""" + show("return await service.load(ctx)"),
    "class registry": RUNNERS + """
REGISTRY = {"load": Load, "save": Save}
""" + show("return await REGISTRY[kind]().run(ctx)"),
    "class registry init": keeping("Load") + """\
    async def run(self):
        return await self.ctx.skeleton.get("notes")
""" + keeping("Save") + """\
    async def run(self):
        return None
REGISTRY = {"load": Load, "save": Save}
""" + show("""
cls = REGISTRY.get(kind)
return await cls(ctx).run()
"""),
    "instance registry": RUNNERS + """
REGISTRY = {"load": Load(), "save": Save()}
""" + show("return await REGISTRY[kind].run(ctx)"),
    "instance list": RUNNERS + show("""
for step in [Load(), Save()]:
    await step.run(ctx)
"""),
    "decorator registry": REGISTER + """
@register("load")""" + LOAD + show("return await REG[kind](ctx)"),
    "decorator registry get": ("""
from registry import REG
import reads
""" + show("""
handler = REG.get(kind)
if handler:
    return await handler(ctx)
"""), {"registry__py": REGISTER, "reads__py": """
from registry import register
@register("load")""" + LOAD}),
    "decorator registry list": """
STEPS = []
def step(f):
    STEPS.append(f)
    return f
@step""" + LOAD + show("""
for run in STEPS:
    await run(ctx)
"""),
    "named tuple member": READS + """
from typing import NamedTuple, Any
class Action(NamedTuple):
    title: str
    run: Any
LOAD = Action("Load", load)
""" + show("return await LOAD.run(ctx)"),
    "named tuple list": READS + """
from typing import NamedTuple, Callable
class Action(NamedTuple):
    title: str
    run: Callable
ACTIONS = [Action("Load", load), Action("Save", save)]
""" + show("""
for action in ACTIONS:
    await action.run(ctx)
"""),
    "dataclass member": READS + """
from dataclasses import dataclass
from typing import Callable
@dataclass
class Action:
    title: str
    run: Callable
ACTIONS = {"l": Action("Load", load), "s": Action("Save", save)}
""" + show("await ACTIONS[kind].run(ctx)"),
    "class attr table": READS + """
class Router:
    actions = {"load": load, "save": save}
    async def run(self, kind, ctx):
        return await self.actions[kind](ctx)
""" + show("return await Router().run(kind, ctx)"),
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
""" + show("return await Router().run(kind, ctx)"),
    "dunder call": """
class Loader:
    async def __call__(self, ctx):
        return await ctx.skeleton.get("notes")
load = Loader()
""" + show("return await load(ctx)"),
    "dunder call table": """
class Loader:
    def __init__(self, key):
        self.key = key
    async def __call__(self, ctx):
        return await ctx.skeleton.get(self.key)
ACTIONS = {"a": Loader("a"), "b": Loader("b")}
""" + show("return await ACTIONS[kind](ctx)"),
    "dunder getitem": keeping("Notes") + """\
    def __getitem__(self, key):
        return self.ctx.skeleton.get(key)
""" + show('return await Notes(ctx)["notes"]'),
    "dunder await": keeping("Notes") + """\
    def __await__(self):
        return self.ctx.skeleton.get("notes").__await__()
""" + show("return await Notes(ctx)"),
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
}  # fmt: skip
"""How a handler comes to the read → the code, and further files."""
