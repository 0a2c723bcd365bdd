"""FED524: the SDK's validator rejects the declaration of the extension."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ...rule import Example, Hit, Rule
from ...sdk_use.extension_calls import (
    TRIGGER,
    ExtensionCall,
    declared_id,
    extension_calls,
    no_text,
    problem_of,
    refused,
)
from ...view import FileView

_APP_ID = re.compile(r"^[a-z0-9][a-z0-9-]*[a-z0-9]$")
"""As in validator.py: ``$`` also matches before a final line feed."""
_VERSION = re.compile(r"^\d+\.\d+\.\d+")
_DESCRIPTION = 40
_NAME = 3
_TYPED = "4.0.0"
"""Release that added the other arguments and the checks V14 to V21."""

Check = tuple[str, str, Callable[[object], str], Callable[[object], str]]


def _check(view: FileView) -> Iterator[Hit]:
    for made in extension_calls(view):
        for name, number, wrong, advice in _checks(view, made):
            found = problem_of(view, made, name, wrong)
            if found is not None:
                yield refused(view, found, number, advice(found.value))


def _checks(view: FileView, made: ExtensionCall) -> Iterator[Check]:
    if "app_id" in made.given:
        yield "app_id", "V1", _bad_id, _id_advice
    yield "version", "V2", _bad_version, _version_advice
    if not view.surface.at_least(_TYPED):
        return
    own = declared_id(view, made)
    yield "description", "V14", lambda value: _bad_description(value, own), _description_advice
    yield "display_name", "V15", lambda value: _bad_name(value, own), lambda _: _name_advice(own)
    yield "actions_explicit", "V19", _bad_flag, _flag_advice


def _bad_id(value: object) -> str:
    if not value:
        return "app_id is empty"
    if not isinstance(value, str):
        return _no_text("app_id", value)
    if _APP_ID.match(value):
        return ""
    return f"app_id is {_shown(value)}, not lower-case letters, digits and inner hyphens"


def _id_advice(value: object) -> str:
    slug = re.sub(r"[^a-z0-9]+", "-", str(value).lower()).strip("-")
    return f'Write app_id="{slug if value and _APP_ID.match(slug) else "notes"}".'


def _bad_version(value: object) -> str:
    if not value:
        return "version is empty"
    if not isinstance(value, str):
        return _no_text("version", value)
    if _VERSION.match(value):
        return ""
    return f"version is {_shown(value)}, which does not begin with three numbers with dots between"


def _version_advice(value: object) -> str:
    numbers = re.fullmatch(r"\d{1,5}(?:\.\d{1,5})?", str(value))
    parts = [*numbers.group().split("."), "0", "0"] if numbers else ["1", "0", "0"]
    return f'Write version="{".".join(parts[:3])}".'


def _bad_description(value: object, own: str) -> str:
    if value and not isinstance(value, str):
        return _no_text("description", value)
    length = len(value.strip()) if isinstance(value, str) else 0
    if not length:
        return "the extension has no description, so that users who ask what it does get a bare id"
    if length < _DESCRIPTION:
        return (
            f"the description has {length} characters and needs {_DESCRIPTION}; it is what users "
            "get who ask what the extension does"
        )
    return (
        "the description is the app_id" if isinstance(value, str) and value.strip() == own else ""
    )


def _description_advice(_: object) -> str:
    return (
        f'Write description="…": what it does for the user, in {_DESCRIPTION} characters or more.'
    )


def _bad_name(value: object, own: str) -> str:
    if value and not isinstance(value, str):
        return _no_text("display_name", value)
    name = value.strip() if isinstance(value, str) else ""
    if not name:
        return "the extension has no display_name, so that users see its id"
    if len(name) < _NAME:
        return f"display_name is {_shown(name)}, shorter than {_NAME} characters"
    return "display_name is the app_id, so that users see an id" if name == own else ""


def _name_advice(own: str) -> str:
    name = own.replace("-", " ").title().strip()
    fits = len(name) >= _NAME and name != own and re.fullmatch(r"[\w ]+", name)
    return f'Write display_name="{name if fits else "My Notes"}".'


def _bad_flag(value: object) -> str:
    return "" if value else f"actions_explicit is {_shown(value)}"


def _flag_advice(_: object) -> str:
    return "Write actions_explicit=True, or nothing: that is the default."


def _no_text(name: str, value: object) -> str:
    """Say that the validator fails on a value that is no text; some bytes it accepts."""
    if isinstance(value, bytes):
        return ""
    return no_text(name, _shown(value))


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"


RULE = Rule(
    code="FED524",
    name="invalid-extension-declaration",
    summary="An extension declares its id, version, name and description as publishing demands.",
    severity="error",
    since="1.0.0",
    triggers=(TRIGGER,),
    named_here=True,
    check=_check,
    what="""
