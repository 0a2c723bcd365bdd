"""FED102: an extension writes the skeleton, which only the kernel may do."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ....reports.lint.findings import Severity
from ...inference.values.values import Alternative
from ...rule import COMPUTED_NAME, Example, Hit, Rule
from ...sdk_use.sdk_objects import missing, source_of
from ...view import Access, FileView

_GUARDS = ("_SkeletonAccessGuard", "SkeletonClient")
_PRIVATE = frozenset({"_client", "_tool_type"})
_INSTEAD = "Return the section's data from its @ext.skeleton handler, or keep it in ctx.cache."


def _check(view: FileView) -> Iterator[Hit]:
    for access in view.sdk_accesses:
        if access.name == "skeleton" and access.how in {"write", "delete"}:
            yield from _replaced(view, access)
        else:
            yield from _method(view, access)
    for node in view.module.nodes(ast.Subscript):
        for _, item in view.sdk_values(node.value, *_GUARDS)[:1]:
            text = "the skeleton has no items: this raises TypeError"
            yield _hit(view, node, item, text)


def _method(view: FileView, access: Access) -> Iterator[Hit]:
    if access.name in _PRIVATE or access.name.startswith("__"):
        return
    for owner, item in view.sdk_values(access.owner, *_GUARDS):
        if view.surface.member(owner.cls, access.name) is None:
            verdict = missing(view, access, item)
            text = f"{source_of(access.node)}: {verdict.text}; it has only get()"
            yield _hit(view, access.node, item, text, verdict.severity)
            return


def _replaced(view: FileView, access: Access) -> Iterator[Hit]:
    for owner, item in view.sdk_values(access.owner, "Context"):
        severity = None if owner.certain else "warning"
        text = (
            "this replaces the accessor for one call and stores nothing: the kernel never reads it"
        )
        yield _hit(view, access.node, item, text, severity)
        return


def _hit(
    view: FileView, node: ast.AST, item: Alternative, text: str, severity: Severity | None = None
) -> Hit:
    message = f"{text}\nJudged for {view.sdk}. {_INSTEAD}"
    return Hit(node=node, message=message, severity=severity, chain=view.chain(item))


RULE = Rule(
    code="FED102",
    name="skeleton-write",
    summary="Only the kernel writes the skeleton.",
    severity="error",
    invariant="C-NO-EXTENSION-API",
    since="1.6.0",
    triggers=("skeleton", COMPUTED_NAME),
    check=_check,
    what="""
Finds every writer of the skeleton: `ctx.skeleton.set`, `update`, `put`, `save`, `delete` and any
other method than `get`, assignments to its items and assignments to `ctx.skeleton` itself.
""",
    why="""
`ctx.skeleton.update` was removed in SDK 1.6.0 and the others never existed. The call raises
AttributeError; an assignment is silently lost. The kernel stores what the section's
`@ext.skeleton` handler returns.
""",
    example='await ctx.skeleton.update("notes", {"total": 3})',
    instead='@ext.skeleton("notes")\nasync def refresh(ctx):\n    return {"response": {"total": '
    "3}}",
    references=("Fact-ledger: What you do not do", "Skeletons"),
    bad=(
        Example(
            """
@ext.panel("notes")
async def notes(ctx):
    await ctx.skeleton.update("a", {})
"""
        ),
        Example("""
@ext.panel("notes")
async def notes(ctx):
    ctx.skeleton["a"] = {}
"""),
        Example("""
@ext.panel("notes")
async def notes(ctx):
    ctx.skeleton = {}
"""),
        Example(
            """
@ext.schedule("s", cron="* * * * *")
async def run(ctx):
    await store(ctx.skeleton)


async def store(target):
    await target.set('a', 1)
""",
            holds="calls store",
        ),
        Example(
            """
from imperal_sdk import Context


async def save(ctx: Context):
    if hasattr(ctx.skeleton, 'update'):
        await ctx.skeleton.update('a', {})
""",
            severity="info",
        ),
    ),
    good=(
        Example(
            """
@ext.skeleton("notes")
async def notes(ctx):
    return {"response": {"total": 3}}
"""
        ),
        Example(
            """
@ext.panel("notes")
async def notes(ctx):
    await ctx.skeleton.update("a", {})
""",
            sdk="1.5.27",
        ),
        Example("""
def save(ctx: dict):
    ctx.skeleton.update('a', {})
"""),
    ),
)
