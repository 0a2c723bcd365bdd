"""FED110: code uses private attributes of SDK objects."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ...files.plain_text import whole_words
from ...inference.calls.handlers import sdk_class
from ...inference.syntax.module import CHANGING
from ...rule import Example, Hit, Rule
from ...sdk.surface import CLOSED, private_names
from ...sdk_use.reach import IN_TESTS
from ...sdk_use.sdk_objects import has, operand_of
from ...view import Access, FileView
from .support.private_paths import may_take, private_accesses, private_paths

_OWNERS = CLOSED | {"Context", "Extension", "ChatExtension", "App", "_SkeletonAccessGuard"}
_OF_USER = frozenset({"_user_id", "_imperal_id"})
_GATEWAY = frozenset({"_gateway_url", "_service_token", "_auth_token"})
_STORES = ("store", "notify")
_FOR_OTHERS = {"StoreClient": _STORES, "NotifyClient": _STORES, "SecretClient": ("secrets",)}
"""Class → the context's clients that act for another user."""
_DECLARING = {"_secrets": "secret", "_file_sinks": "file_sink"}
"""Private table, of which the public name returns a copy → the method that writes into it."""
_WORDS = whole_words(private_names())
_BY_NAME = re.compile(rb"attr\b")


def _check(view: FileView) -> Iterator[Hit]:
    yield from _of_objects(view)
    for found in private_paths(view):
        yield Hit(
            node=found.node,
            message=f"{found.path} is private to the SDK: any release may remove it\n"
            "Use the public clients of ctx, or what a public module exports.",
            severity=found.severity,
            cause=found.path,
        )


def _of_objects(view: FileView) -> Iterator[Hit]:
    for access in private_accesses(view):
        name = access.name
        for item in view.values(access.owner):
            cls = sdk_class(view.evaluator, item.value)
            if cls in _OWNERS and view.surface.member(cls, name) is not None:
                yield Hit(
                    node=access.node,
                    message=f"{operand_of(access.owner)}.{name} is private to the SDK: any "
                    "release may "
                    f"change it\n{_advice(view, access, cls)}",
                    chain=view.chain(item),
                    cause=f"{cls}.{name}",
                )
                break


def _advice(view: FileView, access: Access, cls: str) -> str:
    """Return what to use instead, in the target version or a newer one."""
    name, owner = access.name, operand_of(access.owner)
    if name in _OF_USER and has(view.surface, "UserContext", "imperal_id"):
        return "Use ctx.user.imperal_id."
    declare = _DECLARING.get(name, "")
    if has(view.surface, cls, declare) and _is_changed(view, access.node):
        return f"Use {owner}.{declare}(…): {owner}.{name.lstrip('_')} is a copy."
    public = view.surface.member(cls, name.lstrip("_"))
    if public is not None and not public.is_method and access.how != "write":
        return f"Use {owner}.{public.name}."
    if name.startswith("_rebuild_") and has(view.surface, "Context", "as_user"):
        return "Use ctx.as_user(user_id)."
    if name in _GATEWAY or cls in _FOR_OTHERS:
        ways = [f"ctx.{client}.for_user(user_id)" for client in _FOR_OTHERS.get(cls, _STORES)]
        changes = view.surface.history(cls if cls in _FOR_OTHERS else "StoreClient", "for_user")
        if not view.surface.at_least(changes[0][0]):
            return f"Require imperal-sdk>={changes[0][0]}: it has {' and '.join(ways)}."
        return f"Use {' or '.join(ways)}{', or ctx.http' * (name in _GATEWAY)}."
    return (
        f"There is no public way to it in {view.sdk}; if you need it, write "
        "`# fedcheck: ignore[FED110] why`."
    )


def _is_changed(view: FileView, node: ast.expr) -> bool:
    """Tell whether code writes into a table: ``ext._secrets["key"] = …``, ``.update(…)``."""
    parent = view.module.parents.get(node)
    if isinstance(parent, ast.Subscript):
        return isinstance(parent.ctx, (ast.Store, ast.Del))
    return isinstance(parent, ast.Attribute) and parent.attr in CHANGING


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
    why="Private names change between releases, and the extension then breaks for its users.\n"
    + IN_TESTS,
    example="url = ctx.store._gateway_url",
    instead='store = ctx.store.for_user("imp_u_1")',
    references=("SDK sources",),
    bad=(
        Example("""
@ext.panel("p")
async def p(ctx):
    return ctx.store._gateway_url
"""),
        Example(
            """
@ext.webhook("w")
async def w(ctx, headers, body, params):
    return hasattr(ctx.notify, "_extension_id")
""",
            sdk="5.9.11",
            holds="Require imperal-sdk>=5.9.22: it has "
            "ctx.store.for_user(user_id) and ctx.notify.for_user(user_id).",
        ),
        Example(
            """
@ext.webhook("w")
async def w(ctx, headers, body, params):
    return ctx.extensions._loader
""",
            holds="There is no public way to it in imperal-sdk",
        ),
        Example(
            """
ext._tools.clear()
""",
            holds="Use ext.tools.",
        ),
        Example(
            """
ext._secrets["key"] = object()
""",
            holds="Use ext.secret(…): ext.secrets is a copy.",
        ),
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
