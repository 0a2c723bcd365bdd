"""The skeleton read through objects, their classes, and contexts that are kept somewhere."""

from __future__ import annotations

import pytest

from .conftest import Lint
from .reached import found

OBJECTS: dict[str, str | tuple[str, dict[str, str]]] = {
    "service": """
class Service:
    def __init__(self, ctx):
        self.ctx = ctx
    async def load(self):
        return await self.ctx.skeleton.get("notes")
@HANDLER
async def show(ctx):
    return await Service(ctx).load()
""",
    "service client": """
class Service:
    def __init__(self, skeleton):
        self._skeleton = skeleton
    async def load(self):
        return await self._skeleton.get("notes")
@HANDLER
async def show(ctx):
    return await Service(ctx.skeleton).load()
""",
    "service var": """
class Service:
    def __init__(self, ctx):
        self.ctx = ctx
    async def load(self):
        return await self.ctx.skeleton.get("notes")
@HANDLER
async def show(ctx):
    service = Service(ctx)
    await service.load()
""",
    "service factory": """
class Service:
    def __init__(self, ctx):
        self.ctx = ctx
    async def load(self):
        return await self.ctx.skeleton.get("notes")
def service(ctx):
    return Service(ctx)
@HANDLER
async def show(ctx):
    return await service(ctx).load()
""",
    "service classmethod": """
class Service:
    def __init__(self, ctx):
        self.ctx = ctx
    @classmethod
    def of(cls, ctx):
        return cls(ctx)
    async def load(self):
        return await self.ctx.skeleton.get("notes")
@HANDLER
async def show(ctx):
    return await Service.of(ctx).load()
""",
    "service dataclass": """
from dataclasses import dataclass
from typing import Any
@dataclass
class Service:
    ctx: Any
    async def load(self):
        return await self.ctx.skeleton.get("notes")
@HANDLER
async def show(ctx):
    return await Service(ctx).load()
""",
    "service dataclass kw": """
from dataclasses import dataclass
@dataclass
class Deps:
    ctx: object
    key: str = "notes"
async def read(deps):
    return await deps.ctx.skeleton.get(deps.key)
@HANDLER
async def show(ctx):
    deps = Deps(ctx=ctx)
    return await read(deps)
""",
    "attr set later": """
class Service:
    ctx = None
    def bind(self, ctx):
        self.ctx = ctx
        return self
    async def load(self):
        return await self.ctx.skeleton.get("notes")
@HANDLER
async def show(ctx):
    return await Service().bind(ctx).load()
""",
    "contextvar": """
from contextvars import ContextVar
_CTX = ContextVar("ctx")
async def read():
    return await _CTX.get().skeleton.get("notes")
@HANDLER
async def show(ctx):
    _CTX.set(ctx)
    return await read()
""",
    "contextvar file": ("""
from state import current
from reads import read
@HANDLER
async def show(ctx):
    token = current.set(ctx)
    try:
        return await read()
    finally:
        current.reset(token)
""", {"state__py": """
import contextvars
current = contextvars.ContextVar("current", default=None)
""", "reads__py": """
from state import current
async def read():
    ctx = current.get()
    return await ctx.skeleton.get("notes")
"""}),
    "global var": """
_ctx = None
async def read():
    return await _ctx.skeleton.get("notes")
@HANDLER
async def show(ctx):
    global _ctx
    _ctx = ctx
    return await read()
""",
    "global setter": """
_ctx = None
def set_ctx(ctx):
    global _ctx
    _ctx = ctx
async def read():
    return await _ctx.skeleton.get("notes")
@HANDLER
async def show(ctx):
    set_ctx(ctx)
    return await read()
""",
    "context manager": """
class Session:
    def __init__(self, ctx):
        self.ctx = ctx
    async def __aenter__(self):
        self.data = await self.ctx.skeleton.get("notes")
        return self
    async def __aexit__(self, *exc):
        return False
@HANDLER
async def show(ctx):
    async with Session(ctx) as s:
        return s.data
""",
    "context manager method": """
class Session:
    def __init__(self, ctx):
        self.ctx = ctx
    async def __aenter__(self):
        return self
    async def __aexit__(self, *exc):
        return False
    async def load(self):
        return await self.ctx.skeleton.get("notes")
@HANDLER
async def show(ctx):
    async with Session(ctx) as s:
        return await s.load()
""",
    "contextmanager function": """
from contextlib import asynccontextmanager
@asynccontextmanager
async def session(ctx):
    data = await ctx.skeleton.get("notes")
    yield data
@HANDLER
async def show(ctx):
    async with session(ctx) as data:
        return data
""",
    "generator": """
async def rows(ctx):
    for row in await ctx.skeleton.get("notes"):
        yield row
@HANDLER
async def show(ctx):
    return [row async for row in rows(ctx)]
""",
    "async iterator": """
class Rows:
    def __init__(self, ctx):
        self.ctx = ctx
    def __aiter__(self):
        return self
    async def __anext__(self):
        return await self.ctx.skeleton.get("notes")
@HANDLER
async def show(ctx):
    async for row in Rows(ctx):
        return row
""",
    "super load": """
class Base:
    async def load(self, ctx):
        return await ctx.skeleton.get("notes")
class Child(Base):
    async def load(self, ctx):
        return await super().load(ctx)
@HANDLER
async def show(ctx, kind=""):
    return await Child().load(ctx)
""",
    "super init": """
class Base:
    def __init__(self, ctx):
        self.ctx = ctx
class Child(Base):
    def __init__(self, ctx, key):
        super().__init__(ctx)
        self.key = key
    async def load(self):
        return await self.ctx.skeleton.get(self.key)
@HANDLER
async def show(ctx, kind=""):
    return await Child(ctx, "notes").load()
""",
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
@HANDLER
async def show(ctx, kind=""):
    return await Child().run(ctx)
""",
    "template method not implemented": """
class Base:
    def __init__(self, ctx):
        self.ctx = ctx
    async def load(self):
        raise NotImplementedError
    async def run(self):
        return await self.load()
class Child(Base):
    async def load(self):
        return await self.ctx.skeleton.get("notes")
@HANDLER
async def show(ctx, kind=""):
    return await Child(ctx).run()
""",
    "property": """
class Service:
    def __init__(self, ctx):
        self._ctx = ctx
    @property
    def ctx(self):
        return self._ctx
    async def load(self):
        return await self.ctx.skeleton.get("notes")
@HANDLER
async def show(ctx, kind=""):
    return await Service(ctx).load()
""",
    "property skeleton": """
class Service:
    def __init__(self, ctx):
        self._ctx = ctx
    @property
    def notes(self):
        return self._ctx.skeleton.get("notes")
@HANDLER
async def show(ctx, kind=""):
    return await Service(ctx).notes
""",
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
@HANDLER
async def show(ctx, kind=""):
    return await Service(ctx).load()
""",
    "composition": """
class Repo:
    def __init__(self, ctx):
        self.ctx = ctx
    async def load(self):
        return await self.ctx.skeleton.get("notes")
class Service:
    def __init__(self, repo):
        self.repo = repo
    async def run(self):
        return await self.repo.load()
@HANDLER
async def show(ctx, kind=""):
    return await Service(Repo(ctx)).run()
""",
}  # fmt: skip
"""How a handler comes to the read → the code, and further files."""


@pytest.mark.parametrize("how", OBJECTS)
def test_a_panel_may_not_read(lint: Lint, how: str) -> None:
    """The read is an error whatever leads to it."""
    severities = {item.severity for item in found(lint, OBJECTS[how], '@ext.panel("p")')}
    assert {"error"} == severities


@pytest.mark.parametrize("how", OBJECTS)
def test_the_way_begins_at_the_handler(lint: Lint, how: str) -> None:
    """The message and the chain name the handler that comes there."""
    for item in found(lint, OBJECTS[how], '@ext.panel("p")'):
        assert '@ext.panel("p") show' in item.message
        assert '@ext.panel("p") show gets the context' == item.chain[0].note


@pytest.mark.parametrize("how", OBJECTS)
@pytest.mark.parametrize("handler", ['@ext.skeleton("p", ttl=60)', ""])
def test_a_skeleton_handler_may(lint: Lint, how: str, handler: str) -> None:
    """The same code is right where only a skeleton handler runs it, or nobody."""
    assert [] == found(lint, OBJECTS[how], handler)
