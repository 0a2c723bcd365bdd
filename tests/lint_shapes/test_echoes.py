"""Summaries that repeat what the caller said, and those that say what only the store knows."""

from __future__ import annotations

import pytest

from .conftest import Lint
from .programs import with_body

HEAD = """\
import contextlib
import datetime as dt
import random
import re
import uuid

import requests
import texts
from imperal_sdk import ActionResult, ChatExtension, Extension
from pydantic import BaseModel, Field
from texts import MESSAGES, Texts, short, tr

ext = Extension("notes")
chat = ChatExtension(ext, tool_name="notes", description="Notes")
WORDS = {"open": "Open", "closed": "Closed"}
SEEN = {}


class P(BaseModel):
    name: str = "bob"
    ids: list[str] = []
    n: int = 3
    dry: bool = False

    def title(self):
        return self.name.title()

    def mail(self, ctx):
        return ctx.user.email


class Note(BaseModel):
    a: str
    b: object = None
    c: str = Field(default_factory=lambda: requests.get("x").text)


def look(name):
    return requests.get(name).text


def learn(name):
    SEEN[name] = 1
    return SEEN[name]


def quick(name):
    if requests.get(name).ok:
        return name + " there"
    return name + " gone"


def again(name, text):
    return text if name else again("x", requests.get(name).text)


def each(names):
    for name in names:
        yield requests.get(name).text
    return names


def fill(out):
    out.append(requests.get("x").text)


def told(ctx, key):
    return ctx.user.email + key


def monthly(a, b):
    return a * b / 12


async def load(ctx, name):
    return name


@chat.function("f", "Does it")
async def f(ctx, params: P) -> ActionResult:
    await ctx.store.create("x", params.model_dump())
"""
TEXTS = """\
MESSAGES = {"en": {"saved": "Saved."}, "de": {"saved": "Gesichert."}}
DEFAULT = "en"


def tr(ctx, key, **kw):
    lang = ctx.config.get("lang", DEFAULT)
    if lang not in MESSAGES:
        lang = DEFAULT
    return MESSAGES.get(lang, {}).get(key, key).format(**kw)


def short(text, most=40):
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 1] + "…"


class Texts:
    DONE = "Done"

    @staticmethod
    def clean(text):
        return text.strip()
"""


def _codes(lint: Lint, body: str, after: str = "") -> list[str]:
    return [it.code for it in lint("FED404", with_body(HEAD, body) + after, texts__py=TEXTS)]


def _told(value: str) -> str:
    return f'return ActionResult.success({{}}, f"Done: {{{value}}}")'


def _of_summary(lint: Lint, before: str, value: str) -> list[str]:
    return _codes(lint, f"{before}\n{_told(value)}")


