"""FED531: a handler whose first parameter is not the context."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from ...inference.calls.roles import CONTEXT_NAMES, KINDS, Role
from ...inference.syntax.spelling import is_none
from ...inference.values.values import External
from ...rule import Example, Hit, Rule
from ...sdk_use.calls import is_proved
from ...view import FileView
from .support.handler_calls import Handler, declaration, dispatch, plain_handlers
from .support.handler_types import is_model_type

_OPEN = frozenset({"_", "c", "cls", "self"})
"""Parameter names that may hold a context whatever their annotation; so may names that say it."""
_PLAIN = frozenset({"bool", "bytes", "dict", "float", "int", "list", "set", "str", "tuple"})
_REQUEST = ("headers", "body", "query_params")
_SHOWN = frozenset({"menu_item", "panel", "tray", "widget"})
"""Kinds of handlers that may get parameters."""


def _check(view: FileView) -> Iterator[Hit]:
    for function, role in plain_handlers(view):
        called = dispatch(view, role)
        if called is None:
            continue
        problem = _problem(view, function, role, called.caller)
        if problem is not None:
            sure = problem.is_certain and called.is_code and is_proved(view, role)
            yield Hit(
                node=function,
                message=f"{role.label} {function.name} {problem.text}\n{problem.why}Write "
                f"{problem.advice}",
                severity=None if sure else "warning",
            )


class _Problem(msgspec.Struct, frozen=True):
    """What is wrong with the parameters of a handler.

    Attributes:
        is_certain: whether every call that the SDK makes fails.
    """

    text: str
    advice: str
    why: str = ""
    is_certain: bool = True


def _problem(view: FileView, function: Handler, role: Role, caller: str) -> _Problem | None:
    taken = [*function.args.posonlyargs, *function.args.args]
    if not taken and function.args.vararg is None:
        count = "no argument by place" if function.args.kwonlyargs else "no argument"
        text = f"takes {count}: each call raises TypeError"
        why = f"{caller} calls it with the context. "
        return _Problem(text, declaration(function, *_first(function, role)), why)
    kind = _other_kind(view, function, taken[0]) if taken else ""
    if kind:
        text = f"gets the context as {taken[0].arg}, which is to be {kind}"
        why = f"{caller} gives each handler the context first. "
        return _Problem(text, declaration(function, "ctx"), why)
    if role.kind == "webhook" and _takes_too_few(function, taken):
        text = "does not take what the SDK gives: each request raises TypeError"
        advice = f"async def {function.name}({', '.join(('ctx', *_REQUEST))}):"
        return _Problem(text, advice, is_certain=False)
    return None


def _first(function: Handler, role: Role) -> tuple[str, ...]:
    """Return the parameters that a handler without any should have."""
    if role.kind == "webhook":
        return ("ctx", *_REQUEST)
    has_rest = function.args.kwarg is not None or bool(function.args.kwonlyargs)
    return ("ctx", "**params") if role.kind in _SHOWN and not has_rest else ("ctx",)


def _other_kind(view: FileView, function: Handler, arg: ast.arg) -> str:
    """Return the annotation of a first parameter that is read and is no context."""
    written = arg.annotation
    is_named = any(name in arg.arg.lower() for name in CONTEXT_NAMES)
    if written is None or is_named or arg.arg in _OPEN:
        return ""
    if not (_is_plain(view, written) or is_model_type(view, written)):
        return ""
    uses = [
        part
        for step in function.body
        for part in ast.walk(step)
        if isinstance(part, ast.Name) and part.id == arg.arg
    ]
    is_read = bool(uses) and all(isinstance(use.ctx, ast.Load) for use in uses)
    return ast.unparse(written) if is_read and not _is_used_as_context(view, uses) else ""


def _is_used_as_context(view: FileView, uses: list[ast.Name]) -> bool:
    """Tell whether code reads attributes that only a context has, whatever the annotation says."""
    read = (view.module.parents.get(use) for use in uses)
    return any(
        isinstance(node, ast.Attribute) and view.surface.member("Context", node.attr) is not None
        for node in read
    )


def _is_plain(view: FileView, node: ast.expr) -> bool:
    """Tell whether an annotation is a builtin type: ``str``, ``dict[str, Any]``, ``int | None``."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        sides = [it for it in (node.left, node.right) if not is_none(it)]
        return bool(sides) and all(_is_plain(view, side) for side in sides)
    if isinstance(node, ast.Subscript):
        return _is_plain(view, node.value)
    found = [item.value for item in view.values(node)] if isinstance(node, ast.Name) else []
    return bool(found) and all(
        isinstance(value, External) and value.name in _PLAIN for value in found
    )


