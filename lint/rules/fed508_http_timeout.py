"""FED508: a timeout that ``ctx.http`` refuses."""

from __future__ import annotations

from collections.abc import Iterator

from ..model.values import Alternative, Const
from ..queries.certainty import is_alone, is_bounded
from ..queries.sdk_calls import constants_of, sdk_calls
from ..rule import Example, Hit, Rule
from ..view import FileView

_MOST = 180
_METHODS = ("get", "post", "put", "patch", "delete")


def _check(view: FileView) -> Iterator[Hit]:
    for call in sdk_calls(view, "HTTPClient", *_METHODS, keyword="timeout"):
        timeout = call.arguments["timeout"]
        for value, item in () if is_bounded(view, timeout) else constants_of(view, timeout):
            if _is_refused(value):
                alone = is_alone(view, timeout, item, _is_wrong)
                yield Hit(
                    node=timeout,
                    message=f"ctx.http.{call.method} with timeout={value!r} raises ValueError in "
                    f"{view.sdk}: it must be over 0 and at most {_MOST} s{view.way(call.item)}. "
                    f"Write timeout={_MOST}, and do longer work in ctx.background_task(…).",
                    severity=None if call.certain and alone else "warning",
                    chain=(*view.chain(call.item), *view.chain(item)),
                )
                break


def _is_wrong(item: Alternative) -> bool:
    return isinstance(item.value, Const) and _is_refused(item.value.value)


def _is_refused(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return value <= 0 or value > _MOST


RULE = Rule(
    code="FED508",
    name="http-timeout",
    summary="`ctx.http` refuses the timeout.",
    severity="error",
    triggers=("timeout",),
    since="4.2.12",
    check=_check,
    what="Finds `ctx.http.get/post/put/patch/delete` with a `timeout` of 0 or less or of more "
    "than 180 seconds, also from constants, other files and parameters of wrappers. A regression "
    "guard: no known extension does it.",
    why="The client raises ValueError before it sends anything, on every call.",
    example="await ctx.http.get(url, timeout=600)",
    instead="await ctx.http.get(url, timeout=180)",
    references=("imperal_sdk.http.HTTPClient",),
    bad=(
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