ENTRY = "{'a': params.name.strip(), 'b': await ctx.store.count('x')}"
ECHOES: dict[str, tuple[str, str]] = {
    "a method": ("x = params.name.strip().title()", "x"),
    "a count": ("x = len(params.ids)", "x"),
    "a joined list": ('x = ", ".join(params.ids)', "x"),
    "a list that is cleaned": ("x = [i.strip() for i in params.ids if i.strip()]", "len(x)"),
    "a field of the dump": ('x = params.model_dump()["name"]', "x"),
    "a bound": ("x = max(1, min(params.n, 10))", "x"),
    "a rounded number": ("x = round(params.n, 1)", "x"),
    "two steps": ("a = params.name.strip()\nx = f'{a} ({len(params.ids)})'", "x"),
    "an assignment of several": ("x, y = params.name.strip(), len(params.ids)", "x"),
    "one of several": ('x, y = params.name.strip(), await ctx.store.count("x")', "x"),
    "the rest of several": ("y, *x = params.name.split()", "x"),
    "a method of the model": ("x = params.title()", "x"),
    "a helper": ("x = short(params.name)", "x"),
    "a helper by its module": ("x = texts.short(params.name, most=20)", "x"),
    "a helper at once": ("", "short(params.name)"),
    "a static method": ("x = Texts.clean(params.name)", "x"),
    "a text of the language": ('x = tr(ctx, "saved", name=params.name)', "x"),
    "a table of texts": ('x = MESSAGES["en"]["saved"] + texts.DEFAULT', "x"),
    "a word of a table": ("x = WORDS.get(params.name, params.name)", "x"),
    "a date": ("x = dt.datetime.fromisoformat(params.name).strftime('%H:%M')", "x"),
    "a pattern": (r"x = re.sub(r'\s+', ' ', params.name)", "x"),
    "sorted": ("x = sorted({i.lower() for i in params.ids}, key=lambda i: i.strip())", "len(x)"),
    "a choice": ("x = params.name.strip()\nif len(x) > 9:\n    x = x[:9]", "x"),
    "a try": ("try:\n    x = int(params.name)\nexcept ValueError:\n    x = 10", "x"),
    "a match": (
        (
            "match params.name:\n    case 'a':\n        x = 'b'\n    case other:\n"
            "        x = other.lower()"
        ),
        "x",
    ),
    "a loop": ("x = ''\nfor i in params.ids:\n    x = i.strip()", "x"),
    "what is added": ("x = params.name\nx += ' (dry)' if params.dry else ''\nx = x.strip()", "x"),
    "a part of a dict": (f"y = {ENTRY}\nawait ctx.store.create('x', y)", "y['a']"),
    "a field of a model": ("y = Note(a=params.name.strip(), b=uuid.uuid4())", "y.a"),
    "a constant of a class": ("x = f'{Texts.DONE} {params.name.strip()}'", "x"),
    "what was done to each": (
        (
            "out = []\nfor i in params.ids:\n    await ctx.store.delete('x', i)\n"
            "    out.append(i)\nx = ', '.join(out)"
        ),
        "x",
    ),
    "what is put in if given": (
        "out = []\nif params.name:\n    out.append(params.name)\nx = ', '.join(out)",
        "x",
    ),
}
"""What is said → what makes it, the value in the summary."""


@pytest.mark.parametrize("what", ECHOES)
def test_what_the_caller_said_is_no_fact(lint: Lint, what: str) -> None:
    """However the parameters come into the summary, the caller knew them before."""
    assert [] == _of_summary(lint, *ECHOES[what])


