"""A coroutine in the place of its result: in ``ui``, in texts, sent, returned by a handler."""

from __future__ import annotations

import pytest

from .conftest import Lint
from .programs import only_error, with_body

HEAD = """
import asyncio
import logging

from imperal_sdk import ActionResult, Extension, ui

from kit import sync

ext = Extension("notes")
log = logging.getLogger(__name__)


async def card(ctx):
    return ui.Card("a")


def shown(value):
    return ui.Text(value)


async def work(ctx):
    return 1


class Texts:
    def format(self, coroutine):
        return asyncio.ensure_future(coroutine)

    def join(self, coroutines):
        return asyncio.gather(*coroutines)


class Rows:
    def __init__(self, ctx):
        self.ctx = ctx

    def lazy(self):
        return self.ctx.store.query("n")

    def either(self):
        return self.ctx.store.query("n")

    @staticmethod
    async def every(ctx):
        return await ctx.store.query("n")

    @classmethod
    async def some(cls, ctx):
        return await ctx.store.query("n")

    @staticmethod
    @sync
    async def made(ctx):
        return await ctx.store.query("n")

    def title(self, document):
        return document.data["title"]

    async def settled(self, value):
        return (await value).data

    def opened(self, value):
        return value.data


class Lists(Rows):
    def either(self):
        return [1]

    async def opened(self, value):
        return (await value).data


@ext.panel("p")
async def p(ctx, rows: Rows, flag=False):
"""
GET = 'ctx.secrets.get("k")'


def _panel(body: str) -> str:
    return with_body(HEAD, body.replace("GET", GET))


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return ui.Text(GET)", "ui.Text() gets the coroutine"),
        ("return ui.Text(content=GET)", "ui.Text() gets the coroutine"),
        ("text = GET\nreturn ui.Text(text)", "ui.Text() gets the coroutine"),
        ("return ui.Stack([ui.Text('a'), card(ctx)])", "ui.Stack() gets the coroutine"),
        ("return ui.Stack([card(ctx) for _ in 'ab'])", "ui.Stack() gets the coroutine"),
        ("return ui.Table(rows=[{'a': GET}])", "ui.Table() gets the coroutine"),
        ("return shown(GET)", "in shown() ui.Text() gets the coroutine"),
        ("return ActionResult.success({}, GET)", "success() gets the coroutine"),
        ("return ActionResult.success({}, summary=GET)", "success() gets the coroutine"),
        ("return ActionResult.error(GET)", "error() gets the coroutine"),
        ("await ctx.notify(GET)", "ctx.notify() gets the coroutine"),
        ("await ctx.store.create('n', {'a': GET})", "ctx.store.create() gets the coroutine"),
        ("await ctx.http.get('u', headers={'a': GET})", "ctx.http.get() gets the coroutine"),
        ("return ', '.join(GET)", "', '.join() raises TypeError"),
        ("keys = GET\nreturn ', '.join(keys)", "', '.join() raises TypeError"),
        ("return ', '.join([GET, 'a'])", "', '.join() raises TypeError"),
        ("return ', '.join(GET for _ in 'ab')", "Write [await ctx.secrets.get('k') for …]."),
        ("n = sum(ctx.store.count(c) for c in 'ab')", "sum() raises TypeError"),
        ("n = max(ctx.store.count('a'), 0)", "max() raises TypeError"),
        ("text = 'a'\ntext += GET", "the operation raises TypeError"),
        ("return {**GET, 'a': 1}", "unpacking raises TypeError"),
        ("return dict(**GET)", "unpacking raises TypeError"),
        ("text = '{}'.format(GET)", "the text shows"),
        ("print(GET)", "the text shows"),
        ("log.info('%s', GET)", "the text shows"),
        ("logging.warning('%s', GET)", "the text shows"),
        ("return GET", '@ext.panel("p") returns it'),
        ("key = GET\nreturn key", '@ext.panel("p") returns it'),
        ("return [GET, 1]", '@ext.panel("p") returns it'),
        ("n = len(Rows(ctx).lazy())", "len() raises TypeError"),
        ("Rows(ctx).lazy()", "is never awaited"),
        ("n = len(Rows.every(ctx))", "len() raises TypeError"),
        ("n = len(Rows.some(ctx))", "len() raises TypeError"),
        ("text = Rows(ctx).title(ctx.store.get('n', '1'))", "in title() document.data raises"),
    ],
)
def test_a_coroutine_that_nobody_can_await_behind_a_call(lint: Lint, body: str, said: str) -> None:
    """What gets it awaits nothing: components, clients, texts, logs and methods that read it."""
    assert said in only_error(lint("FED109", _panel(body)))


