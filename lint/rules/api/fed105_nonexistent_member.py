"""FED105: an attribute that an SDK class does not have."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ....reports.lint.findings import Fix
from ...edits.mending import rename_attribute, rename_call
from ...inference.values.values import Alternative, Sdk, SdkClass, SdkMethod
from ...rule import Example, Hit, Rule
from ...sdk.module_surface import modules
from ...sdk.surface import CLOSED
from ...sdk_use.guards import guard
from ...sdk_use.reach import is_for_type_checkers, is_patched, is_stubbed
from ...sdk_use.sdk_names import is_annotation, path_of
from ...sdk_use.sdk_objects import (
    call_problems,
    has,
    is_attached,
    is_cured,
    missing,
    operand_of,
    source_of,
)
from ...view import Access, FileView
from .support.advice import instead_of, lifetime, renamed

_SKELETON = frozenset({"skeleton", "fact_ledger", "skeleton_data"})
_DISPUTED = {("UserContext", "language"): "a page of the documents names it"}
_CLASSES = frozenset({"ActionResult", "Extension", "ChatExtension", "App", "HealthStatus"})
_FUNCTIONS = frozenset({"action", "chat", "chat_function", "function"})
_HINTS = {
    ("UserContext", "id"): "Use ctx.user.imperal_id.",
    ("NotifyClient", "push"): "Use await ctx.notify(message).",
    ("ActionResult", "ok"): "Use ActionResult.success(data, summary).",
    ("ActionResult", "ok_with"): "Use ActionResult.success(data, summary).",
    ("ActionResult", "fail"): "Use ActionResult.error(error).",
    ("ActionResult", "failure"): "Use ActionResult.error(error).",
    ("TimeContext", "now"): "Use ctx.time.now_utc, a text.",
    (
        "HTTPResponse",
        "content",
    ): "Use response.text() or response.json(); ctx.http reads all as text, so for "
    "bytes take httpx.AsyncClient.",
    **{
        ("HealthStatus", name): f"Use HealthStatus.{meant}(message)."
        for name, meant in {
            "warning": "degraded",
            "warn": "degraded",
            "error": "unhealthy",
            "fail": "unhealthy",
            "failed": "unhealthy",
        }.items()
    },
    ("HTTPResponse", "status"): "Use response.status_code.",
    ("Extension", "on_oauth_success"): "Use ext.oauth(provider, collection=…).",
}
_OF_RESULTS = {
    "ok": '{0}.status == "success"',
    "is_ok": '{0}.status == "success"',
    "is_success": '{0}.status == "success"',
    "is_error": '{0}.status == "error"',
    "message": "{0}.error of an error, {0}.summary of a success",
    "msg": "{0}.error of an error, {0}.summary of a success",
    "code": "{0}.error_code",
}
"""Member that ActionResult lacks → what to write instead."""
_FACTORIES = {"ok": "success", "fail": "error", "failure": "error"}
_RENAMED = {("UserContext", "id"): "imperal_id", ("HTTPResponse", "status"): "status_code"}


def _check(view: FileView) -> Iterator[Hit]:
    for access in view.sdk_accesses:
        if access.name.startswith("_") or access.name in _SKELETON or access.how == "write":
            continue
        for item in view.values(access.owner):
            owner = _owner(item)
            if not owner or _exists(view, owner, access.name):
                continue
            if not is_attached(view, access.name, owner, own=False, read=access.node):
                yield _hit(view, access, item, owner)
                break
    yield from _of_modules(view)


def _of_modules(view: FileView) -> Iterator[Hit]:
    """Find names that a module of the SDK does not define: ``ui.Buton``."""
    known = modules(view.surface.version)
    for access in view.accesses():
        if access.how == "write":
            continue
        for item in view.values(access.owner):
            path = path_of(item.value)
            if path and known.absent(f"{path}.{access.name}") == (path, access.name):
                if _counts(view, access) and not is_stubbed(view, f"{path}.{access.name}"):
                    yield _module_hit(view, access, item, path)
                break


def _counts(view: FileView, access: Access) -> bool:
    return not (
        is_annotation(view, access.node)
        or is_for_type_checkers(view.module, access.node)
        or is_patched(view, access.name)
    )


def _module_hit(view: FileView, access: Access, item: Alternative, path: str) -> Hit:
    verdict = missing(view, access, item)
    known = modules(view.surface.version)
    past, since = lifetime(view, known.history(path, access.name))
    hint = f"Require imperal-sdk>={since}." if since else instead_of(view, access, path)
    return Hit(
        node=access.node,
        message=f"{source_of(access.node)}: {verdict.text}\nimperal_sdk.{path} has no "
        f"{access.name} "
        f"in {view.sdk}{past}. {hint}",
        severity=verdict.severity,
    )


def _owner(item: Alternative) -> str:
    value = item.value
    if isinstance(value, Sdk) and (value.cls in CLOSED or value.cls in _CLASSES):
        return value.cls
    return value.cls if isinstance(value, SdkClass) and value.cls in _CLASSES else ""


def _exists(view: FileView, owner: str, name: str) -> bool:
    return has(view.surface, owner, name) or (
        owner == "App" and has(view.surface, "Extension", name)
    )


def _hit(view: FileView, access: Access, item: Alternative, owner: str) -> Hit:
    verdict = missing(view, access, item)
    disputed = _DISPUTED.get((owner, access.name))
    text = f"{owner} has no {access.name} in {view.sdk}"
    past, since = lifetime(view, view.surface.history(owner, access.name))
    text += past
    text += f" ({disputed}, the code does not have it)" if disputed else ""
    hint = _HINTS.get((owner, access.name)) or _offer(view, owner, access.name)
    if owner == "ActionResult" and isinstance(item.value, Sdk) and access.name in _OF_RESULTS:
        hint = f"Write {_OF_RESULTS[access.name].format(operand_of(access.owner))}."
    if since:
        hint = f"Require imperal-sdk>={since}."
    return Hit(
        node=access.node,
        message=f"{source_of(access.node)}: {verdict.text}\n{text}. {hint}",
        severity=verdict.severity,
        chain=view.chain(item),
        fix=_fix(view, access, owner) if not guard(view, access, item.via) else None,
        cause=f"{owner}.{access.name}" if verdict.severity == "info" else "",
    )


def _offer(view: FileView, owner: str, lacking: str) -> str:
    if owner == "Extension" and lacking in _FUNCTIONS:
        plain = " What no chat offers: @ext.tool(name)." if lacking == "action" else ""
        return f"{_functions(view)}{plain}"
    names = sorted(
        name for name in view.surface.members(owner) if not name.startswith(("_", "(", "model_"))
    )
    return f"It has {', '.join(names[:12])}{'…' if len(names) > 12 else ''}."


def _functions(view: FileView) -> str:
    member = view.surface.member("ChatExtension", "function")
    spec = member.signature if member is not None else None
    model = ", data_model=Model" if spec is not None and "data_model" in spec.names else ""
    return (
        "Functions belong to a ChatExtension: chat = ChatExtension(ext, tool_name=…, "
        f"description=…), then @chat.function(name, description, action_type=…{model}) on an "
        "async def name(ctx, params: Params) -> ActionResult of the module, where Params"
        f"{' and Model are pydantic models' if model else ' is a pydantic model'}."
    )


def _fix(view: FileView, access: Access, owner: str) -> Fix | None:
    new = _RENAMED.get((owner, access.name))
    if not isinstance(access.node, ast.Attribute):
        return None
    if new is not None:
        return rename_attribute(view, access.node, new)
    call = view.module.parents.get(access.node)
    if owner != "ActionResult" or not isinstance(call, ast.Call) or call.func is not access.node:
        return None
    return _factory(view, call, access.name)


def _factory(view: FileView, call: ast.Call, written: str) -> Fix | None:
    """Return the factory that a call means, if its arguments fit or one only has another name."""
    new = _FACTORIES.get(written)
    member = view.surface.member("ActionResult", new) if new is not None else None
    spec = member.signature if member is not None else None
    if new is None or spec is None:
        return None
    problems = call_problems(call, spec)
    if not problems:
        return rename_attribute(view, call.func, new)
    other = renamed(call, SdkMethod(SdkClass("ActionResult"), new), spec)
    is_right = other is not None and is_cured(problems, *other)
    return rename_call(view, call, new, *other) if other is not None and is_right else None


RULE = Rule(
    code="FED105",
    name="nonexistent-member",
    summary="An object of the SDK does not have this attribute.",
    severity="error",
    check=_check,
    what="""