STORED = 'found = (await ctx.store.query("x")).data\n'
FACTS: dict[str, tuple[str, str]] = {
    "a count": ('n = await ctx.store.count("x")\nx = f"{n} rows"', "x"),
    "a count at once": ("", "await ctx.store.count('x')"),
    "a response": ('r = await ctx.http.get("x")\nx = r.json()', "x['name']"),
    "a sum of documents": (f"{STORED}x = sum(d.data['n'] for d in found)", "x"),
    "what the store did not know": (f"{STORED}x = [i for i in params.ids if i not in found]", "x"),
    "a choice by the store": (f"{STORED}x = params.name.strip() if found else 'none'", "x"),
    "a branch by the store": (
        f"{STORED}if found:\n    x = params.name.strip()\nelse:\n    x = 'none'",
        "x",
    ),
    "a word by the store": (f"{STORED}x = WORDS[found[0].data['state']]", "x"),
    "one of several": ('y, x = params.name.strip(), await ctx.store.count("x")', "x"),
    "the other of two": (
        'x = params.name.strip()\nif not x:\n    x = await ctx.store.get("x", "y")',
        "x",
    ),
    "another part of a dict": (f"y = {ENTRY}", "y['b']"),
    "a part that is replaced": (f"y = {ENTRY}\ny['a'] = await ctx.store.count('x')", "y['a']"),
    "another field of a model": ("y = Note(a=params.name.strip(), b=uuid.uuid4())", "y.b"),
    "a field that the model fills": ("y = Note(a=params.name.strip())", "y.c"),
    "what could be deleted": (
        (
            "out = []\nfor i in params.ids:\n    if await ctx.store.delete('x', i):\n"
            "        out.append(i)\nx = ', '.join(out)"
        ),
        "x",
    ),
    "how often it went well": (
        (
            "out = []\nfor i in params.ids:\n    if await ctx.store.delete('x', i):\n"
            "        out.append('x')\nx = len(out)"
        ),
        "x",
    ),
    "a case by the store": (
        (
            f"{STORED}match len(found):\n    case 0:\n        x = 'none'.upper()\n"
            "    case _:\n        x = params.name.strip()"
        ),
        "x",
    ),
    "what a generator fetches": ("x = ' '.join(each(params.ids))", "x"),
    "how many could be deleted": (
        (
            "x = 0\nfor i in params.ids:\n    ok = await ctx.store.delete('x', i)\n    if not ok:\n"
            "        continue\n    x += 1"
        ),
        "x",
    ),
    "how many did not fail": (
        (
            "x = 0\nfor i in params.ids:\n    with contextlib.suppress(KeyError):\n"
            "        await ctx.store.delete('x', i)\n        x += 1"
        ),
        "x",
    ),
    "whether it went well": (
        (
            "try:\n    await ctx.store.delete('x', 'y')\n    x = params.name.strip()\n"
            "except KeyError:\n    x = 'nobody'"
        ),
        "x",
    ),
    "which was found": (
        "x = ''\nfor i in params.ids:\n    if await ctx.store.get('x', i):\n        x = i.strip()",
        "x",
    ),
    "a helper that asks the network": ("x = look(params.name)", "x"),
    "a helper that chooses by the network": ("x = quick(params.name)", "x"),
    "a helper that calls itself with more": ("x = again(params.name, 'a')", "x"),
    "a helper that remembers": ("x = learn(params.name)", "x"),
    "a helper that fills a list": ("out = []\nfill(out)\nx = ''.join(out)", "x"),
    "a helper that reads the user": ("x = told(ctx, params.name)", "x"),
    "a method that reads the user": ("x = params.mail(ctx)", "x"),
    "a helper that computes": ("x = round(monthly(params.n, 3), 2)", "x"),
    "a helper that waits": ("x = await load(ctx, params.name)", "x"),
    "a new id": ("x = str(uuid.uuid4())", "x"),
    "the time": ("x = dt.datetime.now().isoformat()", "x"),
    "chance": ("x = random.choice(params.ids)", "x"),
    "a setting": ("x = ctx.config.get('limit')", "x"),
    "a file": ("with open(params.name) as file:\n    x = file.read()", "x"),
    "a parameter that is replaced": (
        "params.name = (await ctx.ai.complete('x')).text\nx = params.name.strip()",
        "x",
    ),
}
"""What is said → what makes it, the value in the summary."""


@pytest.mark.parametrize("what", FACTS)
def test_what_only_the_store_knows_is_a_fact(lint: Lint, what: str) -> None:
    """What was fetched, or hangs on what was fetched, is lost with the summary."""
    assert ["FED404"] == _of_summary(lint, *FACTS[what])


@pytest.mark.parametrize(
    ("given", "expected"),
    [("params", []), ("await load(ctx, params.name)", ["FED404"])],
)
def test_parameters_of_a_helper_are_what_its_callers_give(
    lint: Lint, given: str, expected: list[str]
) -> None:
    """A helper that makes the result repeats the caller, or tells what the handler fetched."""
    helper = "\n\ndef done(thing):\n    x = thing.name.strip()\n    " + _told("x") + "\n"
    assert expected == _codes(lint, f"return done({given})", helper)


def test_the_one_that_was_found_is_a_fact(lint: Lint) -> None:
    """A loop over what the caller gave that ends where the store says so tells what it says."""
    found = "if await ctx.store.get('x', i):"
    assert ["FED404"] == _codes(lint, f"for i in params.ids:\n    {found}\n        {_told('i')}")
    given = "if i.startswith('a'):"
    assert [] == _codes(lint, f"for i in params.ids:\n    {given}\n        {_told('i')}")


@pytest.mark.parametrize("steps", [13, 40])
def test_names_that_double_are_given_up(lint: Lint, steps: int) -> None:
    """Names that hold each other twice are not followed for ever; what is not known stays said."""
    sums = "\n".join(f"x{n + 1} = (x{n} + x{n}).strip()" for n in range(steps))
    assert ["FED404"] == _codes(lint, f"x0 = params.name\n{sums}\n{_told(f'x{steps}')}")
