"""FED104: code reads the skeleton past its access guard."""

from __future__ import annotations

from collections.abc import Iterator

from ...rule import Example, Hit, Rule
from ...sdk_use.sdk_objects import source_of
from ...view import FileView

_DOORS = {"_raw_skeleton": ("Context",), "_client": ("_SkeletonAccessGuard",)}
_INSTEAD = "Keep what the handler needs in ctx.cache or ctx.store."


def _check(view: FileView) -> Iterator[Hit]:
    for access in view.accesses(*_DOORS):
        for owner, item in view.sdk_values(access.owner, *_DOORS[access.name]):
            yield Hit(
                node=access.node,
                message=f"{source_of(access.node)} goes round the guard of the skeleton\n"
                f"The section is for the classifier alone. {_INSTEAD}",
                severity=None if owner.certain else "warning",
                chain=view.chain(item),
            )
            break


RULE = Rule(
    code="FED104",
    name="skeleton-private-access",
    summary="The code reads the skeleton past its guard.",
    severity="error",
    invariant="I-SKELETON-LLM-ONLY",
    since="1.6.0",
    attributes=tuple(_DOORS),
    check=_check,
    what="Finds `ctx._raw_skeleton` and `ctx.skeleton._client`.",
    why="""
Both reach the client behind the guard and work today, in any handler. That breaks the promise
that only skeleton handlers read the skeleton, and private names may go with any release.
""",
    example='data = await ctx.skeleton._client.get("notes")',
    instead='count = await ctx.cache.get("notes:count", Count)',
    references=("Skeletons",),
    bad=(
        Example(
            """
@ext.panel("notes")
async def n(ctx):
    return await ctx._raw_skeleton.get("n")
"""
        ),
        Example(
            """
@ext.panel("notes")
async def n(ctx):
    s = ctx.skeleton
    return await s._client.get("n")
"""
        ),
    ),
    good=(
        Example(
            """
class Api:
    def __init__(self):
        self._client = None


@ext.panel("notes")
async def n(ctx):
    return Api()._client
"""
        ),
    ),
)
