"""FED508: a timeout that ``ctx.http`` refuses."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from functools import partial

import msgspec

from ...inference.values.models import known_type
from ...inference.values.values import Alternative, Const, EnumMember, Made, Value, is_same_way
from ...rule import Example, Hit, Rule
from ...sdk_use.calls import SdkCall, called, sdk_calls
from ...sdk_use.certainty import is_alone, is_bounded
from ...sdk_use.sdk_objects import source_of
from ...view import FileView

_MOST = 180
_USUAL = 30
"""What ``HTTPClient`` waits if nothing is given, in seconds."""
_CLIENT = "HTTPClient"
_METHODS = ("get", "post", "put", "patch", "delete")
_COMPARED = frozenset({"", "None", "an int", "a float", "a bool"})
_TIMEOUTS = frozenset(
    {
        "httpx.Timeout",
        "aiohttp.ClientTimeout",
        "urllib3.Timeout",
        "urllib3.util.Timeout",
    }
)
"""Classes of other clients, which define no order."""


class _Wrong(msgspec.Struct, frozen=True):
    """Why the client refuses a timeout.

    Attributes:
        shown: the value as messages show it.
        raises: the exception.
        certain: whether the value is written, and not only annotated.
    """

    shown: str
    raises: str
    why: str
    advice: str
    certain: bool = True


def _check(view: FileView) -> Iterator[Hit]:
    for call in sdk_calls(view, _CLIENT, *_METHODS, keyword="timeout"):
        timeout = call.arguments["timeout"]
        judge = partial(_wrong, timeout)
        others = _other_clients(view, call)
        alike = any(is_same_way(call.item, other) for other in others)
        for item in () if is_bounded(view, timeout) else view.values(timeout):
            wrong = judge(item)
            if wrong and (not others or is_same_way(call.item, item)):
                alone = is_alone(view, timeout, item, judge)
                certain = call.certain and alone and wrong.certain
                yield Hit(
                    node=timeout,
                    message=f"ctx.http.{call.method} with timeout={wrong.shown} raises "
                    f"{wrong.raises} in {view.sdk}: {wrong.why}{view.way(call.item)}. "
                    f"{wrong.advice}",
                    severity=None if certain and not alike else "warning",
                    chain=(*view.chain(call.item), *view.chain(item)),
                )
                break


def _other_clients(view: FileView, call: SdkCall) -> list[Alternative]:
    """Return what else is called in the same place: what it is given may be meant for that."""
    found = view.values(call.node.func)
    methods = [called(view, call.node, item.value)[0] for item in found]
    return [
        item
        for item, method in zip(found, methods, strict=True)
        if method is None or method.owner.cls != _CLIENT
    ]


def _wrong(node: ast.expr, item: Alternative) -> _Wrong | None:
    value = item.value
    number = value.value if isinstance(value, Const) else None
    if isinstance(number, int | float) and not isinstance(value, EnumMember):
        return _wrong_number(number)
    kind = _kind(value)
    if kind in _COMPARED:
        return None
    text = repr(number) if isinstance(number, str | bytes) else source_of(node)
    why = f"the client compares the timeout with numbers, and this is {kind}"
    certain = not isinstance(value, Made) or "." in value.of
    return _Wrong(text, "TypeError", why, f"Write timeout={_USUAL}.", certain=certain)


def _wrong_number(number: float) -> _Wrong | None:
    if isinstance(number, bool) or 0 < number <= _MOST or math.isnan(number):
        return None
    why = f"it must be over 0 and at most {_MOST} s"
    if number > 0:
        advice = f"Write timeout={_MOST}, and do longer work in ctx.background_task(…)."
    else:
        advice = f"Write timeout={_USUAL}, the default; the client never waits without an end."
    return _Wrong(repr(number), "ValueError", why, advice)


def _kind(value: Value) -> str:
    """Return what a value is, if it certainly cannot be compared with numbers."""
    if isinstance(value, EnumMember):
        return "" if _compares(value.cls.node) else f"a member of {value.cls.node.name}"
    if isinstance(value, Made) and value.of in _TIMEOUTS:
        return f"{value.of}(…)"
    return known_type(value)


def _compares(cls: ast.ClassDef) -> bool:
    """Tell whether a class may say itself how its objects are compared."""
    own = any(isinstance(item, ast.FunctionDef) and item.name.startswith("__") for item in cls.body)
    return own or len(cls.bases) != 1 or bool(cls.decorator_list)


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
