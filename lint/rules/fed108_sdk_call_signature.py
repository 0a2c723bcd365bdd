"""FED108: a call that the SDK rejects."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...reports.lint.findings import Fix, Safety
from ..edits.mending import rename_keyword
from ..model.evaluator import Alternatives
from ..model.handlers import DECLARING
from ..model.module import last_name
from ..model.values import Alternative, SdkClass, SdkMethod
from ..queries.bare_decorators import bare_decorators
from ..queries.patches import is_replaced
from ..queries.rejected_calls import (
    came_later,
    error_of,
    function_message,
    meant_instead,
    misspelt,
    parameters_of,
    rejected_functions,
    rejection,
    severity_of,
)
from ..queries.sdk_names import FunctionCall
from ..queries.sdk_objects import CLOSED, call_problems
from ..queries.spread_arguments import fully_shown
from ..rule import Example, Hit, Rule
from ..sdk.surface import Member, Signature
from ..view import FileView

_OWNERS = CLOSED | DECLARING | {"Context", "_SkeletonAccessGuard"}
_RENAMED = {
    ("CacheClient", "ttl"): "ttl_seconds",
    ("CacheClient", "expire"): "ttl_seconds",
    ("ActionResult.success", "message"): "summary",
    ("ActionResult.success", "msg"): "summary",
    ("ActionResult.error", "message"): "error",
    ("ActionResult.error", "msg"): "error",
}
_BODY = frozenset({"content", "data", "files", "json"})
_ELSEWHERE = frozenset({"allow_redirects", "cert", "proxies", "stream", "trust_env", "verify"})
"""Parameters of other libraries, or of httpx's client."""
_HINTS = {
    "success": "Write ActionResult.success(data, summary).",
    "error": "Write ActionResult.error(error, retryable=False, code=…).",
    "set": "Write ctx.cache.set(key, model, ttl_seconds=60).",
    "get": "Write ctx.cache.get(key, Model).",
    "query": "Write ctx.store.query(collection, where=…, limit=100).",
}


def _check(view: FileView) -> Iterator[Hit]:
    for call, callees in view.sdk_calls.items():
        if isinstance(call.func, ast.Attribute | ast.Name):
            yield from _method(view, call, callees)
    for found, problems in rejected_functions(view):
        yield Hit(
            node=found.node,
            message=function_message(view, found, problems),
            severity=severity_of(view, found.node, found.item, error=error_of(found)),
            chain=view.chain(found.item),
            fix=_function_fix(view, found),
        )
    for bare in bare_decorators(view):
        yield Hit(node=bare.node, message=bare.text, severity=bare.severity)


def _function_fix(view: FileView, found: FunctionCall) -> Fix | None:
    renamed = meant_instead(found)
    return rename_keyword(view, found.node, *renamed, "unsafe") if renamed is not None else None


def _method(view: FileView, call: ast.Call, callees: Alternatives) -> Iterator[Hit]:
    if isinstance(call.func, ast.Attribute) and call.func.attr.startswith("_"):
        return
    for item in callees:
        spec = _signature(view, item)
        whole = fully_shown(view, call)
        problems = [*call_problems(whole, spec), *_unknown_to_httpx(whole, item)] if spec else []
        if spec and problems and not _is_own(view, item):
            yield _method_hit(view, call, item, spec, problems)
            return


def _signature(view: FileView, item: Alternative) -> Signature | None:
    value = item.value
    if isinstance(value, SdkClass) and value.cls == "ActionResult":
        return None
    if not isinstance(value, SdkMethod) or value.owner.cls not in _OWNERS:
        return None
    member = view.surface.member(value.owner.cls, value.name)
    if member is None or (isinstance(value.owner, SdkClass) and _is_unbound(member)):
        return None
    return member.signature


def _is_own(view: FileView, item: Alternative) -> bool:
    """Tell whether the extension replaced the method: ``ActionResult.success = lenient``."""
    value = item.value
    return isinstance(value, SdkMethod) and is_replaced(view, value.owner.cls, value.name)


def _is_unbound(member: Member) -> bool:
    return "staticmethod" not in member.text and "classmethod" not in member.text