Finds attributes and methods that a class of the SDK does not have in the target version:
`ActionResult.ok`, `ctx.user.id`, `ctx.notify.push`, `response.content`, `ctx.time.now()` and so on;
and names that a module of the SDK does not hold, such as `ui.Buton`. Written types do not count.
`getattr` with a default is a warning, and an info beside a member that exists, as in
`getattr(user, "id", "") or user.imperal_id`.
""",
    why="""
The call raises AttributeError at run time, mostly on a path that no test takes. Mocks often
accept any attribute, so tests stay green.
""",
    example='return ActionResult.ok({"id": ctx.user.id})',
    instead='return ActionResult.success({"id": ctx.user.imperal_id}, "Your id")',
    safety="`ctx.user.id` becomes `ctx.user.imperal_id`, which is the same value; "
    "`ActionResult.ok` becomes `success` where that takes the same arguments, with `message=` as "
    "`summary=`. Other names, and uses that `hasattr` or the like guards, have no automatic fix.",
    references=("SDK sources",),
    bad=(
        Example(
            """
def done() -> ActionResult:
    return ActionResult.success({}, "Done.")


@ext.panel("p")
async def p(ctx):
    result = done()
    return 1 if result.ok else 2
""",
            holds='Write result.status == "success".',
        ),
        Example(
            """
