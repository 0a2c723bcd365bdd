"""FED525: the extension lacks the icon that publishing requires."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from ...files.icons import LARGEST, Icon
from ...rule import Example, Hit, Rule
from ...sdk_use.extension_calls import TRIGGER, extension_calls, no_text, problem_of, refused
from ...view import FileView

_ADVICE = 'Put an SVG file with a viewBox beside the code and write icon="icon.svg".'
_MEND = 'It must be SVG of at most 100 KB: <svg viewBox="0 0 24 24">, without pictures inside.'
_PARSED = "4.0.1"
"""Release from which V21 parses the file; before, it searched the first 2,048 bytes."""


def _check(view: FileView) -> Iterator[Hit]:
    for made in extension_calls(view):
        found = problem_of(view, made, "icon", _bad_icon)
        if found is not None:
            yield refused(view, found, "V21", _ADVICE)
            continue
        icons = view.extension.project.icons
        found = problem_of(view, made, "icon", partial(_bad_file, view, icons)) if icons else None
        if found is not None:
            yield refused(view, found, "V21", _MEND)
        judged = icons and view.extension.project.manifest_text  # else it may be a part of one
        lost = problem_of(view, made, "icon", partial(_lost_file, icons)) if judged else None
        if lost is not None:
            yield Hit(
                node=lost.node,
                message=f"{lost.text}\nThe validator of {view.sdk} does not mind, and the "
                f"marketplace has nothing to show. {_ADVICE}",
                severity="warning",
            )


def _lost_file(icons: Mapping[str, Icon | None], value: object) -> str:
    if not isinstance(value, str) or value not in icons or icons[value] is not None:
        return ""
    return f"the extension has no file {value}, which it names as its icon"


def _bad_file(view: FileView, icons: Mapping[str, Icon | None], value: object) -> str:
    """Return what V21 rejects in a file, as far as it was read."""
    icon = icons.get(value) if isinstance(value, str) else None
    if icon is None:
        return ""
    if icon.size > LARGEST:
        return f"the icon {value} has {icon.size:,} bytes, and {LARGEST:,} are allowed"
    if not view.surface.at_least(_PARSED) or b"<!ENTITY" in icon.data:
        return ""  # entities are what hostile files grow by; nobody needs them in an icon
    return _bad_content(str(value), icon.data)


def _bad_content(name: str, data: bytes) -> str:
    from xml.etree import ElementTree as ET

    try:
        root = ET.fromstring(data)  # noqa: S314 - small, and without entities
    except ET.ParseError as error:
        return f"the icon {name} is no well-formed XML ({error})"
    except (ValueError, LookupError):  # an encoding that nobody reads
        return ""
    tag = root.tag.rpartition("}")[2]
    if tag != "svg":
        return f"the root element of the icon {name} is <{tag}>, not <svg>"
    if not root.get("viewBox"):
        return f"the <svg> of the icon {name} has no viewBox, by which it is drawn in each size"
    for part in root.iter():
        link = part.get("href") or part.get("{http://www.w3.org/1999/xlink}href") or ""
        is_raster = link.startswith("data:image") and "base64" in link
        if is_raster and part.tag.rpartition("}")[2] == "image":
            return f"the icon {name} holds a picture in base64"
    return ""


def _bad_icon(value: object) -> str:
    if not value:
        return "the extension has no icon, which the marketplace shows to users"
    if not isinstance(value, str):
        return no_text("icon", repr(value))
    if value.lower().endswith(".svg"):
        return ""
    shown = value if len(value) <= 40 else f"{value[:37]}…"
    return f"icon is {shown!r}, and not the name of a file that ends with .svg"


_NAMED = """
from imperal_sdk import Extension

ext = Extension("notes", icon="icon.svg")
"""
_SVG = '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{}</svg>'

RULE = Rule(
    code="FED525",
    name="missing-or-invalid-icon",
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

The file is read if the code names it as an icon (`icon="icon.svg"`, `ICON = "assets/icon.svg"`), in
the folder of `main.py` or `app.py`, where the validator looks for it too: it must be well-formed
XML of at most 100 KB with the root `<svg>`, a `viewBox`, and no picture in base64 inside. One that
is not there beside a manifest is a warning: the validator passes over it. Files behind links are
not judged.
""",
    why="""
The SDK's validator runs before an extension is published and reports V21 as an error. The
marketplace shows the icon in many sizes, which a picture made of pixels does not survive.
""",
    example='ext = Extension("notes", icon="icon.png")',
    instead='ext = Extension("notes", icon="icon.svg")',
    references=("SDK sources: validator.py V21",),
    bad=(
        Example(_NAMED, {"icon.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>'}, holds="viewBox"),
        Example(_NAMED, {"icon.svg": '<svg viewBox="0 0 1 1">'}, holds="no well-formed XML"),
        Example(_NAMED, {"icon.svg": '<div viewBox="0 0 1 1"/>'}, holds="is <div>, not <svg>"),
        Example(_NAMED, {"icon.svg": _SVG.format(" " * 103_000)}, holds="103,0"),
        Example(
            _NAMED,
            {"icon.svg": _SVG.format('<image href="data:image/png;base64,AAAA"/>')},
            holds="in base64",
        ),
        Example(_NAMED, {"imperal.json": "{}"}, severity="warning", holds="has no file icon.svg"),
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
        Example(_NAMED),
        Example(_NAMED, {"imperal.json": "{}", "icon.svg": _SVG.format("")}),
        Example(_NAMED, {"icon.svg": _SVG.format('<image href="#a"/>')}),
        Example(_NAMED, {"icon.svg": '<svg viewbox="0 0 1 1">'}, sdk="4.0.0"),
        Example(
            """
from imperal_sdk import Extension

ICON = "other.svg"
first = Extension("notes", icon="../icon.svg")
second = Extension("notes", icon="build/icon.svg")
third = Extension("notes", icon="/srv/icon.svg")
""",
        ),
        Example(
            """
from pathlib import Path

from imperal_sdk import Extension

first = Extension("notes", icon="assets/Icon.SVG")
second = Extension("notes", icon=str(Path(__file__).with_name("icon.png")))
third = Extension("notes", **load())
""",
            {"imperal.json": "{}", "assets/Icon.SVG": _SVG.format("")},
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
""",
            {"imperal.json": "{}", "icon.svg": _SVG.format("")},
        ),
    ),
)
