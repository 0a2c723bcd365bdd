"""Flags that a helper reads from ``**kwargs``, and data that it binds anew."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

HELPERS = """\
async def inner(ctx, **kw):
    if kw.get("raw"):
        return "text"
    return {"a": 1}


async def by_key(ctx, **kw):
    return "text" if kw["raw"] else {"a": 1}


async def with_default(ctx, **kw):
    if not kw.get("raw", True):
        return {"a": 1}
    return "text"


async def handing_on(ctx, **kw):
    return await inner(ctx, **kw)


async def adding(ctx, **kw):
    return await inner(ctx, raw=False, **kw)


async def with_more(ctx, **kw):
    return await inner(ctx, **kw, **ctx.more)


async def changing(ctx, **kw):
    kw["raw"] = True
    return await inner(ctx, **kw)


def bound_anew(text, data=None):
    if data is None:
        data = text
    return ActionResult.success(data, "x")


def one_of(data):
    return ActionResult.success(data, "x")


@chat.function("f", "Tells")
async def f(ctx, params):
"""
CALLS = {
    "inner(ctx)": [],
    "inner(ctx, raw=False)": [],
    "inner(ctx, raw=True)": ["error"],
    "inner(ctx, raw=params.raw)": ["warning"],
    "inner(ctx, other=True)": [],
    'inner(ctx, **{"raw": False})': [],
    "by_key(ctx, raw=False)": [],
    "by_key(ctx, raw=1)": ["error"],
    "with_default(ctx, raw=False)": [],
    "with_default(ctx)": ["error"],
    "handing_on(ctx, raw=False)": [],
    "handing_on(ctx)": [],
    "handing_on(ctx, raw=True)": ["error"],
    "adding(ctx, other=1)": [],
    "with_more(ctx)": ["warning"],
    "changing(ctx, raw=False)": ["warning"],
}
"""Call of a helper whose result is the data → severities."""


@pytest.mark.parametrize("call", CALLS)
def test_a_flag_among_the_other_keywords(lint: Lint, call: str) -> None:
    """What a call gives to ``**kwargs`` chooses the branch, also where it is handed on whole."""
    text = f'{HELPERS}    return ActionResult.success(await {call}, "x")\n'
    found = [item for item in lint("FED401", text) if f"await {call}" in item.message]
    assert CALLS[call] == [item.severity for item in found]


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        ('return bound_anew("a")', ["error"]),
        ('return bound_anew("a", {"b": 1})', ["warning"]),
        ('if params:\n        return one_of("a")\n    return one_of({"b": 1})', ["error"]),
        ('return one_of({"b": 1})', []),
    ],
)
def test_data_that_is_bound_anew(lint: Lint, calls: str, expected: list[str]) -> None:
    """A text beside a dict in one call is no error; in another call it is."""
    assert expected == [item.severity for item in lint("FED401", f"{HELPERS}    {calls}\n")]
