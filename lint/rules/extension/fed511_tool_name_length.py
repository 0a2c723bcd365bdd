"""FED511: a tool name that is longer than model providers allow."""

from __future__ import annotations

from collections.abc import Iterator

from ...rule import Example, Hit, Rule
from ...view import FileView
from .support.chat_functions import app_id

_MOST = 64


def _check(view: FileView) -> Iterator[Hit]:
    own_id = ""
    for _, role in view.handlers():
        if role.kind != "function" or not role.name:
            continue
        own_id = own_id or view.extension.once(app_id)
        full = f"{own_id}__{role.name}" if own_id else role.name
        if len(full) > _MOST:
            yield Hit(
                node=role.call,
                message=f"the name of this function is too long: the model is shown an alias\n"
                f"Its whole name is {full}, {len(full)} characters; "
                f"providers take {_MOST}, so the kernel replaces the name by an alias with a "
                "hash, which tells the model nothing. Shorten the name to "
                f"{max(_MOST - len(full) + len(role.name), 1)} characters.",
            )


RULE = Rule(
    code="FED511",
    name="tool-name-too-long",
    summary="The name of a function is too long for the providers of models.",
    severity="warning",
    triggers=("function",),
    named_here=True,
    since="5.0.0",
    check=_check,
    what="Adds up `app_id`, two underscores and the name of each `@chat.function`; more than 64 "
    "characters are reported. A regression guard: no known extension does it.",
    why="""
Providers cap names of tools at 64 characters. The kernel then uses an alias: nothing breaks, but
the model chooses among names that it cannot read. Before SDK 5.0.0 its own chat router gave the
model the bare names.
""",
    example='@chat.function("list_all_notes_of_the_user_that_changed_since_yesterday_noon", "…")',
    instead='@chat.function("list_changed_notes", "…")',
    references=("I-TOOL-NAME-PROVIDER-SAFE", "imperal_sdk validator: V33"),
    bad=(
        Example(
            f'\n@chat.function("{"a" * 58}", "Lists")\nasync def f(ctx, p):\n    return None\n',
            holds="65",
        ),
        Example(
            f'\n@chat.function("{"a" * 58}", "Lists")\nasync def f(ctx, p):\n    return None\n',
            sdk="5.0.0",
        ),
    ),
    good=(
        Example(
            f'\n@chat.function("{"a" * 57}", "Lists")\nasync def f(ctx, p):\n    return None\n'
        ),
        Example(f'\n@ext.tool("{"a" * 80}")\nasync def f(ctx):\n    return None\n'),
        Example(
            f'\n@chat.function("{"a" * 58}", "Lists")\nasync def f(ctx, p):\n    return None\n',
            sdk="4.2.16",
        ),
    ),
)
