"""Decorators of the tree in the forms that code writes them: with options, by an alias, by hand."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

from .own_context import OWN_CONTEXT

Lint = Callable[..., tuple[Finding, ...]]

HEAD = f"""\
import functools

from imperal_sdk import Extension

ext = Extension("notes")


{OWN_CONTEXT}

"""
TAIL = """

async def helper(ctx):
    return ctx.user.id


@ext.panel("p")
async def p(ctx):
    return await helper(ctx=ctx)
"""
OPTIONS = """\
def deco(f=None, *, scope="x"):
    def make(g):
        @functools.wraps(g)
        async def inner(ctx):
            return await g({})

        return inner

    return make(f) if f else make
"""
AGAIN = """\
def deco(f=None, *, scope="x"):
    if f is None:
        return functools.partial(deco, scope=scope)

    async def inner(ctx):
        return await f({})

    return inner
"""
ALIAS = """\
def deco(f):
    function = f

    async def inner(ctx):
        return await function({})

    return functools.update_wrapper(inner, f)
"""
STATIC = """\
class Hub:
    @staticmethod
    def deco(f):
        async def inner(ctx):
            return await f({})

        return inner
"""
NAMED = """\
def deco(f):
    async def inner(**kw):
        {}
        return await f(**kw)

    return inner
"""
OTHERS = """\
async def run(f, ctx):
    return await f({})


def deco(times):
    def make(f):
        @functools.wraps(f)
        async def inner(ctx):
            return await run(f, ctx)

        return inner

    return make
"""
PASSING = """\
async def run(f, *args, **kwargs):
    return await f(*args, **kwargs)


def deco(f):
    async def inner(ctx, *args, **kwargs):
        return await run(f, {}, *args, **kwargs)

    return inner
"""
OWN, SAME = "MyCtx(ctx)", "ctx"
SILENT = {
    "options that are left out": ("deco", OPTIONS.format(OWN)),
    "options": ('deco(scope="y")', OPTIONS.format(OWN)),
    "itself with options": ("deco", AGAIN.format(OWN)),
    "another name": ("deco", ALIAS.format(OWN)),
    "a static method": ("Hub.deco", STATIC.format(OWN)),
    "a key that is set": ("deco", NAMED.format('kw["ctx"] = MyCtx(kw["ctx"])')),
    "keys that are updated": ("deco", NAMED.format('kw.update(ctx=MyCtx(kw["ctx"]))')),
    "others that call it": ("deco(3)", OTHERS.format(OWN)),
    "others that pass everything on": ("deco", PASSING.format(OWN)),
    "other keys": ("deco", NAMED.format('kw = {"ctx": MyCtx(kw["ctx"])}')),
}
"""How a decorator gives another context → decorator, its code."""
FOUND = {
    "options that are left out": ("deco", OPTIONS.format(SAME)),
    "options": ('deco(scope="y")', OPTIONS.format(SAME)),
    "itself with options": ("deco", AGAIN.format(SAME)),
    "another name": ("deco", ALIAS.format(SAME)),
    "a static method": ("Hub.deco", STATIC.format(SAME)),
    "others that call it": ("deco(3)", OTHERS.format(SAME)),
    "others that pass everything on": ("deco", PASSING.format(SAME)),
    "a key that is read": ("deco", NAMED.format('print(kw["ctx"], kw.get("n"))')),
    "another key that is set": ("deco", NAMED.format('kw.pop("n", None)')),
}
"""How a decorator hands the context on → decorator, its code."""


def _severities(lint: Lint, decorator: str, code: str) -> list[str]:
    helper = TAIL.replace("async def helper", f"@{decorator}\nasync def helper")
    return [item.severity for item in lint("FED105", f"{HEAD}{code}{helper}")]


@pytest.mark.parametrize("what", SILENT)
def test_a_decorator_that_gives_something_else(lint: Lint, what: str) -> None:
    """The helper is not judged by what its caller gives."""
    assert [] == _severities(lint, *SILENT[what])


@pytest.mark.parametrize("what", FOUND)
def test_a_decorator_that_gives_the_same(lint: Lint, what: str) -> None:
    """The helper is judged as if there were no decorator."""
    assert ["error"] == _severities(lint, *FOUND[what])


@pytest.mark.parametrize("given", [OWN, SAME])
def test_a_decorator_that_lets_others_call(lint: Lint, given: str) -> None:
    """What functions from elsewhere give is not known, so that nothing is certain."""
    code = (
        "from elsewhere import run\n\n\n"
        "def deco(f):\n    async def inner(ctx):\n"
        f"        return await run(f, {given})\n\n    return inner\n"
    )
    assert ["warning"] == _severities(lint, "deco", code)


def test_others_that_get_no_more_than_the_wrapper(lint: Lint) -> None:
    """What is only spread is not followed to what others give, so that nothing is certain."""
    code = PASSING.replace("ctx, *", "*").format("").replace("f, ,", "f,")
    assert ["warning"] == _severities(lint, "deco", code)
