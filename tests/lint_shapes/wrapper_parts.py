"""The parts of small extensions with decorators."""

from __future__ import annotations

HEAD = """\
import functools
import inspect
from functools import partial, update_wrapper, wraps
from typing import Any

from imperal_sdk import ActionResult, ChatExtension, Context, Extension
from pydantic import BaseModel

ext = Extension("notes", version="1.0.0")
chat = ChatExtension(ext, tool_name="notes", description="Notes")


@ext.cache_model("p")
class P(BaseModel):
    n: int = 1


"""
LIST = """

@chat.function("list", description="Lists the notes of a user", action_type="read")
@{}
async def list_(ctx, params: P) -> ActionResult:
    return ActionResult.success({{}}, "x")
"""
PANEL = """

@ext.panel("side", slot="left")
@{}
async def side(ctx, **kwargs):
    return None
"""
SECTION = """

@ext.skeleton("notes", ttl=300)
@{}
async def notes(ctx, **kwargs):
    return {{"response": {{}}}}
"""
READ = 'await ctx.skeleton.get("x")'
LEDGER = "ctx.fact_ledger.add(1)"
PLAIN = """
def deco(fn):
    @wraps(fn)
    async def wrapper(ctx, *args, **kwargs):
        {}
        return await fn(ctx, *args, **kwargs)
    return wrapper
"""
MADE = """
def deco(ttl=60, section=""):
    def decorate(fn):
        @wraps(fn)
        async def wrapper(ctx, *args, **kwargs):
            {}
            return await fn(ctx, *args, **kwargs)
        return wrapper
    return decorate
"""
OBJECT = """
class Deco:
    def __init__(self, fn):
        self.fn = fn
        update_wrapper(self, fn)

    async def __call__(self, ctx, *args, **kwargs):
        {}
        return await self.fn(ctx, *args, **kwargs)
"""
MAKER = """
class Deco:
    def __init__(self, section=""):
        self.section = section

    def __call__(self, fn):
        @wraps(fn)
        async def wrapper(ctx, *args, **kwargs):
            {}
            return await fn(ctx, *args, **kwargs)
        return wrapper
"""
METHOD = """
class Guard:
    def require(self, fn):
        @wraps(fn)
        async def wrapper(ctx, *args, **kwargs):
            {}
            return await fn(ctx, *args, **kwargs)
        return wrapper


guard = Guard()
"""
OTHER = """
def passing(fn):
    @wraps(fn)
    async def inner(ctx, *args, **kwargs):
        return await fn(ctx, *args, **kwargs)
    return inner
"""
OWN = """
class Own:
    fact_ledger = set()
    skeleton = {}


def owned(fn):
    @wraps(fn)
    async def inner(ctx, *args, **kwargs):
        return await fn(Own(), *args, **kwargs)
    return inner
"""
