"""FED103: code reads ``ctx.skeleton_data``, which the SDK has removed."""

from __future__ import annotations

from collections.abc import Iterator

from ...rule import Example, Hit, Rule
from ...sdk_use.sdk_objects import missing, source_of
from ...view import FileView

_NAME = "skeleton_data"
_INSTEAD = "Read ctx.cache, which is for panels and functions, or ctx.store."


def _check(view: FileView) -> Iterator[Hit]:
    for access in view.accesses(_NAME):
        for _, item in view.sdk_values(access.owner, "Context"):
            verdict = missing(view, access, item)
            yield Hit(
                node=access.node,
                message=f"{source_of(access.node)}: {verdict.text}\nA context has no {_NAME} in "
                f"{view.sdk} (gone since 1.6.0). {_INSTEAD}",
                severity=verdict.severity,
                chain=view.chain(item),
            )
            break


RULE = Rule(
    code="FED103",
    name="skeleton-data",
    summary="`ctx.skeleton_data` does not exist since SDK 1.6.0.",
    severity="error",
    invariant="I-SKELETON-LLM-ONLY",
    since="1.6.0",
    attributes=(_NAME,),
    check=_check,
    what='Finds `ctx.skeleton_data` and `getattr(ctx, "skeleton_data", …)`.',
    why="""
Kernels up to 1.5.27 attached the skeleton's data to the context. Since 1.6.0 the skeleton is for
the classifier alone: the plain form raises AttributeError, the getattr form shows an empty panel
for ever.
""",
    example='total = getattr(ctx, "skeleton_data", {}).get("total", 0)',
    instead='count = await ctx.cache.get("notes:count", Count)',
    references=("Skeletons", "Context channels"),
    bad=(
        Example("""
@ext.panel("notes")
async def notes(ctx):
    return ctx.skeleton_data
"""),
        Example(
            """
@ext.panel("notes")
async def notes(ctx):
    return side(ctx)


def side(ctx):
    return getattr(ctx, "skeleton_data", {})
""",
            severity="warning",
            holds="calls side",
        ),
        Example(
            """
@ext.panel("notes")
async def notes(ctx):
    return getattr(ctx, "skeleton" + "_data")
"""
        ),
    ),
    good=(
        Example(
            """
@ext.panel("notes")
async def notes(ctx):
    skeleton_data = {}
    return skeleton_data
"""
        ),
        Example(
            """
@ext.panel("notes")
async def notes(ctx):
    return ctx.skeleton_data
""",
            sdk="1.5.27",
        ),
    ),
)
