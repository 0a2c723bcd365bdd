"""FED530: a declaration that the SDK refuses while the extension is loaded."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...inference.values.models import is_model
from ...inference.values.values import Class, Value
from ...rule import Example, Hit, Rule
from ...sdk_use.calls import SdkCall, applied_to, sdk_calls
from ...sdk_use.import_errors import failure
from ...sdk_use.sdk_objects import source_of
from ...view import FileView
from .support.refused_arguments import LIMITS, MOST_BYTES, MOST_LETTERS, refused_declarations

_MODEL = "cache_model"
_PARENTS = {"ValidationError": "ValueError"}


def _check(view: FileView) -> Iterator[Hit]:
    for call in sdk_calls(view, "Extension", *LIMITS, _MODEL):
        yield from _of_model(view, call) if call.method == _MODEL else _of_arguments(view, call)


def _of_arguments(view: FileView, call: SdkCall) -> Iterator[Hit]:
    for found in refused_declarations(view, call):
        told = f"{source_of(call.node.func)} with {found.name}={found.value} raises {found.raised}"
        yield _hit(view, call, found.node, found.raised, told, found.instead, certain=found.certain)


def _of_model(view: FileView, call: SdkCall) -> Iterator[Hit]:
    given = applied_to(view.module, call.node)
    if isinstance(given, ast.ClassDef):
        values: list[Value] = [Class(view.module, given)]
    else:
        values = [item.value for item in view.values(given)] if given is not None else []
    wrong = [it for it in values if isinstance(it, Class) and is_model(view.evaluator, it) is False]
    if wrong:
        name = wrong[0].node.name
        told = f"{name} is no pydantic model: {source_of(call.node.func)} raises TypeError"
        instead = f"class {name}(BaseModel)"
        certain = len(wrong) == len(values)
        yield _hit(view, call, call.node, "TypeError", told, instead, certain=certain)


def _hit(
    view: FileView,
    call: SdkCall,
    node: ast.expr,
    raised: str,
    told: str,
    instead: str,
    *,
    certain: bool,
) -> Hit:
    comes = failure(view, call.node, raised, _PARENTS.get(raised, raised))
    is_sure = (call.certain and certain) or comes.severity == "info"
    return Hit(
        node=node,
        message=f"{told} in {view.sdk}{comes.effect}. Write {instead}.",
        severity=comes.severity if is_sure else "warning",
        chain=view.chain(call.item),
    )


_LIKE = """
@ext.tray("unread", zone="{}")
async def unread(ctx): ...
"""

RULE = Rule(
    code="FED530",
    name="declaration-refused-by-sdk",
    summary="The SDK refuses what a declaration is given, and the extension does not load.",
    severity="error",
    triggers=tuple(sorted({*LIMITS, _MODEL})),
    named_here=True,
    since="1.5.22",
    check=_check,
    what=f"""
Finds arguments on which a declaration raises an exception:

- `@ext.tray`: another `zone` than `status`, `actions`, `system`, an unknown `badge_style` or
  `icon_color`.
- `@ext.menu_item`: another `section` than `main` and `admin`; `account` and `footer` are the
  platform's own.
- `@ext.emits`: an event without a dot, or of another `app_id`.
- `@ext.cache_model` on a class that is no pydantic model; a dataclass or a TypedDict is none.
- `ext.secret`: a name that is not in small letters, digits and `_`, an empty description, an
  unknown `write_mode` or `scope`, `max_bytes` over {MOST_BYTES:,}, `rotation_hint_days` below 1, an
  `env_fallback` without `scope="app"` or outside `IMPERAL_APPSECRET_…`.
- `ext.file_sink`: a tool's name of another shape, `accepts` that is empty or no list, an empty
  `arg`, an unknown `arg_kind`, a description over {MOST_LETTERS} characters.
- `@ext.skeleton`: a `ttl` that is no number, `"5m"`.

Each where the target version has the argument. Slots of panels are FED512's, names of sections
FED222's. Where the code catches the exception it is an info.
""",
    why="""
These methods look at their arguments while the module is imported. One wrong word, and none of the
extension's functions and panels can be called.
""",
    example='@ext.tray("unread", zone="left")\nasync def unread(ctx): ...',
    instead='@ext.tray("unread", zone="status")\nasync def unread(ctx): ...',
    references=(
        "imperal_sdk.Extension.tray, menu_item, emits, cache_model, secret, file_sink, skeleton",
        "SDK sources: extension.py, secrets/spec.py, manifest_schema.py FileSink",
    ),
    bad=(
        Example(
            _LIKE.format("left"),
            holds="ext.tray with zone='left' raises ValueError in imperal-sdk 6.3.7, so the whole "
            'extension fails to load. Write "status", "actions" or "system".',
        ),
        Example(_LIKE.format("left"), sdk="5.10.0"),
        Example(
            """
@ext.menu_item("about", section="footer")
async def about(ctx): ...
""",
            holds='Write "main" or "admin".',
        ),
        Example(
            """
@ext.emits("tags.created")
async def created(ctx): ...
""",
            holds='Write the id of the extension in front: "notes.…".',
        ),
        Example(
            """
from dataclasses import dataclass


@ext.cache_model("page")
@dataclass
class Page:
    total: int
""",
            holds="Page is no pydantic model: ext.cache_model raises TypeError",
        ),
        Example('\next.secret("api-key", "Key of the service")\n', holds="small letters"),
        Example(
            """
ext.secret("key", "Key of the service", env_fallback="IMPERAL_APPSECRET_NOTES_KEY")
""",
            holds='Write scope="app" as well, or leave it out.',
        ),
        Example(
            """
ext.file_sink("create_note", accepts="text/*", arg="body")
""",
            holds="raises ValidationError",
        ),
        Example(
            """
@ext.skeleton("notes", ttl="5m")
async def refresh(ctx): ...
""",
            holds="Write seconds: 300.",
        ),
        Example(
            """
try:
    ext.secret("API_KEY", "Key of the service")
except ValueError:
    pass
""",
            severity="info",
        ),
    ),
    good=(
        Example(_LIKE.format("actions")),
        Example(_LIKE.format("left"), sdk="5.9.10"),
        Example(
            """
APP = "notes"


@ext.tray("unread", badge_style="inline", icon_color="grey")
@ext.menu_item("all", section="admin")
@ext.emits(f"{APP}.created")
@ext.skeleton("notes", ttl="300")
async def refresh(ctx): ...


ext.secret("key_2", "Key of the service", write_mode="both", max_bytes=65536)
ext.secret(
    "shared", "Key of us all", scope="app", env_fallback="IMPERAL_APPSECRET_NOTES_SHARED"
)
ext.file_sink("create_note", accepts=("text/*",), arg="body", arg_kind="file_id")
"""
        ),
        Example(
            """
from imperal_sdk import Extension
from pydantic import BaseModel
from elsewhere import Base

notes = Extension("notes")
tags = Extension("tags")


@tags.emits("tags.created")
@notes.emits("notes.created")
async def created(ctx): ...


class Page(BaseModel):
    total: int


class Part(Base):
    total: int


notes.cache_model("page")(Page)
notes.cache_model("part")(Part)
vault.secret("API-KEY", "")
"""
        ),
    ),
)
