"""Rows of pages and lists of the SDK are its objects: each case was tried on SDK 6.3.7."""

from __future__ import annotations

import pytest

from .conftest import Lint

HEAD = """
import asyncio


def checked(rows):
    return [row for row in rows if row.nope]


def put(rows, item):
    rows.insert(0, item)


def counted(keys, rows):
    keys.append(rows)


class Rest:
    def put(self, rows):
        rows.append(1)


async def all_of(ctx):
    page = await ctx.store.query("n")
    return page.data


async def bare_of(ctx):
    rows = (await ctx.store.query("n")).data
    for index, row in enumerate(rows):
        rows[index] = row.data
    return rows


@ext.panel("p")
async def p(ctx, keys=()):
    page = await ctx.store.query("n")
    rows = list(page.data)
"""
ROWS = (
    "for d in page.data:\n    d.nope",
    "for d in page:\n    d.nope",
    "[d.nope for d in page.data]",
    "{d.nope: d for d in page.data if d.id}",
    "page.data[0].nope",
    "d = page.data[-1]\nd.nope",
    "last = page.data[0] if page.data else None\nif last:\n    last.nope",
    "for i, d in enumerate(page.data, 1):\n    d.nope",
    "for d in page.data[:5]:\n    d.nope",
    "for d in page.data[len(keys):]:\n    d.nope",
    "for d in sorted(page.data, key=str):\n    d.nope",
    "for d in reversed(list(page)):\n    d.nope",
    "for d in page.data or []:\n    d.nope",
    'for d in getattr(page, "data", None) or []:\n    d.nope',
    "rows.sort(key=str)\nrows.pop(0)\nrows[0].nope",
    'd = next((d for d in page if d.id == "1"), None)\nif d:\n    d.nope',
    "next(iter(page.data)).nope",
    'found = [d for d in page if d.data.get("a")]\nfound[0]\nfor d in found:\n    d.nope',
    "checked(page.data)",
    "other = rows\nother.sort(key=str)\nrows[0].nope",
    "put(keys, rows)\ncounted(keys, rows)\nrows[0].nope",
    "for d in await all_of(ctx):\n    d.nope",
    'for d in (await ctx.store.query("n")).data:\n    d.nope',
    'for d in await asyncio.gather(*[ctx.store.get("n", k) for k in keys]):\n    d.nope',
    '(await asyncio.gather(*(ctx.store.get("n", k) for k in keys)))[0].nope',
    (
        'todo = [ctx.store.get("n", k) for k in keys]\n'
        "for d in await asyncio.gather(*todo):\n    d.nope"
    ),
    (
        "for each in await asyncio.gather(*[ctx.store.query(k) for k in keys]):\n"
        "    for d in each.data:\n        d.nope"
    ),
)
OTHERS = (
    "for d in page.data:\n    d.id, d.data, d.created_at, d.get('a'), d['a']",
    "for d in page.data:\n    d = d.data\n    d.nope",
    "[d.data.nope for d in page.data]",
    "for i, d in enumerate(keys):\n    d.nope",
    "for i in zip(page.data, keys):\n    i.nope",
    "page.data.nope",
    "for d in await bare_of(ctx):\n    d.nope",
    "rows.append(keys)\nfor d in rows:\n    d.nope",
    "rows[0] = keys\nrows[0].nope",
    "rows += keys\nfor d in rows:\n    d.nope",
    "page.data = keys\nfor d in page.data:\n    d.nope",
    "page.data[0] = keys\nfor d in page:\n    d.nope",
    "for d in await ctx.other.query('n'):\n    d.nope",
    "for d in (await ctx.other.query('n')).data:\n    d.nope",
    "for d in page.data:\n    if isinstance(d, dict):\n        d.nope",
    "for d in page.data:\n    d = d if isinstance(d, dict) else d.data\n    d.nope",
    "for d in page.data:\n    data = d.data if hasattr(d, 'data') else d\n    data.nope",
    "for d in page.data:\n    data = getattr(d, 'data', d)\n    data.nope",
    "[getattr(d, 'data', d).nope for d in page.data]",
    "if isinstance(page.data[0], dict):\n    page.data[0].nope",
    "def put():\n    rows[0] = keys\nput()\nrows[0].nope",
    "other = rows\nother[:] = keys\nrows[0].nope",
    "other = rows\nfor d in other:\n    d.nope\nthird = other\nthird.append(keys)",
    "put(rows, keys)\nfor d in rows:\n    d.nope",
    "put(item=keys, rows=rows)\nrows[0].nope",
    "Rest().put(rows)\nrows[-1].nope",
    (
        'todo = [ctx.store.get("n", k) for k in keys]\ntodo.append(ctx.other.get())\n'
        "for d in await asyncio.gather(*todo):\n    d.nope"
    ),
    (
        'some = [ctx.store.get("n", k) for k in keys]\n'
        "for d in await asyncio.gather(*some, return_exceptions=True):\n    d.nope"
    ),
    'for d in asyncio.gather(*[ctx.other.get("n", k) for k in keys]):\n    d.nope',
)


