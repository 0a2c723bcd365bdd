"""A coroutine that is used as if it were the result is reported; one that is kept is not."""

from __future__ import annotations

import pytest

from .conftest import Lint
from .programs import only_error, with_body

HEAD = """
import asyncio
import inspect

from imperal_sdk import Extension

ext = Extension("notes")


async def fetch(ctx):
    return await ctx.http.get("https://example.org")


async def walk(ctx):
    yield await ctx.store.get("n", "1")


def plain(ctx):
    return {"a": 1}


def wrapped(function):
    def inner(ctx):
        return asyncio.create_task(function(ctx))

    return inner


def remade(cls):
    return cls


@remade
class Remade:
    async def every(self):
        return []


@wrapped
async def task_of(ctx):
    return 1


class Base:
    def __init__(self, ctx):
        self.ctx = ctx

    async def all(self):
        return await self.ctx.store.query("n")

    async def some(self):
        return []


class Sync(Base):
    def some(self):
        return []

    async def few(self):
        return []


class Field(Sync):
    few = property(plain)


@ext.tool("t")
async def t(ctx):
"""

ATTRIBUTE = "raises AttributeError. Write "


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ('for row in ctx.store.query("n"): print(row)', "the loop raises TypeError"),
        ('async for row in ctx.store.query("n"): print(row)', "the loop raises TypeError"),
        ('rows = [row for row in ctx.store.query("n")]', "the loop raises TypeError"),
        ('d = ctx.http.get("u").json()', f"{ATTRIBUTE}(await ctx.http.get('u')).json(…)."),
        ('d = ctx.ai.complete("x").text', f"{ATTRIBUTE}(await ctx.ai.complete('x')).text."),
        ('d = await ctx.store.query("n").data', f"{ATTRIBUTE}(await ctx.store.query('n')).data."),
        ('d = ctx.store.get("n", "1")["x"]', "Write (await ctx.store.get('n', '1'))[…]."),
        ('if not ctx.store.get("n", "1"): return', "a coroutine is always true"),
        ('if ctx.user and ctx.secrets.get("k"): return', "a coroutine is always true"),
        ('key = ctx.secrets.get("k") or "x"', "a coroutine is always true"),
        ('rows = [x for x in "ab" if ctx.store.get("n", x)]', "a coroutine is always true"),
        ('assert ctx.secrets.get("k")', "a coroutine is always true"),
        ('n = ctx.store.count("n") + 1', "the operation raises TypeError"),
        ('n = ctx.store.count("n") > 3', "the comparison raises TypeError"),
        ('n = "a" in ctx.store.query("n")', "the comparison raises TypeError"),
        ('n = ctx.secrets.get("k") == "x"', "the comparison is with the coroutine"),
        ('n = len(ctx.store.query("n"))', "len() raises TypeError"),
        ('n = dict(ctx.store.get("n", "1"))', "dict() raises TypeError"),
        ("n = f\"{ctx.store.count('n')}\"", 'the text shows "<coroutine …>"'),
        ('n = str(ctx.store.count("n"))', 'the text shows "<coroutine …>"'),
        ('n = "%s" % ctx.store.count("n")', 'the text shows "<coroutine …>"'),
        ('a, b = ctx.store.query("n")', "unpacking raises TypeError"),
        ('a = [*ctx.store.query("n")]', "unpacking raises TypeError"),
        ("with fetch(ctx) as r: print(r)", "with raises an error"),
        (
            'key = ctx.secrets.get("k")\nh = f"Bearer {key}"',
            "Write key = await ctx.secrets.get('k').",
        ),
        ("r = fetch(ctx)\nx = r.json()", f"r.json {ATTRIBUTE}r = await fetch(ctx)."),
        ("page = Base(ctx).all()\nfor d in page: print(d)", "the loop raises TypeError"),
        ('r = None\nr = ctx.store.get("n", "1")\nr.data', f"r.data {ATTRIBUTE}r = await"),
        (
            'if (r := ctx.store.get("n", "1")): r.data',
            "Write r := await ctx.store.get('n', '1').",
        ),
        ("fetch(ctx)", "fetch() is never awaited"),
        ("def inner():\n    return ctx.store.query('n').data", "in an async function."),
    ],
)
def test_a_coroutine_taken_for_its_result_is_an_error(lint: Lint, body: str, said: str) -> None:
    """Each use of a coroutine that fails is one error, which says what comes of it."""
    assert said in only_error(lint("FED109", with_body(HEAD, body)))