def _unknown_to_httpx(call: ast.Call, item: Alternative) -> Iterator[str]:
    """Yield what ``**kwargs`` hands on to a method of httpx that does not take it."""
    value = item.value
    if not isinstance(value, SdkMethod) or value.owner.cls != "HTTPClient":
        return
    refused = _ELSEWHERE | (_BODY if value.name in {"get", "delete"} else set[str]())
    for given in call.keywords:
        if given.arg in refused:
            yield f"hands {given.arg} on to httpx, whose {value.name}() has no such parameter"


def _method_hit(
    view: FileView, call: ast.Call, item: Alternative, spec: Signature, problems: list[str]
) -> Hit:
    value = item.value
    assert isinstance(value, SdkMethod)  # noqa: S101 - _signature looked
    certain = isinstance(value.owner, SdkClass) or value.owner.certain
    is_named = last_name(call.func) == value.name
    own = "" if is_named else f"is {value.owner.cls}.{value.name}"
    return Hit(
        node=call,
        message=f"{rejection(view, call, own, problems)} in {view.sdk}"
        f"{view.way(item)}. {_advice(view, fully_shown(view, call), value, spec, problems)}",
        severity=severity_of(view, call, item, certain=certain),
        chain=view.chain(item),
        fix=_fix(view, call, value, spec, problems),
    )


def _advice(
    view: FileView, call: ast.Call, value: SdkMethod, spec: Signature, problems: list[str]
) -> str:
    unknown = {key.arg for key in call.keywords if key.arg and key.arg not in spec.names}
    owner = value.owner.cls
    later = came_later(view, value, unknown)
    if later:
        return later
    if owner == "HTTPClient" and unknown & _BODY:
        return (
            "ctx.http sends no body with GET and DELETE: send params=. If the service asks for a "
            "body, make the request with httpx.AsyncClient().request(method, url, json=…)."
        )
    if (owner, value.name) == ("ActionResult", "error") and "data" in unknown:
        return "An error carries no data: say it in the text, or return success with it."
    renamed = _renamed(call, value, spec)
    if renamed is not None and _is_cured(problems, *renamed):
        return f"Write {renamed[1]}= instead of {renamed[0]}=."
    close = misspelt(call, spec) if len(problems) == len(unknown) == 1 else None
    if close is not None:
        return f"Write {close[1]}= instead of {close[0]}=."
    if owner in {"CacheClient", "ActionResult"} and value.name in _HINTS:
        return _HINTS[value.name]
    return parameters_of(call, spec)


def _fix(
    view: FileView, call: ast.Call, method: SdkMethod, spec: Signature, problems: list[str]
) -> Fix | None:
    """Rename a misspelt keyword; safe if nothing else is wrong with the call."""
    renamed = _renamed(call, method, spec)
    if renamed is None:
        return None
    safety: Safety = "safe" if _is_cured(problems, *renamed) else "unsafe"
    return rename_keyword(view, call, *renamed, safety)


def _renamed(call: ast.Call, method: SdkMethod, spec: Signature) -> tuple[str, str] | None:
    """Return (written, meant) of a keyword that has a known other name."""
    given = {item.arg for item in call.keywords}
    for item in call.keywords:
        new = _new_name(method, item.arg or "")
        if not new or new in given or item.arg in spec.names:
            continue
        if new not in spec.positional or spec.positional.index(new) >= len(call.args):
            return item.arg or "", new
    return None


def _is_cured(problems: list[str], written: str, meant: str) -> bool:
    return set(problems) <= {f"has no parameter {written}", f"needs {meant}"}


def _new_name(method: SdkMethod, written: str) -> str:
    owner = method.owner.cls
    return _RENAMED.get((owner, written)) or _RENAMED.get((f"{owner}.{method.name}", written), "")


