"""FED110: private parts of SDK objects."""

from __future__ import annotations

from collections.abc import Iterator

from ..model.handlers import sdk_class
from ..queries.sdk_objects import CLOSED, source_of
from ..rule import Example, Hit, Rule
from ..sdk.surface import private_names
from ..view import FileView

_DOORS = frozenset({"_raw_skeleton", "_client"})
_OWNERS = CLOSED | {"Context", "Extension", "ChatExtension", "App", "_SkeletonAccessGuard"}


def _check(view: FileView) -> Iterator[Hit]:
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
    attributes=private_names(),
    check=_check,
    what="Finds `ctx.store._gateway_url`, `ext._secrets`, `chat._handle` and the like.",
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
    ),
    good=(
        Example("""
@ext.panel("p")
async def p(ctx):
    return ctx.__class__
"""),
        Example("""
class A:
    _x = 1


print(A()._x)
"""),
    ),
)
