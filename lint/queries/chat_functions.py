"""The ``@chat.function`` handlers of a file, as the SDK's validator looks at them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from ..model.arguments import shows_all
from ..model.calling import constant_text
from ..model.handlers import EXTENSIONS
from ..model.roles import Role
from ..model.values import Const, SdkClass
from ..view import FileView, ProjectView, asked_once
from .sdk_calls import arguments
from .spread_arguments import shown

TRIGGER = "function"
WRITING = frozenset({"write", "destructive"})


class ChatFunction(msgspec.Struct, frozen=True, eq=False):
    """A handler and its decorator.

    Attributes:
        call: the decorator.
        action: ``read`` (the default), ``write`` or ``destructive``; empty if it is not known.
        arguments: name → argument of the decorator.
    """

    function: ast.FunctionDef | ast.AsyncFunctionDef
    role: Role
    call: ast.Call
    action: str
    arguments: dict[str, ast.expr]


@asked_once
def chat_functions(view: FileView) -> tuple[ChatFunction, ...]:
    """Return the chat functions of a file; not those whose decorator hides arguments."""
    return tuple(_declared(view))


def _declared(view: FileView) -> Iterator[ChatFunction]:
    for function, role in view.handlers():
        call = role.call
        if role.kind != "function" or not isinstance(call, ast.Call):
            continue
        if not shows_all(shown(view, call)):
            continue
        given = arguments(view, call, "ChatExtension", "function")
        written = given.get("action_type")
        action = "read" if written is None else constant_text(view.evaluator, view.module, written)
        yield ChatFunction(function, role, call, action or "", given)


def app_id(extension: ProjectView) -> str:
    """Return the id of the extension, if the code names exactly one; else an empty text."""
    found: set[str] = set()
    for module in extension.project.mentioning("imperal_sdk"):
        view = FileView(extension, module)
        calls = (extension.project.calls_by_name(module, name) for name in EXTENSIONS)
        for call in (call for found in calls for call in found):
            for item in view.values(call.func):
                if isinstance(item.value, SdkClass) and item.value.cls in EXTENSIONS:
                    given = arguments(view, call, item.value.cls, "__init__").get("app_id")
                    values = view.values(given) if given is not None else ()
                    found.update(
                        str(each.value.value) for each in values if isinstance(each.value, Const)
                    )
    return found.pop() if len(found) == 1 else ""
