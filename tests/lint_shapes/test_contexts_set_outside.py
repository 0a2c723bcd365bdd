"""Contexts in a ``SimpleNamespace``, and in objects that get them from outside."""

from __future__ import annotations

import pytest

from .conftest import Lint
from .programs import only_error

SPACE = """
from types import SimpleNamespace

from kit import wrap


def made(ctx):
    return SimpleNamespace(ctx=ctx, n=1)


async def load(box):
    return await box.ctx.skeleton.get("a")


class Holder:
    def __init__(self, box):
        self.box = box

    async def load(self):
        return await self.box.ctx.skeleton.get("a")
"""
METHODS = """
    async def load(self):
        return await self.ctx.skeleton.get("a")

    async def rows(self):
        return await self.ctx.store.query("a")
"""
SERVICE = f"""
from kit import bound, wrap


class Service:
    kind = "a"
{METHODS}

class Empty:
    ctx = None
{METHODS}

class Later:
    def __init__(self):
        self.ctx = None
{METHODS}

class Own:
    def __init__(self):
        self.ctx = bound()
{METHODS}

class Setter:
    @property
    def ctx(self):
        return self._ctx

    @ctx.setter
    def ctx(self, ctx):
        self._ctx = wrap(ctx)
{METHODS}

class Proxy:
    def __setattr__(self, name, value):
        object.__setattr__(self, name, wrap(value))
{METHODS}

def attach(service, ctx):
    service.ctx = ctx
    return service


SHARED = Service()
"""


def _handlers(panel: str, skeleton: str = "return {'response': {}}") -> str:
    bodies = ["".join(f"    {line}\n" for line in body.splitlines()) for body in (panel, skeleton)]
    return (
        f'\n\n@ext.panel("p")\nasync def p(ctx):\n{bodies[0]}'
        f'\n\n@ext.skeleton("s")\nasync def s(ctx):\n{bodies[1]}'
    )


@pytest.mark.parametrize(
    "body",
    [
        'box = SimpleNamespace(ctx=ctx)\nreturn await box.ctx.skeleton.get("a")',
        'box = SimpleNamespace(kept=ctx.skeleton)\nreturn await box.kept.get("a")',
        'box = SimpleNamespace()\nbox.ctx = ctx\nreturn await box.ctx.skeleton.get("a")',
        'box = SimpleNamespace(ctx=None)\nbox.ctx = ctx\nreturn await box.ctx.skeleton.get("a")',
        "return await load(SimpleNamespace(ctx=ctx))",
        "return await load(made(ctx))",
        "return await Holder(made(ctx)).load()",
        "run = SimpleNamespace(go=load)\nreturn await run.go(made(ctx))",
    ],
)
def test_a_context_in_a_namespace_is_followed(lint: Lint, body: str) -> None:
    """What ``SimpleNamespace(ctx=ctx)`` got is what its attribute gives."""
    assert "raises SkeletonAccessForbidden" in only_error(lint("FED201", SPACE + _handlers(body)))


@pytest.mark.parametrize(
    ("panel", "skeleton"),
    [
        ("return made(ctx).n", "return await load(made(ctx))"),
        ('return await SimpleNamespace(ctx=ctx).ctx.store.query("a")', "return await load(ctx)"),
        ("return await load(SimpleNamespace(ctx=wrap(ctx)))", "return await load(made(ctx))"),
        (
            'box = SimpleNamespace(ctx=ctx)\nbox.ctx = wrap()\nreturn box.ctx.skeleton.get("a")',
            "return await load(made(ctx))",
        ),
    ],
)
def test_what_a_namespace_holds_elsewhere_is_left_alone(
    lint: Lint, panel: str, skeleton: str
) -> None:
    """The skeleton handler's own, and what is not known to be a context, are right."""
    assert () == lint("FED201", SPACE + _handlers(panel, skeleton))