@pytest.mark.parametrize(
    "body",
    [
        'row = await ctx.store.get("n", "1")\nrow.data',
        'page = (await ctx.store.query("n")).data',
        "rows = [row async for row in walk(ctx)]",
        "async for row in walk(ctx): print(row)",
        "plain(ctx)\nprint(plain(ctx)['a'])",
        "task_of(ctx)\nprint(task_of(ctx).done())",
        'c = ctx.store.get("n", "1")\nc.close()',
        'c = ctx.store.get("n", "1")\nprint(c.cr_frame)\nawait c',
        'c = ctx.store.get("n", "1")\nif c is not None: return await c',
        'c = ctx.store.get("n", "1")\nif c: return await c',
        'c = ctx.store.get("n", "1")\nif ctx.user: c = None\nif c: await c',
        'c = ctx.store.get("n", "1")\nc = await c\nprint(c.data)',
        'c = ctx.store.get("n", "1")\nif inspect.isawaitable(c): c = await c\nprint(c.data)',
        'c = ctx.store.get("n", "1")\nif asyncio.iscoroutine(c): return await c\nreturn c.data',
        'c = ctx.store.get("n", "1")\nif isinstance(c, dict): return c["a"]\nreturn await c',
        'c = ctx.store.get("n", "1")\nif hasattr(c, "__await__"): return await c\nreturn c.data',
        'c = ctx.store.get("n", "1")\ntry: c.data\nexcept AttributeError: await c',
        'c = ctx.store.get("n", "1")\nwork = [c]\nif c: await asyncio.gather(*work)',
        'c = ctx.store.get("n", "1")\nasync def later(): return await c\nif c: await later()',
        'c = ctx.store.get("n", "1")\nif c: await asyncio.wait_for(c, 1)',
        'await asyncio.gather(*[ctx.store.get("n", x) for x in "ab"])',
        'await asyncio.gather(*(ctx.store.get("n", x) for x in "ab"))',
        'known = {"a": ctx.store.get("n", "1")}\nawait known["a"]',
        'c = ctx.store.get("n", "1") if ctx.user else None\nif c: await c',
        "rows = Base(ctx).some()\nprint(rows[0])",
        "rows = Sync(ctx).few()\nprint(rows[0])",
        "rows = Remade().every()\nprint(rows[0])",
        'def len(x): return 1\nprint(len(ctx.store.query("n")))',
        'if False: print(ctx.store.query("n").data)',
    ],
)
def test_a_coroutine_that_may_be_awaited_is_left_alone(lint: Lint, body: str) -> None:
    """What is awaited, handed on, asked for its type, or not certainly a coroutine is right."""
    assert () == lint("FED109", with_body(HEAD, body))


@pytest.mark.parametrize(
    "body",
    [
        'c = ctx.store.get("n", "1")\nif ctx.user: print(c.data)\nelse: await c',
        "def run(load=fetch): return load(ctx).json()\nrun()",
        'key = ctx.secrets.get("k")\nif not key: return\nplain(key)',
        'key = ctx.secrets.get("k")\nif not key: return\nreturn {"k": key}',
    ],
)
def test_what_may_yet_be_right_is_a_warning(lint: Lint, body: str) -> None:
    """Another branch awaits it, a caller may give it, or who gets the coroutine may await it."""
    assert ["warning"] == [item.severity for item in lint("FED109", with_body(HEAD, body))]


def test_a_context_without_a_caller_is_a_warning(lint: Lint) -> None:
    """Where only the name of a parameter says that it is the context, nothing is certain."""
    body = "\n\nasync def load(ctx):\n    return ctx.store.query('n').data\n"
    found = lint("FED109", with_body(HEAD, "return None") + body)
    assert ["warning"] == [item.severity for item in found]


def test_a_replaced_method_is_left_alone(lint: Lint) -> None:
    """``ctx.store.query = fake`` and ``Base.all = fake`` may be anything."""
    body = "ctx.store.query = plain\nBase.all = plain\n"
    uses = 'print(ctx.store.query("n").data)\nprint(Base(ctx).all()["a"])'
    assert () == lint("FED109", with_body(HEAD, body + uses))


@pytest.mark.parametrize(
    ("body", "fixed"),
    [
        ('for row in ctx.store.query("n"): print(row)', "await ctx"),
        ('key = ctx.secrets.get("k")\nif not key: return', "await ctx"),
        ('d = ctx.store.query("n").data', None),
        ('d = await ctx.store.query("n").data', None),
        ('d = any(row for row in ctx.store.query("n"))', None),
        ('key = ctx.secrets.get("k")\nif not key: return\nplain(key)', None),
        ("def inner():\n    return len(ctx.store.query('n'))", None),
    ],
)
def test_await_is_added_where_it_can_stand(lint: Lint, body: str, fixed: str | None) -> None:
    """The fix writes await before the call, unless that is another value or no async function."""
    (found,) = lint("FED109", with_body(HEAD, body))
    made = found.fix.edits[0].replacement if found.fix is not None else None
    assert fixed == made


