"""FED110: private parts of SDK objects."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..model.handlers import sdk_class
from ..model.project import whole_words
from ..queries.private_paths import may_take, private_paths
from ..queries.sdk_objects import CLOSED, source_of
from ..rule import Example, Hit, Rule
from ..sdk.surface import private_names
from ..view import FileView

_DOORS = frozenset({"_raw_skeleton", "_client"})
_OWNERS = CLOSED | {"Context", "Extension", "ChatExtension", "App", "_SkeletonAccessGuard"}
_WORDS = whole_words(private_names())
_BY_NAME = re.compile(rb"attr\b")


def _check(view: FileView) -> Iterator[Hit]:
    yield from _of_objects(view)
    for found in private_paths(view):
        yield Hit(
            node=found.node,
            message=f"{found.path} is private to the SDK: any release may change or remove it "
            "without a word. Use the public clients of ctx, or what a public module exports.",
            severity=found.severity,
        )


def _of_objects(view: FileView) -> Iterator[Hit]:
    for access in view.sdk_accesses:
        name = access.name
        if not name.startswith("_") or name.startswith("__") or name in _DOORS:
            continue
        for item in view.values(access.owner):
            cls = sdk_class(view.evaluator, item.value)
            if cls in _OWNERS and view.surface.member(cls, name) is not None:
                yield Hit(
                    node=access.node,
                    message=f"{source_of(access.node)} is private to {view.sdk}: any release may "
                    f"change it without a word{view.way(item)}. {_advice(view, name)}",
                    chain=view.chain(item),
                )
                break


def _advice(view: FileView, name: str) -> str:
    if name == "_user_id":
        return "Use ctx.user.imperal_id."
    if name in {"_gateway_url", "_service_token", "_auth_token"}:
        if view.surface.at_least("5.9.22"):
            return "Use ctx.store.for_user(user_id), ctx.notify.for_user(user_id) or ctx.http."
        return "Use the public clients of ctx."
    return "Use the public API of the object."


RULE = Rule(
    code="FED110",
    name="private-sdk-internals",
    summary="A private part of an SDK object is used.",
    severity="warning",
    screen=lambda text: any(asks.search(text) for asks in (_WORDS, _BY_NAME)) or may_take(text),
    check=_check,
    what="""
Finds `ctx.store._gateway_url`, `ext._secrets`, `chat._handle` and the like, imports of private
modules and names (`from imperal_sdk._gateway import …`, `import_module("imperal_sdk._gateway")`),
and private names of its modules. Where the code catches ImportError, it is an info.
""",
    why="Private names change between releases, and the extension then breaks for its users.",
    example="url = ctx.store._gateway_url",
    instead='store = ctx.store.for_user("imp_u_1")',
    references=("SDK sources",),
    bad=(
        Example("""
@ext.panel("p")
async def p(ctx):
    return ctx.store._gateway_url
"""),
        Example("""
ext._tools.clear()
"""),
        Example(
            """
from imperal_sdk._gateway import anything
""",
            holds="imperal_sdk._gateway is private",
        ),
        Example(
            """
import imperal_sdk.http.client as client

print(client._wrap)
""",
            holds="imperal_sdk.http.client._wrap is private",
        ),
        Example(
            """
try:
    from imperal_sdk._shared_http import shared_http
except ImportError:
    shared_http = None
""",
            severity="info",
        ),
    ),
    good=(
        Example("""
@ext.panel("p")
async def p(ctx):
    return ctx.__class__
"""),
        Example("""
import imperal_sdk
from imperal_sdk import __version__

from _gateway import _x

print(imperal_sdk.__file__, _x)
"""),
        Example("""
class A:
    _x = 1


print(A()._x)
"""),
    ),
)
