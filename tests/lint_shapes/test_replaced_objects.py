"""Objects and classes that get something else than their calls give: stores, makers, decorators."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

from .own_context import OWN_CONTEXT

Lint = Callable[..., tuple[Finding, ...]]

HEAD = f"""\
import contextlib
from functools import partial

from imperal_sdk import Extension

ext = Extension("notes")


{OWN_CONTEXT}

"""
PANEL = """

@ext.panel("p")
async def p(ctx):
    return {}
"""
SERVICE = """\
class Service:
    def __init__(self, ctx):
        self.ctx = ctx

    def go(self):
        return self.ctx.user.id

    def ready(self):
        return True
"""
INSIDE = """\
class Service:
    def __init__(self, ctx):
        self.ctx = ctx
        {}

    def go(self):
        return self.ctx.user.id
"""
GO, MADE = PANEL.format("Service(ctx).go()"), "MyCtx(ctx)"
REPLACED = {
    "one of two places": (INSIDE.format("self.ctx, self.n = MyCtx(ctx), 1") + GO, MADE),
    "a place in a place": (INSIDE.format("self.n, (self.ctx, self.m) = 1, (MyCtx(ctx), 2)") + GO,
                           MADE),
    "a maker": (
        "class Service:\n    def __new__(cls, ctx):\n        return MyCtx(ctx)\n\n"
        "    def __init__(self, ctx):\n        self.user = ctx.user\n"
        + PANEL.format("Service(ctx).user.id"),
        "return MyCtx(ctx)",
    ),
    "the class of an object": (
        SERVICE + "\n    def again(self):\n        return self.__class__(MyCtx(self.ctx))\n"
        + PANEL.format("Service(ctx).again().go()"),
        "MyCtx(self.ctx)",
    ),
    "the type of an object": (
        SERVICE + "\n    def again(self):\n        return type(self)(MyCtx(self.ctx))\n"
        + PANEL.format("Service(ctx).again().go()"),
        "MyCtx(self.ctx)",
    ),
    "a class method": (
        SERVICE + "\n    @classmethod\n    def make(cls, ctx):\n        return cls(MyCtx(ctx))\n"
        + PANEL.format("Service.make(ctx).go()"),
        MADE,
    ),
    "a class in one of two places": (
        SERVICE + "\n\nclass Hub:\n    def __init__(self):\n"
        "        self.cls, self.n = Service, 1\n\n"
        "    def run(self, ctx):\n        return self.cls(MyCtx(ctx)).go()\n"
        + PANEL.format("Hub().run(ctx), Service(ctx).ready()"),
        MADE,
    ),
    "a class that an object holds": (
        SERVICE + "\n\nclass Hub:\n    def __init__(self, cls=Service):\n        self.cls = cls\n\n"
        "    def run(self, ctx):\n        return self.cls(MyCtx(ctx)).go()\n"
        + PANEL.format("Hub().run(ctx), Service(ctx).ready()"),
        MADE,
    ),
    "a class in a loop": (
        SERVICE + PANEL.format("[it(MyCtx(ctx)).go() for it in (Service,)], Service(ctx).ready()"),
        MADE,
    ),
}  # fmt: skip
"""How an object gets another context → code, the part in whose place the context is a breach."""
PLAIN = {"return MyCtx(ctx)": "return super().__new__(cls)", "MyCtx(self.ctx)": "self.ctx"}
OPEN: dict[str, tuple[str, list[str]]] = {
    "a store from outside": (
        SERVICE + "\n\ndef made(ctx):\n    it = Service(ctx)\n    it.ctx = MyCtx(ctx)\n"
        "    return it\n" + PANEL.format("made(ctx).go()"),
        [],
    ),
    "a store by its name": (
        INSIDE.format('setattr(self, "ctx", MyCtx(ctx))') + GO,
        [],
    ),
    "a store in a wrapper of methods": (
        "def own(f):\n    def inner(self):\n        self.ctx = MyCtx(self.ctx)\n"
        "        return f(self)\n\n    return inner\n\n\n"
        + SERVICE.replace("    def go", "    @own\n    def go") + GO,
        [],
    ),
    "a block": (
        INSIDE.format("with own(ctx) as self.ctx:\n            pass")
        + "\n\n@contextlib.contextmanager\ndef own(ctx):\n    yield MyCtx(ctx)\n" + GO,
        [],
    ),
    "a loop": (INSIDE.format("for self.ctx in (MyCtx(ctx),):\n            pass") + GO, []),
    "a method that is replaced": (
        "def own(f):\n    return lambda self, ctx: f(self, MyCtx(ctx))\n\n\n"
        "class Service:\n    def go(self, ctx):\n        return ctx.user.id\n\n    go = own(go)\n"
        + PANEL.format("Service().go(ctx)"),
        ["warning"],
    ),
    "a method that is replaced from outside": (
        "class Service:\n    def go(self, ctx):\n        return ctx.user.id\n\n\n"
        "plain = Service.go\nService.go = lambda self, ctx: plain(self, MyCtx(ctx))\n"
        + PANEL.format("Service().go(ctx)"),
        [],
    ),
    "a decorator of a class": (
        "def given(cls):\n    return lambda ctx: cls(MyCtx(ctx))\n\n\n@given\n" + SERVICE + GO,
        ["warning"],
    ),
    "a decorator that replaces a method": (
        "def given(cls):\n    go = cls.go\n    cls.go = lambda self, ctx: go(self, MyCtx(ctx))\n"
        "    return cls\n\n\n@given\nclass Service:\n    def go(self, ctx):\n"
        "        return ctx.user.id\n" + PANEL.format("Service().go(ctx)"),
        ["warning"],
    ),
    "a metaclass": (
        "class Meta(type):\n    def __call__(cls, ctx):\n"
        "        return super().__call__(MyCtx(ctx))\n\n\n"
        + SERVICE.replace("Service:", "Service(metaclass=Meta):") + GO,
        ["warning"],
    ),
    "a part of a class": (
        SERVICE.replace("self, ctx):\n        self", "self, n, ctx):\n        self")
        + "\n\nmake = partial(Service, 1)\n"
        + PANEL.format("make(MyCtx(ctx)).go(), Service(1, ctx).ready()"),
        ["warning"],
    ),
    "a class that is mapped": (
        SERVICE + PANEL.format("[it.go() for it in map(Service, [MyCtx(ctx)])], "
                               "Service(ctx).ready()"),
        ["warning"],
    ),
}  # fmt: skip
"""How an object gets another context → code, severities: the method alone looks like a breach."""
KEPT = {
    "a metaclass that makes nothing": (
        "class Meta(type):\n    pass\n\n\n"
        + SERVICE.replace("Service:", "Service(metaclass=Meta):") + GO
    ),
    "a maker that remembers": (
        SERVICE + "\n    one = None\n\n    def __new__(cls, ctx):\n        if cls.one is None:\n"
        "            cls.one = super().__new__(cls)\n        return cls.one\n" + GO
    ),
    "another place of a store": (INSIDE.format("self.n, self.m = 1, 2") + GO),
    "another object": (
        SERVICE + "\n\nclass Other:\n    pass\n\n\nother = Other()\nother.own = MyCtx(None)\n" + GO
    ),
    "a method that is given another name": (
        "class Service:\n    def run(self, ctx):\n        return ctx.user.id\n\n    go = run\n"
        + PANEL.format("Service().go(ctx)")
    ),
}  # fmt: skip
"""What does not change what an object gets → code."""


def _severities(lint: Lint, code: str) -> list[str]:
    return [item.severity for item in lint("FED105", HEAD + code)]


@pytest.mark.parametrize("what", REPLACED)
def test_what_an_object_gets_in_the_end(lint: Lint, what: str) -> None:
    """The last store, and the class that is called, say what an object holds."""
    assert [] == _severities(lint, REPLACED[what][0])


@pytest.mark.parametrize("what", REPLACED)
def test_the_context_in_the_same_place(lint: Lint, what: str) -> None:
    """What is followed is judged."""
    code, made = REPLACED[what]
    assert ["error"] == _severities(lint, code.replace(made, PLAIN.get(made, "ctx")))


@pytest.mark.parametrize("what", OPEN)
def test_what_may_be_replaced_is_not_certain(lint: Lint, what: str) -> None:
    """Where somebody else decides what an object gets, nothing is an error."""
    code, expected = OPEN[what]
    assert expected == _severities(lint, code)


@pytest.mark.parametrize("what", OPEN)
def test_the_context_itself_is_still_judged(lint: Lint, what: str) -> None:
    """Only what goes through the object is not certain."""
    code, expected = OPEN[what]
    code += '\n\n@ext.panel("q")\nasync def q(ctx):\n    return ctx.user.id\n'
    assert [*expected, "error"] == _severities(lint, code)


@pytest.mark.parametrize("what", KEPT)
def test_what_is_not_replaced_is_judged(lint: Lint, what: str) -> None:
    """A class that is noted, or stored into elsewhere, is what it says."""
    assert ["error"] == _severities(lint, KEPT[what])
