"""FED514: an error without a code."""

from __future__ import annotations

from collections.abc import Iterator

from ...rule import Example, Hit, Rule
from ...sdk_use.calls import sdk_calls, spreads
from ...view import FileView


def _check(view: FileView) -> Iterator[Hit]:
    for call in sdk_calls(view, "ActionResult", "error"):
        if "code" not in call.arguments and not spreads(call.node):
            yield Hit(
                node=call.node,
                message="this error has no code: the user's diagnosis rests on the words alone\n"
                "The kernel stamps EXT_UNSTRUCTURED_ERROR on it. "
                'Add code="NOTE_NOT_FOUND" or the like.',
            )


RULE = Rule(
    code="FED514",
    name="error-without-code",
    summary="An error carries no code.",
    severity="info",
    triggers=("error",),
    since="5.9.7",
    default=False,
    check=_check,
    what="Finds `ActionResult.error(…)` without `code=`. Off by default: most extensions are "
    "older than the parameter, and more than a thousand calls in known ones would drown "
    "everything else.",
    why="Codes are what the platform's taxonomy, its diagnosis and the narrator go by. Without "
    "one they read the prose.",
    example='return ActionResult.error("The note is gone")',
    instead='return ActionResult.error("The note is gone", code="NOTE_NOT_FOUND")',
    references=("imperal_sdk.ActionResult.error", "imperal_sdk validator: V32"),
    bad=(
        Example(
            '\n@ext.tool("t")\nasync def t(ctx):\n'
            '    return ActionResult.error("x", retryable=True)\n'
        ),
    ),
    good=(
        Example(
            '\n@ext.tool("t")\nasync def t(ctx):\n'
            '    return ActionResult.error("x", code="NOTE_GONE")\n'
        ),
        Example(
            '\n@ext.tool("t")\nasync def t(ctx, kw):\n    return ActionResult.error("x", **kw)\n'
        ),
    ),
)
