"""FED108: a call that the SDK rejects."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ...reports.lint.findings import Fix, Safety
from ..fixes.mending import rename_keyword
from ..model.evaluate import Alternatives
from ..model.values import Alternative, SdkClass, SdkMethod
from ..rule import Example, Hit, Rule
from ..sdk.sdk_objects import CLOSED, call_problems, is_certain, source_of
from ..sdk.surface import Signature, signature, version_key
from ..view import FileView

_OWNERS = CLOSED | {"Context", "_SkeletonAccessGuard", "Extension", "ChatExtension", "App"}
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
            yield from _call(view, call, callees)


def _call(view: FileView, call: ast.Call, callees: Alternatives) -> Iterator[Hit]:
    if isinstance(call.func, ast.Attribute) and call.func.attr.startswith("_"):
        return
    for item in callees:
        spec = _signature(view, item)
        problems = [*call_problems(call, spec), *_unknown_to_httpx(call, item)] if spec else []
        if spec and problems:
            yield _hit(view, call, item, spec, problems)
            return


def _signature(view: FileView, item: Alternative) -> Signature | None:
    value = item.value
    if isinstance(value, SdkClass) and value.cls == "ActionResult":
        return None
    if not isinstance(value, SdkMethod) or value.owner.cls not in _OWNERS:
        return None
    member = view.surface.member(value.owner.cls, value.name)
    if member is None or (isinstance(value.owner, SdkClass) and "staticmethod" not in member.text):
        return None
    return member.signature


def _unknown_to_httpx(call: ast.Call, item: Alternative) -> Iterator[str]:
    """Yield what ``**kwargs`` hands on to a method of httpx that does not take it."""
    value = item.value
    if not isinstance(value, SdkMethod) or value.owner.cls != "HTTPClient":
        return
    refused = _ELSEWHERE | (_BODY if value.name in {"get", "delete"} else set[str]())
    for given in call.keywords:
        if given.arg in refused:
            yield f"hands {given.arg} on to httpx, whose {value.name}() has no such parameter"


def _came_later(view: FileView, value: SdkMethod, written: Iterable[str]) -> str:
    """Return since when a parameter exists, if a newer release than the target has it."""
    for since, text in view.surface.history(value.owner.cls, value.name):
        if version_key(since) > view.surface.key and "(" in text:
            names = signature(text[text.index("(") :]).names
            new = next((name for name in written if name in names), "")
            if new:
                return (
                    f"{new} came with {since}: ask for that version in the requirements, "
                    "or in sdk_version of imperal.json."
                )
    return ""


def _hit(
    view: FileView, call: ast.Call, item: Alternative, spec: Signature, problems: list[str]
) -> Hit:
    value = item.value
    assert isinstance(value, SdkMethod)  # noqa: S101 - _signature looked
    certain = is_certain(view, call.func, item) and (
        isinstance(value.owner, SdkClass) or value.owner.certain
    )
    name = f"{value.owner.cls}.{value.name}"
    return Hit(
        node=call,
        message=f"{source_of(call.func)}() raises TypeError in {view.sdk}: {name} "
        f"{'; it '.join(problems)}{view.way(item)}. {_advice(view, call, value, spec)}",
        severity=None if certain else "warning",
        chain=view.chain(item),
        fix=_fix(view, call, value, spec, problems),
    )


def _advice(view: FileView, call: ast.Call, value: SdkMethod, spec: Signature) -> str:
    unknown = {key.arg for key in call.keywords if key.arg and key.arg not in spec.names}
    owner = value.owner.cls
    later = _came_later(view, value, unknown)
    if later:
        return later
    if owner == "HTTPClient" and unknown & _BODY:
        return "GET and DELETE carry no body here: send params=, or call post."
    if (owner, value.name) == ("ActionResult", "error") and "data" in unknown:
        return "An error carries no data: say it in the text, or return success with it."
    if owner in {"CacheClient", "ActionResult"} and value.name in _HINTS:
        return _HINTS[value.name]
    return f"Its parameters: {', '.join(spec.names)}{', **…' if spec.open else ''}."


def _fix(
    view: FileView, call: ast.Call, method: SdkMethod, spec: Signature, problems: list[str]
) -> Fix | None:
    """Rename a misspelt keyword; safe if nothing else is wrong with the call."""
    given = {item.arg for item in call.keywords}
    for item in call.keywords:
        new = _new_name(method, item.arg or "")
        if not new or new in given or item.arg in spec.names:
            continue
        cured = {f"has no parameter {item.arg}", f"needs {new}"}
        if new in spec.positional and spec.positional.index(new) < len(call.args):
            continue
        safety: Safety = "safe" if set(problems) <= cured else "unsafe"
        return rename_keyword(view, call, item.arg or "", new, safety)
    return None


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
Compares each call of an SDK method with its signature in the target version: missing arguments
(`ActionResult.success` needs data and summary, `ctx.cache.get` a model), unknown keywords (`ttl=`,
`error(data=…)`), too many positional ones; and keywords that `ctx.http` hands on to httpx, whose
methods refuse them (a body with `get` or `delete`).
""",
    why="""
The call raises TypeError. Often it stands on a path that no test takes, or inside an
`except Exception` that hides it for ever.
""",
    example='await ctx.cache.set("notes:count", count, ttl=60)',
    instead='await ctx.cache.set("notes:count", count, ttl_seconds=60)',
    safety="A misspelt keyword is renamed; that is safe if nothing else is wrong with the call.",
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
    ),
)
