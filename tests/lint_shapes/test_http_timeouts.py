"""Timeouts that ``ctx.http`` compares with its limits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta

import pytest

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

HEAD = """
import asyncio
import decimal
import enum
import os
from datetime import timedelta
from fractions import Fraction

import aiohttp
import httpx


class Slow(enum.Enum):
    CALL = 30


class Fast(enum.IntEnum):
    CALL = 30


class Seconds(float):
    pass


def seconds():
    return 30


"""
CALL = '@ext.tool("t")\nasync def t(ctx, n=None):\n    await ctx.http.get("u", timeout={})\n'


def told(found: tuple[Finding, ...]) -> list[tuple[str, str]]:
    """Return severity and exception of each finding."""
    return [(it.severity, it.message.partition(" raises ")[2].split()[0]) for it in found]


@pytest.mark.parametrize(
    "timeout",
    [
        "httpx.Timeout(30)",
        "httpx.Timeout(10.0, connect=5.0)",
        "aiohttp.ClientTimeout(total=30)",
        "'30'",
        "b'30'",
        "f'{seconds()}'",
        "timedelta(seconds=30)",
        "timedelta(seconds=n)",
        "(5, 30)",
        "[30]",
        "{'read': 30}",
        "seconds",
        "Slow.CALL",
    ],
)
def test_what_is_no_number_raises(lint: Lint, timeout: str) -> None:
    """An error, with a number to write instead."""
    found = lint("FED508", HEAD + CALL.format(timeout))
    assert [("error", "TypeError")] == told(found)
    assert found[0].message.endswith(" Write timeout=30.")


@pytest.mark.parametrize(
    "timeout",
    [
        "30",
        "0.5",
        "180",
        "None",
        "True",
        "seconds()",
        "int('30')",
        "float('30')",
        "n",
        "n or 30",
        "Slow.CALL.value",
        "Fast.CALL",
        "Seconds(30)",
        "Fraction(30)",
        "decimal.Decimal(30)",
        "timedelta(seconds=30).total_seconds()",
        "timedelta(seconds=30).seconds",
        "httpx.Timeout(30).read",
        "int(os.environ.get('WAIT', '30'))",
        "load()",
    ],
)
def test_what_can_be_compared_is_not_told(lint: Lint, timeout: str) -> None:
    """Numbers of any kind, None, and what is not known."""
    assert () == lint("FED508", HEAD + CALL.format(timeout))


@pytest.mark.parametrize(
    ("timeout", "expected"),
    [
        ("'30' if n else 30", ["warning"]),
        ("str(n)", ["warning"]),
        ("os.environ.get('WAIT', 30)", ["warning"]),
        ("os.environ.get('WAIT', '30')", ["error"]),
    ],
)
def test_one_of_several(lint: Lint, timeout: str, expected: list[str]) -> None:
    """A warning where a number may stand too, or only an annotation says what it is."""
    found = lint("FED508", HEAD + CALL.format(timeout))
    assert expected == [severity for severity, _ in told(found)]


@pytest.mark.parametrize(
    "body",
    [
        "    if isinstance(wait, str):\n        wait = int(wait)\n",
        "    if not isinstance(wait, (int, float)):\n        wait = 30\n",
        "    wait = int(wait)\n",
        "    wait = wait if isinstance(wait, int) else 30\n",
    ],
)
def test_a_test_of_the_type_counts(lint: Lint, body: str) -> None:
    """What the code turns into a number first."""
    text = f'{HEAD}async def fetch(ctx, wait):\n{body}    await ctx.http.get("u", timeout=wait)\n'
    text += '\n\n@ext.tool("t")\nasync def t(ctx):\n    await fetch(ctx, "30")\n'
    assert () == lint("FED508", text)


SHARED = """
async def fetch(client, timeout):
    return await client.get("u", timeout=timeout)


@ext.tool("t")
async def t(ctx):
    async with httpx.AsyncClient() as other:
        await fetch(other, {0})
    await fetch(ctx.http, {1})
"""


@pytest.mark.parametrize("wrong", ["httpx.Timeout(30)", "(5, 30)", "600"])
def test_each_client_has_its_own_timeout(lint: Lint, wrong: str) -> None:
    """What another client is given in the same helper is none of ``ctx.http``'s business."""
    assert () == lint("FED508", HEAD + SHARED.format(wrong, "20"))
    assert ["error"] == [it.severity for it in lint("FED508", HEAD + SHARED.format("20", wrong))]


def test_either_client_is_a_warning(lint: Lint) -> None:
    """Where another client may stand in the same place."""
    text = (
        '@ext.tool("t")\nasync def t(ctx, n=None):\n'
        "    client = ctx.http if n else httpx.AsyncClient()\n"
        '    await client.get("u", timeout=httpx.Timeout(30))\n'
    )
    assert [("warning", "TypeError")] == told(lint("FED508", HEAD + text))


@pytest.mark.parametrize(("timeout", "advice"), [("0", 30), ("-1", 30), ("181", 180), ("1e9", 180)])
def test_the_advice_fits_the_number(lint: Lint, timeout: str, advice: int) -> None:
    """Only who waits too long is told of longer work."""
    (found,) = lint("FED508", HEAD + CALL.format(timeout))
    assert ("error", "ValueError") == told((found,))[0]
    assert f"Write timeout={advice}, " in found.message
    assert (advice == 180) == ("background_task" in found.message)


@pytest.mark.parametrize(
    "timeout", ["30", b"30", timedelta(seconds=30), (5, 30), [30], {"read": 1}]
)
def test_the_published_client_raises(timeout: object) -> None:
    """TypeError, before anything is sent."""
    client = pytest.importorskip("imperal_sdk.http.client").HTTPClient()
    with pytest.raises(TypeError):
        asyncio.run(client.get("http://localhost:9", timeout=timeout))


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("partial(ctx.http.get, timeout=600)('u')", ["error"]),
        ("partial(ctx.http.get, timeout=600)('u', timeout=30)", []),
        ("partial(ctx.http.get, timeout=30)('u')", []),
        ("partial(ctx.http.get)('u')", []),
        ("partial(print, timeout=600)('u')", []),
    ],
)
def test_a_timeout_that_partial_keeps(
    lint: Callable[..., tuple[Finding, ...]], call: str, expected: list[str]
) -> None:
    """It counts when the client is called, unless the call gives another."""
    body = f"async def p(ctx):\n    fetch = {call.partition('(')[0]}\n    await {call}\n"
    text = f'\nfrom functools import partial\n\n\n@ext.panel("p")\n{body}'
    assert [it.severity for it in lint("FED508", text)] == expected
