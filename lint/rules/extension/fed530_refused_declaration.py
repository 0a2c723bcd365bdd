"""FED530: a declaration that raises while the extension is loaded."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from ...inference.calls.calling import constant_text
from ...inference.syntax.arguments import shows_all
from ...inference.values.models import is_model
from ...inference.values.values import Alternative, Class, Const, EnumMember, Value
from ...rule import Example, Hit, Rule
from ...sdk_use.calls import SdkCall, applied_to, calls_of_any, constants_of, sdk_calls, shown
from ...sdk_use.certainty import is_alone, near_names
from ...sdk_use.extension_calls import app_id_of
from ...sdk_use.import_errors import failure
from ...sdk_use.sdk_objects import source_of
from ...view import FileView, ProjectView

_SECRET = re.compile(r"^[a-z][a-z0-9_]{0,62}$")
"""As in secrets/spec.py: ``$`` also matches before a final line feed."""
_TOOL = re.compile(r"[a-z][a-z0-9_]{0,62}")
_BYTES = 65536
_LETTERS = 200
_FALLBACK = "IMPERAL_APPSECRET_"
_PYDANTIC = "ValidationError"
_COLOURS = ("default", "primary", "success", "warning", "danger", "muted")
_OTHER_COLOURS = ("blue", "green", "yellow", "amber", "red", "gray", "grey")


_MODEL = "cache_model"
_SCHEDULE, _SINK = "schedule", "file_sink"
_CRON = re.compile(r"\S+(?:\s+\S+){4}|@(?:hourly|daily|weekly|monthly|yearly|annually|reboot)")
"""As in manifest_schema.py."""
_SINKS_JUDGED = "5.9.11"
"""Release in which the validator certainly looks for the tool."""
_NAMING = ("function", "tool")
"""Decorators whose names a file sink may mean."""
_PARENTS = {"ValidationError": "ValueError"}


class _Limit(msgspec.Struct, frozen=True):
    """What the SDK accepts as one argument.

    Attributes:
        takes: the SDK's own test of a value; it may raise as the SDK does.
        instead: what to write.
        raises: the exception if the test says no.
    """

    takes: Callable[[Any], object]
    instead: str
    raises: str = "ValueError"

    def raised(self, value: object) -> str:
        """Return the exception that a value raises; an empty text if it raises none."""
        try:
            return "" if self.takes(value) else self.raises
        except (TypeError, ValueError, AttributeError, OverflowError) as error:
            return type(error).__name__


def _one_of(*told: str, also: tuple[str | None, ...] = (), raises: str = "ValueError") -> _Limit:
    """Return the limit of an argument that is one of some strings; no message offers ``also``."""
    listed = ", ".join(f'"{each}"' for each in told[:-1])
    allowed = (*told, *also)
    return _Limit(lambda value: value in allowed, f'{listed} or "{told[-1]}"', raises)


def _text(takes: Callable[[str], object], instead: str) -> _Limit:
    """Return the limit of a text in a pydantic model."""
    return _Limit(lambda value: isinstance(value, str) and takes(value), instead, _PYDANTIC)


_NAME = 'up to 63 small letters, digits and "_", with a letter in front'

_LIMITS: Mapping[str, Mapping[str, _Limit]] = {
    "emits": {},
    "file_sink": {
        "tool": _text(_TOOL.fullmatch, f"the name of one of the chat functions: {_NAME}"),
        "accepts": _Limit(lambda _: False, 'a list of types: ["text/*"]', _PYDANTIC),
        "arg": _text(len, "the name of the parameter that takes the file"),
        "arg_kind": _one_of("text", "file_id", "bytes_ref", raises=_PYDANTIC),
        "description": _text(
            lambda value: len(value) <= _LETTERS, f"at most {_LETTERS} characters"
        ),
    },
    "menu_item": {"section": _one_of("main", "admin")},
    "secret": {
        "name": _Limit(_SECRET.match, _NAME),
        "description": _Limit(
            lambda value: value.strip(), "what users read where they enter the secret"
        ),
        "write_mode": _one_of("user", "extension", "both"),
        "max_bytes": _Limit(lambda value: 1 <= value <= _BYTES, f"a number from 1 to {_BYTES}"),
        "rotation_hint_days": _Limit(
            lambda value: value is None or value >= 1, "a number from 1, or leave it out"
        ),
        "scope": _one_of("user", "app"),
        "env_fallback": _Limit(
            lambda value: value is None or value.startswith(_FALLBACK),
            f'the name of a variable that begins with "{_FALLBACK}"',
        ),
    },
    "skeleton": {"ttl": _Limit(lambda value: not value or int(value) or True, "seconds: 300")},
    "tray": {
        "zone": _one_of("status", "actions", "system"),
        "badge_style": _one_of("corner", "inline"),
        "icon_color": _one_of(*_COLOURS, also=_OTHER_COLOURS),
    },
}
"""Method of Extension → argument → its limit, the same in all versions with the parameter."""


def _check(view: FileView) -> Iterator[Hit]:
    for call in sdk_calls(view, "Extension", _SCHEDULE):
        yield from _of_schedule(view, call)
    for call in sdk_calls(view, "Extension", _SINK):
        yield from _of_sink(view, call)
    for call in sdk_calls(view, "Extension", *_LIMITS, _MODEL):
        yield from _of_model(view, call) if call.method == _MODEL else _of_arguments(view, call)


def _of_schedule(view: FileView, call: SdkCall) -> Iterator[Hit]:
    """Find times that are no cron of five fields, which the schema of the manifest refuses."""
    node = call.arguments.get("cron")

    def refuses(item: Alternative) -> bool:
        value = item.value.value if isinstance(item.value, Const) else None
        return isinstance(value, str) and not _CRON.fullmatch(value.strip())

    for value, item in constants_of(view, node) if node is not None else ():
        if node is not None and refuses(item):
            sure = call.certain and is_alone(view, node, item, refuses)
            yield Hit(
                node=node,
                message=f"cron={_short(value)} is no cron of five fields: the manifest is refused\n"
                f"Judged for {view.sdk} (M5): so the schedule never runs. Write minute, hour, day, "
                'month and weekday, by UTC: cron="0 6 * * *".',
                severity=None if sure else "warning",
            )
            return


def _of_sink(view: FileView, call: SdkCall) -> Iterator[Hit]:
    """Find a file sink whose tool the extension certainly does not have."""
    node = call.arguments.get("tool")
    known = view.extension.once(_tools) if node is not None else None
    found = constants_of(view, node) if node is not None else []
    if node is None or known is None or not view.surface.at_least(_SINKS_JUDGED):
        return
    if len(found) != 1 or len(view.values(node)) != 1:
        return
    name = found[0][0]
    if isinstance(name, str) and _TOOL.fullmatch(name) and name not in known:
        near = near_names(name, known, most=1, alike=0.6)
        advice = f'Write "{near[0]}".' if near else "Write the name of one of its chat functions."
        yield Hit(
            node=node,
            message=f"file_sink names the tool {name!r}, which this extension does not have\n"
            f"The validator of {view.sdk} refuses it (V35): no uploaded file would find its way. "
            f"{advice}",
            severity=None if call.certain else "warning",
        )


def _tools(extension: ProjectView) -> frozenset[str] | None:
    """Return the names of all tools and functions; None if one is not known."""
    names: set[str] = set()
    for kind in _NAMING:
        for module in extension.project.mentioning(kind):
            view = FileView(extension, module)
            named = {role.call: role.name for _, role in view.handlers() if role.kind == kind}
            for made in calls_of_any(view, {"ChatExtension": {kind}, "Extension": {kind}}):
                given = named.get(made.node) or constant_text(
                    view.evaluator, module, made.arguments.get("name") or made.node
                )
                if not given:
                    return None
                names.add(given)
            names.update(name for name in named.values() if name)
            if "" in named.values():
                return None
    return frozenset(names) or None


def _of_arguments(view: FileView, call: SdkCall) -> Iterator[Hit]:
    member = view.surface.member("Extension", call.method)
    spec = member.signature if member else None
    for name, limit in _limits(view, call).items():
        node = call.arguments.get(name)
        if node is not None and spec is not None and name in spec.names:
            for value, raised, certain in _refused(view, node, name, limit):
                told = f"{source_of(call.node.func)} with {name}={value} raises {raised}"
                yield _hit(view, call, node, raised, told, limit.instead, certain=certain)


def _refused(
    view: FileView, node: ast.expr, name: str, limit: _Limit
) -> Iterator[tuple[str, str, bool]]:
    """Yield the first rejected value, its exception, and whether it is the only possible value."""
    if name == "accepts" and isinstance(node, (ast.List, ast.Tuple)) and not node.elts:
        yield ast.unparse(node), limit.raises, True
        return

    def raised(item: Alternative) -> str:
        value = item.value
        if not isinstance(value, Const) or isinstance(value, EnumMember):
            return ""
        return limit.raised(value.value)

    for value, item in constants_of(view, node):
        if raised(item):
            yield _short(value), raised(item), is_alone(view, node, item, raised)
            return


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


def _limits(view: FileView, call: SdkCall) -> Mapping[str, _Limit]:
    limits = _LIMITS[call.method]
    if call.method == "emits" and isinstance(call.node.func, ast.Attribute):
        return {"event_type": _of_event(app_id_of(view, call.node.func.value))}
    if call.method == "secret" and not _may_be_of_app(view, call):
        alone = _Limit(lambda value: value is None, 'scope="app" as well, or leave it out')
        return {**limits, "env_fallback": alone}
    return limits


def _of_event(app_id: str) -> _Limit:
    prefix = f"{app_id}." if app_id else ""
    shown_id = app_id or "app_id"
    return _Limit(
        lambda value: "." in value and value.startswith(prefix),
        f'the id of the extension in front: "{shown_id}.…"',
    )


def _may_be_of_app(view: FileView, call: SdkCall) -> bool:
    scope = call.arguments.get("scope")
    if scope is None:
        return not shows_all(shown(view, call.node))
    values = (item.value for item in view.values(scope))
    return any(not isinstance(it, Const) or it.value == "app" for it in values)


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:39]}…"


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
        message=f"{told}\nJudged for {view.sdk}{comes.effect}. Write {instead}.",
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
    triggers=tuple(sorted({*_LIMITS, _MODEL, _SCHEDULE})),
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
  unknown `write_mode` or `scope`, `max_bytes` over {_BYTES:,}, `rotation_hint_days` below 1, an
  `env_fallback` without `scope="app"` or outside `IMPERAL_APPSECRET_…`.
- `ext.file_sink`: a tool's name of another shape, `accepts` that is empty or no list, an empty
  `arg`, an unknown `arg_kind`, a description over {_LETTERS} characters; a tool that the extension
  does not have (V35).
- `@ext.schedule`: a `cron` without exactly five fields that is no keyword such as `@daily` (M5).
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
            holds='so the whole extension fails to load. Write "status", "actions" or "system".',
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
@ext.schedule("often", cron="0 0 8 * * *")
async def often(ctx): ...
""",
            holds="is no cron of five fields: the manifest is refused",
        ),
        Example(
            """
@ext.schedule("often", cron="every day")
async def often(ctx): ...
"""
        ),
        Example(
            """
@chat.function("create_note", description="Creates a note", action_type="write")
async def create_note(ctx, params: Count): ...


ext.file_sink("create_draft_note", accepts=["text/*"], arg="body")
""",
            holds="which this extension does not have",
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
@ext.schedule("a", cron="*/5 * * * *")
async def a(ctx): ...


@ext.schedule("b", cron="@daily")
async def b(ctx): ...


@ext.schedule("c", cron=f"{minute} 6 * * 7")
async def c(ctx): ...
"""
        ),
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
@chat.function("create_note", description="Creates a note", action_type="write")
async def create_note(ctx, params: Count): ...


ext.file_sink("create_note", accepts=["text/*"], arg="body")
"""
        ),
        Example(
            """
@ext.tool(make_name("create"))
async def create_note(ctx, params: Count): ...


ext.file_sink("create_draft_note", accepts=["text/*"], arg="body")
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
