"""FED519: a description that is too short for the model."""

from __future__ import annotations

from collections.abc import Iterator

from ...rule import Example, Hit, Rule
from ...sdk_use.calls import constants_of, is_proved
from ...view import FileView
from .support.chat_functions import TRIGGER, chat_functions

_LEAST = 20


def _check(view: FileView) -> Iterator[Hit]:
    for item in chat_functions(view):
        description = item.arguments.get("description")
        if description is None or item.role.name.startswith("__"):
            continue
        found = view.values(description)
        for value, _ in constants_of(view, description):
            length = len(value.strip()) if isinstance(value, str) else _LEAST
            if length < _LEAST:
                yield Hit(
                    node=description,
                    message=f"the description of {item.role.label} has {length} characters\nThe "
                    f"validator of {view.sdk} refuses fewer than {_LEAST} (V16), and the model "
                    "chooses functions by this text. Say what it does with what, and when to use "
                    'it: "Lists the notes of a folder, newest first".',
                    severity=None if len(found) == 1 and is_proved(view, item.role) else "warning",
                )
                break


RULE = Rule(
    code="FED519",
    name="short-description",
    summary="The description of a function has at least 20 characters.",
    severity="error",
    since="4.0.0",
    triggers=(TRIGGER,),
    named_here=True,
    check=_check,
    what="""
Finds `@chat.function` handlers whose description, without blanks around it, has fewer than 20
characters. Literals and constants are judged, also those of other files.
""",
    why="""
The SDK's validator, which gates publishing, reports V16 as an error. The model chooses a function
by its description alone; two words leave it to guess.
""",
    example='@chat.function("list_notes", "Lists notes")',
    instead='@chat.function("list_notes", "Lists the notes of a folder, newest first")',
    references=("SDK sources: validator.py V16",),
    bad=(
        Example(
            """
@chat.function("list_notes", "  Lists the notes    ")
async def f(ctx, params):
    ...
""",
            holds="has 15 characters",
        ),
        Example(
            """
TEXT = ""


@chat.function(name="list_notes", description=TEXT)
async def f(ctx, params):
    ...
""",
            holds="has 0 characters",
        ),
    ),
    good=(
        Example(
            """
NOUN = "the notes"


@chat.function("list_notes", "Lists all the notes.")
async def f(ctx, params):
    \"\"\"Lists.\"\"\"


@chat.function("g", f"Lists {NOUN} of the user")
async def g(ctx, params):
    ...


@chat.function("h", "Lists " + load())
async def h(ctx, params):
    ...


@ext.tool("t", description="Lists")
async def t(ctx):
    ...
"""
        ),
        Example(
            """
@chat.function("f", "Lists")
async def f(ctx, params):
    ...
""",
            sdk="3.7.0",
        ),
    ),
)
