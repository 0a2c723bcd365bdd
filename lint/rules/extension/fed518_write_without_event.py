"""FED518: a function changes data and emits no event."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...inference.values.values import Const
from ...rule import Example, Hit, Rule
from ...view import FileView
from .support.chat_functions import TRIGGER, WRITING, app_id, chat_functions


def _check(view: FileView) -> Iterator[Hit]:
    for item in chat_functions(view):
        event = item.arguments.get("event")
        if item.action not in WRITING or (event is not None and not _is_empty(view, event)):
            continue
        name = item.role.name.removeprefix("fn_") or item.function.name.removeprefix("fn_")
        own_id = view.extension.once(app_id) or "app_id"
        yield Hit(
            node=item.call,
            message=f"{item.role.label} is a {item.action} function without event=\nWhen it "
            "succeeds no event is published, so that automations and other extensions never learn "
            f"of the change; the validator of {view.sdk} warns of it (V10). Write "
            f'event="{own_id}.{name}".',
        )


def _is_empty(view: FileView, node: ast.expr) -> bool:
    found = view.values(node)
    return bool(found) and all(
        isinstance(item.value, Const) and not item.value.value for item in found
    )


RULE = Rule(
    code="FED518",
    name="write-without-event",
    summary="A function that changes something names its event.",
    severity="info",
    since="1.0.0",
    triggers=(TRIGGER,),
    named_here=True,
    check=_check,
    what="""
Finds `@chat.function` handlers with `action_type="write"` or `"destructive"` that have no `event=`,
or an empty one. The validator of the SDK warns of them (V10); nothing fails.
""",
    why="""
The name in `event=` is the one under which the result is published. Without it nothing can react to
the change.
""",
    example='@chat.function("drop_note", "Drops one of the notes", action_type="destructive")',
    instead='@chat.function("drop_note", "Drops one of the notes", action_type="destructive",\n'
    '               event="notes.drop_note")',
    references=("SDK sources: validator.py V10",),
    bad=(
        Example(
            """
@chat.function("fn_drop_note", "Drops one of the notes", action_type="destructive")
async def fn_drop_note(ctx, params):
    ...
""",
            holds='event="notes.drop_note"',
        ),
        Example(
            """
WRITE = "write"


@chat.function("add", "Adds", None, WRITE, "")
async def add(ctx, params):
    ...
""",
            holds="write function",
        ),
    ),
    good=(
        Example(
            """
EVENT = "notes.added"


@chat.function("add", "Adds", action_type="write", event=EVENT)
async def add(ctx, params):
    ...


@chat.function("drop", "Drops", None, "destructive", "notes.dropped")
async def drop(ctx, params):
    ...


@chat.function("list", "Lists")
async def list_notes(ctx, params):
    ...
"""
        ),
        Example(
            """
COMMON = {"event": "notes.added"}


@chat.function("add", "Adds", action_type="write", **COMMON)
async def add(ctx, params):
    ...


def named(name):
    return "notes." + name


@chat.function("drop", "Drops", action_type="write", event=named("dropped"))
async def drop(ctx, params):
    ...
"""
        ),
    ),
)
