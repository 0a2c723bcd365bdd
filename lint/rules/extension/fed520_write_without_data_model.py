"""FED520: a function that changes data and declares no data model."""

from __future__ import annotations

from collections.abc import Iterator

from ...rule import Example, Hit, Rule
from ...view import FileView
from .support.chat_functions import TRIGGER, WRITING, chat_functions, may_be_model, may_name_model


def _check(view: FileView) -> Iterator[Hit]:
    for item in chat_functions(view):
        model = item.arguments.get("data_model")
        if item.action not in WRITING or (model is not None and may_be_model(view, model)):
            continue
        if not may_name_model(view, item.function):
            lack = "whose data_model is no pydantic class" if model else "without data_model="
            yield Hit(
                node=item.call,
                message=f"{item.role.label} is a {item.action} function {lack}\nThe narrator and "
                "the audit log do not know the fields of its result; the validator of "
                f"{view.sdk} warns of it (V24). Write data_model=Model, or return "
                "ActionResult[Model].",
            )


RULE = Rule(
    code="FED520",
    name="write-without-data-model",
    summary="A function that changes something declares the model of its data.",
    severity="info",
    since="5.0.1",
    triggers=(TRIGGER,),
    named_here=True,
    check=_check,
    what="""
Finds `@chat.function` handlers with `action_type="write"` or `"destructive"` that have neither
`data_model=` nor a return type `ActionResult[Model]` or `Model`. The validator of the SDK warns of
them (V24); nothing fails. Read functions are judged by FED502.
""",
    why="""
With a model the manifest tells the platform what comes back, and a later step of a chain can refer
to its fields. The SDK says that the check may become an error.
""",
    example='@chat.function("add_note", "Adds a note to a folder", action_type="write")',
    instead='@chat.function("add_note", "Adds a note to a folder", action_type="write",\n'
    "               data_model=Note)",
    references=("SDK sources: validator.py V24",),
    bad=(
        Example(
            """
@chat.function("add", "Adds", action_type="write")
async def add(ctx, params) -> ActionResult:
    ...
""",
            holds="write function",
        ),
        Example(
            """
@chat.function("drop", "Drops", action_type="destructive", ui_builder=True)
async def drop(ctx, params):
    ...
""",
            holds="destructive function",
        ),
        Example(
            """
@chat.function("add", "Adds", action_type="write", data_model=dict)
async def add(ctx, params):
    ...
""",
            holds="no pydantic class",
        ),
    ),
    good=(
        Example(
            """
@chat.function("add", "Adds", action_type="write", data_model=Count)
async def add(ctx, params):
    ...


@chat.function("drop", "Drops", action_type="destructive")
async def drop(ctx, params) -> ActionResult[Count]:
    ...


@chat.function("change", "Changes", action_type="write")
async def change(ctx, params) -> "Count":
    ...


@chat.function("list", "Lists")
async def list_all(ctx, params):
    ...
"""
        ),
        Example(
            """
@chat.function("add", "Adds", action_type="write")
async def add(ctx, params) -> ActionResult:
    ...
""",
            sdk="5.0.0",
        ),
    ),
)
