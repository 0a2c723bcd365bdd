"""A method that a call gives, and that is called on the spot, is judged as one that has a name."""

from __future__ import annotations

import pytest

from .conftest import Lint

CODES = "FED108 FED301 FED302 FED508"
MAIN = """
def pick(ctx, small):
    if small:
        return ctx.cache.get
    return ctx.store.get


def only(ctx):
    return ctx.cache.get


@ext.panel("p")
async def p(ctx, name="", small=False):
    await {}
"""


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ('getattr(ctx.cache, "get")("all")', "FED108 error"),
        ('getattr(ctx.cache, "get", None)("a b", Count)', "FED301 error"),
        ('getattr(ctx.cache, "set")("k", Count(total=1), ttl_seconds=900)', "FED302 error"),
        ('getattr(ctx.http, "get")("https://a.b", timeout=900)', "FED508 error"),
        ('only(ctx)("all")', "FED108 error"),
        ('pick(ctx, small)("all")', "FED108 warning"),
    ],
)
def test_what_a_call_gives_is_judged_when_it_is_called(
    lint: Lint, call: str, expected: str
) -> None:
    """It is a warning where the call may give another method, for which the arguments are right."""
    assert [expected] == [f"{it.code} {it.severity}" for it in lint(CODES, MAIN.format(call))]


@pytest.mark.parametrize(
    "call",
    [
        'getattr(ctx.cache, "get")("all", Count)',
        'getattr(ctx.store, "get")("all")',
        'getattr(ctx.cache, name)("all")',
        'pick(ctx, False)("all")',
        "print(getattr(ctx.cache, 'get'))",
    ],
)
def test_what_another_method_takes_is_left_alone(lint: Lint, call: str) -> None:
    """The call is right, nobody knows the method, or nobody calls it."""
    assert () == lint(CODES, MAIN.format(call))


KEPT = """
class Worker:
    def __init__(self, ctx, ask):
        self._tell, self._load = ctx.progress, ctx.cache.get
        self.fetch = ctx.http.get
        self._ask = ask

    async def run(self):
        try:
            {0}
        except BaseException:
            return None


@ext.panel("p")
async def p(ctx, small=False):
    await Worker(ctx, {1}).run()
"""


@pytest.mark.parametrize(
    ("call", "given", "expected"),
    [
        ("await self._tell(10)", "None", "FED507 warning"),
        ('await self._load("all")', "None", "FED108 error"),
        ('await self.fetch("https://a.b", timeout=900)', "None", "FED508 error"),
        ('await self._ask("notes")', "ctx.skeleton.get", "FED201 error"),
        ('await self._load("all", Count)', "None", ""),
        ('await self._ask("notes")', "ctx.store.get", ""),
        ('await self._ask("notes")', "ctx.skeleton", ""),
        ('await self._ask("notes")', "ctx.skeleton.get if small else load", "FED201 warning"),
    ],
)
def test_what_a_field_keeps_is_judged_when_it_is_called(
    lint: Lint, call: str, given: str, expected: str
) -> None:
    """The name of the field says nothing of the method."""
    found = lint(f"{CODES} FED201 FED507", KEPT.format(call, given))
    assert expected == "".join(f"{it.code} {it.severity}" for it in found)