def _takes_too_few(function: Handler, taken: list[ast.arg]) -> bool:
    """Tell whether a webhook has too few parameters for its arguments."""
    spec = function.args
    is_open = spec.vararg is not None or spec.kwarg is not None
    return not is_open and len(taken) + len(spec.kwonlyargs) <= len(_REQUEST)


RULE = Rule(
    code="FED531",
    name="handler-without-context",
    summary="A handler takes the context first.",
    severity="error",
    triggers=tuple(sorted(KINDS)),
    check=_check,
    what="""
Finds functions that are registered as handlers and

- take no argument, though they are called with the context;
- take something else first: a pydantic model, a text, a number, a list or a dict, by what is
  written at the parameter, and read it;
- are webhooks and do not take `headers`, `body` and `query_params` (a warning: only the
  documentation of the decorator says so).

Panels, widgets, tray and menu items, exposed methods, tools, skeleton handlers and webhooks are
called by the SDK's own code, so for them it is an error. Schedules, events, health checks, search
providers and chat functions are called by the platform, as its documents show: a warning. Lifecycle
hooks are left alone, for the manifest tells the platform what they take; so are `App.tool`, which
looks for a context by its name, methods, and functions under a further decorator.
""",
    why="""
The context is passed by place. A handler without it raises TypeError at each call; one that takes
its data first gets the context in its place, and fails at the first use, mostly far away from the
handler. `@ext.tool` hands on what it is called with and makes no model of it: what a user asks for
belongs to a `@chat.function` with `(ctx, params: Model)`.
""",
    example='@ext.panel("notes")\nasync def notes():\n    return ui.Text("Nothing yet")',
    instead='@ext.panel("notes")\nasync def notes(ctx, **params):\n'
    '    return ui.Text("Nothing yet")',
    references=("SDK sources: extension.py panel, call_tool, webhook; extensions/client.py call",),
    bad=(
        Example(
            """
@ext.panel("notes")
async def notes():
    return {}
""",
            holds="imperal-sdk 6.3.7 calls it with the context. Write async def notes(ctx, "
            "**params):",
        ),
        Example(
            """
@ext.tool("count", description="Counts")
async def count(params: Count) -> dict:
    return {"total": params.total}
""",
            holds="gives each handler the context first. Write async def count(ctx, params: "
            "Count) -> dict:",
        ),
        Example(
            """
@ext.expose("find")
async def find(title: str, *, limit: int = 5) -> dict:
    return {"title": title, "limit": limit}
""",
            holds="Write async def find(ctx, title: str, *, limit: int=5) -> dict:",
        ),
        Example(
            """
@ext.tool("find", description="Finds")
async def find(options: dict[str, str] | None):
    return (options or {}).get("title")
""",
        ),
        Example(
            """
@ext.tool("find", description="Finds")
async def find(*, ctx, title=""):
    return title
""",
            holds="takes no argument by place",
        ),
        Example(
            """
@ext.health_check
def health():
    return {"status": "ok"}
""",
            severity="warning",
            holds="the platform, as its documents show, calls it with the context",
        ),
        Example(
            """
@ext.webhook("events")
async def events(ctx, body):
    return {"status_code": 200}
""",
            severity="warning",
            holds="Write async def events(ctx, headers, body, query_params):",
        ),
    ),
    good=(
        Example(
            """
@ext.panel("notes")
async def notes(ctx):
    return {}


@ext.panel("plain")
async def plain(context: object, **params):
    return {}


@ext.on_install
async def installed():
    return None


@ext.tool("all", description="All")
async def everything(*args, **kwargs):
    return {}


@ext.webhook("events")
async def events(ctx, headers, body, query_params):
    return {}


@ext.webhook("others")
async def others(ctx, **request):
    return {}


@ext.health_check
async def health(_: dict):
    return {"status": "ok"}


@ext.tool("unread", description="Never reads it")
async def unread(ignored: str):
    return {}


@ext.tool("named", description="Says what it means by the name")
async def named(ctx: dict):
    return {"user": ctx.user}
"""
        ),
        Example(
            """
from functools import partial


def given(function):
    return partial(function, "notes")


class Board:
    @ext.tool("held", description="Held by an object")
    async def held(self):
        return {}


@ext.tool("wrapped", description="Wrapped")
@given
async def wrapped(title: str):
    return {"title": title}
"""
        ),
        Example(
            """
from imperal_sdk import App

app = App("notes")


@app.tool("count", "Counts")
def count(total: int):
    return {"total": total}
"""
        ),
    ),
)
