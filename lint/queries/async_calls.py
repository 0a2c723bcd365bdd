"""Which calls return a coroutine: of the SDK's async methods and functions, of the extension's."""

from __future__ import annotations

import ast

from ..model.module import last_name
from ..model.project import Project
from ..model.values import (
    Computed,
    Coroutine,
    External,
    Function,
    Sdk,
    SdkClass,
    SdkMethod,
    Value,
    types_of,
)
from ..sdk.surface import CLOSED
from ..view import FileView
from .patches import is_replaced
from .sdk_names import callee_of
from .sdk_objects import is_attached

OWNERS = CLOSED | {"Context", "_SkeletonAccessGuard"}
"""Classes of the SDK whose methods are known to be async or not."""

_DEEPEST = 4
_MAKERS = types_of(External, Function, Sdk, SdkClass, SdkMethod)
"""Kinds of callees that may return a coroutine."""
_STARTING = tuple(
    External(f"asyncio.{name}") for name in ("create_task", "ensure_future", "shield")
)
"""Start a coroutine, whether or not anybody awaits what they return."""


def is_async(view: FileView, call: ast.Call) -> bool:
    """Tell whether a call certainly returns a coroutine, whatever is called."""
    callees = [item.value for item in view.values(call.func)]
    if not _MAKERS.issuperset(map(type, callees)):
        return False
    if len(callees) == 1 and _is_async_function(view, callees[0]):
        return True
    if len(callees) == 1 and _hands_back(view, callees[0]):
        found = [item.value for item in view.values(call)]
        return bool(found) and all(is_of_sdk(value) for value in found)
    return (
        bool(callees)
        and all(_makes_coroutine(view, value) for value in callees)
        and all(isinstance(item.value, Coroutine) for item in view.values(call))
    )


def calls_async_function(view: FileView, call: ast.Call) -> bool:
    """Tell whether a call calls an async function of the SDK that is no method."""
    found = view.values(call.func)
    return len(found) == 1 and _is_async_function(view, found[0].value)


def _is_async_function(view: FileView, value: Value) -> bool:
    callee = callee_of(view, value)
    return callee is not None and callee.text.startswith("a")


def is_of_sdk(value: Value) -> bool:
    """Tell whether a value is the coroutine of a method of the SDK."""
    return isinstance(value, Coroutine) and value.maker.partition(".")[0] in OWNERS


def may_start(view: FileView, call: ast.Call) -> bool:
    """Tell whether a call may start the coroutine that it returns: ``create_task``, a helper."""
    callees = [item.value for item in view.values(call.func)]
    return any(
        value in _STARTING
        or (
            isinstance(value, Function)
            and not isinstance(value.node, ast.AsyncFunctionDef)
            and not _returns_coroutine(view, value, 0)
        )
        for value in callees
    )


def _hands_back(view: FileView, value: Value) -> bool:
    """Tell whether a plain function of the tree is called, which may return a coroutine."""
    if not isinstance(value, Function) or isinstance(value.node, ast.AsyncFunctionDef):
        return False
    if isinstance(value.node, ast.Lambda):
        return _returns_coroutine(view, value, 0)
    calls = all(isinstance(each, ast.Call) for each in value.module.returns(value.node))
    is_plain = calls and not value.node.decorator_list and _is_own(view, value, value.node.name)
    return is_plain and _returns_coroutine(view, value, 0)


def _is_own(view: FileView, value: Function, name: str) -> bool:
    """Tell whether a function is no method, or one that nothing replaces."""
    cls = value.module.parents.get(value.node)
    return not isinstance(cls, ast.ClassDef) or (
        is_defined_once(view.extension.project, name) and not _is_remade(cls)
    )


def is_defined_once(project: Project, name: str) -> bool:
    """Tell whether the tree gives a name of a method to one function only, and to nothing else."""
    found = 0
    for module in project.naming(name):
        kinds = (*module.nodes(ast.FunctionDef), *module.nodes(ast.AsyncFunctionDef))
        found += sum(node.name == name for node in kinds) + len(module.stored(name))
        stored = (node for node in module.names.get(name, ()) if isinstance(node.ctx, ast.Store))
        found += sum(isinstance(module.scope(node), ast.ClassDef) for node in stored)
    return found == 1


def _returns_coroutine(view: FileView, value: Function, depth: int) -> bool:
    """Tell whether a function returns calls of the SDK, or what it got, and starts nothing."""
    if isinstance(value.node, ast.Lambda):
        returned = [value.node.body]
    else:
        returned = [] if value.module.is_generator(value.node) else value.module.returns(value.node)
    return bool(returned) and all(_is_as_made(view, value, each, depth) for each in returned)


