"""FED521: a call passes a deprecated argument."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...inference.values.values import Const, SdkClass
from ...rule import Example, Hit, Rule
from ...sdk_use.calls import arguments
from ...view import FileView

_TRIGGER = "ChatExtension"
_NAME = "model"
_POSTPONED = "5.0.1"
"""Release from which the warning says that 6.0.0 removes ``model=``; before, it said 4.0.0."""


def _check(view: FileView) -> Iterator[Hit]:
    end = "6.0.0" if view.surface.at_least(_POSTPONED) else "4.0.0"
    for call in view.extension.project.calls_by_name(view.module, _TRIGGER):
        if not any(_is_chat(item.value) for item in view.values(call.func)):
            continue
        given = arguments(view, call, _TRIGGER, "__init__").get(_NAME)
        if given is not None and not _is_none(view, given):
            yield Hit(
                node=given,
                message="model= of ChatExtension is deprecated since 3.3.0\nThe platform chooses "
                f"the model, and {view.sdk} writes a warning into the log that {end} removes it. "
                "6.3.7 still takes it; once it is gone, this line raises TypeError at import. "
                "Leave model= out.",
            )


def _is_chat(value: object) -> bool:
    return isinstance(value, SdkClass) and value.cls == _TRIGGER


def _is_none(view: FileView, node: ast.expr) -> bool:
    return all(
        isinstance(item.value, Const) and item.value.value is None for item in view.values(node)
    )


RULE = Rule(
    code="FED521",
    name="deprecated-argument",
    summary="`ChatExtension` chooses no model any more.",
    severity="info",
    since="3.3.0",
    triggers=(_TRIGGER,),
    named_here=True,
    check=_check,
    what="""
Finds `ChatExtension(…, model=…)`. The argument is deprecated since SDK 3.3.0, which announced
that it goes with 4.0.0, and 5.0.1 that it goes with 6.0.0; the code of 6.3.7 still takes it and
warns.
""",
    why="""
The platform chooses the model of each call. The argument changes nothing, and will one day stop the
extension from loading.
""",
    example='chat = ChatExtension(ext, tool_name="notes", description="Notes", model="small")',
    instead='chat = ChatExtension(ext, tool_name="notes", description="Notes")',
    references=("SDK sources: chat/extension.py ChatExtension",),
    bad=(
        Example(
            '\nother = ChatExtension(ext, "notes", "Notes", model="small")\n',
            sdk="5.0.1",
            holds="log that 6.0.0 removes it",
        ),
        Example(
            '\nother = ChatExtension(ext, "notes", "Notes", model="small")\n',
            sdk="3.3.0",
            holds="log that 4.0.0 removes it",
        ),
        Example(
            '\nother = ChatExtension(ext, "notes", "Notes", model="small")\n',
            sdk="5.0.0",
            holds="log that 4.0.0 removes it",
        ),
        Example(
            "\nfrom imperal_sdk import ChatExtension as Chat\nfrom settings import MODEL\n\n"
            'other = Chat(ext, "notes", "Notes", "", MODEL)\n',
            {"settings.py": 'MODEL = "small"\n'},
        ),
    ),
    good=(
        Example(
            '\nother = ChatExtension(ext, "notes", "Notes", model=None, max_rounds=3)\n\n\n'
            '@ext.tool("t")\nasync def t(ctx):\n'
            '    return await ctx.ai.complete("x", model="small")\n'
        ),
        Example('\nother = ChatExtension(ext, "notes", "Notes", model="small")\n', sdk="3.2.0"),
    ),
)
