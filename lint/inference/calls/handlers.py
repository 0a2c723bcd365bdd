"""Which functions are handlers, of which kind, and which parameter is their context."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from ..evaluator import Evaluator
from ..syntax.arguments import argument_at, callee_of
from ..syntax.bindings import parameters
from ..syntax.module import FunctionNode, Module, last_name
from ..values.annotations import annotated, is_any
from ..values.attributes import has_decorator
from ..values.values import Function, Instance, Sdk, Value
from .calling import constant_text
from .kept_decorators import gives_context, kept_callee, spelt_out
from .roles import CONTEXT_NAMES, HOOKS, KINDS, Role

BARE = frozenset(HOOKS)
_RECEIVERS = frozenset({"ext", "chat", "app", "extension", "sdk_ext", "chat_ext", "chat_extension"})
EXTENSIONS = frozenset({"Extension", "App"})
"""Classes whose objects are an extension."""
DECLARING = EXTENSIONS | {"ChatExtension"}
"""Classes whose methods register handlers."""


def roles(evaluator: Evaluator, module: Module, function: ast.AST) -> tuple[Role, ...]:
    """Return the roles of a function, by its decorators and by calls ``ext.panel(…)(function)``.

    If another decorator may change the arguments, the role has no context parameter.
    """
    if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return ()
    written = [(module, spelt_out(evaluator, module, it)) for it in function.decorator_list]
    written += _call_forms(evaluator, module, function)
    every = (_role(evaluator, place, module, function, item) for place, item in written)
    found = tuple(role for role in every if role is not None)
    if gives_context(evaluator, module, function):
        return found
    return tuple(msgspec.structs.replace(role, context=None) for role in found)


def _call_forms(
    evaluator: Evaluator, module: Module, function: ast.FunctionDef | ast.AsyncFunctionDef
) -> Iterator[tuple[Module, ast.expr]]:
    """Yield the calls that register a function without a decorator, and their files.

    In other files, and for methods and hooks, only calls on a proved extension count.
    """
    name = function.name
    for place in {module: 0, **dict.fromkeys(evaluator.project.registering(name), 0)}:
        hooks = (call for hook in HOOKS for call in place.calls.get(hook, ()))
        for call in (*place.decorating_calls(name), *hooks):
            given = call.args[0] if call.args else None
            if given is None or last_name(given) != name:
                continue
            plain = type(given) is ast.Name and type(call.func) is ast.Call and place is module
            plain = plain and _may_be(evaluator, place, given, function)
            if plain or _is_registered(evaluator, place, call, given, function):
                yield place, call.func


def _is_registered(
    evaluator: Evaluator, module: Module, call: ast.Call, given: ast.expr, function: ast.AST
) -> bool:
    callee = callee_of(call.func)
    if not isinstance(callee, ast.Attribute) or callee.attr not in KINDS:
        return False
    if _receiver(evaluator, module, callee.value) in {None, "?"}:
        return False
    found = (item.value for item in evaluator.values(module, given))
    return any(isinstance(value, Function) and value.node is function for value in found)


def _may_be(evaluator: Evaluator, module: Module, given: ast.expr, function: ast.AST) -> bool:
    """Tell whether a name may still be the function: not after ``panel = wrapped(panel)``."""
    found = [item.value for item in evaluator.values(module, given)]
    return not found or any(isinstance(it, Function) and it.node is function for it in found)


def _role(
    evaluator: Evaluator,
    place: Module,
    module: Module,
    function: FunctionNode,
    decorator: ast.expr,
) -> Role | None:
    callee = kept_callee(evaluator, place, decorator)
    if not isinstance(callee, ast.Attribute) or callee.attr not in KINDS:
        return None
    if not isinstance(decorator, ast.Call) and callee.attr not in BARE | {"tool"}:
        return None
    owner = _receiver(evaluator, place, callee.value)
    if owner is None or (
        owner != "?" and (owner == "ChatExtension") != (callee.attr == "function")
    ):
        return None
    name = _name(evaluator, place, decorator, callee.attr)
    kind = _kind(callee.attr, name)
    label = f"@{ast.unparse(callee)}{_shown(decorator, callee.attr, name)}"
    context = _context(evaluator, module, function, owner)
    return Role(kind, decorator, context, label, name, is_elsewhere=place is not module)


def _shown(decorator: ast.expr, kind: str, name: str) -> str:
    """Return the arguments of a decorator as messages show them."""
    if not isinstance(decorator, ast.Call):
        return ""
    given = name_argument(decorator, kind)
    is_empty = isinstance(given, ast.Constant) and given.value == ""
    return f'("{name}")' if name or is_empty else "(…)"


def _kind(attribute: str, name: str) -> str:
    if attribute == "tool" and name.startswith("skeleton_refresh_"):
        return "skeleton"
    if attribute == "tool" and name.startswith("skeleton_alert_"):
        return "alert"
    return attribute


def _receiver(evaluator: Evaluator, module: Module, node: ast.expr) -> str | None:
    """Return the class of a decorator's owner; ``?`` if only its name suggests an extension."""
    unknown = False
    for item in evaluator.values(module, node):
        cls = sdk_class(evaluator, item.value)
        if cls in DECLARING:
            return cls
        unknown = unknown or type(item.value) is Value
    named = last_name(node) in _RECEIVERS
    return "?" if named and unknown else None


