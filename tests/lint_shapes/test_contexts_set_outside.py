"""Contexts in a ``SimpleNamespace``, and in objects whose classes libraries complete."""

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
        "return await load(SimpleNamespace(ctx=ctx))",
        "return await load(made(ctx))",
        "return await Holder(made(ctx)).load()",
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