RULE = Rule(
    code="FED108",
    name="sdk-call-signature",
    summary="The SDK rejects this call.",
    severity="error",
    check=_check,
    what="""
Compares each call of an SDK method, of a function or class of its modules (the components of `ui`)
and of a model that extends one of its models (`sdl.Entity`) with the signature in the target
version: missing arguments (`ActionResult.success` needs data and summary, `ctx.cache.get` a model),
unknown keywords (`ttl=`, `error(data=…)`, `ui.Header(title=…)`), too many positional ones; and
keywords that `ctx.http` hands on to httpx, whose methods refuse them (a body with `get` or
`delete`). Where the code catches `TypeError` or asks for the version first, it is an info.
A dict or list that the function writes and only spreads counts as written in the call.
Also decorators without their brackets (`@ext.panel`), which register nothing.
""",
    why="""
The call raises TypeError, a model pydantic's ValidationError. Often it stands on a path that no
test takes, or inside an `except Exception` that hides it for ever. A panel stays empty.
""",
    example='await ctx.cache.set("notes:count", count, ttl=60)',
    instead='await ctx.cache.set("notes:count", count, ttl_seconds=60)',
    safety="A misspelt keyword is renamed; that is safe if nothing else is wrong with the call. An "
    "unknown keyword of a component is renamed to the one that is missing, which is unsafe.",
    references=("SDK sources",),
    bad=(
        Example(
            """
@chat.function("f")
async def f(ctx, p):
    return ActionResult.success(summary="x")
""",
            holds="needs data",
        ),
        Example(
            """
@chat.function("f")
async def f(ctx, p):
    return ActionResult.success({"a": 1})
""",
            holds="needs summary",
        ),
        Example(
            """
@chat.function("f")
async def f(ctx, p):
    return ActionResult.error("x", data={})
"""
        ),
        Example(
            """
@chat.function("f")
async def f(ctx, p):
    return ActionResult.success(1, 2, 3)
"""
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    cache = getattr(ctx, "cache", None)
    await cache.set("k", Count(total=1), ttl=60)
""",
            holds="has no parameter ttl",
        ),
        Example("""
@ext.panel("p")
async def p(ctx):
    return await ctx.cache.get("k")
"""),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    return await ctx.store.query("c", cursor="x")
"""
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    return await ctx.http.delete("https://a.b", json={"id": 1})
""",
            holds="hands json on to httpx",
        ),
        Example(
            """
@chat.function("f", description="Does", data_model=Count)
async def f(ctx, p):
    return ActionResult.success({}, "x")
""",
            sdk="5.0.0",
            holds="data_model came with 5.0.1",
        ),
        Example(
            """
@chat.function("f")
async def f(ctx, p):
    return ActionResult.error(message="No such note")
""",
            holds=". Write error= instead of message=.",
        ),
        Example(
            """
from imperal_sdk import Extension, sdl, ui
from imperal_sdk.ui import Stat as Figure

ext = Extension("notes")


class Note(sdl.Entity):
    body: str = ""


@ext.panel("p")
async def p(ctx):
    made = [Note(id="1"), sdl.EntityList[Note](total=3), Figure("Notes"), ui.Text("a", weight=1)]
    return ui.Header(title="Notes", badge=made)
""",
            holds="ui.Header() has no parameter title or badge and needs text",
        ),
        Example(
            """
from imperal_sdk import Extension, ui

ext = Extension("notes")


@ext.panel("p")
async def p(ctx):
    try:
        return ui.Badge("new", dot=True)
    except TypeError:
        return ui.Badge("new")
""",
            severity="info",
            sdk="5.0.1",
            holds="dot came with 5.9.16",
        ),
    ),
    good=(
        Example(
            """
@chat.function("f", description="Does")
async def f(ctx, p):
    return ActionResult.success({}, "x")
"""
        ),
        Example(
            """
@chat.function("f", "Does")
async def f(ctx, p):
    return ActionResult.success(**p)
"""
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    return await ctx.cache.get("k", Count)
"""
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    await ctx.http.delete("https://a.b", params={"id": 1}, timeout=5)
    return await ctx.http.post("https://a.b", json={"id": 1}, follow_redirects=False)
"""
        ),
        Example("""
async def p(cache):
    await cache.set("k", 1, ttl=60)
"""),
        Example(
            """
from imperal_sdk import Extension, HealthStatus, sdl, ui

from kit import Header

ext = Extension("notes")
ui.Chip = Header


class Note(sdl.Entity):
    title: str = "Untitled"


class Loose(sdl.Entity):
    def __init__(self, **row):
        super().__init__(id=row["ID"], title=row["NAME"])


@ext.panel("p")
async def p(ctx, row=None, **props):
    notes = [Note(id=1, anything=2), Loose(ID=1, NAME="a"), sdl.Ref(**row)]
    parts = [ui.Text("a", **props), ui.Call("save", any=1, thing=2), Header(title="Notes")]
    return ui.Stack(parts, direction="v") if notes else ui.Chip(1, 2), HealthStatus.ok()
""",
            files={"kit.py": "def Header(title): ...\n"},
        ),
    ),
)
