"""A coroutine that nothing can await is an error wherever it ends; one that is let out is not."""

from __future__ import annotations

import pytest

from .conftest import Lint
from .programs import only_error, with_body

HEAD = """
import asyncio
import inspect
import json

from imperal_sdk import Extension

ext = Extension("notes")
KEPT = []


def lazy(ctx):
    return ctx.store.get("n", "1")


async def coated(ctx):
    return ctx.store.get("n", "1")


async def fields(doc):
    return doc.data


def text_of(answer):
    if isinstance(answer, str):
        return answer
    return getattr(answer, "text", "")


def rows_of(page):
    return [title(doc) for doc in page.data]


def title(doc):
    return doc.data["title"]


def deeply(doc):
    return title(doc)


def unwrap(answer):
    return answer.data if hasattr(answer, "data") else answer


def got(answer):
    return getattr(answer, "data", answer)


def same(value):
    return value


def through(value):
    return same(value)


async def given(value):
    return value or None


async def settle(value):
    return await value


async def maybe(value):
    if inspect.isawaitable(value):
        value = await value
    return value.data


async def asked(value):
    if hasattr(value, "__await__"):
        value = await value
    return getattr(value, "data", None)


async def either(value):
    try:
        return value.data
    except AttributeError:
        return (await value).data


def keep(value):
    KEPT.append(value)


def send_on(value, how):
    return how(value)


def later(value):
    async def run():
        return await value

    return run()


def forget(value):
    value.close()


def awaiting(function):
    async def inner(value):
        return await function(await value)

    return inner


@awaiting
async def decorated(doc):
    return doc.data


class Holder:
    def __init__(self, value):
        self.value = value

    async def get(self):
        return await self.value


@ext.tool("t")
async def t(ctx, flag=False):
"""
GET = 'ctx.store.get("n", "1")'


def _tool(body: str) -> str:
    return with_body(HEAD, body.replace("GET", GET))


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("doc = GET\nrows = getattr(doc, 'data', None) or {}", "is always None"),
        ("doc = GET\nx = doc.text if hasattr(doc, 'text') else 1", "is never true"),
        ("docs = GET\nx = docs if isinstance(docs, list) else []", "is never true"),
        ("docs = GET\nx = [1 for d in docs] if isinstance(docs, list) else []", "is never true"),
        ("doc = GET\nif doc is None: return 1", "nobody awaits it"),
        ("doc = GET", "nobody awaits it"),
        ("try: doc = GET\nexcept Exception: doc = None\nif doc: print(1)", "is always true"),
        ("if flag: doc = GET\nelse: doc = await GET\nx = doc.data", "doc.data raises"),
        ("doc = await GET\nif not doc:\n    doc = GET\nprint(doc.data)", "doc.data raises"),
        ("doc = GET\nother = doc\nreturn other.data", "other.data raises"),
        ("doc = GET or None\nreturn doc.data", "is always true"),
        ("doc = GET\nif not all([doc, flag]): return 1", "a coroutine is always true"),
        ("raw = GET\nif not raw: return 1\nreturn json.loads(raw)", "always true"),
        ("raw = GET\nreturn json.loads(raw)", "json.loads() raises TypeError"),
        ("doc = GET\nreturn await fields(doc)", "in fields() doc.data raises AttributeError"),
        ("return rows_of(GET)", "in rows_of() page.data raises AttributeError"),
        ("doc = GET\nreturn deeply(doc=doc)", "in deeply() in title() doc.data raises"),
        ("return text_of(GET)", "in text_of() isinstance(answer, str) is never true"),
        ("for row in unwrap(GET): print(row)", "in unwrap() hasattr(answer, 'data') is never"),
        ("for row in got(GET): print(row)", "in got() getattr(answer, 'data', answer) is always"),
        ("doc = same(GET)\nreturn doc.data", "and doc.data raises AttributeError"),
        ("doc = through(GET)\nreturn doc.data", "and doc.data raises AttributeError"),
        ("doc = await given(GET)\nreturn doc.data", "and doc.data raises AttributeError"),
        ("return title(same(GET))", "and in title() doc.data raises AttributeError"),
        ("print(lazy(ctx).data)", "lazy() is not awaited"),
        ("row = lazy(ctx)\nprint(row.data)", "row.data raises AttributeError"),
    ],
)
def test_a_coroutine_that_nobody_can_await_is_an_error(lint: Lint, body: str, said: str) -> None:
    """Whatever else the name may hold, this coroutine ends where nobody awaits it."""
    assert said in only_error(lint("FED109", _tool(body)))


