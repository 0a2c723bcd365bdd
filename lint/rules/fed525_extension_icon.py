"""FED525: an extension without the icon that publishing demands."""

from __future__ import annotations

from collections.abc import Iterator

from ..queries.extension_calls import TRIGGER, extension_calls, no_text, problem_of, refused
from ..rule import Example, Hit, Rule
from ..view import FileView

_ADVICE = 'Put an SVG file with a viewBox beside the code and write icon="icon.svg".'


def _check(view: FileView) -> Iterator[Hit]:
    for made in extension_calls(view):
        found = problem_of(view, made, "icon", _bad_icon)
        if found is not None:
            yield refused(view, found, "V21", _ADVICE)


def _bad_icon(value: object) -> str:
    if not value:
        return "the extension has no icon, which the marketplace shows to users"
    if not isinstance(value, str):
        return no_text("icon", repr(value))
    if value.lower().endswith(".svg"):
        return ""
    shown = value if len(value) <= 40 else f"{value[:37]}…"
    return f"icon is {shown!r}, and not the name of a file that ends with .svg"


RULE = Rule(
    code="FED525",
    name="extension-icon",
    summary="An extension names an SVG file as its icon.",
    severity="error",
    since="4.0.0",
    triggers=(TRIGGER,),
    named_here=True,
    check=_check,
    what="""
Looks at each call `Extension(…)` of the SDK: `icon=` must be there and end with `.svg`, in upper or
lower case. Literals and constants are judged, also those of other files; what `**settings` may
hold, and what code assigns later (`ext.icon = …`), is not known and not judged. An extension that
is made inside a function or a branch is a warning.

The file itself is not read. The validator also wants it to be well-formed XML of at most 100 KB
with the root `<svg>`, a `viewBox`, and no picture in base64 inside.
""",
    why="""
The SDK's validator runs before an extension is published and reports V21 as an error. The
marketplace shows the icon in many sizes, which a picture made of pixels does not survive.
""",
    example='ext = Extension("notes", icon="icon.png")',
    instead='ext = Extension("notes", icon="icon.svg")',
    references=("SDK sources: validator.py V21",),
    bad=(
        Example(
            """
from imperal_sdk import Extension

ext = Extension("notes", display_name="Notes")
""",
            holds="has no icon",
        ),
        Example(
            """
from imperal_sdk import Extension as Made

from texts import ICON

ext = Made("notes", icon=f"assets/{ICON}")
""",
            {"texts.py": 'ICON = "icon.png"\n'},
            holds="'assets/icon.png'",
        ),
        Example(
            """
from imperal_sdk import Extension

if DEBUG:
    ext = Extension("notes", icon="")
else:
    ext = Extension("notes", icon="icon.svg")
""",
            severity="warning",
        ),
    ),
    good=(
        Example(
            """
from pathlib import Path

from imperal_sdk import Extension

first = Extension("notes", icon="assets/Icon.SVG")
second = Extension("notes", icon=str(Path(__file__).with_name("icon.png")))
third = Extension("notes", **load())
"""
        ),
        Example(
            """
from imperal_sdk import App, Extension


class Extended(Extension):
    pass


first = App("notes")
second = Extended("notes")
"""
        ),
        Example(
            """
from imperal_sdk import Extension

ext = Extension("notes")
other = Extension("notes", icon="icon.png")
""",
            sdk="3.7.0",
        ),
        Example(
            """
from imperal_sdk import Extension

try:
    ext = Extension("notes", icon="icon.svg")
except TypeError:
    ext = Extension("notes")
"""
        ),
    ),
)
