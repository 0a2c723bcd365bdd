"""FED106: an attribute that the SDK's context class does not define."""

from __future__ import annotations

from collections.abc import Iterator

from ...rule import Example, Hit, Rule
from ...sdk_use.sdk_objects import has, is_attached, missing, source_of
from ...view import Access, FileView
from .support.advice import lifetime

_ELSEWHERE = frozenset({"fact_ledger", "skeleton_data", "_raw_skeleton", "cache", "skeleton"})
_ATTACHED = frozenset(
    {"secrets", "history", "_progress_callback", "_background_task_spawn", "_user_id"}
)
_REMOVED = {"db": "Use ctx.store.", "tools": "Use await ctx.extensions.call(app_id, method)."}


def _check(view: FileView) -> Iterator[Hit]:
    for access in view.sdk_accesses:
        if access.how in {"write", "hasattr"} or access.name in _ELSEWHERE | _ATTACHED:
            continue
        if has(view.surface, "Context", access.name):
            continue
        for owner, item in view.sdk_values(access.owner, "Context"):
            if not owner.certain or is_attached(view, access.name):
                continue
            verdict = missing(view, access, item)
            past, since = lifetime(view, view.surface.history("Context", access.name))
            gone = bool(past) and not since
            advice = _REMOVED.get(access.name, "") if gone else _advice(view, access, since)
            soft = "warning" if verdict.severity == "error" else "info"
            yield Hit(
                node=access.node,
                message=f"{source_of(access.node)}: {verdict.text if gone else _perhaps(access)}\n"
                f"Context has no {access.name} in {view.sdk}{past}. {advice}",
                severity=verdict.severity if gone else soft,
                chain=view.chain(item),
                cause=access.name,
            )
            break


def _advice(view: FileView, access: Access, since: str) -> str:
    newer = f"Require imperal-sdk>={since}. " if since else ""
    if access.name == "events" and has(view.surface, "ExtensionsClient", "emit"):
        newer = "Use await ctx.extensions.emit(event_type, data). "
    return (
        f"{newer}If your kernel attaches it, write "
        f"# fedcheck: ignore[FED106] our kernel attaches {access.name}"
    )


def _perhaps(access: Access) -> str:
    if access.how == "default":
        return "getattr returns its default unless the kernel attaches it"
    return "it raises AttributeError unless the kernel attaches it"


RULE = Rule(
    code="FED106",
    name="unknown-context-attribute",
    summary="The context has no such attribute in the target version.",
    severity="error",
    check=_check,
    what="""
Finds attributes of the context that the SDK's class does not have. Kernels attach some of their
own, so an unknown name is a warning; `ctx.db` and `ctx.tools` are errors once they are removed.
""",
    why="The use raises AttributeError unless the kernel attaches the attribute.",
    example='await ctx.events.emit("notes.saved", {})',
    instead='await ctx.extensions.emit("notes.saved", {})',
    references=("SDK sources: context.py",),
    bad=(
        Example(
            """
@ext.panel("p")
async def p(ctx):
    await ctx.events.emit("x")
""",
            severity="warning",
            holds="Use await ctx.extensions.emit(event_type, data). If your kernel attaches it, "
            "write # fedcheck: ignore[FED106] our kernel attaches events",
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    return ctx.db
""",
            holds="removed in",
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    return ctx.surface
""",
            sdk="5.9.13",
            severity="warning",
            holds="(it came with 5.16.0). Require",
        ),
    ),
    good=(
        Example(
            """
async def command(ctx):
    return ctx.send("somebody else's context")
"""
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    ctx.trace = "set here"
    return ctx.trace
"""
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    return ctx.store, ctx.secrets, ctx.history
"""
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    return ctx.db
""",
            sdk="4.0.0",
        ),
        Example("""
def p(ctx: dict):
    return ctx.events
"""),
        Example(
            """
import ssl


def p():
    ctx = ssl.create_default_context()
    ctx.check_hostname = False
    return ctx.verify_mode
"""
        ),
    ),
)
