"""FED532: a handler that is not async, although the SDK awaits its result."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ....reports.lint.findings import Edit, Fix, Span
from ...inference.calls.roles import KINDS
from ...inference.flow.branches import live_returns
from ...inference.values.attributes import class_chain
from ...inference.values.models import is_model
from ...inference.values.origins import Written
from ...inference.values.standard_types import standard_type
from ...inference.values.values import (
    Class,
    Const,
    Coroutine,
    Display,
    Instance,
    Sdk,
    SdkClass,
    SdkField,
    Value,
    types_of,
)
from ...payloads.dumps import dumped_as
from ...rule import Example, Hit, Rule
from ...sdk_use.calls import is_proved
from ...sdk_use.declarations import made_by
from ...sdk_use.reach import bare_returns, never_ends
from ...view import FileView, span_of
from .support.handler_calls import Dispatch, dispatch, plain_handlers

_NO_AWAITABLE = types_of(Const, Sdk, SdkClass, SdkField, Class)


def _check(view: FileView) -> Iterator[Hit]:
    for function, role in plain_handlers(view):
        called = dispatch(view, role)
        if called is None or not called.awaits or isinstance(function, ast.AsyncFunctionDef):
            continue
        told = set(_answers(view, function))
        if False not in told or True in told:
            continue
        sure = told == {False} and is_proved(view, role)
        yield Hit(
            node=function,
            message=f"{role.label} {function.name} is not async: each call raises TypeError\n"
            f"{called.caller} awaits what it returns. Make it async def {function.name}"
            f"{_newer(called)}.",
            severity=None if sure else "warning",
            fix=_fix(view, function),
        )


def _answers(view: FileView, function: ast.FunctionDef) -> Iterator[bool | None]:
    """Return for each value that a function may return whether it can be awaited."""
    for result in live_returns(view.evaluator, view.module, function):
        if dumped_as(view, Written(view.module, result)):
            yield False
        else:
            yield from (_is_awaitable(view, item.value) for item in view.values(result))
    is_left = never_ends(view.evaluator, view.module, function)
    if not is_left or bare_returns(view.module, function):
        yield False


def _is_awaitable(view: FileView, value: Value) -> bool | None:
    """Tell whether a value can be awaited; None if that is not known."""
    if isinstance(value, Coroutine):
        return True
    if type(value) in _NO_AWAITABLE or standard_type(value) is not None or made_by(value):
        return False
    if isinstance(value, Display):
        return False if isinstance(value.node, (ast.Dict, ast.List, ast.Tuple)) else None
    if isinstance(value, Instance) and is_model(view.evaluator, value.cls) is not None:
        chain = class_chain(view.evaluator, value.cls)
        steps = (step for each in chain for step in each.node.body)
        return None if any(getattr(step, "name", "") == "__await__" for step in steps) else False
    return None


def _newer(called: Dispatch) -> str:
    if not called.until:
        return ""
    return f", or require imperal-sdk>={called.until}, which calls plain functions in a thread"


def _fix(view: FileView, function: ast.FunctionDef) -> Fix | None:
    """Make the function async, if no other code can call it."""
    if view.module.is_generator(function) or _is_named(view, function.name):
        return None
    start = span_of(view.module, function)
    place = Span(line=start.line, column=start.column, end_line=start.line, end_column=start.column)
    edit = Edit(span=place, replacement="async ")
    return Fix(title="Make it an async function", safety="safe", edits=(edit,))


def _is_named(view: FileView, name: str) -> bool:
    """Tell whether the extension mentions a function outside its definition."""
    return any(
        name in module.names
        or module.attributes(name)
        or any(alias.name == name for node in module.nodes(ast.ImportFrom) for alias in node.names)
        for module in view.extension.project.naming(name)
    )


RULE = Rule(
    code="FED532",
    name="handler-not-async",
    summary="What the SDK awaits is an async function.",
    severity="error",
    triggers=tuple(sorted(KINDS)),
    check=_check,
    what="""
Finds handlers that are plain functions where code of the SDK awaits what they return: panels,
widgets, tray and menu items and exposed methods in every release; tools, skeleton handlers,
webhooks and signals before 5.16.0, which calls plain ones in a thread; chat functions from 3.0.0 to
4.x. A plain function that returns a coroutine is right. Where part of what it returns is not known
it is a warning, where nothing of it is, the rule says nothing; nor does it of what the platform
calls (schedules, events, lifecycle hooks, health checks), of `App.tool`, of methods and of
functions under a further decorator.
""",
    why="""
`await` of a dict or of a node of the user interface raises TypeError: the panel never shows, the
tool never answers. A test that calls the function itself stays green.
""",
    example='@ext.panel("notes")\ndef notes(ctx, **params):\n    return ui.Text("Nothing yet")',
    instead='@ext.panel("notes")\nasync def notes(ctx, **params):\n'
    '    return ui.Text("Nothing yet")',
    safety="The function becomes async where nothing else in the extension names it, so that "
    "nobody calls it in another way. Calls in it that wait for others without `await` then hold up "
    "the rest of the extension.",
    references=(
        "SDK sources: extension.py panel, call_tool, call_signal",
        "SDK sources: extensions/client.py call",
        "SDK sources: chat/handler.py before 5.0.0",
    ),
    bad=(
        Example(
            """
@ext.panel("notes")
def notes(ctx, **params):
    return {}
""",
            holds="imperal-sdk 6.3.7 awaits what it returns. Make it async def notes.",
        ),
        Example(
            """
@ext.tool("count", description="Counts")
def count(ctx, total: int = 0) -> dict:
    return Count(total=total).model_dump()


@ext.tool("tell", description="Tells")
def tell(ctx) -> dict:
    return {"total": 1}
""",
            sdk="5.9.3",
            holds="Make it async def count, or require imperal-sdk>=5.16.0",
        ),
        Example(
            """
@ext.expose("find")
def find(ctx, title: str):
    if title:
        return lookup(title)
    return None
""",
            severity="warning",
        ),
        Example(
            """
@ext.panel("notes")
def notes(ctx):
    ctx.log("shown")
""",
        ),
    ),
    good=(
        Example(
            """
async def shown(ctx):
    return {}


@ext.panel("notes")
def notes(ctx, **params):
    return shown(ctx)


@ext.tool("count", description="Counts")
def count(ctx) -> dict:
    return {"total": 1}


@ext.panel("other")
def other(ctx):
    return made_elsewhere(ctx)


@ext.panel("never")
def never(ctx):
    raise NotImplementedError


@ext.health_check
def health(ctx):
    return {"status": "ok"}
"""
        ),
        Example(
            """
@ext.skeleton("notes")
async def notes(ctx):
    return {"response": {"total": 1}}
""",
            sdk="5.9.3",
        ),
    ),
)
