"""FED101: the fact ledger has no API for extensions."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ....reports.lint.findings import Severity
from ...inference.calls.handlers import sdk_class
from ...inference.values.values import Alternative
from ...rule import Example, Hit, Rule
from ...sdk_use.guards import guard
from ...view import Access, FileView

_NAME = "fact_ledger"
_INSTEAD = "Return structured data in ActionResult.data; the kernel keeps the facts itself."
_OWNERS = frozenset({"Context", "Extension", "ChatExtension", "App"})


def _check(view: FileView) -> Iterator[Hit]:
    for access in view.accesses(_NAME):
        for item in view.values(access.owner):
            owner = sdk_class(view.evaluator, item.value)
            if owner in _OWNERS:
                severity, what = _judged(view, access, item)
                message = f"{_spelt(access)}: {what}\nJudged for {view.sdk}. {_INSTEAD}"
                yield Hit(
                    node=access.node, message=message, severity=severity, chain=view.chain(item)
                )
                break
    yield from _imports(view)


def _spelt(access: Access) -> str:
    return f"{ast.unparse(access.owner)}.{_NAME} does not exist"


def _judged(view: FileView, access: Access, item: Alternative) -> tuple[Severity, str]:
    protected = guard(view, access, item.via)
    if protected:
        return "info", f"guarded by {protected}, so this branch never runs"
    if access.how == "default":
        return "warning", "the result is always the default"
    if access.how == "write":
        return "error", "the kernel never reads what is written here"
    return "error", "it raises AttributeError"


def _imports(view: FileView) -> Iterator[Hit]:
    for node in view.module.nodes(ast.ImportFrom):
        if (node.module or "").split(".")[0] != "imperal_sdk" or node.level:
            continue
        for alias in node.names:
            if alias.name == _NAME or _NAME in (node.module or "").split("."):
                yield Hit(
                    node=alias,
                    message=f"no {_NAME} can be imported: the extension raises ImportError when "
                    "it is "
                    f"loaded\n{view.sdk} has none. {_INSTEAD}",
                )


RULE = Rule(
    code="FED101",
    name="nonexistent-fact-ledger",
    summary="The fact ledger has no API for extensions.",
    severity="error",
    invariant="C-NO-EXTENSION-API",
    attributes=(_NAME,),
    check=_check,
    what="""
Finds `ctx.fact_ledger`, `@ext.fact_ledger`, imports of one, and `getattr`, `hasattr`, `setattr`
or `delattr` with that name.
""",
    why="""
The kernel alone writes the fact ledger: it records `ActionResult.data` of each successful call.
An extension that looks for an accessor gets AttributeError, or always its default.
""",
    example='await ctx.fact_ledger.add("total", 3)',
    instead='return ActionResult.success({"total": 3}, "Three notes")',
    references=("Fact-ledger: What you do not do",),
    bad=(
        Example(
            """
@ext.panel("notes")
async def notes(ctx):
    return ctx.fact_ledger
""",
            holds="AttributeError",
        ),
        Example(
            """
@ext.panel("notes")
async def notes(ctx):
    return getattr(ctx, "fact_ledger", None)
""",
            severity="warning",
            holds="always the default",
        ),
        Example(
            """
@ext.panel("notes")
async def notes(ctx):
    if hasattr(ctx, "fact_ledger"):
        return ctx.fact_ledger
""",
            severity="info",
        ),
        Example("from imperal_sdk import fact_ledger\n", holds="ImportError"),
        Example(
            """
@ext.fact_ledger("notes")
async def notes(ctx):
    return None
"""
        ),
    ),
    good=(
        Example(
            """
class Settings(BaseModel):
    classifier_fact_ledger_window: int = 5
    fact_ledger: int = 5


@ext.panel("notes")
async def notes(ctx):
    return Settings().fact_ledger
"""
        ),
        Example(
            """
def note(ctx: dict):
    return ctx.fact_ledger
"""
        ),
    ),
)
