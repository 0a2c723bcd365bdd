"""FED537: an error that is made and reaches nobody."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..model.models import known_type
from ..model.values import Class, Sdk, Value
from ..queries.patches import is_replaced
from ..queries.sdk_calls import SdkCall, sdk_calls
from ..queries.sdk_objects import is_attached, operand_of, source_of
from ..rule import Example, Hit, Rule
from ..view import FileView

_RESULT = "ActionResult"
_TEXT = "a text"


def _check(view: FileView) -> Iterator[Hit]:
    for node in view.module.nodes(ast.Raise):
        if node.exc is not None and _is_result(view, node.exc):
            yield _raised(view, node, node.exc)
    is_mended = is_replaced(view, _RESULT, "error") or is_attached(view, "error", own=False)
    for call in () if is_mended else sdk_calls(view, _RESULT, "error"):
        given = call.arguments.get("error")
        kind = _other_kind(view, given) if given is not None else ""
        if given is not None and kind:
            yield _dropped(view, call, given, kind)


def _is_result(view: FileView, node: ast.expr) -> bool:
    found = [item.value for item in view.values(node)]
    return bool(found) and all(
        isinstance(value, Sdk) and value.cls == _RESULT and value.certain for value in found
    )


def _raised(view: FileView, node: ast.Raise, result: ast.expr) -> Hit:
    return Hit(
        node=node,
        message=f"raise {source_of(result)} raises TypeError in {view.sdk}, for an {_RESULT} is no "
        f"exception: the user never reads what it says. Write return {source_of(result)}.",
    )


def _dropped(view: FileView, call: SdkCall, given: ast.expr, kind: str) -> Hit:
    instead = f"str({operand_of(given)})" if kind == "an exception" else '"…", what went wrong'
    return Hit(
        node=given,
        message=f"{source_of(given)} is {kind} and no text: to_dict() of {view.sdk} leaves such an "
        f"error out, so that the user reads of a failure without a reason. Write {instead}.",
        severity=None if call.certain else "warning",
        chain=view.chain(call.item),
    )


def _other_kind(view: FileView, node: ast.expr) -> str:
    """Return what an error certainly is in place of a text; empty if it may be one."""
    if isinstance(node, ast.Name):
        _, bindings = view.evaluator.project.lookup(view.module, node)
        if bindings and all(isinstance(it.node, ast.ExceptHandler) for it in bindings):
            return "an exception"
    kinds = [_kind(item.value) for item in view.values(node)]
    return kinds[0] if kinds and all(kinds) and _TEXT not in kinds else ""


def _kind(value: Value) -> str:
    return "a class" if isinstance(value, Class) else known_type(value)


RULE = Rule(
    code="FED537",
    name="lost-error",
    summary="The error of a result is a text, and a result is returned.",
    severity="error",
    triggers=("error",),
    check=_check,
    since="1.0.0",
    what="""
Finds `raise ActionResult.error(…)`, also of a success, and `ActionResult.error(e)` with something
that is certainly no text: the exception itself, a dict, a number, `None`.
""",
    why="""
Only exceptions can be raised, so the first ends in a TypeError in place of what it says. Of the
second `to_dict()` of every release leaves the error out, without a word: what reaches the kernel is
a failure without a reason, and the assistant makes one up.
""",
    example="except ValueError as problem:\n    return ActionResult.error(problem)",
    instead="except ValueError as problem:\n    return ActionResult.error(str(problem))",
    references=("SDK sources: types/action_result.py to_dict",),
    bad=(
        Example(
            """
@chat.function("f", "Does it")
async def f(ctx, params: Count) -> ActionResult:
    if not params.total:
        raise ActionResult.error("There is nothing")
    return ActionResult.success({"total": 1}, "Done")
""",
            holds="Write return ActionResult.error('There is nothing').",
        ),
        Example(
            """
@chat.function("f", "Does it")
async def f(ctx, params: Count) -> ActionResult:
    try:
        return ActionResult.success({"total": await ctx.store.count("notes")}, "Done")
    except Exception as problem:
        return ActionResult.error(problem, retryable=True)
""",
            holds="problem is an exception and no text: to_dict() of imperal-sdk 6.3.7 leaves such "
            "an error out, so that the user reads of a failure without a reason. Write "
            "str(problem).",
        ),
        Example(
            """
@chat.function("f", "Does it")
async def f(ctx, params: Count) -> ActionResult:
    return ActionResult.error(error={"code": 1})
""",
            holds="is a dict and no text",
        ),
    ),
    good=(
        Example(
            """
class Refused(Exception):
    pass


def told(problem):
    return str(problem)


@chat.function("f", "Does it")
async def f(ctx, params: Count) -> ActionResult:
    try:
        if params.total:
            raise Refused("no")
        return ActionResult.success({"total": 1}, "Done")
    except Refused as problem:
        return ActionResult.error(told(problem), code="REFUSED")
    except ValueError as error:
        error = f"Wrong: {error}"
        return ActionResult.error(error)
    except Exception as other:
        return ActionResult.error(elsewhere(other))
"""
        ),
    ),
)
