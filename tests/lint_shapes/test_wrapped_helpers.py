"""Helpers under decorators of the tree: they get and return what the wrapper makes of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

from .own_context import START

Lint = Callable[..., tuple[Finding, ...]]

HEAD = f"""\
import functools

import elsewhere
{START}
def locked():
    return ActionResult.error("Locked")


"""
PANEL = """


@ext.panel("p")
async def p(ctx):
    {}
"""

# ---- what a helper returns -------------------------------------------------------------------

LOAD = "@{}\nasync def load(ctx):\n    return ActionResult.success({{}}, 'x')\n"
RESULT = PANEL.format("r = await load(ctx)\n    return r.ok")


def _severities(lint: Lint, wrapper: tuple[str, str], helper: str, use: str) -> list[str]:
    decorator, code = wrapper
    found = lint("FED105", f"{HEAD}{code}\n\n{helper.format(decorator)}{use}")
    return [item.severity for item in found]


def _around(*steps: str, inner: str = "async def inner(*a)", wraps: bool = False) -> str:
    lines = [f"{inner}:", *(f"    {step}" for step in steps), "return inner"]
    lines = ["@functools.wraps(f)", *lines] if wraps else lines
    return "def deco(f):\n" + "".join(f"    {line}\n" for line in lines)


MADE = _around("await f(*a)", "return Env()")
INNER = "".join(f"    {line}\n" for line in MADE.replace("deco", "outer").splitlines())
FACTORY = f"def deco(times):\n{INNER}    return outer\n"
CLASS = """\
class deco:
    def __init__(self, f):
        self.f = f

    async def __call__(self, *a):
        {}
"""
MAKER = """\
class deco:
    def __init__(self, times):
        self.times = times

    def __call__(self, f):
        async def inner(*a):
            {}

        return inner
"""
HUB = """\
class Hub:
    def deco(self, f):
        async def inner(*a):
            {}

        return inner


