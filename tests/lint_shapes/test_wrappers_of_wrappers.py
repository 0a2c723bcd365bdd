"""Decorators that others make, keep or call: what is not followed to its end says nothing."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

from .own_context import START

Lint = Callable[..., tuple[Finding, ...]]

HEAD = f"""\
import functools
import types
from functools import partial, wraps

{START}
"""
GIVES_OWN = "return await {}(MyCtx(ctx))"
GIVES_SAME = "return await {}(ctx)"
RETURNS_OWN = "print(await {}(ctx)); return Env()"
HELPER = """

@{}
async def helper(ctx):
    return ctx.user.id


@ext.panel("p")
async def p(ctx):
    return await helper(ctx)
"""
LOAD = """

@{}
async def load(ctx):
    return ActionResult.success({{}}, "x")


@ext.panel("p")
async def p(ctx):
    r = await load(ctx)
    return r.ok
"""
HANDLER = """

@ext.panel("p")
@{}
async def p(ctx):
    return ctx.user.id
"""
RUN = "async def run(f, ctx):\n    <f>\n\n\n"
BASE = """\
def base(f):
    @wraps(f)
    async def inner(ctx):
        <f>

    return inner


"""
FACTORY = """\
def factory(n):
    def make(f):
        async def inner(ctx):
            <f>

        return inner

    return make


"""
KEPT = """\
class Kept:
    def __init__(self, f):
        functools.update_wrapper(self, f)
        self.f = f

    async def __call__(self, ctx):
        <self.f>


