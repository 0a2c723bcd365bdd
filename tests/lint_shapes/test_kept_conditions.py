"""Conditions that protect a use, however they are written."""

from __future__ import annotations

import pytest

from .conftest import Lint

BIG = """
BIG = "x" * 70_000


@ext.cache_model("t")
class T(BaseModel):
    text: str


@ext.panel("p")
async def p(ctx):
    d = {"text": BIG}
"""


def _in(head: str, body: str) -> str:
    return head + "".join(f"    {line}\n" for line in body.splitlines())


@pytest.mark.parametrize(
    "asked",
    [
        "fits = len(d['text']) < 100\nif fits:\n    ",
        "fits = len(d['text']) < 100\nsmall = fits\nif small:\n    ",
        "if bool(len(d['text']) < 100):\n    ",
        "fits = len(d['text']) < 100\nif not fits:\n    return\n",
    ],
)
def test_a_size_is_asked_first(lint: Lint, asked: str) -> None:
    """Also where a name keeps the answer, so that what is too large never comes."""
    use = 'await ctx.cache.set("k", T(**d), ttl_seconds=60)'
    assert lint("FED305", _in(BIG, asked + use)) == ()
    later = "fits = ctx.user\nif fits:\n    "
    assert len(lint("FED305", _in(BIG, later + use))) == 1


GIVEN = """
def told(extra=None):
    data = {"a": 1}
"""
CALL = """
    return ActionResult.success(data, "s")


@chat.function("f", "Tells")
async def f(ctx, p):
    return told({"b": {1}})
"""


@pytest.mark.parametrize(("test", "found"), [("extra is None", 0), ("extra is not None", 1)])
def test_a_kept_answer_about_a_parameter(lint: Lint, test: str, found: int) -> None:
    """``missing = extra is None`` says of each call whether the branch runs."""
    kept = f"asked = {test}\nif asked:\n    data.update(e=extra)"
    for body in (kept, f"if {test}:\n    data.update(e=extra)"):
        assert len(lint("FED402", _in(GIVEN, body) + CALL)) == found


PANEL = """
@ext.panel("p")
async def p(ctx):
    u = ctx.user
"""


@pytest.mark.parametrize(
    "guarded",
    [
        "if hasattr(u, 'id'):\n    pass\nelse:\n    return 1\nreturn u.id",
        "if not hasattr(u, 'id'):\n    with open('x'):\n        return 1\nreturn u.id",
        "if not hasattr(u, 'id'):\n    if u:\n        return\n    else: return\nreturn u.id",
        "if bool(hasattr(u, 'id')):\n    return u.id",
        "if not hasattr(u, 'id'):\n    return\ndef inner():\n    return u.id\nreturn inner()",
        "if hasattr(u, 'id'):\n    return (lambda: u.id)()",
    ],
)
def test_what_guards_a_use(lint: Lint, guarded: str) -> None:
    """The branch never runs, whatever its statements look like."""
    told = [it.severity for it in lint("FED105", _in(PANEL, guarded))]
    assert told
    assert set(told) == {"info"}


@pytest.mark.parametrize(
    "unguarded",
    [
        "if hasattr(u, 'id'):\n    pass\nelse:\n    print(1)\nreturn u.id",
        "if not hasattr(u, 'id'):\n    if u:\n        return 1\nreturn u.id",
        "def inner():\n    return u.id\nif not hasattr(u, 'id'):\n    return\nreturn inner()",
        "try:\n    get = lambda: u.id\nexcept AttributeError:\n    pass\nreturn get()",
    ],
)
def test_what_guards_nothing(lint: Lint, unguarded: str) -> None:
    """The attribute is read whatever the answer was."""
    assert "error" in [it.severity for it in lint("FED105", _in(PANEL, unguarded))]


def test_a_name_that_keeps_itself(lint: Lint) -> None:
    """Python refuses it when it runs; nothing is followed in circles."""
    body = "    big = big and small\n    small = not big\n    if big or small:\n"
    body += "        return ctx.skeleton_data\n"
    found = lint("FED103", f'\n@ext.panel("p")\nasync def p(ctx):\n{body}')
    assert ["error"] == [item.severity for item in found]
