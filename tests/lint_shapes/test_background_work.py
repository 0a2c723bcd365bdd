"""What background work returns, whatever makes its coroutine."""

from __future__ import annotations

import pytest

from .conftest import Lint

HEAD = """
import asyncio
import functools


async def index(ctx):
    return {"n": 1}


async def good(ctx):
    return ActionResult.success({"a": 1}, "x")


"""
HANDLER = """

@ext.tool("t")
async def t(ctx, flag=False):
    await ctx.background_task({work})
"""
WRONG: dict[str, tuple[str, str, str]] = {
    "lambda": ("", "lambda: index(ctx)", "is a function"),
    "function": ("", "index", "is a function"),
    "bound": ("""
class S:
    async def go(self, ctx):
        return 1
""", "S().go(ctx)", "an int"),
    "bound var": ("""
class S:
    async def go(self, ctx):
        return {}
svc = S()
""", "svc.go(ctx)", "a dict"),
    "self": ("""
class S:
    def __init__(self, ctx):
        self.ctx = ctx
    async def go(self):
        await self.ctx.store.create('c', {})
""", "S(ctx).go()", "None"),
    "while break": ("""
async def work(ctx):
    while True:
        r = await index(ctx)
        if r:
            break
""", "work(ctx)", "None"),
    "wait_for": ("", "asyncio.wait_for(index(ctx), 5)", "a dict"),
    "store": ("", 'ctx.store.create("c", {})', "a Document"),
    "returns helper2": ("""
async def helper(ctx):
    return 1
async def work(ctx):
    r = await helper(ctx)
    return r
""", "work(ctx)", "an int"),
    "returns store": ("""
async def work(ctx):
    return await ctx.store.create('c', {})
""", "work(ctx)", "a Document"),
    "tuple": ("""
async def work(ctx):
    return True, 'x'
""", "work(ctx)", "a tuple"),
    "model": ("""
from pydantic import BaseModel
class M(BaseModel):
    a: int = 1
async def work(ctx):
    return M()
""", "work(ctx)", "a M"),
    "comp": ("""
async def work(ctx):
    return [i for i in range(3)]
""", "work(ctx)", "a list"),
    "table": ("""
JOBS = {'a': index, 'b': good}
""", "JOBS['a'](ctx)", "a dict"),
    "returns what was gathered": ("""
async def work(ctx):
    return await asyncio.gather(index(ctx), index(ctx))
""", "work(ctx)", "returns a list"),
    "returns a function": ("""
async def work(ctx):
    return good
""", "work(ctx)", "returns a function"),
    "returns its own object": ("""
class Done:
    ok = True
async def work(ctx):
    return Done()
""", "work(ctx)", "returns a Done"),
    "dump": ("""
async def work(ctx):
    return ActionResult.success({}, 'x').to_dict()
""", "work(ctx)", "a dict"),
}  # fmt: skip
"""What is certainly no ActionResult → the code before, the work, what the message says."""
GOOD: dict[str, tuple[str, str]] = {
    "raises in a with": ("""
async def work(ctx):
    async with asyncio.timeout(3):
        raise ValueError("x")
""", "work(ctx)"),
    "raises either way": ("""
async def work(ctx):
    if await index(ctx):
        raise ValueError("x")
    else:
        raise TypeError("y")
""", "work(ctx)"),
    "raises by a helper": ("""
def fail(text):
    with open("log") as log:
        raise ValueError(text)


async def work(ctx):
    await index(ctx)
    fail("x")
""", "work(ctx)"),
    "good": ("", "good(ctx)"),
    "good wait": ("", "asyncio.wait_for(good(ctx), 5)"),
    "good nested": ("""
async def work(ctx):
    try:
        return await good(ctx)
    finally:
        await index(ctx)
""", "work(ctx)"),
    "good raise": ("""
async def work(ctx):
    if flag():
        return ActionResult.success({}, 'x')
    raise ValueError
def flag(): return 1
""", "work(ctx)"),
    "good with": ("""
async def work(ctx):
    async with asyncio.timeout(3):
        return ActionResult.success({}, 'x')
""", "work(ctx)"),
    "good match": ("""
async def work(ctx):
    match ctx.user:
        case None:
            return ActionResult.error('x')
        case _:
            return ActionResult.success({}, 'x')
""", "work(ctx)"),
    "good abstract": ("""
import abc
class J(abc.ABC):
    @abc.abstractmethod
    async def go(self, ctx): ...
    async def start(self, ctx):
        await ctx.background_task(self.go(ctx))
""", "good(ctx)"),
    "good decorated": ("""
def finishing(f):
    @functools.wraps(f)
    async def inner(*a):
        await f(*a)
        return ActionResult.success({}, 'x')
    return inner
@finishing
async def work(ctx):
    await index(ctx)
""", "work(ctx)"),
    "while true": ("""
async def work(ctx):
    while True:
        r = await index(ctx)
        if r:
            return ActionResult.success({}, 'x')
""", "work(ctx)"),
    "ui": ("""
from imperal_sdk import ui
async def work(ctx):
    return ui.Text('x')
""", "work(ctx)"),
    "gathers first": ("""
async def work(ctx):
    await asyncio.gather(index(ctx), index(ctx))
    return ActionResult.success({}, 'x')
""", "work(ctx)"),
    "an object with a base of elsewhere": ("""
import kit
class Done(kit.Result):
    ok = True
async def work(ctx):
    return Done()
""", "work(ctx)"),
    "to_thread": ("""
def job(ctx):
    return 1
""", "asyncio.to_thread(job, ctx)"),
}  # fmt: skip
"""What returns one, or may → the code before, the work."""


def _told(lint: Lint, before: str, work: str) -> list[tuple[str, str]]:
    found = lint("FED513", HEAD + before + HANDLER.format(work=work))
    return [(item.severity, item.message) for item in found]


@pytest.mark.parametrize("what", WRONG)
def test_what_is_no_result_is_an_error(lint: Lint, what: str) -> None:
    """The message names what comes in its place."""
    before, work, words = WRONG[what]
    ((severity, message),) = _told(lint, before, work)
    assert ("error", True) == (severity, words in message)


@pytest.mark.parametrize("what", GOOD)
def test_what_returns_a_result_is_left_alone(lint: Lint, what: str) -> None:
    """Neither is what nobody can tell."""
    assert [] == _told(lint, *GOOD[what])
