"""FED117: an attribute that is read from a method of the SDK, as if it were an object."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...inference.values.values import Alternative, Sdk, SdkMethod
from ...rule import Example, Hit, Rule
from ...sdk.surface import CLOSED, Member
from ...sdk_use.reach import is_patched, is_replaced
from ...sdk_use.sdk_objects import is_attached, missing, operand_of, source_of
from ...view import Access, FileView

_OWNERS = CLOSED | {"Context", "_SkeletonAccessGuard"}


def _check(view: FileView) -> Iterator[Hit]:
    for access in view.sdk_accesses:
        if access.how in {"write", "hasattr"} or access.name.startswith("__"):
            continue
        if not isinstance(access.owner, ast.Attribute):
            continue  # a name that is no method in other branches; FED107 tells where it gets one
        for item in view.values(access.owner):
            member = _method(view, item)
            if member is not None and not is_patched(view, access.name):
                yield _hit(view, access, item, member)
                break


def _method(view: FileView, item: Alternative) -> Member | None:
    """Return the method that a value is; None if the extension puts something in its place."""
    value = item.value
    if not isinstance(value, SdkMethod) or not isinstance(value.owner, Sdk):
        return None
    cls, name = value.owner.cls, value.name
    member = view.surface.member(cls, name) if cls in _OWNERS else None
    if member is None or not member.is_method or is_replaced(view, cls, name):
        return None
    return None if is_attached(view, name, cls, own=False) else member


def _hit(view: FileView, access: Access, item: Alternative, member: Member) -> Hit:
    verdict = missing(view, access, item)
    wait = "await " if member.is_async else ""
    return Hit(
        node=access.node,
        message=f"{source_of(access.node)}: {verdict.text}\n"
        f"{source_of(access.owner)} is a method in {view.sdk}, and a method has no {access.name}. "
        f"Write {wait}{operand_of(access.owner)}(…).",
        severity=verdict.severity,
        chain=view.chain(item),
    )


RULE = Rule(
    code="FED117",
    name="attribute-of-method",
    summary="Methods of the SDK are called: they have no attributes.",
    severity="error",
    check=_check,
    what="Finds attributes of methods of the SDK: `ctx.log.info(…)`, where `ctx.log` is "
    "`log(message, level)`.",
    why="A method has no such attribute: the line raises AttributeError. Tests whose context is a "
    "mock do not see it, since a mock has every attribute.",
    example='await ctx.log.info("Saved")',
    instead='await ctx.log("Saved", level="info")',
    references=("SDK sources: context.py",),
    bad=(
        Example(
            """
@ext.panel("p")
async def p(ctx):
    ctx.log.info("x")
""",
            holds="ctx.log is a method in imperal-sdk",
        ),
        Example("""
async def load(ctx):
    return await ctx.store.query.where("status", "open")


@ext.panel("p")
async def p(ctx):
    return await load(ctx)
"""),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    if hasattr(ctx.log, "info"):
        ctx.log.info("x")
""",
            severity="info",
        ),
    ),
    good=(
        Example("""
import logging

log = logging.getLogger("notes")


@ext.panel("p")
async def p(ctx):
    log.info(ctx.log.__doc__)
    await ctx.log("x", level="info")
    await ctx.notify.send("x")
"""),
        Example("""
class Log:
    def info(self, text): ...


@ext.panel("p")
async def p(ctx):
    ctx.log = Log()
    ctx.log.info("x")
"""),
    ),
)