@pytest.mark.parametrize(
    "body",
    [
        "key = GET\nreturn ui.Text(await key)",
        "return ui.Stack([await card(ctx), *await asyncio.gather(card(ctx), card(ctx))])",
        "return ui.Stack([await card(ctx) for _ in 'ab'])",
        "return shown(await GET)",
        "return ActionResult.success({'a': await GET}, await GET)",
        "return ActionResult.success({'told by another rule': GET}, 'x')",
        "await ctx.background_task(work(ctx))",
        "await ctx.extensions.call('app', 'method', job=GET)",
        "jobs = {'a': GET}\njobs |= {'b': GET}\nawait asyncio.gather(*jobs.values())",
        "jobs = [GET]\njobs += [GET]\nawait asyncio.gather(*jobs)",
        "await Texts().format(GET)\nawait Texts().join([GET])",
        "key = GET\nlog.info('%s', key)\nprint(key)\nreturn await key",
        "key = GET\ntry: text = ', '.join(key)\nexcept TypeError: text = await key",
        "task = asyncio.create_task(GET)\nprint(task)",
        "job = Rows(ctx).lazy()\nreturn len(await job)",
        "return len(await Rows.every(ctx)), len(Rows.made(ctx))",
        "n = len(rows.either())\nrows.opened(GET)",
        "return await Rows(ctx).settled(GET)",
        "get = lambda key: ctx.secrets.get(key)\nreturn await get('k')",
        "job = (flag and GET) or work(ctx)\nreturn await job",
        "return await (flag and GET or work(ctx))",
    ],
)
def test_a_coroutine_that_is_awaited_behind_a_call(lint: Lint, body: str) -> None:
    """What may await it, or has it awaited before, is right; so is what the code expects."""
    assert () == lint("FED109", _panel(body))


def test_a_coroutine_whose_truth_decides(lint: Lint) -> None:
    """Where ``or`` chooses nothing, but is asked for its truth, the coroutine is always true."""
    body = "key = 1 if (flag and GET) or rows else 2\nreturn ui.Text(str(key))"
    assert "always true" in only_error(lint("FED109", _panel(body)))


HANDLER = """
from imperal_sdk import ChatExtension, Extension

ext = Extension("notes")
chat = ChatExtension(ext, tool_name="notes", description="Notes")


def settled(handler):
    async def inner(ctx):
        return await (await handler(ctx))

    return inner


async def make(ctx):
    return await ctx.store.create("n", {})


@DECORATOR
async def handler(ctx):
    return WHAT
"""


@pytest.mark.parametrize(
    ("decorator", "what", "expected"),
    [
        ('ext.panel("p")', "make(ctx)", ["error"]),
        ('ext.widget("w")', 'ctx.store.create("n", {})', ["error"]),
        ('chat.function("f", "Makes")', "make(ctx)", ["warning"]),
        ('ext.tool("t")', 'ctx.store.create("n", {})', ["warning"]),
        ('ext.skeleton("s")', '{"response": {"n": ctx.store.count("n")}}', ["warning"]),
        ('ext.schedule("s", cron="0 9 * * *")', "make(ctx)", ["warning"]),
        ('ext.panel("p")', "await make(ctx)", []),
        ('ext.skeleton("s")', '{"response": {"n": await ctx.store.count("n")}}', []),
        ('ext.expose("e")', "make(ctx)", []),
        ('ext.panel("p")\n@settled', "make(ctx)", []),
    ],
)
def test_a_handler_that_returns_a_coroutine(
    lint: Lint, decorator: str, what: str, expected: list[str]
) -> None:
    """The SDK awaits a panel once; the kernel, whose code is not known, hardly does more."""
    text = HANDLER.replace("DECORATOR", decorator).replace("WHAT", what)
    assert expected == [item.severity for item in lint("FED109", text)]


def test_a_handler_that_is_registered_by_a_call(lint: Lint) -> None:
    """``ext.panel("p")(handler)`` is the same as the decorator."""
    text = HANDLER.replace("@DECORATOR\n", "").replace("WHAT", "make(ctx)")
    assert () == lint("FED109", text)
    only_error(lint("FED109", text + '\n\next.panel("p")(handler)\n'))


@pytest.mark.parametrize(
    "other",
    [
        '@ext.panel("q")\nasync def q(ctx):\n    return await (await handler(ctx))\n',
        '@ext.panel("q")\ndef q(ctx):\n    return make(ctx)\n',
    ],
)
def test_a_handler_whose_coroutine_is_awaited(lint: Lint, other: str) -> None:
    """Code that calls the handler may await twice; a plain handler hands its one coroutine on."""
    is_called = "handler(ctx))" in other
    text = HANDLER.replace("DECORATOR", 'ext.panel("p")')
    text = text.replace("WHAT", "make(ctx)" if is_called else "await make(ctx)")
    assert () == lint("FED109", f"{text}\n\n{other}")