"""
OBJECT = "class Deco:\n    def __call__(self, f):\n        {}\n\n\ndeco = Deco()\n"
FOLLOWED = {
    "a part of a function": ("deco", RUN + "def deco(f):\n    return partial(run, f)\n"),
    "a named part of a function": (
        "deco",
        (
            "async def run(ctx, *, f):\n    <f>\n\n\ndef deco(f):\n"
            "    return wraps(f)(functools.partial(run, f=f))\n"
        ),
    ),
    "a part of a method": (
        "deco(1)",
        (
            "class deco:\n    def __init__(self, n):\n        self.n = n\n\n"
            "    def __call__(self, f):\n        return partial(self.run, f)\n\n"
            "    async def run(self, f, ctx):\n        <f>\n"
        ),
    ),
    "a lambda": ("deco", RUN + "deco = lambda f: partial(run, f)\n"),
    "another decorator": ("deco", BASE + "def deco(f):\n    return base(f)\n"),
    "what a factory makes": ("deco", FACTORY + "def deco(f):\n    return factory(3)(f)\n"),
    "another factory": ("deco(2)", FACTORY + "def deco(n):\n    return factory(n + 1)\n"),
    "a factory of factories": ("deco()(2)", FACTORY + "def deco():\n    return factory\n"),
    "a base class": ("deco", KEPT + "class deco(Kept):\n    pass\n"),
    "an object of a class": (
        "deco",
        OBJECT.format("async def inner(ctx):\n            <f>\n\n        return inner"),
    ),
    "an object that an object makes": (
        "deco",
        KEPT + OBJECT.format("return Kept(f)"),
    ),
    "a value of a dict": ("DECOS['a']", BASE + 'DECOS = {"a": base}\n'),
    "a value that a dict gives": ("DECOS.get('a')", BASE + 'DECOS = {"a": base}\n'),
    "an attribute of a class": ("Hub.deco", BASE + "class Hub:\n    deco = base\n"),
    "a decorator that is registered": (
        "base",
        "NAMES = []\n\n\ndef registered(f):\n    NAMES.append(f)\n    return f\n\n\n"
        "@registered\n" + BASE,
    ),
}
"""A decorator that is followed → how it is written, its code."""
UNKNOWN = {
    "a part that is kept": (
        "deco",
        RUN + "def deco(f):\n    made = partial(run, f)\n"
        "    functools.update_wrapper(made, f)\n    return made\n",
    ),
    "a part of a decorator": (
        'partial(deco, "x")',
        "def deco(tag, f):\n    async def inner(ctx):\n        <f>\n\n    return inner\n",
    ),
    "a part of a decorator with a name": (
        "made",
        (
            "def deco(tag, f):\n    async def inner(ctx):\n        <f>\n\n    return inner\n\n\n"
            'made = partial(deco, "x")\n'
        ),
    ),
    "a bound function": (
        "deco",
        RUN + "def deco(f):\n    return types.MethodType(run, f)\n",
    ),
    "a decorated decorator": (
        "deco",
        (
            "def decorator(d):\n    def make(f):\n        async def inner(ctx):\n"
            "            return await d(f, ctx)\n\n        return inner\n\n    return make\n\n\n"
            "@decorator\nasync def deco(f, ctx):\n    <f>\n"
        ),
    ),
    "a decorator inside": (
        "deco",
        BASE + "def deco(f):\n    @base\n    async def inner(ctx):\n"
        "        return await f(ctx)\n\n    return inner\n",
    ),
    "what comes before": (
        "deco",
        BASE + "def deco(f):\n    f = base(f)\n\n    async def inner(ctx):\n"
        "        return await f(ctx)\n\n    return inner\n",
    ),
    "several at once": (
        "several(base)",
        BASE + "def several(*all):\n    def make(f):\n        for each in all:\n"
        "            f = each(f)\n        return f\n\n    return make\n",
    ),
    "two places of a constructor": (
        "deco",
        (
            "class deco:\n    def __init__(self, f):\n        self.f, self.n = f, 1\n\n"
            "    async def __call__(self, ctx):\n        <self.f>\n"
        ),
    ),
    "a function that a constructor replaces": (
        "deco",
        BASE + "class deco:\n    def __init__(self, f):\n        self.f = f\n"
        "        self.f = base(self.f)\n\n    async def __call__(self, ctx):\n"
        "        return await self.f(ctx)\n",
    ),
    "another name of what is kept": (
        "deco",
        (
            "class deco:\n    def __init__(self, f):\n        self.f = f\n\n"
            "    async def __call__(self, ctx):\n        f = self.f\n        <f>\n"
        ),
    ),
    "a method that runs it": (
        "deco",
        (
            "class deco:\n    def __call__(self, f):\n        self.f = f\n"
            "        return self.run\n\n"
            "    async def run(self, ctx):\n        <self.f>\n\n\ndeco = deco()\n"
        ),
    ),
    "a class that makes a function": (
        "deco",
        (
            "class deco:\n    def __new__(cls, f):\n"
            "        async def inner(ctx):\n            <f>\n\n"
            "        return inner\n"
        ),
    ),
    "a dict that is filled": ("DECOS['a']", "DECOS = {}\n\n\n" + BASE + 'DECOS["a"] = base\n'),
    "a static method by hand": ("Hub.deco", BASE + "class Hub:\n    deco = staticmethod(base)\n"),
    "a list that holds it": (
        "deco",
        (
            "def deco(f):\n    held = [f]\n\n    async def inner(ctx):\n        <held[0]>\n\n"
            "    return inner\n"
        ),
    ),
    "a default": (
        "deco",
        "def deco(f):\n    async def inner(ctx, g=f):\n        <g>\n\n    return inner\n",
    ),
    "a name like one that registers": (
        "hub.tool('x')",
        (
            "class Hub:\n    def tool(self, name):\n"
            "        def make(f):\n            held = [f]\n\n"
            "            async def inner(ctx):\n                <held[0]>\n\n"
            "            return inner\n\n        return make\n\n\nhub = Hub()\n"
        ),
    ),
}
"""A decorator that is not followed → how it is written, its code."""
ALL = FOLLOWED | UNKNOWN


def _text(what: str, step: str, user: str) -> str:
    decorator, code = ALL[what]
    filled = re.sub(r"<([\w.]+(?:\[0\])?)>", lambda found: step.format(found[1]), code)
    return f"{HEAD}{filled}{user.format(decorator)}"


def _severities(lint: Lint, what: str, step: str, user: str) -> list[str]:
    return [item.severity for item in lint("FED105", _text(what, step, user))]


@pytest.mark.parametrize("user", [HELPER, HANDLER], ids=["helper", "handler"])
@pytest.mark.parametrize("what", ALL)
def test_another_context_is_not_blamed(lint: Lint, what: str, user: str) -> None:
    """What arrives is what the wrapper gives, however it came to be called."""
    assert [] == _severities(lint, what, GIVES_OWN, user)


@pytest.mark.parametrize("what", ALL)
def test_another_result_is_not_blamed(lint: Lint, what: str) -> None:
    """What a call gives is what the wrapper returns."""
    assert [] == _severities(lint, what, RETURNS_OWN, LOAD)


@pytest.mark.parametrize("user", [HELPER, HANDLER, LOAD], ids=["helper", "handler", "result"])
@pytest.mark.parametrize("what", FOLLOWED)
def test_what_a_followed_wrapper_hands_on_is_judged(lint: Lint, what: str, user: str) -> None:
    """A wrapper that changes nothing hides nothing."""
    assert ["error"] == _severities(lint, what, GIVES_SAME, user)


@pytest.mark.parametrize("what", UNKNOWN)
def test_the_caller_of_an_unknown_wrapper_is_judged(lint: Lint, what: str) -> None:
    """Only what goes through the wrapper is not known."""
    user = HELPER.replace("return await helper(ctx)", "await helper(ctx)\n    return ctx.user.id")
    assert ["error"] == _severities(lint, what, GIVES_OWN, user)


def test_a_handler_that_is_wrapped_before_it_is_registered(lint: Lint) -> None:
    """What is registered is what the name holds by then."""
    code = BASE.replace("<f>", GIVES_OWN.format("f"))
    handler = 'async def p(ctx):\n    return ctx.user.id\n\n\np = {}\next.panel("p")(p)\n'
    found = lint("FED105", HEAD + code + handler.format("base(p)"))
    assert ["warning"] == [item.severity for item in found]
    same = lint("FED105", HEAD + handler.format("p").replace("p = p\n", ""))
    assert ["error"] == [item.severity for item in same]