def sdk_class(evaluator: Evaluator, value: Value) -> str:
    """Return the SDK class of an instance, also of a subclass in the tree."""
    if isinstance(value, Sdk):
        return value.cls
    if isinstance(value, Instance):
        return evaluator.sdk_base(value.cls)
    return ""


def _name(evaluator: Evaluator, module: Module, decorator: ast.expr, kind: str) -> str:
    """Return the name that a decorator registers; empty if unknown."""
    given = name_argument(decorator, kind) if isinstance(decorator, ast.Call) else None
    return (constant_text(evaluator, module, given) if given is not None else None) or ""


def name_argument(call: ast.Call, kind: str) -> ast.expr | None:
    """Return the argument of a decorator that names what it registers."""
    return argument_at(call, _NAMING.get(kind, "name"), 0)


_NAMING = {
    "panel": "panel_id",
    "skeleton": "section_name",
    "widget": "widget_id",
    "tray": "tray_id",
    "menu_item": "item_id",
    "webhook": "path",
    "on_event": "event_type",
    "search_provider": "entity_type",
    "on_upgrade": "version",
}
"""Decorator → the parameter that takes its name, where that is not ``name``."""


def _context(
    evaluator: Evaluator, module: Module, function: FunctionNode, owner: str
) -> ast.arg | None:
    positional = [*function.args.posonlyargs, *function.args.args]
    in_class = isinstance(module.parents.get(function), ast.ClassDef)
    if in_class and not has_decorator(function, "staticmethod"):
        positional = positional[1:]
    if owner == "App":
        return next((arg for arg in parameters(function) if _looks_like_context(arg)), None)
    if not positional or not _may_be_context(evaluator, module, positional[0]):
        return None
    return positional[0]


def _looks_like_context(arg: ast.arg) -> bool:
    written = ast.unparse(arg.annotation) if arg.annotation else ""
    return arg.arg in CONTEXT_NAMES or "Context" in written


def _may_be_context(evaluator: Evaluator, module: Module, arg: ast.arg) -> bool:
    """Tell whether a handler's first parameter can be its context, by its annotation."""
    if arg.annotation is None:
        return True
    written = ast.unparse(arg.annotation).strip("'\"")
    if "Context" in written or written.split(".")[-1] in {"Any", "object"}:
        return True
    typed = annotated(evaluator, module, arg.annotation)
    is_context = isinstance(typed, Sdk) and typed.cls == "Context"
    return is_context or is_any(evaluator, module, arg.annotation)
