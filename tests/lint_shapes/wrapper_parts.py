"""The parts of small extensions with decorators."""

from __future__ import annotations

from textwrap import indent

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
_WRAPPER = """\
    @wraps(fn)
    async def wrapper(ctx, *args, **kwargs):
        {}
        return await fn(ctx, *args, **kwargs)
    return wrapper
"""
_DEEPER = indent(_WRAPPER, "    ")
PLAIN = f"\ndef deco(fn):\n{_WRAPPER}"
MADE = f"""
def deco(ttl=60, section=""):
    def decorate(fn):
{_DEEPER}\
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
MAKER = f"""
class Deco:
    def __init__(self, section=""):
        self.section = section

    def __call__(self, fn):
{_DEEPER}"""
METHOD = f"""
class Guard:
    def require(self, fn):
{_DEEPER}

guard = Guard()
"""
BY_KIND = """
def deco(fn):
    if inspect.iscoroutinefunction(fn):
        @wraps(fn)
        async def wrapper(ctx, *args, **kwargs):
            {}return await fn(ctx, *args, **kwargs)
        return wrapper

    @wraps(fn)
    def plain(ctx, *args, **kwargs):
        {}return fn(ctx, *args, **kwargs)
    return plain
"""
FOR_ASYNC = BY_KIND.format(f"{LEDGER}\n            ", "")
"""One wrapper for each kind of function, of which the async one has the breach."""
OTHER = """
def passing(fn):
    @wraps(fn)
    async def inner(ctx, *args, **kwargs):
        return await fn(ctx, *args, **kwargs)
    return inner
"""
LOWER = f"\n{OTHER}".replace("passing", "lower")
OWNED = """

def owned(fn):
    @wraps(fn)
    async def inner(ctx, *args, **kwargs):
        return await fn(Own(), *args, **kwargs)
    return inner
"""
OWN = f"""
class Own:
    fact_ledger = set()
    skeleton = {{}}
{OWNED}"""


def for_sections(body: str) -> str:
    """Return a wrapper with a body that is meant for sections, and a function that has it too."""
    return MADE.format(body) + SECTION.format('deco(section="x")') + LIST.format("deco()")