@pytest.mark.parametrize(
    ("use", "count"),
    [
        ("doc = await coated(ctx)\nreturn doc.data", 1),
        ("return (await coated(ctx)).data", 1),
        ("return await (await coated(ctx))", 0),
        ("return await settle(await coated(ctx))", 0),
        ("job = await coated(ctx)\nKEPT.append(job)", 0),
        ("run = coated\nreturn await settle(await run(ctx)), (await coated(ctx)).data", 0),
        ("return await coated(ctx)", 1),
        ("docs = await coated(ctx)\nif not isinstance(docs, list): docs = []\nreturn docs", 1),
        ("x = await coated(ctx)\nif not isinstance(x, list): x = await x\nreturn x", 0),
        ("x = await coated(ctx)\nif isinstance(x, list): x = []\nreturn x", 1),
        ("x = await coated(ctx)\nif not x: return x\nreturn x.data", 1),
    ],
)
def test_what_an_async_function_returns_is_judged_by_its_callers(
    lint: Lint, use: str, count: int
) -> None:
    """A coroutine in a coroutine is lost if every caller takes it for the result."""
    found = lint("FED109", _tool(use))
    assert count == len(found)
    assert all("where coated() is called" in item.message for item in found)


@pytest.mark.parametrize(
    "body",
    [
        "return (await lazy(ctx)).data",
        "row = lazy(ctx)\nreturn (await row).data",
        "return await settle(GET)",
        "return (await same(GET)).data",
        "doc = same(GET)\nreturn (await doc).data",
        "return (await through(GET)).data",
        "doc = through(GET)\nreturn (await doc).data",
        "doc = await given(GET)\nreturn (await doc).data",
        "doc = await got(GET)\nreturn doc.data",
        "return await settle(unwrap(GET))",
        "KEPT.append(same(GET))",
        "return await maybe(GET)",
        "return await asked(GET)",
        "return await either(GET)",
        "keep(GET)",
        "return await send_on(GET, settle)",
        "return await later(GET)",
        "forget(GET)",
        "return await decorated(GET)",
        "return await Holder(GET).get()",
        "task = asyncio.create_task(GET)\nreturn (await task).data",
        "task = asyncio.ensure_future(GET)\ntask.add_done_callback(print)",
        "a, b = await asyncio.gather(GET, GET)\nreturn a.data, b.data",
        "jobs = [GET for _ in 'ab']\nreturn await asyncio.gather(*jobs)",
        "one = GET if flag else GET\nreturn (await one).data",
        "work = {'a': GET}\nreturn (await work['a']).data",
        "x = GET\ny = x\nreturn (await y).data",
        "x = GET\nif x is not None: x = await x\nreturn x.data",
        "x = GET\nif isinstance(x, list): return x\nreturn (await x).data",
        "x = []\nif isinstance(x, list):\n    x = GET\n    return await x",
        "x = 1\nif isinstance(x, list): x = GET\nKEPT.append(x)",
        "x = GET\nif callable(getattr(x, '__await__', None)): x = await x\nreturn x.data",
        "return (await asyncio.wait_for(GET, 5)).data",
        "if (v := GET) is not None: return (await v).data",
        "x = GET\ndef use(): return asyncio.run(x)\nuse()",
        "make = lambda: GET\nreturn (await make()).data",
        "x = GET\nreturn await locals()['x']",
        "x = GET\nmatch x:\n    case job: await job",
        "x = GET\nctx.pending = x",
        "global DOC\nDOC = GET",
        "x = GET\nawait asyncio.wait({asyncio.ensure_future(c) for c in (x,)})",
        "async with asyncio.TaskGroup() as group: job = group.create_task(GET)\nreturn job",
        "x = GET\nprint(inspect.iscoroutine(x))",
        "x = GET\nif isinstance(x, asyncio.Future): return 1",
        "x = None\nfor _ in 'ab':\n    if x is not None: await x\n    x = GET",
        "await ctx.background_task(GET)",
    ],
)
def test_a_coroutine_that_is_let_out_is_left_alone(lint: Lint, body: str) -> None:
    """Somebody awaits it, closes it, asks whether it can be awaited, or code unknown gets it."""
    assert () == lint("FED109", _tool(body))


def test_what_is_awaited_behind_or_is_at_most_a_warning(lint: Lint) -> None:
    """``x = coroutine or None`` is worth the coroutine, which may be awaited."""
    found = lint("FED109", _tool("x = GET or None\nreturn (await x).data"))
    assert {"warning"} >= {item.severity for item in found}
