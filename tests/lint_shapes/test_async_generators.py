"""Async generators that are awaited or walked through by ``for``: each was tried on SDK 6.3.7."""

from __future__ import annotations

import pytest

from .conftest import Lint

HEAD = """
import functools
from contextlib import asynccontextmanager


async def walk(ctx):
    yield await ctx.store.get("n", "1")


def listed(function):
    @functools.wraps(function)
    async def inner(*args):
        return [item async for item in function(*args)]

    return inner


@listed
async def gathered(ctx):
    yield 1


@asynccontextmanager
async def opened(ctx):
    yield 1


class Notes:
    async def each(self):
        yield 1

    async def other(self):
        yield 1


class Kept(Notes):
    async def other(self):
        return [1]


async def every(ctx):
    return [1]


@ext.schedule("s", cron="0 * * * *")
async def s(ctx, notes: Notes):
"""
USERS = "ctx.store.list_users('n')"
WAYS = (USERS, "walk(ctx)", "Notes().each()", "notes.each()")
WRONG = (
    ("x = await {}", "await", "[item async for item in {}]"),
    ("for x in {}:\n    x", "the loop", "async for x in {}"),
    ("for x in await {}:\n    x", "await", "async for x in {}"),
    ("x = [i for i in {}]", "the loop", "async for i in {}"),
    ("x = any(i for i in {})", "the loop", "[… async for i in {}]"),
    ("x = list({})", "list()", "[item async for item in {}]"),
    ("x = sorted(await {})", "await", "[item async for item in {}]"),
)
NEEDLESS = ("async for x in await {}:\n    x", "x = [i async for i in await {}]")
RIGHT = (
    "async for x in {}:\n    x",
    "x = [i async for i in {}]",
    "x = {}\nasync for i in x:\n    i",
    "x = await anext({})",
    "x = {}\nawait x.aclose()",
    "try:\n    await {}\nexcept TypeError:\n    pass",
    "try:\n    for i in {}:\n        i\nexcept TypeError:\n    pass",
)
OTHERS = (
    "await gathered(ctx)",
    "async with opened(ctx) as x:\n    x",
    "for x in opened(ctx):\n    x",
    "for x in await gathered(ctx):\n    x",
    "await notes.other()",
    "for x in await every(ctx):\n    x",
    "x = ctx.store.list_users('n') if ctx.user else []\nfor i in x:\n    i",
    "x = walk(ctx)\nx = [i async for i in x]\nfor i in x:\n    i",
    "x = walk(ctx)\nif hasattr(x, '__await__'):\n    await x",
    "def list(given):\n    return given\nlist(walk(ctx))",
    "for x in await ctx.store.query_all('n'):\n    x",
)


def _told(lint: Lint, body: str) -> list[tuple[str, str]]:
    found = lint("FED109", HEAD + "".join(f"    {line}\n" for line in body.splitlines()))
    assert all(item.severity == "error" for item in found)
    return [
        (text.partition(" raises TypeError")[0].rpartition(": ")[2], text.rpartition(". ")[2])
        for text in (item.message for item in found)
    ]


@pytest.mark.parametrize("made", WAYS)
@pytest.mark.parametrize(("body", "does", "instead"), WRONG)
def test_what_is_no_coroutine_and_no_list(
    lint: Lint, made: str, body: str, does: str, instead: str
) -> None:
    """``await`` and ``for`` raise TypeError; the advice fits the place."""
    assert [(does, f"Write {instead.format(made)}.")] == _told(lint, body.format(made))


@pytest.mark.parametrize("made", WAYS)
@pytest.mark.parametrize("body", NEEDLESS)
def test_an_await_behind_async_for(lint: Lint, made: str, body: str) -> None:
    """Where ``async for`` stands already, ``await`` is all that has to go, and --fix does it."""
    assert [("await", "Leave out await.")] == _told(lint, body.format(made))
    lines = "".join(f"    {line}\n" for line in body.format(made).splitlines())
    (found,) = lint("FED109", HEAD + lines)
    assert found.fix is not None


@pytest.mark.parametrize("body", ["await x", "for i in x:\n    i", "tuple(x)"])
def test_an_async_generator_that_a_name_holds(lint: Lint, body: str) -> None:
    """A name changes nothing."""
    assert 1 == len(_told(lint, f"x = {USERS}\n{body}"))


@pytest.mark.parametrize("made", WAYS)
@pytest.mark.parametrize("body", RIGHT)
def test_async_generators_that_are_walked_through(lint: Lint, made: str, body: str) -> None:
    """``async for`` is right, and who catches TypeError knows."""
    assert [] == _told(lint, body.format(made))


@pytest.mark.parametrize("body", OTHERS)
def test_what_may_be_something_else(lint: Lint, body: str) -> None:
    """What a decorator, another class or another assignment may replace is left alone."""
    assert [] == _told(lint, body)


def test_async_generators_of_the_release(lint: Lint) -> None:
    """In a plain function the advice says where ``async for`` can stand."""
    body = HEAD.partition("@ext.schedule")[0]
    (found,) = lint("FED109", f"{body}\n\ndef g(ctx):\n    return list(walk(ctx))\n")
    assert found.message.endswith("Write [item async for item in walk(ctx)] in an async function.")


TASKS = """
import asyncio
from asyncio import gather as together


async def walk(ctx, n=1):
    yield n


async def find(ctx, n=1):
    return n


@ext.panel("p")
async def p(ctx):
    {0}
"""


@pytest.mark.parametrize(
    "task",
    [
        "await asyncio.gather(find(ctx), {})",
        "await together({}, return_exceptions=True)",
        "await asyncio.gather(*({} for n in (1, 2)))",
        "await asyncio.gather(*[{} for n in (1, 2)])",
        "asyncio.create_task({})",
        "asyncio.ensure_future({})",
        "await asyncio.wait_for({}, 3)",
        "made = {}\n    await asyncio.shield(made)",
    ],
)
def test_asyncio_takes_only_what_can_be_awaited(lint: Lint, task: str) -> None:
    """Python 3.11 to 3.13 raise TypeError for each of them; a coroutine is right."""
    (found,) = lint("FED109", TASKS.format(task.format("walk(ctx, 2)")))
    assert "error" == found.severity
    assert "() raises TypeError. Give it a coroutine that walks" in found.message
    assert () == lint("FED109", TASKS.format(task.format("find(ctx, 2)")))
    assert () == lint("FED109", TASKS.format(task.format("anext(walk(ctx, 2))")))


@pytest.mark.parametrize(
    "body",
    [
        "try:\n        asyncio.create_task(walk(ctx))\n    except TypeError:\n        pass",
        "mine.gather(walk(ctx))",
        "asyncio.run(walk(ctx), debug=walk(ctx))",
    ],
)
def test_what_may_be_meant_is_left_alone(lint: Lint, body: str) -> None:
    """It is caught, or another function gets it."""
    assert () == lint("FED109", TASKS.format(body))