def _is_as_made(view: FileView, inside: Function, node: ast.expr, depth: int) -> bool:
    """Tell whether nothing is done with a value of a function but that it is returned."""
    if isinstance(node, ast.Constant):
        return True
    if isinstance(node, ast.IfExp):
        sides = (node.body, node.orelse)
        return all(_is_as_made(view, inside, side, depth) for side in sides)
    if isinstance(node, ast.Call):
        return _is_unstarted(view, inside, node, depth)
    if not isinstance(node, ast.Name) or [*inside.module.reads(inside.node, node.id)] != [node]:
        return False
    _, found = view.evaluator.project.lookup(inside.module, node)
    return bool(found) and all(
        isinstance(binding.node, ast.arg)
        or (
            isinstance(binding.value, ast.Call)
            and not binding.path
            and depth < _DEEPEST
            and _is_unstarted(view, inside, binding.value, depth + 1)
        )
        for binding in found
    )


def _is_unstarted(view: FileView, inside: Function, call: ast.Call, depth: int) -> bool:
    found = [item.value for item in view.evaluator.values(inside.module, call.func)]
    return bool(found) and all(
        isinstance(value, Sdk | SdkMethod)
        or (
            isinstance(value, Function)
            and depth < _DEEPEST
            and not isinstance(value.node, ast.AsyncFunctionDef)
            and _returns_coroutine(view, value, depth + 1)
        )
        for value in found
    )


def _makes_coroutine(view: FileView, value: Value) -> bool:
    if isinstance(value, Computed):
        return isinstance(value.result, Coroutine)
    if isinstance(value, Sdk):
        value = SdkMethod(value, "__call__")
    if isinstance(value, SdkMethod):
        member = view.surface.member(value.owner.cls, value.name)
        is_known = isinstance(value.owner, Sdk) and value.owner.cls in OWNERS
        return is_known and member is not None and member.is_async and not _is_set(view, value)
    if not isinstance(value, Function) or value.module.is_generator(value.node):
        return False
    return _is_async_as_written(view, value)


def is_async_generator(view: FileView, call: ast.Call) -> bool:
    """Tell whether a call certainly returns an async generator, which nothing can await."""
    callees = [item.value for item in view.values(call.func)]
    return bool(callees) and all(_makes_generator(view, value) for value in callees)


def _makes_generator(view: FileView, value: Value) -> bool:
    if isinstance(value, SdkMethod):
        member = view.surface.member(value.owner.cls, value.name)
        is_known = isinstance(value.owner, Sdk) and value.owner.cls in OWNERS
        yields = member is not None and member.text.startswith("async generator ")
        return is_known and yields and not _is_set(view, value)
    if not isinstance(value, Function) or not value.module.is_generator(value.node):
        return False
    if not _is_async_as_written(view, value):
        return False
    is_method = isinstance(value.module.parents.get(value.node), ast.ClassDef)
    name = getattr(value.node, "name", "")
    return not is_method or is_defined_once(view.extension.project, name)


def _is_async_as_written(view: FileView, value: Function) -> bool:
    """Tell whether an async function is called as it stands: nothing replaces or wraps it."""
    node = value.node
    if not isinstance(node, ast.AsyncFunctionDef):
        return False
    cls = value.module.parents.get(node)
    is_method = isinstance(cls, ast.ClassDef)
    is_bound_otherwise = is_method and all(map(_is_binding, node.decorator_list))
    return not (
        (node.decorator_list and not is_bound_otherwise)
        or is_attached(view, node.name, own=is_method)
        or (is_method and (_is_remade(cls) or _has_sync_namesake(view, node.name)))
    )


def _is_binding(decorator: ast.expr) -> bool:
    """``@staticmethod`` and ``@classmethod`` change who is the first argument only."""
    return isinstance(decorator, ast.Name) and decorator.id in {"classmethod", "staticmethod"}


def _is_remade(cls: ast.ClassDef) -> bool:
    """Tell whether a decorator or a metaclass may put other methods in the place of a class's."""
    return bool(cls.keywords) or any(
        last_name(item.func if isinstance(item, ast.Call) else item) != "dataclass"
        for item in cls.decorator_list
    )


def _is_set(view: FileView, method: SdkMethod) -> bool:
    """Tell whether the extension puts something in a method's place: ``ctx.store.get = fake``."""
    cls = method.owner.cls
    return is_replaced(view, cls, method.name) or any(
        isinstance(item.value, Sdk | SdkClass) and item.value.cls == cls
        for module in view.extension.project.naming(method.name)
        for node in module.stored(method.name)
        for item in view.evaluator.values(module, node.value)
    )


def _has_sync_namesake(view: FileView, name: str) -> bool:
    """Tell whether a class, which may be a subclass, has something else of that name."""
    return any(
        any(node.name == name for node in module.nodes(ast.FunctionDef))
        or any(
            isinstance(node.ctx, ast.Store) and isinstance(module.scope(node), ast.ClassDef)
            for node in module.names.get(name, ())
        )
        for module in view.extension.project.naming(name)
    )
