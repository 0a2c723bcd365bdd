"""Fetchers of ``get_or_fetch`` that return the model and may also come to their end: None."""

from __future__ import annotations

import pytest

from .conftest import Lint

TEXT = """
import logging

log = logging.getLogger(__name__)
MODEL = Count(total=1)


async def load(ctx, flag=False):
    r = await ctx.http.get("https://example.org/")
{0}


async def through(ctx):
    return await load(ctx)


@ext.panel("p")
async def p(ctx):
    return await ctx.cache.get_or_fetch("k", Count, lambda: {1})
"""


def _text(body: str, call: str = "load(ctx)") -> str:
    return TEXT.format("".join(f"    {line}\n" for line in body.splitlines()), call)


@pytest.mark.parametrize(
    "body",
    [
        "if r.ok:\n    return MODEL",
        "if r.ok:\n    return MODEL\nlog.warning('no answer')",
        "if r.ok:\n    return MODEL\nelif r.body:\n    raise ValueError",
        "try:\n    return Count(**r.json())\nexcept ValueError:\n    print('no number')",
        "if r.ok:\n    return MODEL\nr = None",
    ],
)
@pytest.mark.parametrize("call", ["load(ctx)", "through(ctx)"])
def test_it_may_return_none(lint: Lint, body: str, call: str) -> None:
    """The SDK raises TypeError then; ``else: raise`` makes it right."""
    (found,) = lint("FED303", _text(body, call))
    assert ("warning", True) == (found.severity, "may return None" in found.message)
    assert () == lint("FED303", _text(f"{body}\nraise ValueError", call))


@pytest.mark.parametrize(
    "body",
    [
        "if r.ok:\n    return MODEL\nelse:\n    raise ValueError",
        "if r.ok:\n    return MODEL\nr.raise_for_status()",
        (
            "for i in range(3):\n    try:\n        return MODEL\n    except ValueError:\n"
            "        if i == 2:\n            raise"
        ),
        "try:\n    return MODEL\nexcept ValueError as error:\n    r.fail(error)",
        "while True:\n    if r.ok:\n        return MODEL",
        "with open('x'):\n    return MODEL",
    ],
)
def test_it_may_not(lint: Lint, body: str) -> None:
    """It returns or raises, or nobody can tell."""
    assert () == lint("FED303", _text(body))


def test_a_call_chooses(lint: Lint) -> None:
    """What ``load(ctx, True)`` returns is the model; of other calls that is not known."""
    assert () == lint("FED303", _text("if flag:\n    return MODEL", "load(ctx, True)"))


CAUGHT = """
    try:
        return await ctx.cache.get_or_fetch("k", Count, lambda: load(ctx))
    except {0}:
        return None
"""


@pytest.mark.parametrize(("error", "count"), [("TypeError", 0), ("ValueError", 1)])
def test_it_is_caught(lint: Lint, error: str, count: int) -> None:
    """Who catches TypeError reckons with it."""
    text = _text("if r.ok:\n    return MODEL")
    start = text[: text.rindex("    return await")]
    assert count == len(lint("FED303", start + CAUGHT.format(error)))
