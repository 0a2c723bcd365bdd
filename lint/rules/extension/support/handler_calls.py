"""How handlers are called: by the SDK's code, or by the platform as documented."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from ....inference.calls.handlers import sdk_class
from ....inference.calls.roles import HOOKS, Role
from ....inference.syntax.arguments import callee_of
from ....inference.values.values import Function, SdkMethod
from ....sdk_use.reach import is_replaced
from ....sdk_use.sdk_objects import is_attached
from ....view import FileView, Handlers, ProjectView

Handler = ast.FunctionDef | ast.AsyncFunctionDef

_AWAITED = frozenset({"expose", "menu_item", "panel", "tray", "widget"})
"""Kinds that the SDK awaits in every release: ``await func(ctx, **params)``."""
_TOOLS = frozenset({"alert", "signal", "skeleton", "tool", "webhook"})
"""Kinds that ``Extension.call_tool`` and ``call_signal`` call: ``func(ctx, **kwargs)``."""
_IN_THREADS = "5.16.0"
"""Since then these two call plain functions in a thread; before, they awaited whatever came."""
_CHAT_LOOP = ("3.0.0", "5.0.0")
"""From the first to before the second the SDK itself called chat functions, and awaited them."""
_TOLD = frozenset({"function", "health_check", "on_event", "schedule", "search_provider"})
"""Kinds that the platform calls: the documents and docstrings give them the context first.

Not the lifecycle hooks: the manifest tells it what each of them takes.
"""
_CALLING = ("call_tool", "call_signal")
_FUNCTION = "func"
"""Field of what the SDK keeps of a handler."""
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_LONGEST = 90
"""Characters of arguments that a message can hold."""


class Dispatch(msgspec.Struct, frozen=True):
    """How the handlers of one kind are called.

    Attributes:
        caller: who calls them, as messages name it.
        is_code: whether it is code of the SDK, so that the arguments are proved.
        awaits: whether it awaits any result.
        until: release since which it no longer does; empty if all do.
    """

    caller: str
    is_code: bool = True
    awaits: bool = True
    until: str = ""


def dispatch(view: FileView, role: Role) -> Dispatch | None:
    """Return how a handler is called; None if any signature may work, as with ``App.tool``."""
    if role.kind == "menu_item" and "path" in role.arguments:
        return None  # the host goes straight there
    if role.kind in _AWAITED or (role.kind == "function" and _is_in_chat_loop(view)):
        return Dispatch(view.sdk)
    if role.kind in _TOOLS and not _finds_context(view, role):
        awaits = not view.surface.at_least(_IN_THREADS)
        return Dispatch(view.sdk, awaits=awaits, until=_IN_THREADS if awaits else "")
    if role.kind in _TOLD:
        return Dispatch("the platform, as its documents show,", is_code=False, awaits=False)
    return None


def plain_handlers(view: FileView) -> Iterator[tuple[Handler, Role]]:
    """Yield the handlers of a file that the caller calls directly, each with its first role.

    Not methods, not with other decorators, not registered or called by the extension's own code.
    Of two with one name only the last.
    """
    if view.extension.once(_calls_by_itself):
        return
    seen: set[ast.AST] = set()
    last = {(role.kind, role.name): function for function, role in _by_place(view.handlers())}
    for function, role in view.handlers():
        if role.name and last[role.kind, role.name] is not function:
            continue
        if function in seen or isinstance(view.module.parents.get(function), ast.ClassDef):
            continue
        seen.add(function)
        registering = [other.call for other in view.roles(function)]
        is_alone = all(node in registering for node in function.decorator_list)
        if is_alone and _is_of_sdk(view, role):
            yield function, role


def _by_place(handlers: Handlers) -> Handlers:
    return tuple(sorted(handlers, key=lambda found: found[1].call.lineno))


def _calls_by_itself(extension: ProjectView) -> bool:
    """Tell whether the extension calls or replaces handlers by code of its own."""
    return any(
        any(node.name == name for kind in _DEFINITIONS for node in module.nodes(kind))
        for name in _CALLING
        for module in extension.project.naming(name)
    ) or any(module.stored(_FUNCTION) for module in extension.project.naming(_FUNCTION))


def _is_of_sdk(view: FileView, role: Role) -> bool:
    """Tell whether a decorator certainly is the SDK's."""
    callee = callee_of(role.call)
    if callee is role.call and getattr(callee, "attr", "") not in HOOKS:
        return False  # without its brackets it registers nothing
    if isinstance(callee, ast.Attribute) and is_attached(view, callee.attr, own=False):
        return False
    return not any(
        isinstance(value, Function)
        or (isinstance(value, SdkMethod) and is_replaced(view, value.owner.cls, value.name))
        for value in (item.value for item in view.values(callee))
    )


def declaration(function: Handler, *context: str) -> str:
    """Return the corrected first line of a handler."""
    rest = ast.unparse(function.args)
    given = ", ".join([*context, rest] if rest else context)
    result = f" -> {ast.unparse(function.returns)}" if function.returns is not None else ""
    if len(given) + len(result) > _LONGEST:
        given, result = ", ".join([*context, "…"]), ""
    return f"async def {function.name}({given}){result}:"


def _finds_context(view: FileView, role: Role) -> bool:
    """Tell whether a decorator is ``App.tool``, which finds the context by parameter name."""
    callee = callee_of(role.call)
    owners = view.values(callee.value) if isinstance(callee, ast.Attribute) else ()
    found = (sdk_class(view.evaluator, item.value) for item in owners)
    return getattr(callee, "attr", "") == "tool" and "App" in found


def _is_in_chat_loop(view: FileView) -> bool:
    first, end = _CHAT_LOOP
    return view.surface.at_least(first) and not view.surface.at_least(end)
