"""Declarations that raise while the extension is loaded, beside those that the SDK takes."""

from __future__ import annotations

import pytest

from .conftest import Lint

_HANDLER = "\n\nasync def _f(ctx): ...\n\n\next.{}(_f)\n"
_SECRET = '\next.secret("key", "Key of the service", {})\n'
_SINK = '\next.file_sink("create_note", {})\n'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (_HANDLER.format('tray("a", zone=None)'), 1),
        (_HANDLER.format('tray("a", "Mail", "Unread", "system")'), 0),
        (_HANDLER.format('tray("a", "Mail", "Unread", "top")'), 1),
        (_HANDLER.format('tray("a", badge_style="dot")'), 1),
        (_HANDLER.format('tray("a", badge_style="corner")'), 0),
        (_HANDLER.format('tray("a", icon_color="#ff0000")'), 1),
        (_HANDLER.format('tray("a", icon_color="Red")'), 1),
        (_HANDLER.format('tray("a", icon_color="red")'), 0),
        (_HANDLER.format('menu_item("a", section="account")'), 1),
        (_HANDLER.format('menu_item("a", section="system")'), 1),
        (_HANDLER.format('menu_item("a", section="main")'), 0),
        (_HANDLER.format('emits("created")'), 1),
        (_HANDLER.format('emits("notes2.created")'), 1),
        (_HANDLER.format('emits("notes.note.created")'), 0),
        (_HANDLER.format('skeleton("a", ttl=None)'), 0),
        (_HANDLER.format('skeleton("a", ttl=0.5)'), 0),
        (_HANDLER.format('skeleton("a", ttl="1h")'), 1),
        (_HANDLER.format('panel("a", slot="left")'), 0),
        ('\next.secret("Key", "Key of the service")\n', 1),
        ('\next.secret(7, "Key of the service")\n', 1),
        ('\next.secret("key", "  ")\n', 1),
        ('\next.secret("key", None)\n', 1),
        (_SECRET.format('write_mode="ext"'), 1),
        (_SECRET.format('write_mode="extension"'), 0),
        (_SECRET.format("max_bytes=0"), 1),
        (_SECRET.format("max_bytes=65537"), 1),
        (_SECRET.format('max_bytes="100"'), 1),
        (_SECRET.format("max_bytes=1"), 0),
        (_SECRET.format("rotation_hint_days=0"), 1),
        (_SECRET.format("rotation_hint_days=None"), 0),
        (_SECRET.format('scope="tenant"'), 1),
        (_SECRET.format('scope="app", env_fallback="KEY"'), 1),
        (_SECRET.format('scope=load(), env_fallback="IMPERAL_APPSECRET_KEY"'), 0),
        (_SECRET.format('env_fallback="IMPERAL_APPSECRET_KEY", **more'), 0),
        (_SECRET.format("env_fallback=None"), 0),
        ('\next.file_sink("create-note", accepts=["doc"], arg="body")\n', 1),
        (_SINK.format('accepts=[], arg="body"'), 1),
        (_SINK.format('accepts=None, arg="body"'), 1),
        (_SINK.format('accepts={"doc"}, arg="body"'), 0),
        (_SINK.format('accepts=["doc"], arg=""'), 1),
        (_SINK.format('accepts=["doc"], arg="body", arg_kind="bytes"'), 1),
        (_SINK.format('accepts=["doc"], arg="body", arg_kind="bytes_ref"'), 0),
        (_SINK.format(f'accepts=["doc"], arg="body", description="{"d" * 201}"'), 1),
        (_SINK.format(f'accepts=["doc"], arg="body", description="{"d" * 200}"'), 0),
    ],
)
def test_an_argument_that_the_sdk_refuses(lint: Lint, text: str, expected: int) -> None:
    """Each value is judged as the SDK's own test judges it."""
    assert expected == len(lint("FED530", text))


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        ("class Page: ...", 1),
        ("@dataclass\nclass Page:\n    total: int", 1),
        ("class Page(TypedDict):\n    total: int", 1),
        ("class Page(BaseModel): ...", 0),
        ("class Page(Count): ...", 0),
        ("class Page(sdl.Entity): ...", 0),
        ("@made\nclass Page: ...", 0),
    ],
)
@pytest.mark.parametrize(
    "form", ['{}\n\n\next.cache_model("page")(Page)', '@ext.cache_model("page")\n{}']
)
def test_a_class_that_is_no_model(lint: Lint, declared: str, expected: int, form: str) -> None:
    """Only a class that certainly extends no model of pydantic is marked."""
    imports = "\nfrom dataclasses import dataclass\nfrom typing import TypedDict\n\n"
    text = f"{imports}from elsewhere import made, sdl\n\n\n{form.format(declared)}\n"
    assert expected == len(lint("FED530", text))


def test_where_it_stands_decides(lint: Lint) -> None:
    """What is caught is an info, what runs under a condition a warning."""
    text = """
import os

try:
    ext.secret("A", "Key of the service")
except ValueError:
    pass
if os.getenv("BETA"):
    ext.secret("B", "Key of the service")
try:
    ext.secret("C", "Key of the service")
except TypeError:
    pass
"""
    assert ["info", "warning", "error"] == [item.severity for item in lint("FED530", text)]


def test_an_event_is_compared_with_its_own_extension(lint: Lint) -> None:
    """Two extensions in one file have their own ids; one that is not known is left alone."""
    text = """
import os

from imperal_sdk import Extension

notes = Extension("notes")
tags = Extension(os.environ["APP_ID"])


@notes.emits("tags.created")
@notes.emits("notes.created")
@tags.emits("notes.created")
async def created(ctx): ...


def declare(ext):
    ext.emits("other.created")
"""
    (found,) = lint("FED530", text)
    assert 'in front: "notes.…"' in found.message


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ('name if name.startswith("notes.") else "notes." + name', 0),
        ('name if name.startswith("m") else "notes." + name', 1),
        ('"notes." + name if name.isalpha() else name', 0),
        ('name if not name.endswith(".made") else "notes.x"', 1),
        ("name if name.startswith(name) else name", 1),
    ],
)
def test_names_that_are_made_whole(lint: Lint, name: str, expected: int) -> None:
    """What ``startswith`` says of a constant decides where it goes."""
    text = (
        "from imperal_sdk import Extension\n\next = Extension('notes')\n\n\n"
        f"def emits(name):\n    return ext.emits({name})\n\n\n"
        "@emits('made')\nasync def made(ctx): ...\n"
    )
    assert expected == len(lint("FED530", text))
