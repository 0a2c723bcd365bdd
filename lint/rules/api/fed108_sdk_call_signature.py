"""FED108: a call that the SDK rejects."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial

import msgspec

from ....reports.lint.findings import Fix, Safety
from ...edits.mending import rename_keyword
from ...inference.calls.handlers import DECLARING
from ...inference.evaluator import Alternatives
from ...inference.syntax.module import last_name
from ...inference.values.values import Sdk, SdkClass, SdkMethod, Value
from ...rule import Example, Hit, Rule
from ...sdk.surface import CLOSED, Member, Signature
from ...sdk_use.calls import called, fully_shown
from ...sdk_use.reach import is_replaced
from ...sdk_use.sdk_names import FunctionCall
from ...sdk_use.sdk_objects import is_attached, is_cured
from ...view import FileView
from .support.advice import CIRCULAR, ITSELF, advice, method_problems, renamed
from .support.bare_decorators import bare_decorators
from .support.methods import named_methods
from .support.rejected_calls import (
    TYPE_ERROR,
    Rejected,
    chain_of,
    error_of,
    function_message,
    meant_instead,
    rejected,
    rejected_functions,
    rejection,
    severity_of,
)

_OWNERS = CLOSED | DECLARING | {"Context", "_SkeletonAccessGuard"}
_CALLED = "__call__"
_DIRECTLY = "Call the function directly: await name(ctx, …)."
_FOR_BODIES = "Write it only for the methods that take a body: post, put and patch."


def _check(view: FileView) -> Iterator[Hit]:
    for call, callees in view.sdk_calls.items():
        yield from _method(view, call, callees)
    yield from _by_name(view)
    for found, wrong in rejected_functions(view):
        yield Hit(
            node=found.node,
            message=function_message(view, found, wrong),
            severity=severity_of(view, found.node, wrong.item, error=error_of(found)),
            chain=chain_of(view, wrong),
            fix=_function_fix(view, found),
        )
    for bare in bare_decorators(view):
        yield Hit(node=bare.node, message=bare.text, severity=bare.severity)


def _function_fix(view: FileView, found: FunctionCall) -> Fix | None:
    meant = meant_instead(found)
    return rename_keyword(view, found.node, *meant, "unsafe") if meant is not None else None


def _method(view: FileView, call: ast.Call, callees: Alternatives) -> Iterator[Hit]:
    for item in callees:
        method, whole = _called(view, call, item.value)
        spec = _signature(view, method) if method is not None else None
        if method is None or spec is None:
            continue
        find = partial(method_problems, view, method=method, spec=spec)
        wrong = rejected(view, whole, item, find)
        if wrong is not None and not is_replaced(view, method.owner.cls, method.name):
            yield _method_hit(view, call, method, spec, wrong)
            return


def _called(view: FileView, call: ast.Call, value: Value) -> tuple[SdkMethod | None, ast.Call]:
    """Return the called method; for an object its ``__call__``: ``ctx.notify(…)``."""
    is_called = isinstance(value, Sdk) and view.surface.member(value.cls, _CALLED) is not None
    if not isinstance(value, Sdk) or not is_called or is_attached(view, last_name(call.func)):
        return called(view, call, value)
    return SdkMethod(value, _CALLED), call


def _by_name(view: FileView) -> Iterator[Hit]:
    """Report ``getattr(ctx.http, method)(…)`` where a caller's method rejects the arguments."""
    found: dict[ast.Call, list[tuple[SdkMethod, Signature, Rejected]]] = {}
    for each in named_methods(view):
        method = each.item.value
        spec = _signature(view, method) if isinstance(method, SdkMethod) else None
        if not isinstance(method, SdkMethod) or spec is None:
            continue
        made = fully_shown(view, each.call)
        problems = method_problems(view, made, method=method, spec=spec)
        if problems and not is_replaced(view, method.owner.cls, method.name):
            wrong = Rejected(made, problems, each.item, each.way)
            found.setdefault(each.call, []).append((method, spec, wrong))
    for call, several in found.items():
        method, spec, wrong = several[0]
        sites = {rejected.way[0].node for *_, rejected in several}
        others = msgspec.structs.replace(wrong, others=len(sites) - 1)
        hint = _FOR_BODIES if method.owner.cls == "HTTPClient" else ""
        yield _method_hit(view, call, method, spec, others, hint)