def test_code_in_tests_is_left_alone(lint: Lint) -> None:
    """What stands in a test may use a context that is none."""
    uses = (
        'from main import ext\n\n@ext.tool("u")\nasync def u(ctx):\n    ctx.store.count("n") + 1\n'
    )
    found = lint("FED109", with_body(HEAD, "import test_a, part"), test_a__py=uses, part__py=uses)
    assert ["part.py"] == [item.path.rpartition("/")[2] for item in found]


STARTING = """
TASKS = set()


def spawn(coroutine):
    task = asyncio.create_task(coroutine)
    TASKS.add(task)
    return task


def later(ctx):
    return asyncio.create_task(ctx.notify("x"))


def kept(coroutine):
    TASKS.add(coroutine)
    return coroutine


def asked(ctx):
    return ctx.notify("x")


def asked_through(ctx):
    return asked(ctx)


def asked_if(ctx, told=True):
    if not told:
        return None
    return ctx.notify("x") if told else None


def asked_by_name(ctx):
    call = ctx.notify("x")
    return call


def later_by_name(ctx):
    call = ctx.notify("x")
    asyncio.create_task(call)
    return call


class Background:
    def spawn(self, coroutine):
        task = asyncio.ensure_future(coroutine)
        return task


@ext.tool("t")
async def t(ctx):
"""
BEFORE = HEAD.partition("@ext.")[0] + STARTING


@pytest.mark.parametrize(
    "statement",
    [
        'asyncio.create_task(ctx.notify("a"))',
        'asyncio.ensure_future(ctx.notify("a"))',
        'asyncio.shield(ctx.notify("a"))',
        'spawn(ctx.notify("a"))',
        "later(ctx)",
        "later_by_name(ctx)",
        'kept(ctx.notify("a"))',
        'Background().spawn(ctx.notify("a"))',
        'task = spawn(ctx.notify("a"))\ntask.cancel()',
        "task = later(ctx)\ntask.cancel()",
        '[asyncio.create_task(ctx.notify(x)) for x in "ab"]',
        '[spawn(ctx.notify(x)) for x in "ab"]',
        'calls = [ctx.notify(x) for x in "ab"]\nawait asyncio.gather(*calls)',
        '[await ctx.notify(x) for x in "ab"]',
        'await asyncio.gather(*[ctx.notify(x) for x in "ab"])',
    ],
)
def test_what_starts_a_coroutine_is_left_alone(lint: Lint, statement: str) -> None:
    """A task runs whether or not anybody awaits it, also where a helper makes it."""
    assert () == lint("FED109", with_body(BEFORE, statement))


@pytest.mark.parametrize(
    ("statement", "number"),
    [
        ('[ctx.notify(x) for x in "ab"]', 1),
        ('{ctx.notify(x) for x in "ab"}', 1),
        ('{x: ctx.notify(x) for x in "ab"}', 1),
        ('[ctx.notify("a"), ctx.notify("b")]', 2),
        ("[fetch(ctx) for _ in range(2)]", 1),
        ("asked(ctx)", 1),
        ("asked_through(ctx)", 1),
        ("asked_if(ctx)", 1),
        ("asked_by_name(ctx)", 1),
        ("[asked(ctx) for _ in range(2)]", 1),
    ],
)
def test_coroutines_that_a_statement_drops(lint: Lint, statement: str, number: int) -> None:
    """A list that nobody keeps holds coroutines that nobody awaits."""
    found = lint("FED109", with_body(BEFORE, statement))
    assert ["error"] * number == [item.severity for item in found]
    assert all("is never awaited: nothing happens" in item.message for item in found)


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ('return await ctx.config.get("a")', ["error"]),
        ('return await ctx.config.get("a", {"b": 1})', ["error"]),
        ('return await ctx.config.get("a", default=None)', ["error"]),
        ('return await ctx.config.get_section("a")', ["error"]),
        ('return ctx.config.get("a")', []),
        ('return await ctx.config.get("a", fetch(ctx))', []),
        ("return await {}.get('a', fetch(ctx))", []),
    ],
)
def test_a_setting_is_no_coroutine(lint: Lint, statement: str, expected: list[str]) -> None:
    """What the configuration holds cannot be awaited; another default may be."""
    found = lint("FED109", with_body(BEFORE, statement))
    assert expected == [item.severity for item in found]
