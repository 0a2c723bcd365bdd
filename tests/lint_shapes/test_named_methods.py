"""FED108 of methods whose names callers give: ``getattr(ctx.http, method)``."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

from .programs import with_body

Lint = Callable[..., tuple[Finding, ...]]

CALLS = """
async def request(ctx, method, path, body=None):
    {}


@ext.panel("list")
async def listed(ctx):
    return await request(ctx, "{}", "/x")


@ext.panel("save")
async def saved(ctx):
    return await request(ctx, "{}", "/x", {{"a": 1}})
"""
_GIVES_A_BODY = "hands json on to httpx, whose get() has no such parameter"


def _calls(body: str, first: str = "get", second: str = "post") -> str:
    return CALLS.format(body.replace("\n", "\n    "), first, second)


GUARDED = """send = getattr(ctx.http, method)
if method == "head":
    return None
return await send(path, json=body)"""
WITHOUT_BODY = """send = getattr(ctx.http, method)
if body is not None:
    return await send(path, json=body)
return await send(path)"""
BY_METHOD = """send = getattr(ctx.http, method)
if method == "get":
    return await send(path)
return await send(path, json=body)"""
BY_LOWERED_METHOD = """send = getattr(ctx.http, method)
if method.lower() == "get":
    return await send(path)
return await send(path, json=body)"""
BY_KEPT_METHOD = """name = method.lower()
send = getattr(ctx.http, name)
if name.startswith("g"):
    return await send(path)
return await send(path, json=body)"""


@pytest.mark.parametrize(
    ("body", "first"),
    [
        ("send = getattr(ctx.http, method)\nreturn await send(path, json=body)", "get"),
        ("send = getattr(ctx.http, method.lower())\nreturn await send(path, json=body)", "GET"),
        ("return await getattr(ctx.http, method)(path, json=body)", "get"),
        (GUARDED, "get"),
    ],
)
def test_a_method_that_one_caller_names(lint: Lint, body: str, first: str) -> None:
    """The call is judged for the caller whose method takes no body, whatever others name."""
    found = lint("FED108", _calls(body, first, "post"))
    assert [(it.severity, _GIVES_A_BODY in it.message) for it in found] == [("error", True)]
    assert found[0].message.startswith(f"Called through request(ctx, '{first}', '/x') in line ")
    note = found[0].chain[0].note
    assert note == '@ext.panel("list") listed gets the context'


@pytest.mark.parametrize(
    "body",
    [
        WITHOUT_BODY,
        BY_METHOD,
        BY_LOWERED_METHOD,
        BY_KEPT_METHOD,
        "send = getattr(ctx.http, method)\nreturn await send(path, params=body)",
    ],
)
def test_a_method_that_gets_no_body(lint: Lint, body: str) -> None:
    """Branches that a caller does not take, or may not take, are left alone."""
    assert lint("FED108", _calls(body)) == ()


def test_only_methods_with_a_body(lint: Lint) -> None:
    """Callers that name methods that take a body are in the right."""
    text = _calls("return await getattr(ctx.http, method)(path, json=body)", "put", "post")
    assert lint("FED108", text) == ()


CALLED = """
import asyncio

import httpx


async def call(client, name):
    return await getattr(client, name)("https://example.org")


@ext.panel("p")
async def p(ctx, method="get"):
"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("r = await getattr(ctx.http, method)('u')\nreturn r.content", ["FED105 error"]),
        ("r = await getattr(ctx.http, method.lower())('u')\nreturn r.json['a']", ["FED107 error"]),
        ("m = getattr(ctx.http, method)\nr = await m('u')\nreturn await r.json()",
         ["FED109 error"]),
        ("a, b = await call(ctx.http, 'get'), await call(ctx.http, 'post')\nreturn b.content",
         ["FED105 error"]),
        ("a, b = await call(ctx.http, 'get'), await call(ctx.http, 'post')\nreturn b.json()", []),
        ("r = await getattr(ctx.http, method)('u')\nreturn r.json()['a'], r.status_code", []),
        ("async with httpx.AsyncClient() as c: return (await call(c, method)).content", []),
        ("r = await getattr(ctx.store, method)('u', 'v')\nreturn r.content", []),
        ("c = getattr(ctx.http, method)('u')\nreturn (await c).json()", []),
        ("return (await asyncio.create_task(getattr(ctx.http, method)('u'))).json()", []),
    ],
)  # fmt: skip
def test_what_each_method_of_a_client_gives(lint: Lint, body: str, expected: list[str]) -> None:
    """Whichever method of ``ctx.http`` is taken, it is async and gives a response."""
    found = lint("FED105 FED107 FED109", with_body(CALLED, body))
    assert expected == [f"{item.code} {item.severity}" for item in found]
