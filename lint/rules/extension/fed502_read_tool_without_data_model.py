"""FED502: a read function that declares no data model."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ....reports.lint.findings import Fix
from ...edits.concrete import surround
from ...inference.values.models import is_model
from ...inference.values.values import Class, Const
from ...payloads.payloads import result_calls
from ...rule import Example, Hit, Rule
from ...sdk_use.calls import is_proved
from ...sdk_use.sdk_objects import source_of
from ...view import FileView
from .support.chat_functions import TRIGGER, chat_functions, may_be_model, may_name_model

_REFUSED = "5.4.3"
"""Release from which V23 is an error by default; before, the validator only warned."""
_LACK = "declares no data_model"


def _check(view: FileView) -> Iterator[Hit]:
    refused = view.surface.at_least(_REFUSED)
    verb = "refuses it" if refused else f"warns of it, and refuses it from {_REFUSED} on"
    for item in chat_functions(view):
        if item.action != "read" or _builds_ui(view, item.arguments.get("ui_builder")):
            continue
        model = item.arguments.get("data_model")
        if may_name_model(view, item.function) or (model and may_be_model(view, model)):
            continue
        lack = f"its data_model={source_of(model)} is no pydantic class" if model else _LACK
        yield Hit(
            node=item.call,
            message=f"{item.role.label} reads and {lack}\nThe validator of {view.sdk} {verb} "
            "(V23), and chains cannot refer to its fields. Write data_model=Model, or return "
            "ActionResult[Model].",
            severity=None if refused and is_proved(view, item.role) else "warning",
            fix=None if model else _fix(view, item.function),
        )


def _fix(view: FileView, function: ast.FunctionDef | ast.AsyncFunctionDef) -> Fix | None:
    """Name the model in ``-> ActionResult`` if all results of the function are of that one."""
    if not isinstance(function.returns, ast.Name):
        return None
    own = [call for call in result_calls(view) if view.module.function(call.node) is function]
    named = {_model_name(call.data) for call in own}
    name = named.pop() if len(named) == 1 else ""
    found = view.evaluator.global_name(view.module, name) if name else ()
    classes = [item.value for item in found if isinstance(item.value, Class)]
    if len(found) != 1 or not classes or is_model(view.evaluator, classes[0]) is not True:
        return None
    edits = surround(view.module, function.returns, "", f"[{name}]")[1:]
    return Fix(title=f"Write ActionResult[{name}]", safety="safe", edits=edits)


def _model_name(data: ast.expr | None) -> str:
    """Return the class of ``Model(…)``, if it is called by a plain name."""
    callee = data.func if isinstance(data, ast.Call) else None
    return callee.id if isinstance(callee, ast.Name) else ""


def _builds_ui(view: FileView, flag: ast.expr | None) -> bool:
    """Tell whether ``ui_builder=`` is or may be true; such functions need no model."""
    if flag is None:
        return False
    found = [item.value for item in view.values(flag)]
    return not found or any(not isinstance(value, Const) or value.value for value in found)


RULE = Rule(
    code="FED502",
    name="read-tool-without-data-model",
    summary="A read function declares the model of its data.",
    severity="error",
    since="5.0.1",
    triggers=(TRIGGER,),
    named_here=True,
    check=_check,
    what="""
Finds `@chat.function` handlers with `action_type="read"` (the default) that have neither
`data_model=` nor a return type `ActionResult[Model]` or `Model`. The model is one pydantic class:
`dict`, `list[Model]` and `Model | None` are none. `ui_builder=True` exempts.
""",
    why="""
The SDK's validator, which gates publishing, reports V23: as a warning since 5.0.1, as an error
since 5.4.3.
""",
    example='@chat.function("list_notes", "Lists the notes")',
    instead='@chat.function("list_notes", "Lists the notes", data_model=NoteList)',
    safety="`-> ActionResult` becomes `-> ActionResult[Model]` where every result of the function "
    "is "
    "made of `Model(…)`; else there is no automatic fix.",
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
        Example(
            """
@chat.function("f", "Lists the notes")
async def f(ctx, params) -> ActionResult:
    ...
""",
            sdk="5.0.1",
            severity="warning",
        ),
        Example(
            """
@chat.function("f", "Lists the notes", data_model=dict)
async def f(ctx, params) -> ActionResult:
    ...
""",
            holds="data_model=dict is no pydantic class",
        ),
        Example(
            """
@chat.function("f", "Lists the notes", ui_builder=False)
async def f(ctx, params) -> ActionResult[list[Count]]:
    ...
"""
        ),
        Example(
            """
def register(chat):
    @chat.function("f", "Lists the notes")
    async def f(ctx, params) -> ActionResult:
        ...
""",
            severity="warning",
        ),
    ),
    good=(
        Example(
            """
from typing import Annotated, Generic, TypeVar

Item = TypeVar("Item")


class Listing(BaseModel, Generic[Item]):
    items: list[Item]


@chat.function("f", "Lists the notes")
async def f(ctx, params) -> ActionResult[Listing[Count]]:
    ...


@chat.function("g", "Counts the notes")
async def g(ctx, params) -> Annotated[Count, "one"]:
    ...


@chat.function("h", "Shows the notes", ui_builder=True)
async def h(ctx, params) -> ActionResult:
    ...


@chat.function("i", "Lists the notes", data_model=None)
async def i(ctx, params) -> "ActionResult[Count]":
    ...
"""
        ),
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