hub = Hub()
"""
HANDED_OVER = CLASS.replace("class deco", "class Kept") + "\n\ndef deco(f):\n    return Kept(f)\n"
TWO = "\n\n" + _around("return await f(*a)").replace("deco", "first")
RETURNED = {
    "something else": ("deco", MADE),
    "something else, with wraps": ("deco", _around("await f(*a)", "return Env()", wraps=True)),
    "something else, with an argument": ("deco(3)", FACTORY),
    "something else after a look": (
        "deco",
        _around("r = await f(*a)", "print(r)", "return Env()"),
    ),
    "a name that holds something else": (
        "deco",
        _around("r = await f(*a)", "r = Env()", "return r"),
    ),
    "something else beside a lambda": (
        "deco",
        _around("await f(*a)", "sorted(a, key=lambda it: str(it))", "return Env()"),
    ),
    "something else, of a class": (
        "deco",
        CLASS.format("await self.f(*a)\n        return Env()"),
    ),
    "something else, of an object": (
        "deco(3)",
        MAKER.format("await f(*a)\n            return Env()"),
    ),
    "something else in its place": ("deco", _around("return Env()")),
    "something else, of a method": (
        "hub.deco",
        HUB.format("await f(*a)\n            return Env()"),
    ),
    "something else, of an object that a function makes": (
        "deco",
        HANDED_OVER.format("await self.f(*a)\n        return Env()"),
    ),
    "something else under another decorator": ("first\n@deco", MADE + TWO),
    "something else above another decorator": ("deco\n@first", MADE + TWO),
}
"""What a wrapper returns → decorator, its code; all of them give an ``Env``."""
KEPT = {
    "what it gets": ("deco", _around("return await f(*a)")),
    "what it gets, with wraps": (
        "deco",
        _around(
            "return await f(ctx, *a, **kw)", inner="async def inner(ctx, *a, **kw)", wraps=True
        ),
    ),
    "what it gets, with an argument": (
        "deco(3)",
        FACTORY.replace("await f(*a)", "r = await f(*a)").replace("Env()", "r"),
    ),
    "what a name holds": ("deco", _around("r = await f(*a)", "print(r)", "return r")),
    "what a typed name holds": (
        "deco",
        _around("r: ActionResult = await f(*a)", "return r"),
    ),
    "what an attempt gave": (
        "deco",
        _around("r = None", "for _ in range(3):", "    r = await f(*a)", "return r"),
    ),
    "what a function inside it gets": (
        "deco",
        _around(
            "r = None",
            "async def attempt():",
            "    nonlocal r",
            "    r = await f(*a)",
            "    return True",
            "await attempt()",
            "return r",
        ),
    ),
    "what is kept": ("deco", _around("KEPT[a] = await f(*a)", "return KEPT[a]")),
    "a refusal of the same kind": (
        "deco",
        _around("if not a[0].user:", "    return locked()", "return await f(*a)"),
    ),
    "None for a failure": (
        "deco",
        _around("try:", "    return await f(*a)", "except OSError:", "    return None"),
    ),
    "what an object hands on": ("deco", CLASS.format("return await self.f(*a)")),
    "what the function of an object hands on": (
        "deco(3)",
        MAKER.format("return await f(*a)"),
    ),
    "what a method hands on": ("hub.deco", HUB.format("return await f(*a)")),
    "what an object hands on that a function makes": (
        "deco",
        HANDED_OVER.format("return await self.f(*a)"),
    ),
    "what two hand on": ("deco\n@first", _around("return await f(*a)") + TWO),
    "the function itself": ("deco", "def deco(f):\n    NAMES.append(f)\n    return f\n"),
    "what only another project knows": ("elsewhere.retry", ""),
}
"""What a wrapper returns → decorator, its code; all of them give an ``ActionResult``."""


@pytest.mark.parametrize("what", RETURNED)
def test_what_a_wrapper_returns_instead(lint: Lint, what: str) -> None:
    """The result of a helper is what its wrapper returns."""
    assert [] == _severities(lint, RETURNED[what], LOAD, RESULT)


@pytest.mark.parametrize("what", KEPT)
def test_what_a_wrapper_hands_on_is_judged(lint: Lint, what: str) -> None:
    """The result of a helper reaches its caller through the wrapper."""
    assert ["error"] == _severities(lint, KEPT[what], LOAD, RESULT)


def test_a_result_of_the_sdk_that_a_wrapper_puts_there(lint: Lint) -> None:
    """What is returned instead is judged itself."""
    code = _around("await f(*a)", "return locked()")
    helper = "@deco\nasync def load(ctx):\n    return Env()\n"
    found = lint("FED105", f"{HEAD}{code}\n\n{helper}{RESULT}")
    assert ["error"] == [item.severity for item in found]


def test_one_of_two_results_is_no_error(lint: Lint) -> None:
    """A wrapper may return something else in some cases only."""
    code = _around("if not a[0].user:", "    return Env()", "return await f(*a)")
    found = lint("FED105", f"{HEAD}{code}\n\n{LOAD.format('deco')}{RESULT}")
    assert ["warning"] == [item.severity for item in found]


# ---- what a helper gets ----------------------------------------------------------------------

HELPER = "@{}\nasync def helper(ctx, n):\n    return ctx.user.id\n"
CALLED = PANEL.format("return await helper(ctx, 1)")


def _handing(given: str, inner: str = "ctx, *a", *, wraps: bool = False, before: str = "") -> str:
    steps = [before] if before else []
    call = f"return await f({given})"
    return _around(*steps, call, inner=f"async def inner({inner})", wraps=wraps)


GIVEN = {
    "another context": ("deco", _handing("MyCtx(ctx), *a")),
    "another context, with wraps": ("deco", _handing("MyCtx(ctx), *a", wraps=True)),
    "another context by its name": ("deco", _handing("n=n, ctx=MyCtx(ctx)", "ctx, n")),
    "another context under the same name": ("deco", _handing("ctx, *a", before="ctx = MyCtx(ctx)")),
    "another context before all": ("deco", _handing("MyCtx(a[0]), *a[1:]", "*a")),
    "other arguments": ("deco", _handing("*a", "*a", before="a = (MyCtx(a[0]), 1)")),
    "other arguments under another name": (
        "deco",
        _handing("*b", "*a", before="b = (MyCtx(a[0]), 1)"),
    ),
    "another context, of a class": (
        "deco",
        CLASS.format("return await self.f(MyCtx(a[0]), 1)"),
    ),
    "another context, of an object": (
        "deco(3)",
        MAKER.format("return await f(MyCtx(a[0]), 1)"),
    ),
    "another context, of a method": (
        "hub.deco",
        HUB.format("return await f(MyCtx(a[0]), 1)"),
    ),
    "another context, of an object that a function makes": (
        "deco",
        HANDED_OVER.format("return await self.f(MyCtx(a[0]), *a[1:])"),
    ),
    "another context under another decorator": (
        "first\n@deco",
        _handing("MyCtx(ctx), *a") + TWO,
    ),
    "another context above another decorator": (
        "deco\n@first",
        _handing("MyCtx(ctx), *a") + TWO,
    ),
    "another context, later": (
        "deco",
        _around(
            "async def attempt(ctx):",
            "    return await f(ctx, *a)",
            "return await attempt(MyCtx(ctx))",
            inner="async def inner(ctx, *a)",
        ),
    ),
    "what a block gives": (
        "deco",
        "import contextlib\n\n\n@contextlib.contextmanager\ndef scope(ctx):\n"
        "    yield MyCtx(ctx)\n\n\n"
        + _handing("own, *a", before="with scope(ctx) as own:\n            pass"),
    ),
}
"""What a wrapper gives → decorator, its code."""
PASSED = {
    "everything": ("deco", _handing("*a, **kw", "*a, **kw")),
    "everything, with wraps": ("deco", _handing("ctx, *a", wraps=True)),
    "every name": ("deco", _handing("ctx, n", "ctx, n")),
    "its name": ("deco", _handing("ctx=ctx, n=n", "ctx, n")),
    "another name": ("deco", _handing("context, *a", "context, *a")),
    "everything, later": (
        "deco",
        _around(
            "async def attempt():",
            "    return await f(ctx, *a)",
            "return await attempt()",
            inner="async def inner(ctx, *a)",
        ),
    ),
    "everything in a lambda": (
        "deco",
        _around("return await (lambda: f(ctx, *a))()", inner="async def inner(ctx, *a)"),
    ),
    "the rest and more": ("deco", _handing("*a, **kw", "*a, **kw", before="kw.pop('db', 0)")),
    "a default": ("deco", _handing("ctx, n", "ctx, n=3")),
    "everything, of a class": ("deco", CLASS.format("return await self.f(*a)")),
    "everything, of a method": ("hub.deco", HUB.format("return await f(*a)")),
    "everything, twice": ("first\n@deco", _handing("ctx, *a") + TWO),
    "everything, of an object": ("deco(3)", MAKER.format("return await f(*a)")),
    "what only another project knows": ("elsewhere.retry", ""),
}
"""What a wrapper gives → decorator, its code; the helper gets the context."""


@pytest.mark.parametrize("what", GIVEN)
def test_what_a_wrapper_gives_instead(lint: Lint, what: str) -> None:
    """The parameters of a helper are what its wrapper gives."""
    assert [] == _severities(lint, GIVEN[what], HELPER, CALLED)


@pytest.mark.parametrize("what", PASSED)
def test_what_a_wrapper_passes_on_is_judged(lint: Lint, what: str) -> None:
    """The parameters of a helper are what its caller gives to the wrapper."""
    assert ["error"] == _severities(lint, PASSED[what], HELPER, CALLED)


@pytest.mark.parametrize(("number", "expected"), [(0, ["error"]), (1, [])])
def test_a_wrapper_that_puts_something_before(lint: Lint, number: int, expected: list[str]) -> None:
    """Everything that the call gives then stands one place further on."""
    names = ["db", "ctx"] if number == 0 else ["ctx", "db"]
    code = _handing("Env(), *a", "*a")
    helper = f"@deco\nasync def helper({', '.join(names)}):\n    return ctx.user.id\n"
    text = f"{HEAD}{code}\n\n{helper}" + PANEL.format("return await helper(ctx)")
    assert expected == [item.severity for item in lint("FED105 FED101", text)]


@pytest.mark.parametrize(("given", "expected"), [("ctx", ["error"]), ("MyCtx(ctx)", [])])
def test_a_wrapper_of_a_method(lint: Lint, given: str, expected: list[str]) -> None:
    """The object comes first in what the wrapper gets."""
    code = _handing(f"self, {given}, *a", "self, ctx, *a", wraps=True)
    cls = (
        "class Notes:\n    @deco\n    async def helper(self, ctx, n):\n        return ctx.user.id\n"
    )
    text = f"{HEAD}{code}\n\n{cls}" + PANEL.format("return await Notes().helper(ctx, 1)")
    assert expected == [item.severity for item in lint("FED105", text)]


KEYED = """\
from pydantic import BaseModel


class M(BaseModel):
    n: int


@deco
async def kept(ctx, key):
    return await ctx.cache.get(key, M)
"""


@pytest.mark.parametrize(("given", "expected"), [("'a'", []), ("key", ["error"])])
def test_a_text_that_a_wrapper_replaces(lint: Lint, given: str, expected: list[str]) -> None:
    """A key is judged as it reaches the cache."""
    text = HEAD + _handing(f"ctx, {given}", "ctx, key") + "\n\n" + KEYED
    text += PANEL.format("return await kept(ctx, 'a b')")
    assert expected == [item.severity for item in lint("FED301", text)]


def test_a_wrapper_of_another_file(lint: Lint) -> None:
    """A decorator is followed wherever it stands."""
    code = "class Env:\n    ok = True\n\n\n" + MADE
    text = HEAD + "from shared import deco\n\n\n" + LOAD.format("deco") + RESULT
    assert () == lint("FED105", text, shared__py=code)
    kept = MADE.replace("await f(*a)", "r = await f(*a)").replace("Env()", "r")
    assert ["error"] == [item.severity for item in lint("FED105", text, shared__py=kept)]