Looks at each call `Extension(…)` of the SDK and at five of its arguments, given or by default:

| argument | must be | validator |
|---|---|---|
| `app_id` | two or more of `a-z`, `0-9` and `-`, no hyphen at either end | V1, from 1.0.0 |
| `version` | a text that begins like `1.0.0` | V2, from 1.0.0 |
| `description` | at least 40 characters without blanks around it; not `app_id` | V14, from 4.0.0 |
| `display_name` | at least 3 characters without blanks around it; not `app_id` | V15, from 4.0.0 |
| `actions_explicit` | `True`, the default | V19, from 4.0.0 |

Literals and constants are judged, also those of other files. What `**settings` may hold, and what
code assigns later (`ext.description = …`), is not known and not judged. A value that stands there
only sometimes, or an extension made inside a function or a branch, is a warning.
""",
    why="""
The SDK's validator runs before an extension is published and reports each of these as an error.
Description and name are also what users see of the extension.
""",
    example='ext = Extension("My_Notes", version="1.0", description="Notes")',
    instead="""
ext = Extension(
    "my-notes",
    version="1.0.0",
    display_name="My Notes",
    description="Keeps the notes of the user in folders and finds them again",
    icon="icon.svg",
)
""",
    references=("SDK sources: validator.py V1, V2, V14, V15, V19",),
    bad=(
        Example(
            """
from imperal_sdk import Extension

TEXT = "Keeps the notes of the user in folders and finds them again"
ext = Extension("My_Notes", "1.0.0", display_name="Notes", description=TEXT)
""",
            holds='Write app_id="my-notes"',
        ),
        Example(
            """
from imperal_sdk import Extension

ext = Extension("notes", version="v1.0")
""",
            sdk="3.7.0",
            holds="version is 'v1.0'",
        ),
        Example(
            """
from imperal_sdk import Extension

ext = Extension("notes", display_name="Notes", description="  Keeps the notes of the user.      ")
""",
            holds="has 28 characters and needs 40",
        ),
        Example(
            """
from imperal_sdk import Extension

from texts import ABOUT

ext = Extension("my-notes", description=ABOUT)
""",
            {"texts.py": 'ABOUT = "Keeps the notes of the user in folders and finds them again"\n'},
            holds='Write display_name="My Notes"',
        ),
        Example(
            """
import imperal_sdk
from imperal_sdk import ChatExtension

ext = imperal_sdk.Extension(
    "notes",
    display_name="Notes",
    description="Keeps the notes of the user in folders and finds them again",
    actions_explicit=False,
)
""",
            holds="V19",
        ),
        Example(
            """
from imperal_sdk import Extension


def make():
    return Extension(
        "notes",
        display_name="notes",
        description="Keeps the notes of the user in folders and finds them again",
    )
""",
            severity="warning",
            holds="display_name is the app_id",
        ),
    ),
    good=(
        Example(
            """
from imperal_sdk import Extension

WHAT = "the notes of the user"
ext = Extension(
    "n2",
    version="1.0.0-rc1",
    display_name=" N2! ",
    description=f"Keeps {WHAT} in folders, and finds them.",
)
"""
        ),
        Example(
            """
from imperal_sdk import Extension

ext = Extension("notes")
other = Extension("notes", description="Notes")
""",
            sdk="3.7.0",
        ),
        Example(
            """
import os

from imperal_sdk import Extension

settings = {"display_name": "Notes"}
settings.update(load())
ext = Extension("notes", version=os.environ["VERSION"], **settings)
"""
        ),
        Example(
            """
from imperal_sdk import Extension

ext = Extension("notes")
ext.display_name = "Notes"
setattr(ext, "description", load())
"""
        ),
        Example(
            """
from imperal_sdk import Extension


class Mine(Extension):
    def __init__(self):
        super().__init__("notes", display_name="Notes", description=load())


ext = Mine()
"""
        ),
        Example(
            """
from somewhere import Extension
from imperal_sdk import ActionResult

ext = Extension("My_Notes")
"""
        ),
    ),
)