def _signature(view: FileView, method: SdkMethod) -> Signature | None:
    cls = method.owner.cls
    is_public = cls in _OWNERS and (method.name == _CALLED or not method.name.startswith("_"))
    member = view.surface.member(cls, method.name) if is_public else None
    if member is None or (isinstance(method.owner, SdkClass) and _is_unbound(member)):
        return None
    return member.signature


def _is_unbound(member: Member) -> bool:
    return "staticmethod" not in member.text and "classmethod" not in member.text


def _method_hit(
    view: FileView,
    call: ast.Call,
    method: SdkMethod,
    spec: Signature,
    wrong: Rejected,
    hint: str = "",
) -> Hit:
    is_named = method.name in {last_name(call.func), _CALLED}
    own = "" if is_named else f"is {method.owner.cls}.{method.name}"
    error = CIRCULAR if wrong.problems == [ITSELF] else TYPE_ERROR
    hint = hint or (_DIRECTLY if ITSELF in wrong.problems else "")
    return Hit(
        node=call,
        message=f"{rejection(view, call, own, wrong, error)}\nJudged for {view.sdk}. "
        f"{hint or advice(view, wrong.call, method, spec, wrong.problems)}",
        severity=severity_of(view, call, wrong.item, error=error, certain=method.certain),
        chain=chain_of(view, wrong),
        fix=_fix(view, call, method, spec, wrong.problems),
    )


def _fix(
    view: FileView, call: ast.Call, method: SdkMethod, spec: Signature, problems: list[str]
) -> Fix | None:
    """Rename a misspelt keyword; safe if nothing else is wrong with the call."""
    other = renamed(call, method, spec)
    if other is None:
        return None
    safety: Safety = "safe" if is_cured(problems, *other) else "unsafe"
    return rename_keyword(view, call, *other, safety)


RULE = Rule(
    code="FED108",
    name="wrong-sdk-call-arguments",
    summary="The SDK rejects this call.",
    severity="error",
    check=_check,
    what="""
Compares each call of an SDK method, of a function or class of its modules (the components of `ui`)
and of a model that extends one of its models (`sdl.Entity`) with the signature in the target
version: missing arguments (`ActionResult.success` needs data and summary, `ctx.cache.get` a model),
unknown keywords (`ttl=`, `error(data=…)`, `ui.Header(title=…)`), too many positional ones; and
keywords that `ctx.http` hands on to httpx, whose methods refuse them (a body with `get` or
`delete`); and `ctx.extensions.call` of the extension itself, which raises CircularCallError. Where
the code catches `TypeError` or asks for the version first, it is an info.
A dict or list that the function writes and only spreads counts as written in the call, and so does
what `partial(ctx.cache.get, key)` keeps; what callers give as `*args` and `**kwargs` is not
followed.
A method that is taken by name, `getattr(ctx.http, method)`, is judged as each caller names it.
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
        Example(
            """
@ext.expose("list_all")
async def list_all(ctx):
    return []


@ext.panel("p")
async def p(ctx):
    return await ctx.extensions.call("notes", "list_all")
""",
            holds="calls this extension itself: it raises CircularCallError",
        ),
    ),
    good=(
        Example(
            """
@chat.function("f", description="Does")
async def f(ctx, p):
    return ActionResult.success(**p) if p else ActionResult.success({}, "x")
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
def done(data, **kw):
    kw.setdefault("summary", "Done")
    return ActionResult.success(data, **kw)


@chat.function("f", description="Does")
async def f(ctx, p):
    return done({"a": 1})
"""
        ),
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