@pytest.mark.parametrize(
    "body",
    [
        "it = Service()\nit.ctx = ctx\nreturn await it.load()",
        "it = Empty()\nit.ctx = ctx\nreturn await it.load()",
        "it = Later()\nit.ctx = ctx\nreturn await it.load()",
        "it = Service()\nsetattr(it, 'ctx', ctx)\nreturn await it.load()",
        "it = Service()\nit.ctx, it.kind = ctx, 'b'\nreturn await it.load()",
        "return await attach(Service(), ctx).load()",
        "SHARED.ctx = ctx\nreturn await SHARED.load()",
    ],
)
def test_a_context_that_is_set_from_outside_is_followed(lint: Lint, body: str) -> None:
    """A method reads by the context that its object was given before."""
    skeleton = "it = Service()\nit.ctx = ctx\nreturn {'response': await it.load()}"
    found = lint("FED201", SERVICE + _handlers(body, skeleton))
    assert "p → " in only_error(found)


@pytest.mark.parametrize(
    ("panel", "skeleton"),
    [
        (
            "SHARED.ctx = ctx\nreturn await SHARED.rows()",
            "SHARED.ctx = ctx\nreturn {'response': await SHARED.load()}",
        ),
        ("return await SHARED.load()", "SHARED.ctx = ctx\nreturn await SHARED.load()"),
        ("it = Service()\nit.ctx = wrap(ctx)\nreturn await it.load()", "return {}"),
        ("it = Service()\nit.ctx = ctx\nit.ctx = wrap()\nreturn await it.load()", "return {}"),
        ("it = Own()\nif not it: it.ctx = ctx\nreturn await it.load()", "return {}"),
        ("it = Setter()\nit.ctx = ctx\nreturn await it.load()", "return {}"),
        ("it = Proxy()\nit.ctx = ctx\nreturn await it.load()", "return {}"),
        ("for it in bound(): it.ctx = ctx\nreturn await Service().load()", "return {}"),
    ],
)
def test_what_else_is_set_from_outside_is_left_alone(lint: Lint, panel: str, skeleton: str) -> None:
    """Another method, the skeleton handler's own context, and what a class makes of it."""
    assert () == lint("FED201", SERVICE + _handlers(panel, skeleton))


def test_calls_through_a_context_that_is_set_from_outside(lint: Lint) -> None:
    """Each rule sees whose method it is; what is right stays silent."""
    reads = """
    async def fetch(self):
        page = await self.ctx.store.query("a")
        await self.ctx.cache.set(KEY, Count(total=len(page)), ttl_seconds=60)
        return (await self.ctx.http.get("https://example.org")).json()
"""
    panel = _handlers("it = Service()\nit.ctx = ctx\nreturn await it.fetch()")
    codes = "FED105 FED106 FED107 FED108 FED109 FED301 FED302"
    right = SERVICE.replace(METHODS, METHODS + reads, 1) + panel
    assert () == lint(codes, right.replace("KEY", '"a:b"'))
    assert "holds ' '" in only_error(lint(codes, right.replace("KEY", '"a b"')))


@pytest.mark.parametrize(
    ("head", "told"),
    [
        ("import attrs\n\n\n@attrs.define\nclass Held:", True),
        ("from attrs import frozen\n\n\n@frozen(slots=True)\nclass Held:", True),
        ("import msgspec\n\n\nclass Held(msgspec.Struct):", True),
        ("from kit import define\n\n\n@define\nclass Held:", False),
    ],
)
@pytest.mark.parametrize("made", ["Held(ctx)", "Held(ctx=ctx, n=2)"])
def test_constructors_that_libraries_write(lint: Lint, head: str, made: str, *, told: bool) -> None:
    """Classes of attrs and msgspec keep what they are given, as dataclasses do."""
    text = f"{head}\n    ctx: object\n    n: int = 1\n{METHODS}"
    skeleton = f"return {{'response': await {made}.load()}}"
    breach = _handlers(f"return await {made}.load()", skeleton)
    assert int(told) == len(lint("FED201", text + breach))
    assert () == lint("FED201", text + _handlers(f"return await {made}.rows()", skeleton))


@pytest.mark.parametrize(
    "change",
    ["", "vars(box).update(ttl=60)", "box.ttl = min(box.ttl, 300)", "setattr(box, str('ttl'), 60)"],
)
def test_settings_in_a_namespace_are_left_alone(lint: Lint, change: str) -> None:
    """Numbers and texts may be changed in ways that are not followed."""
    lines = [
        "box = SimpleNamespace(ttl=900)",
        *change.splitlines(),
        'await ctx.cache.set("a", Count(total=1), ttl_seconds=box.ttl)',
    ]
    assert () == lint("FED302", SPACE + _handlers("\n".join(lines)))
