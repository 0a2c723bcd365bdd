"""What a call spreads counts as written where nobody else can change it."""

from __future__ import annotations

import pytest

from .conftest import Lint
from .programs import only_error, with_body

HEAD = """
BASE = {"limt": 5}


def fix(options):
    options["limit"] = options.pop("limt")


@ext.panel("p")
async def p(ctx, flag=False, **extra):
"""


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ('await ctx.store.create(**{"collection": "x", "bad": 1})', "no parameter bad and needs"),
        ('o = {"limt": 5}\nawait ctx.store.query("c", **o)', "Write limit= instead of limt=."),
        ('o = dict(limt=5)\nawait ctx.store.query("c", **o)', "has no parameter limt"),
        ('o = {"limt": 5}\nawait ctx.store.query("c", **{**o, "limit": 1})', "no parameter limt"),
        ('a = ["c", {}, "x", 1, 2]\nawait ctx.store.query(*a)', "4 positional arguments, got 5"),
        ('o = {"json": {}}\nawait ctx.http.get("u", **o)', "hands json on to httpx"),
        ('o = {"ttl": 60}\nawait ctx.cache.set("k", 1, **o)', "instead of ttl="),
        ('return ActionResult.success(**{"data": {}})', "needs summary"),
    ],
)
def test_a_spread_that_is_refused_is_an_error(lint: Lint, body: str, said: str) -> None:
    """A dict that is written in the function and only spread is what the call gives."""
    assert said in only_error(lint("FED108", with_body(HEAD, body)))


@pytest.mark.parametrize(
    "body",
    [
        'await ctx.store.create(**{"collection": "x", "data": {}})',
        'o = {"limit": 5}\nawait ctx.store.query("c", **o)',
        'o = {"limt": 5}\no["limit"] = o.pop("limt")\nawait ctx.store.query("c", **o)',
        'o = {"limt": 5}\nfix(o)\nawait ctx.store.query("c", **o)',
        'o = {"limt": 5}\ndel o["limt"]\nawait ctx.store.query("c", **o)',
        'o = {"limt": 5} if flag else {}\nawait ctx.store.query("c", **o)',
        'o = {}\nif flag: o = {"limit": 1}\nawait ctx.store.query("c", **o)',
        'o = {k: 1 for k in ("limt",)}\nawait ctx.store.query("c", **o)',
        'await ctx.store.query("c", **extra)',
        'await ctx.store.query("c", **BASE)',
        'o = {"json": {}}\nawait ctx.http.post("u", **o)',
        'a = ["c"]\nawait ctx.store.get(*a, "1")',
        'a = ["c", {}, "x", 1, 2]\na.pop()\nawait ctx.store.query(*a)',
    ],
)
def test_a_spread_that_may_fit_is_left_alone(lint: Lint, body: str) -> None:
    """It fits, it is changed, it is one of several, or it comes from somewhere else."""
    assert () == lint("FED108", with_body(HEAD, body))


@pytest.mark.parametrize(
    "spread", ['**{{**BASE, "kind": {}}}', "**dict(BASE, kind={})", '**(BASE | {{"kind": {}}})']
)
@pytest.mark.parametrize(("kind", "expected"), [('"panel"', []), ('"skeleton"', ["error"])])
def test_a_kind_in_a_dict_that_is_spread(
    lint: Lint, spread: str, kind: str, expected: list[str]
) -> None:
    """What stands last under a key is what the call gives."""
    text = (
        'BASE = {"kind": "skeleton"}\n\n\nasync def load(ctx, *, kind):\n'
        '    if kind == "skeleton":\n        return await ctx.skeleton.get("n")\n\n\n'
        f'@ext.panel("p")\nasync def p(ctx):\n    return await load(ctx, {spread.format(kind)})\n'
    )
    assert expected == [item.severity for item in lint("FED201", text)]
