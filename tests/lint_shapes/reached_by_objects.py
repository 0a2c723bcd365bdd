"""The skeleton read through objects, their classes, and contexts that are kept somewhere."""

from __future__ import annotations

from .reached import LOAD_METHOD, Code, keeping, show

OBJECTS: dict[str, Code] = {
    "service": keeping("Service") + LOAD_METHOD + show("return await Service(ctx).load()"),
    "service client": """
class Service:
    def __init__(self, skeleton):
        self._skeleton = skeleton
    async def load(self):
        return await self._skeleton.get("notes")
""" + show("return await Service(ctx.skeleton).load()"),
    "service var": keeping("Service") + LOAD_METHOD + show("""
service = Service(ctx)
await service.load()
"""),
    "service factory": keeping("Service") + LOAD_METHOD + """
def service(ctx):
    return Service(ctx)
""" + show("return await service(ctx).load()"),
    "service classmethod": keeping("Service") + """\
    @classmethod
    def of(cls, ctx):
        return cls(ctx)
""" + LOAD_METHOD + show("return await Service.of(ctx).load()"),
    "service dataclass": """
from dataclasses import dataclass
from typing import Any
@dataclass
class Service:
    ctx: Any
""" + LOAD_METHOD + show("return await Service(ctx).load()"),
    "service dataclass kw": """
from dataclasses import dataclass
@dataclass
class Deps:
    ctx: object
    key: str = "notes"
async def read(deps):
    return await deps.ctx.skeleton.get(deps.key)
""" + show("""
deps = Deps(ctx=ctx)
return await read(deps)
"""),
    "attr set later": """
class Service:
    ctx = None
    def bind(self, ctx):
        self.ctx = ctx
        return self
""" + LOAD_METHOD + show("return await Service().bind(ctx).load()"),
    "contextmanager function": """
from contextlib import asynccontextmanager
@asynccontextmanager
async def session(ctx):
    data = await ctx.skeleton.get("notes")
    yield data
""" + show("""
async with session(ctx) as data:
    return data
"""),
    "generator": """
async def rows(ctx):
    for row in await ctx.skeleton.get("notes"):
        yield row
""" + show("return [row async for row in rows(ctx)]"),
    "super load": """
class Base:
    async def load(self, ctx):
        return await ctx.skeleton.get("notes")
class Child(Base):
    async def load(self, ctx):
        return await super().load(ctx)
""" + show("return await Child().load(ctx)"),
    "super init": keeping("Base") + """
class Child(Base):
    def __init__(self, ctx, key):
        super().__init__(ctx)
        self.key = key
    async def load(self):
        return await self.ctx.skeleton.get(self.key)
""" + show('return await Child(ctx, "notes").load()'),
    "abstract overridden": """
from abc import ABC, abstractmethod
class Base(ABC):
    @abstractmethod
    async def load(self, ctx): ...
    async def run(self, ctx):
        return await self.load(ctx)
class Child(Base):
    async def load(self, ctx):
        return await ctx.skeleton.get("notes")
""" + show("return await Child().run(ctx)"),
    "template method not implemented": keeping("Base") + """\
    async def load(self):
        raise NotImplementedError
    async def run(self):
        return await self.load()
class Child(Base):
""" + LOAD_METHOD + show("return await Child(ctx).run()"),
    "property": """
class Service:
    def __init__(self, ctx):
        self._ctx = ctx
    @property
    def ctx(self):
        return self._ctx
""" + LOAD_METHOD + show("return await Service(ctx).load()"),
    "cached property": """
from functools import cached_property
class Service:
    def __init__(self, ctx):
        self._ctx = ctx
    @cached_property
    def skeleton(self):
        return self._ctx.skeleton
    async def load(self):
        return await self.skeleton.get("notes")
""" + show("return await Service(ctx).load()"),
    "composition": keeping("Repo") + LOAD_METHOD + """
class Service:
    def __init__(self, repo):
        self.repo = repo
    async def run(self):
        return await self.repo.load()
""" + show("return await Service(Repo(ctx)).run()"),
}  # fmt: skip
"""How a handler comes to the read → the code, and further files."""
