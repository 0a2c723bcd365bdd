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
OWN, SAME = "MyCtx(ctx)", "ctx"
SILENT = {
    "options that are left out": ("deco", OPTIONS.format(OWN)),
    "options": ('deco(scope="y")', OPTIONS.format(OWN)),
    "itself with options": ("deco", AGAIN.format(OWN)),
    "another name": ("deco", ALIAS.format(OWN)),
    "a static method": ("Hub.deco", STATIC.format(OWN)),
    "a key that is set": ("deco", NAMED.format('kw["ctx"] = MyCtx(kw["ctx"])')),
    "keys that are updated": ("deco", NAMED.format('kw.update(ctx=MyCtx(kw["ctx"]))')),
    "other keys": ("deco", NAMED.format('kw = {"ctx": MyCtx(kw["ctx"])}')),
}
"""How a decorator gives another context → decorator, its code."""
FOUND = {
    "options that are left out": ("deco", OPTIONS.format(SAME)),
    "options": ('deco(scope="y")', OPTIONS.format(SAME)),
    "itself with options": ("deco", AGAIN.format(SAME)),
    "another name": ("deco", ALIAS.format(SAME)),
    "a static method": ("Hub.deco", STATIC.format(SAME)),
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
    """What they give is not looked at, so that nothing is certain."""
    code = (
        f"async def run(f, ctx):\n    return await f({given})\n\n\n"
        "def deco(f):\n    async def inner(ctx):\n        return await run(f, ctx)\n\n"
        "    return inner\n"
    )
    assert ["warning"] == _severities(lint, "deco", code)