@ext.chat_function("list_notes")
async def list_notes(ctx): ...
""",
            holds="@chat.function(name, description",
        ),
        Example(
            """
@chat.function("f")
async def f(ctx, params):
    return ActionResult.ok({})
"""
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    return ctx.user.id
""",
            holds="imperal_id",
        ),
        Example("""
@ext.panel("p")
async def p(ctx):
    await ctx.notify.push("x")
"""),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    r = await ctx.http.get("x")
    return r.content
"""
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    return ctx.time.now() if hasattr(ctx.time, "now") else ""
""",
            severity="info",
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    r = await ctx.http.get("x")
    return getattr(r, "body", "") or getattr(r, "content", "")
""",
            severity="info",
            holds="getattr stands behind body, which exists",
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    return getattr(ctx.user, "id", None)
""",
            severity="warning",
        ),
        Example(
            """
from imperal_sdk import Extension, ui

ext = Extension("notes")


@ext.panel("p")
async def p(ctx):
    return ui.Buton("Save")
""",
            holds="Write ui.Button.",
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    return await ctx.users.for_user("u").fetch("u") or await ctx.users.fetch("u")
""",
            holds="UsersClient has no fetch",
        ),
        Example(
            """
import imperal_sdk.ui as parts
from imperal_sdk import Extension

ext = Extension("notes")


@ext.panel("p")
async def p(ctx):
    return parts.Password() if hasattr(parts, "Password") else parts.Input()
""",
            sdk="4.0.0",
            severity="info",
            holds="it came with 4.2.6",
        ),
    ),
    good=(
        Example(
            """
ext.registry = {}


@ext.panel("p")
async def p(ctx):
    return ext.registry
"""
        ),
        Example("""
@ext.panel("p")
async def p(ctx):
    return ctx.user.imperal_id
"""),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    return ctx.user.id
""",
            sdk="1.6.2",
        ),
        Example("""
@ext.panel("p")
async def p(ctx):
    await ctx.users.for_user("u").get("u")
    return ctx.user.model_dump(), ctx.apps.user_id, await ctx.rbac.list_roles()
"""),
        Example(
            """
class User:
    id = 1


async def p(ctx: dict):
    user = User()
    return user.id
"""
        ),
        Example(
            """
from __future__ import annotations

from typing import TYPE_CHECKING

import imperal_sdk
from imperal_sdk import Extension, sdl, ui

if TYPE_CHECKING:
    Node = ui.UINode

ext = Extension("notes")
ui.Chip = ui.Badge


@ext.panel("p")
async def p(ctx) -> ui.UINode:
    page = ui.Page([ui.Chip("a")]).to_dict()
    return ui.base.UINode("Box", page), ui._private, sdl.facets.time, imperal_sdk.ui.Text
"""
        ),
    ),
)
