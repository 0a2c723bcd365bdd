"""FED502: a read function that does not say what it returns."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..model.annotations import annotated
from ..model.calling import constant_text
from ..model.models import is_model
from ..model.values import Instance, Made, Sdk
from ..rule import Example, Hit, Rule
from ..sdk.sdk_objects import argument_of
from ..sdk.surface import signature
from ..view import FileView

_OPEN = frozenset({"Any", "object", "None"})
_ORDER = signature("(name, description, params=None, action_type='read')")


def _check(view: FileView) -> Iterator[Hit]:
    for function, role in view.handlers():
        if role.kind != "function" or not isinstance(role.call, ast.Call):
            continue
        if {"data_model", "ui_builder"} & set(role.arguments) or _may_name_model(view, function):
            continue
        if any(item.arg is None for item in role.call.keywords):
            continue
        written = argument_of(role.call, _ORDER, "action_type")
        action = "read" if written is None else constant_text(view.evaluator, view.module, written)
        if action == "read":
            yield Hit(
                node=role.call,
                message=f"{role.label} reads and declares no data_model: the SDK's validator "
                "refuses it "
                "(V23), and chains cannot refer to its fields. Write data_model=Model, or return "
                "ActionResult[Model].",
            )


def _may_name_model(view: FileView, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Tell whether the written result is, or may be, a model or ``ActionResult[Model]``."""
    written = function.returns
    if written is None or (isinstance(written, ast.Constant) and written.value is None):
        return False
    if isinstance(written, ast.Subscript) or "[" in ast.unparse(written):
        return True
    found = annotated(view.evaluator, view.module, written)
    if isinstance(found, Instance):
        return is_model(view.evaluator, found.cls) is not False
    if isinstance(found, Sdk):
        return found.cls != "ActionResult"
    if isinstance(found, Made):
        return "." in found.of
    return ast.unparse(written).strip("'\"").rpartition(".")[2] not in _OPEN


RULE = Rule(
    code="FED502",
    name="read-tool-without-data-model",
    summary="A read function declares the model of its data.",
    severity="error",
    since="5.0.1",
    triggers=("function",),
    check=_check,
    what="""
Finds `@chat.function` handlers with `action_type="read"` (the default) that have neither
`data_model=` nor a return type `ActionResult[Model]` or `Model`. `ui_builder=True` exempts.
""",
    why="The SDK's validator reports V23 as an error, and the marketplace refuses the extension.",
    example='@chat.function("list_notes", "Lists the notes")',
    instead='@chat.function("list_notes", "Lists the notes", data_model=NoteList)',
    references=("SDK sources: validator.py V23",),
    bad=(
        Example(
            """
@chat.function("f", "Lists the notes")
async def f(ctx, params) -> ActionResult:
    ...
"""
        ),
        Example(
            """
@chat.function("f", "Lists the notes")
async def f(ctx, params) -> dict:
    ...
"""
        ),
    ),
    good=(
        Example(
            """
@chat.function("f", "Lists", data_model=Count)
async def f(ctx, params):
    ...
"""
        ),
        Example(
            """
@chat.function("f", "Lists")
async def f(ctx, params) -> ActionResult[Count]:
    ...
"""
        ),
        Example(
            """
@chat.function("f", "Counts")
async def f(ctx, params) -> Count:
    ...


@chat.function("g", "Counts again")
async def g(ctx, params) -> "Count":
    ...
"""
        ),
        Example(
            """
@chat.function("f", "Makes", action_type="write")
async def f(ctx, params):
    ...
"""
        ),
        Example(
            """
@chat.function("f", "Lists the notes")
async def f(ctx, params):
    ...
""",
            sdk="4.0.0",
        ),
    ),
)
