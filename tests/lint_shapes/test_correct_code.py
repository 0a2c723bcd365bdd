"""Code that runs right on the published SDK, in which the linter once saw a breach."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

HEAD = """\
from imperal_sdk import ActionResult, ChatExtension, Extension
from pydantic import BaseModel

ext = Extension("notes")
chat = ChatExtension(ext=ext)


@ext.cache_model("m")
class M(BaseModel):
    n: int = 0


def maybe(x):
    return M() if x else None
"""
CACHE = "FED301 FED302 FED303 FED304 FED305"
SKELETON = "FED210 FED211 FED212 FED213 FED214"


def _handler(body: str, before: str = "") -> str:
    lines = "".join(f"    {line}\n" for line in body.strip().splitlines())
    return f'{HEAD}\n\n{before}\n\n@ext.panel("p")\nasync def p(ctx):\n{lines}'


def _section(body: str) -> str:
    lines = "".join(f"    {line}\n" for line in body.strip().splitlines())
    return f'{HEAD}\n\n@ext.skeleton("s")\nasync def s(ctx):\n{lines}'


SET = 'await ctx.cache.set("k", v, ttl_seconds=60)'
SILENT = {
    "a walrus is asked for None": _handler(f"if (v := maybe(1)) is not None:\n    {SET}"),
    "a walrus is asked for its truth": _handler(f"if v := maybe(1):\n    {SET}"),
    "a walrus is None and bound anew": _handler(f"if (v := maybe(0)) is None:\n    v = M()\n{SET}"),
    "a loop that walks through letters": _handler(
        's = ctx.user.email\nfor bad in "@.+":\n    s = s.replace(bad, "_")\n'
        "await ctx.cache.get(s, M)"
    ),
    "a loop that walks through pairs": _handler(
        "await ctx.cache.get(clean(ctx.user.email), M)",
        'def clean(k):\n    for old, new in (("@", "_"), (".", "-")):\n'
        "        k = k.replace(old, new)\n    return k",
    ),
    "isinstance with cls": _handler(
        'await ctx.cache.set("k", W.of([1]), ttl_seconds=60)',
        '@ext.cache_model("w")\nclass W(BaseModel):\n    data: list = []\n\n    @classmethod\n'
        "    def of(cls, x):\n        return x if isinstance(x, cls) else cls(data=x)",
    ),
    "a property that is cached": _handler(
        'await ctx.cache.set("k", M(), ttl_seconds=Limits().ttl)',
        "import functools\n\n\nclass Limits:\n    @functools.cached_property\n"
        "    def ttl(self):\n        return 60",
    ),
    "a property that can be set": _handler(
        'await ctx.cache.set("k", M(), ttl_seconds=Limits().ttl)',
        "class Limits:\n    @property\n    def ttl(self):\n        return 60\n\n"
        "    @ttl.setter\n    def ttl(self, value):\n        pass",
    ),
    "a descriptor and a function that is called at once": _handler(
        "await ctx.cache.set(KEY, Limits().value, ttl_seconds=Limits().ttl)",
        "class lazy:\n    def __init__(self, f):\n        self.f = f\n\n"
        "    def __get__(self, owner, _):\n        return self.f(owner)\n\n\n"
        "class Limits:\n    @lazy\n    def ttl(self):\n        return 60\n\n"
        "    @lazy\n    def value(self):\n        return M()\n\n\n"
        'def now(f):\n    return f()\n\n\n@now\ndef KEY():\n    return "k"',
    ),
    "a nested function binds the name": _handler(
        "ttl = 900\n\ndef shrink():\n    nonlocal ttl\n    ttl = 60\n\nshrink()\n"
        'await ctx.cache.set("k", M(), ttl_seconds=ttl)'
    ),
    "one of two objects": _handler(
        'await ctx.cache.set("k", M(), ttl_seconds=short.ttl)',
        "class Limits(BaseModel):\n    ttl: int = 900\n\n\n"
        "long, short = Limits(), None\nshort = Limits(ttl=60)",
    ),
    "a wrapper that makes a model of a dict": _handler(
        'await ctx.cache.set("k", conv(), ttl_seconds=60)',
        "def as_model(cls):\n    def decorator(f):\n        def wrapper(*a):\n"
        "            return cls(**f(*a))\n\n        return wrapper\n\n    return decorator\n\n\n"
        '@as_model(M)\ndef conv():\n    return {"n": 2}',
    ),
    "an async wrapper that makes a model of a dict": _handler(
        'await ctx.cache.set("k", await conv(), ttl_seconds=60)',
        "def modelled(f):\n    async def wrapper(*a):\n        return M(**(await f(*a)))\n\n"
        '    return wrapper\n\n\n@modelled\nasync def conv():\n    return {"n": 2}',
    ),
}
"""What → code without any finding on the cache."""

NO_ERROR = {
    "a cache or one of our own": _handler(
        'c = Own() if ctx.user.scopes else ctx.cache\nawait c.set("a b", 5, ttl_seconds=1)',
        "class Own:\n    async def set(self, key, value, ttl_seconds):\n        pass",
    ),
    "a field that is set later": _handler(
        'await ctx.cache.set("k", M(), ttl_seconds=limits.ttl)',
        "class Limits:\n    ttl = 600\n\n\nlimits = Limits()\nlimits.ttl = 90",
    ),
    "a field that setattr sets": _handler(
        'await ctx.cache.set("k", M(), ttl_seconds=limits.ttl)',
        'class Limits:\n    ttl = 600\n\n\nlimits = Limits()\nsetattr(limits, "ttl", 90)',
    ),
    "a block that may break off": _handler(
        "ttl = 60\nwith contextlib.suppress(LookupError):\n    load()\n    ttl = 900\n"
        'await ctx.cache.set("k", M(), ttl_seconds=ttl)',
        "import contextlib\n\n\ndef load():\n    raise LookupError",
    ),
}
"""What → code with at most a warning, for one of several values is wrong."""

SECTIONS = {
    "a dict that becomes a number": 'data = {"by": {"x": 1}}\ndata["by"] = len(data["by"])\n'
    'return {"response": data}',
    "a list that is cut": 'data = {"rows": [1, 2, 3, 4, 5, 6]}\ndata["rows"] = data["rows"][:5]\n'
    'return {"response": data}',
    "a text that is cut": 'data = {"t": "y" * 5000}\ndata["t"] = data["t"][:50]\n'
    'return {"response": data}',
    "fields that are taken out": "data = {'a': 1, 'b': 2, 'c': 3, 'd': 4, 'e': 5, 'f': 6, 'g': 7}\n"
    "for key in ('f', 'g'):\n    del data[key]\nreturn {'response': data}",
    "fields that are popped": "data = {'a': 1, 'b': 2, 'c': 3, 'd': 4, 'e': 5, 'f': 6, 'g': 7}\n"
    "data.pop('g', None)\nreturn {'response': data}",
}
"""What → body of a skeleton handler whose section is small."""

INJECTING = """
class Services:
    def __init__(self, ctx):
        self.http = ctx.http
        self.user = "bob"
        self.db = {}

    def __getitem__(self, key):
        return key


