"""FED112: the constructor of an extension gets arguments that the SDK rejects."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...inference.values.values import SdkClass
from ...rule import Example, Hit, Rule
from ...sdk_use.guards import refusal_expected
from ...sdk_use.import_errors import Runs, failure
from ...sdk_use.reach import is_replaced
from ...sdk_use.sdk_objects import call_problems
from ...view import FileView
from .support.rejected_calls import TYPE_ERROR, parameters_of

_CLASSES = ("Extension", "ChatExtension", "App")


def _check(view: FileView) -> Iterator[Hit]:
    seen: set[ast.Call] = set()
    for name in _CLASSES:
        for call in view.extension.project.calls_by_name(view.module, name):
            if call not in seen:
                seen.add(call)
                yield from _call(view, call)


def _call(view: FileView, call: ast.Call) -> Iterator[Hit]:
    values = [item.value for item in view.values(call.func)]
    found = next((value for value in values if isinstance(value, SdkClass)), None)
    if found is None or found.cls not in _CLASSES:
        return
    member = view.surface.member(found.cls, "__init__")
    spec = member.signature if member is not None else None
    problems = call_problems(call, spec) if spec is not None else []
    if spec is not None and problems and not is_replaced(view, found.cls, "__init__"):
        expected = refusal_expected(view, call)
        comes = failure(view, call, TYPE_ERROR)
        when = "" if comes.runs is Runs.LATER else " at import"
        doubtful = comes.severity == "error" and len(values) > 1
        yield Hit(
            node=call,
            message=f"{found.cls}(…) raises TypeError{when}: it {'; it '.join(problems)}\n"
            f"Judged for {view.sdk}{f', as {expected} expects' if expected else comes.effect}. "
            f"{parameters_of(call, spec)}",
            severity="info" if expected else "warning" if doubtful else comes.severity,
        )


RULE = Rule(
    code="FED112",
    name="wrong-constructor-arguments",
    summary="`Extension`, `ChatExtension` and `App` take the arguments that they declare.",
    severity="error",
    triggers=_CLASSES,
    named_here=True,
    check=_check,
    what="""
Compares each call of `Extension(…)`, `ChatExtension(…)` and `App(…)` with the signature of the
target version: a parameter that it does not have, one that is missing, one that is given twice.

A call whose exception the code catches, around it or around the import of its file, is an info;
behind a condition it is a warning. A constructor that the extension replaces is not judged.
""",
    why="The call stands at the top of the entry file. It raises `TypeError` when the extension is "
    "loaded, so that none of its functions exists.",
    example='ext = Extension("notes", title="Notes")',
    instead='ext = Extension("notes", display_name="Notes")',
    references=("imperal_sdk.Extension", "imperal_sdk.ChatExtension", "imperal_sdk.App"),
    bad=(
        Example('\nother = Extension("notes", title="Notes")\n', holds="no parameter title"),
        Example("\nother = ChatExtension()\n", holds="needs ext"),
        Example(
            'from imperal_sdk import Extension\n\next = Extension("n", display_name="Notes")\n',
            sdk="3.7.0",
            holds="no parameter display_name",
        ),
        Example(
            """
from imperal_sdk import Extension

try:
    ext = Extension("n", system=True)
except TypeError:
    ext = Extension("n")
""",
            sdk="3.7.0",
            severity="info",
            holds="as except TypeError expects",
        ),
    ),
    good=(
        Example(
            """
from imperal_sdk import App

SETTINGS = {"display_name": "Notes"}
first = Extension("notes", "1.0.0", ["notes:read"], **SETTINGS)
second = ChatExtension(first, tool_name="notes", description="Notes")
third = App("notes", name="Notes", anything=1)


class Mine(Extension):
    def __init__(self, title):
        super().__init__("notes", display_name=title)


fourth = Mine(title="Notes")
"""
        ),
        Example(
            """
class Extension:
    def __init__(self, title):
        self.title = title


other = Extension(title="Notes")
"""
        ),
    ),
)
