"""Cache values whose size comes from helpers, and those that callers give."""

from __future__ import annotations

import pytest

from .conftest import Lint

HEAD = """
from pydantic import BaseModel


@ext.cache_model("t")
class T(BaseModel):
    text: str


BIG = "x" * 70_000


def render():
    return "x" * 70_000


def small():
    return "x" * 7_000


"""
HANDLER = """

@ext.panel("p")
async def p(ctx, s=""):
    {work}
"""
LARGE: dict[str, tuple[str, str]] = {
    "spread": ("", 'await ctx.cache.set("k", T(**{"text": BIG}), ttl_seconds=60)'),
    "spread var": ("", (
        'd = {}\n'
        '    d["text"] = BIG\n'
        '    await ctx.cache.set("k", T(**d), ttl_seconds=60)'
    )),
    "spread helper": ("""
def rows():
    return {"text": BIG}
""", 'await ctx.cache.set("k", T(**rows()), ttl_seconds=60)'),
    "validated": ("""
def rows():
    return {"text": BIG}
""", 'await ctx.cache.set("k", T.model_validate(rows()), ttl_seconds=60)'),
    "const": ("", 'await ctx.cache.set("k", T(text=BIG), ttl_seconds=60)'),
    "helper text": ("", 'await ctx.cache.set("k", T(text=render()), ttl_seconds=60)'),
    "helper text2": ("""
def twice(t):
    return t + t
""", 'await ctx.cache.set("k", T(text=twice("x" * 40_000)), ttl_seconds=60)'),
    "helper model": ("""
def build():
    return T(text=BIG)
""", 'await ctx.cache.set("k", build(), ttl_seconds=60)'),
    "helper model var": ("""
def build(text):
    return T(text=text)
""", (
        'v = build(BIG)\n'
        '    await ctx.cache.set("k", v, ttl_seconds=60)'
    )),
    "helper model async": ("""
async def build(ctx, text):
    made = T(text=text)
    return made
""", (
        'v = await build(ctx, BIG)\n'
        '    await ctx.cache.set("k", v, ttl_seconds=60)'
    )),
    "keep": ("""
async def keep(ctx, value):
    await ctx.cache.set('k', value, ttl_seconds=60)
""", "await keep(ctx, T(text=BIG))"),
    "keep kw": ("""
async def keep(ctx, key, *, value):
    await ctx.cache.set(key, value, ttl_seconds=60)
""", 'await keep(ctx, "k", value=T(text=BIG))'),
    "keep two": ("""
async def keep(ctx, value):
    await ctx.cache.set('k', value, ttl_seconds=60)
""", (
        'await keep(ctx, T(text=""))\n'
        '    await keep(ctx, T(text=BIG))'
    )),
    "classmethod": ("""
class M(BaseModel):
    text: str
    @classmethod
    def of(cls, t):
        return cls(text=t)
""", 'await ctx.cache.set("k", M.of(BIG), ttl_seconds=60)'),
    "self": ("""
class S:
    def __init__(self, ctx):
        self.ctx = ctx
    async def keep(self, v):
        await self.ctx.cache.set('k', v, ttl_seconds=60)
""", "await S(ctx).keep(T(text=BIG))"),
}  # fmt: skip
"""What makes the value → the code before, what the panel does."""
SMALL: dict[str, tuple[str, str]] = {
    "good helper": ("", 'await ctx.cache.set("k", T(text=small()), ttl_seconds=60)'),
    "good cond": ("", (
        'v = T(text=BIG) if s else T(text="")\n'
        '    await ctx.cache.set("k", v, ttl_seconds=60)'
    )),
    "good cut": ("""
def build(text):
    return T(text=text[:100])
""", (
        'v = build(BIG)\n'
        '    await ctx.cache.set("k", v, ttl_seconds=60)'
    )),
    "good spread": ("", 'await ctx.cache.set("k", T(**{"text": small()}), ttl_seconds=60)'),
    "good spread over": ("", (
        'd = {"text": BIG}\n'
        '    await ctx.cache.set("k", T(**{**d, "text": "s"}), ttl_seconds=60)'
    )),
    "good spread changed": ("", (
        'd = {"text": BIG}\n'
        '    d["text"] = d["text"][:100]\n'
        '    await ctx.cache.set("k", T.model_validate(d), ttl_seconds=60)'
    )),
    "good spread asked": ("", (
        'd = {"text": BIG}\n'
        '    if len(d["text"]) < 100:\n'
        '        await ctx.cache.set("k", T(**d), ttl_seconds=60)'
    )),
    "good spread more": ("", (
        'd = {"text": "s", "unknown": BIG}\n'
        '    await ctx.cache.set("k", T(**d), ttl_seconds=60)\n'
        '    await ctx.cache.set("k", T.model_validate(d), ttl_seconds=60)'
    )),
    "good spread cut": ("""
def cut(d):
    d["text"] = d["text"][:100]
""", (
        'd = {"text": BIG}\n'
        '    cut(d)\n'
        '    await ctx.cache.set("k", T(**d), ttl_seconds=60)'
    )),
    "good asked": ("""
async def keep(ctx, value):
    if len(value.model_dump_json()) < 60_000:
        await ctx.cache.set('k', value, ttl_seconds=60)
""", "await keep(ctx, T(text=BIG))"),
    "good asked fits": ("""
def fits(v):
    return len(v.text) < 6000
async def keep(ctx, value):
    if not fits(value):
        return
    await ctx.cache.set('k', value, ttl_seconds=60)
""", "await keep(ctx, T(text=BIG))"),
    "good changed": ("""
def build():
    made = T(text=BIG)
    made.text = made.text[:100]
    return made
""", (
        'v = build()\n'
        '    await ctx.cache.set("k", v, ttl_seconds=60)'
    )),
    "good changed later": ("""
def build():
    return T(text=BIG)
""", (
        'v = build()\n'
        '    v.text = v.text[:10]\n'
        '    await ctx.cache.set("k", v, ttl_seconds=60)'
    )),
    "good trimmed": ("""
def trim(v):
    v.text = v.text[:10]
    return v
""", (
        'v = T(text=BIG)\n'
        '    trim(v)\n'
        '    await ctx.cache.set("k", v, ttl_seconds=60)'
    )),
    "good either": ("""
def build(s):
    if s:
        return T(text=s)
    return T(text=BIG)
""", (
        'v = build(s)\n'
        '    await ctx.cache.set("k", v, ttl_seconds=60)'
    )),
    "good flag": ("""
async def keep(ctx, value, on=True):
    if on:
        await ctx.cache.set('k', value, ttl_seconds=60)
""", "await keep(ctx, T(text=BIG), on=False)"),
    "good call asked": ("""
async def keep(ctx, value):
    await ctx.cache.set('k', value, ttl_seconds=60)
""", (
        'v = T(text=BIG)\n'
        '    if len(v.text) < 10:\n'
        '        await keep(ctx, v)'
    )),
    "keep text two": ("""
async def keep(ctx, text):
    await ctx.cache.set('k', T(text=text), ttl_seconds=60)
""", (
        'await keep(ctx, BIG)\n'
        '    await keep(ctx, "s")'
    )),
}  # fmt: skip
"""The same, of what is not certainly too large when it is cached."""
EXPECTED = (
    """
async def keep(ctx, value):
    try:
        await ctx.cache.set('k', value, ttl_seconds=60)
    except ValueError:
        pass
""",
    "await keep(ctx, T(text=BIG))",
)


def _told(lint: Lint, before: str, work: str) -> list[tuple[str, bool]]:
    found = lint("FED305", HEAD + before + HANDLER.format(work=work))
    return [(item.severity, "bytes as JSON" in item.message) for item in found]


@pytest.mark.parametrize("what", LARGE)
def test_a_large_value_is_found(lint: Lint, what: str) -> None:
    """Whoever makes it, and whoever gives it to the cache."""
    assert [("error", True)] == _told(lint, *LARGE[what])


@pytest.mark.parametrize("what", SMALL)
def test_a_smaller_value_is_left_alone(lint: Lint, what: str) -> None:
    """What is cut, measured or chosen before it is cached may be small enough."""
    assert [] == _told(lint, *SMALL[what])


def test_an_expected_refusal_is_a_note(lint: Lint) -> None:
    """Who catches the ValueError knows of it."""
    assert [("info", True)] == _told(lint, *EXPECTED)


def test_the_caller_is_named(lint: Lint) -> None:
    """The message says where the value is given."""
    before, work = LARGE["keep"]
    [finding] = lint("FED305", HEAD + before + HANDLER.format(work=work))
    assert "(given in main.py:" in finding.message
