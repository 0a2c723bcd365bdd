"""Texts that stand alone in a summary: what was read for the user, and what is no fact."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from .conftest import Lint
from .programs import with_body

HEAD = """\
import texts
from imperal_sdk import ActionResult, ChatExtension, Extension

ext = Extension("notes")
chat = ChatExtension(ext, tool_name="notes", description="Notes")
TEXTS = {"de": {"saved": "Gespeichert"}, "en": {"saved": "Saved"}}


async def asked(ctx):
    comp = await ctx.ai.complete("x")
    return comp.text


async def counted(ctx):
    n = await ctx.store.count("orders")
    return f"You have {n} orders"


async def loaded(ctx, name):
    return await ctx.store.get("notes", name)


async def sent(ctx):
    res = await ctx.http.post("https://x/mails")
    return res.text()


def headline(res):
    return res.json()["headline"]


def worded(lang, key):
    return TEXTS[lang][key]


@chat.function("f", "Tells the user about the notes")
async def f(ctx, params):
"""
ASK = "comp = await ctx.ai.complete(params.q)\n"
GET = "res = await ctx.http.get('https://x')\n"
DOC = "doc = await ctx.store.get('notes', params.id)\n"
PAGE = "page = await ctx.store.query('notes')\n"
READ: dict[str, tuple[str, str, str]] = {
    "a completion": (ASK, "comp.text", '{"text": comp.text}'),
    "a completion, cut": (ASK, "comp.text[:500]", '{"text": comp.text}'),
    "a completion, stripped": (ASK, "comp.text.strip()", '{"text": comp.text}'),
    "a completion by a name": (f"{ASK}told = comp.text\n", "told.strip()", '{"text": comp.text}'),
    "a completion at once": (
        "",
        "(await ctx.ai.complete('x')).text",
        "text = (await ctx.ai.complete('x')).text, then {\"text\": text}",
    ),
    "a completion or nothing": (ASK, 'comp.text or "No answer"', '{"text": comp.text}'),
    "a response": (GET, "res.text()", '{"text": res.text()}'),
    "a part of a response": (
        GET,
        'res.json()["headline"]',
        "{\"headline\": res.json()['headline']}",
    ),
    "a part of a body": (
        f"{GET}body = res.json()\n",
        'body["headline"]',
        "{\"headline\": body['headline']}",
    ),
    "a response that went well": (
        f"{GET}if not res.ok:\n    return ActionResult.error('Down')\n",
        "res.text()",
        '{"text": res.text()}',
    ),
    "a response with 200": (
        f"{GET}if res.status_code >= 400:\n    return ActionResult.error('Down')\n",
        "res.text()",
        '{"text": res.text()}',
    ),
    "a document": (DOC, 'doc.data["title"]', "{\"title\": doc.data['title']}"),
    "a document with a default": (
        DOC,
        'doc.data.get("title", "x")',
        "{\"title\": doc.data.get('title', 'x')}",
    ),
    "the first of several": (PAGE, 'page.data[0]["title"]', "{\"title\": page.data[0]['title']}"),
    "one of a loop": (
        f"{PAGE}for row in page:\n    if row.id == params.id:\n        break\n",
        'row["title"]',
        '{"page": [it.data for it in page]}',
    ),
    "a document of a helper": (
        "doc = await loaded(ctx, params.id)\n",
        'doc["title"]',
        "{\"title\": doc['title']}",
    ),
    "a helper's headline": (GET, "headline(res)", '{"res": res.text()}'),
    "a helper at once": ("", "await asked(ctx)", 'text = await asked(ctx), then {"text": text}'),
    "a helper by a name": ("told = await asked(ctx)\n", "told", '{"told": told}'),
    "a helper that counts": ("told = await counted(ctx)\n", "told", '{"told": told}'),
}
"""What is said → what makes it, the summary, the advice."""
UNREAD: dict[str, tuple[str, str]] = {
    "an own text": ("", '"Saved"'),
    "an own text by a name": ('told = "Saved"\n', "told"),
    "the user's words": ("", "params.text"),
    "the user's words, cut": ("", "params.text.strip()[:80]"),
    "a text of a parameter": ("", "str(params.x)"),
    "a translation": ("", 'TEXTS[params.lang]["saved"]'),
    "a translation by a helper": ("", 'worded(params.lang, "saved")'),
    "a translation by elsewhere": ("", 'texts.tr(params.lang, "saved")'),
    "a translation that is awaited": ("", 'await texts.tr(ctx, "saved")'),
    "a translation in the store": (
        'doc = await ctx.store.get("translations", params.lang)\n',
        'doc.data["saved"]',
    ),
    "a translation by a free key": (DOC, "doc.data[params.key]"),
    "a translation of the web": (
        'res = await ctx.http.get("https://x/i18n/de.json")\n',
        'res.json()["saved"]',
    ),
    "an error": (
        (
            'told = "Saved"\ntry:\n    await ctx.store.count("x")\n'
            "except ValueError as error:\n    told = str(error)\n"
        ),
        "told",
    ),
    "an error of the web": (GET, 'res.json()["error"]'),
    "a text of a failure": (
        f"{GET}if not res.ok:\n    return ActionResult.success({{}}, res.text())\n",
        '"Saved"',
    ),
    "a text behind a failure": (
        f"{GET}if res.ok:\n    return ActionResult.success({{}}, 'Saved')\n",
        "res.text()",
    ),
    "a text of another status": (
        f"{GET}if res.status_code == 404:\n    return ActionResult.success({{}}, res.text())\n",
        '"Saved"',
    ),
    "a message": (GET, 'res.json()["message"]'),
    "a message of the limits": ("limits = await ctx.billing.check_limits()\n", "limits.message"),
    "a confirmation": ("res = await ctx.http.post('https://x')\n", "res.text()"),
    "a confirmation of a helper": ("", "await sent(ctx)"),
    "what was made of the user's words": (
        'doc = await ctx.store.create("notes", {"title": params.title})\n',
        'doc.data["title"]',
    ),
    "what another extension says": ("told = await ctx.extensions.call('a', 'b')\n", 'told["x"]'),
    "a setting": ("", 'ctx.config.get("greeting")'),
    "the user's words or a text read": (f"told = params.text\n{GET}", "told"),
}


def _text(body: str, said: str, data: str = "{}") -> str:
    return with_body(HEAD, f"{body}return ActionResult.success({data}, {said})")


@pytest.mark.parametrize("what", READ)
def test_a_text_that_was_read_is_a_fact(lint: Lint, what: str) -> None:
    """It is gone in the next turn, whether or not the code says something around it."""
    body, said, advice = READ[what]
    (found,) = lint("FED404", _text(body, said))
    assert ("warning", f"{advice}.") == (
        found.severity,
        found.message.partition("data too: ")[2],
    )


@pytest.mark.parametrize("what", READ)
def test_a_text_that_stands_in_data_too(lint: Lint, what: str) -> None:
    """Then nothing is lost."""
    body, said, _ = READ[what]
    assert () == lint("FED404", _text(body, said, '{"text": "x"}'))


@pytest.mark.parametrize("what", UNREAD)
def test_a_text_that_nobody_read_is_no_fact(lint: Lint, what: str) -> None:
    """The extension's own words, the user's, and what says only that something was done."""
    assert () == lint("FED404", _text(*UNREAD[what]))


ADVICE: dict[str, tuple[str, str, str]] = {
    "titles": (
        PAGE,
        '", ".join(d["title"] for d in page)',
        "{\"titles\": [d['title'] for d in page]}",
    ),
    "titles in a text": (
        PAGE,
        'f"Notes: {\', \'.join(d.id for d in page)}"',
        '{"ids": [d.id for d in page]}',
    ),
    "users": (
        "",
        '", ".join([uid async for uid in ctx.store.list_users("x")])',
        "{\"items\": [uid async for uid in ctx.store.list_users('x')]}",
    ),
    "statuses": (
        PAGE,
        '", ".join(d["status"] for d in page)',
        "{\"status\": [d['status'] for d in page]}",
    ),
    "lines": (
        f"{PAGE}lines = []\nfor d in page:\n    lines.append(d.id)\n",
        '"; ".join(lines)',
        '{"lines": lines}',
    ),
    "a map": (PAGE, '", ".join(map(str, page))', '{"items": list(map(str, page))}'),
    "sorted": (
        f"{PAGE}ids = [d.id for d in page]\n",
        '", ".join(sorted(ids))',
        '{"items": sorted(ids)}',
    ),
    "a generator by a name": (
        f"{PAGE}ids = (d.id for d in page)\n",
        '", ".join(ids)',
        '{"page": [it.data for it in page]}',
    ),
    "a page": (PAGE, 'f"{page}"', '{"page": [it.data for it in page]}'),
    "rows": (PAGE, 'f"{page.data[:3]}"', '{"value": [it.data for it in page.data[:3]]}'),
    "files": (
        "files = await ctx.storage.list()\n",
        'f"{files}"',
        '{"files": [vars(it) for it in files]}',
    ),
    "a row": (PAGE, 'f"{page.data[0]}"', '{"value": page.data[0].data}'),
    "the last row": (f"{PAGE}for row in page:\n    pass\n", 'f"{row}"', '{"row": row.data}'),
    "the largest": (f"{PAGE}top = max(page)\n", 'f"{top}"', '{"top": top.data}'),
    "a copy": (f"{PAGE}rows = list(page)\n", 'f"{rows}"', '{"rows": [vars(it) for it in rows]}'),
    "some": (
        f"{PAGE}rows = [row for row in page if row.id]\n",
        'f"{rows}"',
        '{"rows": [vars(it) for it in rows]}',
    ),
    "a table": (
        f"{PAGE}rows = {{row.id: row for row in page}}\n",
        'f"{rows}"',
        '{"rows": str(rows)}',
    ),
    "a document": (DOC, 'f"{doc}"', '{"doc": doc.data}'),
    "a completion": (ASK, 'f"{comp}"', '{"comp": comp.text}'),
    "a response": (GET, 'f"{res}"', '{"res": res.text()}'),
    "a balance": ("have = await ctx.billing.get_balance()\n", 'f"{have}"', '{"have": str(have)}'),
    "a file": ("raw = await ctx.storage.download('a')\n", 'f"{raw}"', '{"raw": str(raw)}'),
    "a set": (PAGE, 'f"{ {d.id for d in page} }"', '{"value": sorted({d.id for d in page})}'),
    "a time": (
        "import datetime as dt\nat = dt.datetime.now()\n",
        'f"{at}"',
        '{"at": str(at)}',
    ),
    "an id": ("import uuid\n", 'f"{uuid.uuid4()}"', '{"uuid4": str(uuid.uuid4())}'),
    "a number": (PAGE, 'f"{len(page)} notes"', '{"count": len(page)}'),
    "a count at once": (
        "",
        "f\"{await ctx.store.count('n')} notes\"",
        "count = await ctx.store.count('n'), then {\"count\": count}",
    ),
    "a helper inside": (
        "",
        'f"It says {await asked(ctx)}"',
        'value = await asked(ctx), then {"value": value}',
    ),
    "an async loop": (
        'told = ""\nasync for uid in ctx.store.list_users("x"):\n    told += uid\n',
        "told",
        '{"told": told}',
    ),
    "an async loop inside": (
        'told = ""\nasync for uid in ctx.store.list_users("x"):\n    told += uid\n',
        'told + "."',
        "text = told + '.', then {\"text\": text}",
    ),
}  # fmt: skip
"""What is said → what makes it, the summary, the advice that `json.dumps` takes."""


@pytest.mark.parametrize("what", ADVICE)
def test_the_advice_is_what_json_carries(lint: Lint, what: str) -> None:
    """No page, document or response, no coroutine, no second question to the model."""
    body, said, advice = ADVICE[what]
    (found,) = lint("FED404", _text(body, said))
    assert f"{advice}." == found.message.partition("data too: ")[2]


async def _users(_: str) -> AsyncIterator[str]:
    yield "imp_u_1"


async def _ran(program: str) -> Any:
    """Run the handler of a program on the mocks of the SDK, with one document and one file."""
    mocks = pytest.importorskip("imperal_sdk.testing.mock_context", reason="needs the extra `sdk`")
    ctx = mocks.MockContext()
    note = await ctx.store.create("notes", {"title": "One", "status": "new"})
    await ctx.storage.upload("a", b"x")
    ctx.http.mock_get("x", {"headline": "News"})
    ctx.store.list_users = _users
    names: dict[str, Any] = {}
    exec(program, names)  # noqa: S102 - the programs are those above
    return await names["f"](ctx, SimpleNamespace(q="Why?", id=note.id))


@pytest.mark.parametrize("case", [*READ.values(), *ADVICE.values()], ids=[*READ, *ADVICE])
def test_the_advice_runs(case: tuple[str, str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """What the message says to write gives data that JSON carries, and that is not empty."""
    monkeypatch.setitem(sys.modules, "texts", ModuleType("texts"))
    body, said, advice = case
    before, _, data = advice.rpartition(", then ")
    result = asyncio.run(_ran(_text(f"{body}{before}\n" if before else body, said, data)))
    assert {} != json.loads(json.dumps(result.to_dict()))["data"]