def _told(lint: Lint, codes: str, body: str, **files: str) -> list[tuple[str, str]]:
    found = lint(codes, HEAD + "".join(f"    {line}\n" for line in body.splitlines()), **files)
    return [(item.severity, item.message.partition(" in imperal")[0]) for item in found]


@pytest.mark.parametrize("body", ROWS)
def test_rows_are_documents(lint: Lint, body: str) -> None:
    """However a row comes from a page, it has what a Document has."""
    ((severity, text),) = _told(lint, "FED105", body)
    assert ("error", "Document has no nope") == (severity, text.partition(": ")[2])


@pytest.mark.parametrize("body", OTHERS)
def test_what_may_be_no_row(lint: Lint, body: str) -> None:
    """What a row has, what else may stand there, and code that asks first are left alone."""
    assert [] == _told(lint, "FED105 FED111", body)


def test_rows_that_take_no_brackets(lint: Lint) -> None:
    """A Document can be read with ``[ ]``, but not changed; other rows can do neither."""
    changed = 'for d in page.data:\n    d["a"] = d["b"]'
    assert [("error", "d['a'] raises TypeError")] == _told(lint, "FED111", changed)
    read = 'for m in await ctx.billing.list_payment_methods():\n    m["id"]'
    assert [("error", "m['id'] raises TypeError")] == _told(lint, "FED111", read)
    asked = "for d in page.data:\n    if isinstance(d, dict):\n        d['a'] = 1"
    assert [] == _told(lint, "FED111", asked)


def test_brackets_that_the_extension_adds(lint: Lint) -> None:
    """What ``Page.__getitem__ = f`` adds is there; what it does not add is missing."""
    body = 'import patches\npage[0]\nrow = await ctx.store.get("n", "1")\nrow["a"] = 1'
    read, changed = ("error", "page[0] raises TypeError"), ("error", "row['a'] raises TypeError")
    assert [read, changed] == _told(lint, "FED111", body)
    added = "from imperal_sdk.types import Page\nPage.__getitem__ = lambda self, at: self.data[at]"
    assert [changed] == _told(lint, "FED111", body, patches__py=added)


def test_rows_of_plain_lists(lint: Lint) -> None:
    """Where the SDK returns a list and no page, its items are known as well."""
    methods = "methods = await ctx.billing.list_payment_methods()\n"
    nope = [("error", "methods[0].nope: PaymentMethod has no nope")]
    assert nope == _told(lint, "FED105", f"{methods}methods[0].nope")
    assert [] == _told(lint, "FED105", f"{methods}methods[0].brand")
    assert [] == _told(lint, "FED105 FED111", f"{methods}methods[0]")
    files = 'for f in await ctx.storage.list("x"):\n    '
    assert [("error", "f.nope: FileInfo has no nope")] == _told(lint, "FED105", f"{files}f.nope")
    assert [] == _told(lint, "FED105", f"{files}f.path")


def test_an_object_that_is_a_default(lint: Lint) -> None:
    """``getattr(d, "data", d)`` is never the object where it has that attribute."""
    got = 'd = await ctx.store.get("n", "1")\nx = getattr(d, "{}", d)\nx.nope'
    assert [] == _told(lint, "FED105", got.format("data"))
    told = [text for _, text in _told(lint, "FED105", got.format("body"))]
    assert "x.nope: Document has no nope" in told
