"""FED108 of methods whose names callers give: ``getattr(ctx.http, method)``."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

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
    assert [(it.severity, _GIVES_A_BODY in it.text) for it in found] == [("error", True)]
    assert found[0].message.startswith(f"Called through request(ctx, '{first}', '/x') in line ")
    note = found[0].chain[0].note
    assert note == '@ext.panel("list") listed gets the context'
