"""FED508: a call passes a timeout that ``ctx.http`` rejects."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from functools import partial

from ...inference.values.models import known_type
from ...inference.values.values import Alternative, Const, EnumMember, Made
from ...rule import Example, Hit, Rule
from ...sdk_use.calls import sdk_calls
from ...sdk_use.certainty import is_alone, is_bounded
from ...sdk_use.sdk_objects import is_certain, source_of
from ...view import FileView

_MOST = 180
_USUAL = 30
"""Default timeout of ``HTTPClient``, in seconds."""
_METHODS = ("get", "post", "put", "patch", "delete")
_NUMBERS = frozenset({"", "None", "an int", "a float", "a bool"})
_TIMEOUTS = frozenset({"httpx.Timeout", "aiohttp.ClientTimeout", "urllib3.Timeout"})
"""Timeout classes of other clients, which cannot be compared with numbers."""


def _check(view: FileView) -> Iterator[Hit]:
    for call in sdk_calls(view, "HTTPClient", *_METHODS, keyword="timeout"):
        timeout = call.arguments["timeout"]
        judge = partial(_wrong, timeout)
        is_sure = call.certain and is_certain(view, call.node.func, call.item)
        for item in view.values(timeout) if is_sure and not is_bounded(view, timeout) else ():
            wrong = judge(item)
            if wrong:
                is_annotated = isinstance(item.value, Made) and "." not in item.value.of
                certain = is_alone(view, timeout, item, judge) and not is_annotated
                yield Hit(
                    node=timeout,
                    message=f"ctx.http.{call.method} with timeout={wrong.format(view.sdk)}"
                    f". {_advice(item)}",
                    severity=None if certain else "warning",
                    chain=(*view.chain(call.item), *view.chain(item)),
                )
                break


def _wrong(node: ast.expr, item: Alternative) -> str:
    """Say what a timeout raises and why (``{}`` is the release); empty if it may be right."""
    value = item.value
    number = value.value if isinstance(value, Const) else None
    if isinstance(number, (int, float)):
        if isinstance(number, bool) or 0 < number <= _MOST or math.isnan(number):
            return ""
        return f"{number!r} raises ValueError\nIn {{}} it must be over 0 and at most {_MOST} s"
    is_other = isinstance(value, Made) and value.of in _TIMEOUTS
    kind = value.of if is_other and isinstance(value, Made) else known_type(value)
    if kind in _NUMBERS or isinstance(value, EnumMember):
        return ""
    text = repr(number) if isinstance(number, (str, bytes)) else source_of(node)
    text = text.replace("{", "{{").replace("}", "}}")
    return (
        f"{text} raises TypeError\nThe client of {{}} compares the timeout with numbers, and this "
        f"is {kind}"
    )


def _advice(item: Alternative) -> str:
    number = item.value.value if isinstance(item.value, Const) else None
    if isinstance(number, (int, float)) and number > _MOST:
        return f"Write timeout={_MOST}, and do longer work in ctx.background_task(…)."
    return f"Write timeout={_USUAL}, the default; the client never waits without an end."


RULE = Rule(
    code="FED508",
    name="invalid-http-timeout",
    summary="`ctx.http` refuses the timeout.",
    severity="error",
    triggers=("timeout",),
    since="4.2.12",
    check=_check,
    what="Finds `ctx.http.get/post/put/patch/delete` with a `timeout` of 0 or less or of more "
    "than 180 seconds, and one that is no number: `httpx.Timeout(30)`, a text, a timedelta, a "
    "tuple. Also from constants, other files and parameters of wrappers. A regression guard: no "
    "known extension does it.",
    why="The client compares the timeout with its limits before it sends anything, and raises "
    "ValueError or TypeError on every call.",
    example="await ctx.http.get(url, timeout=600)",
    instead="await ctx.http.get(url, timeout=180)",
    references=("imperal_sdk.http.HTTPClient",),
    bad=(
        Example(
            '\nimport httpx\n\n\n@ext.tool("t")\nasync def t(ctx):\n'
            '    await ctx.http.get("u", timeout=httpx.Timeout(30))\n',
            holds="raises TypeError",
        ),
        Example(
            '\n@ext.tool("t")\nasync def t(ctx, slow=False):\n'
            '    await ctx.http.get("u", timeout=600 if slow else 60)\n',
            severity="warning",
        ),
        Example('\n@ext.tool("t")\nasync def t(ctx):\n    await ctx.http.get("u", timeout=181)\n'),
        Example(
            "\nLIMIT = 60 * 10\n\n\nasync def fetch(client, seconds):\n"
            '    return await client.post("u", timeout=seconds)\n'
            '\n\n@ext.tool("t")\nasync def t(ctx):\n    return await fetch(ctx.http, LIMIT)\n',
            holds="600",
        ),
        Example('\n@ext.tool("t")\nasync def t(ctx):\n    await ctx.http.get("u", timeout=0)\n'),
        Example(
            '\n@ext.tool("t")\nasync def t(ctx):\n    await ctx.http.get("u", timeout=600)\n',
            sdk="4.2.12",
        ),
    ),
    good=(
        Example(
            '\n@ext.tool("t")\nasync def t(ctx, seconds: str = "30"):\n'
            '    await ctx.http.get("u", timeout=float(seconds))\n'
        ),
        Example(
            "\nLIMIT = 600\n\n\n@ext.tool('t')\nasync def t(ctx):\n    limit = LIMIT\n"
            "    if limit > 180:\n        limit = 180\n"
            '    await ctx.http.get("u", timeout=limit)\n'
        ),
        Example('\n@ext.tool("t")\nasync def t(ctx):\n    await ctx.http.get("u", timeout=180)\n'),
        Example('\n@ext.tool("t")\nasync def t(ctx):\n    await ctx.http.get("u", timeout=None)\n'),
        Example(
            "\nimport httpx\n\n\nasync def t():\n    async with httpx.AsyncClient() as c:\n"
            '        return await c.get("u", timeout=600)\n'
        ),
        Example(
            '\n@ext.tool("t")\nasync def t(ctx):\n    await ctx.http.get("u", timeout=600)\n',
            sdk="4.2.11",
        ),
    ),
)