def service(function):
    async def wrapper(ctx, *rest):
        found = Services(ctx)
        return await function(found, *rest)

    return wrapper


def as_dict(function):
    async def wrapper(ctx):
        return await function({"ctx": ctx})

    return wrapper


@chat.function("f", "Shows the notes of the user")
@service
async def f(ctx):
    return ActionResult.success({"n": ctx["n"], "db": ctx.db}, ctx.user.upper())


@chat.function("g", "Shows the notes of the user")
@as_dict
async def g(ctx):
    return ActionResult.success({"ok": ctx["ctx"].user.role}, "Done")
"""
MATCHING = """
from imperal_sdk.types.models import HTTPResponse


def body(r):
    match r:
        case HTTPResponse():
            return r.text()
        case _:
            return r.text[:10]


@ext.panel("p")
async def p(ctx):
    return body(await ctx.http.get("https://example.com"))
"""


@pytest.mark.parametrize("what", SILENT)
def test_nothing_is_said_of_a_right_cache_call(lint: Lint, what: str) -> None:
    """What code rules out before the call is not held against it."""
    assert () == tuple(item.message for item in lint(CACHE, SILENT[what]))


@pytest.mark.parametrize("what", NO_ERROR)
def test_one_of_several_values_is_no_error(lint: Lint, what: str) -> None:
    """An error is only what certainly happens."""
    found = lint(CACHE, NO_ERROR[what])
    assert {"warning"} == {item.severity for item in found}


@pytest.mark.parametrize("what", SECTIONS)
def test_a_section_is_judged_by_what_is_left(lint: Lint, what: str) -> None:
    """A later value replaces an earlier one; a field that was taken out does not count."""
    assert () == tuple(item.message for item in lint(SKELETON, _section(SECTIONS[what])))


@pytest.mark.parametrize("text", [INJECTING, MATCHING])
def test_an_object_of_the_sdk_is_told_from_others(lint: Lint, text: str) -> None:
    """What a wrapper or a pattern puts there instead is not judged like the SDK's object."""
    codes = "FED102 FED105 FED106 FED107 FED108 FED110 FED111"
    assert () == tuple(item.message for item in lint(codes, HEAD + text))


def test_a_flag_that_keeps_the_answer_of_hasattr_guards(lint: Lint) -> None:
    """The name of the answer is as good as the question."""
    text = _handler(
        "if HAS_KANBAN and not OLD:\n    return ui.Kanban([])\nreturn ui.Text('x')",
        'from imperal_sdk import ui\n\nHAS_KANBAN = hasattr(ui, "Kanban")\nOLD = False',
    )
    assert {"info"} == {item.severity for item in lint("FED105", text)}


def test_a_subclass_that_passes_scopes_on_declares_them(lint: Lint) -> None:
    """What its own constructor gives is not seen at the call."""
    text = """\
from imperal_sdk import Extension


class Mine(Extension):
    def __init__(self, name):
        super().__init__(name, capabilities=["notes:read"])


ext = Mine("notes")
"""
    assert () == lint("FED505", text)


RUNNING = {
    "by hand": """\
def drained(f):
    def run(*given):
        try:
            f(*given).send(None)
        except StopIteration as end:
            return end.value

    return run
""",
    "in a loop of its own": """\
import asyncio


def drained(f):
    def run(*given):
        work = f(*given)
        return asyncio.new_event_loop().run_until_complete(work)

    return run
""",
    "in an object": """\
class drained:
    def __init__(self, f):
        self.f = f

    def __call__(self, *given):
        try:
            self.f(*given).send(None)
        except StopIteration as end:
            return end.value
""",
}
QUICK = "\n\n@drained\nasync def quick():\n    return M(n=1)\n"


@pytest.mark.parametrize("how", RUNNING)
def test_a_decorator_may_run_the_coroutine_itself(lint: Lint, how: str) -> None:
    """What it returns is what the coroutine returned, which nobody need await."""
    text = _handler('await ctx.cache.set("k", quick(), ttl_seconds=60)', RUNNING[how] + QUICK)
    assert () == lint("FED303", text)
    assert ["error"] == [it.severity for it in lint("FED303", text.replace("@drained\n", ""))]
