"""Names that a file imports from the SDK."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from ..inference.evaluator import Alternatives
from ..inference.values.values import Alternative, Class, External, SdkClass, Value, types_of
from ..sdk.module_surface import Callee, modules
from ..sdk.surface import PACKAGE, Signature, Surface
from ..view import FileView, asked_once
from .sdk_models import required_by_sdk

_OF_THE_TYPES = "types"
_BELOW = f"{PACKAGE}."
_OUTSIDE = types_of(External)
_CALLED = types_of(External, SdkClass, Class)
_CALLEES = frozenset({ast.Attribute, ast.Name, ast.Call, ast.NamedExpr, ast.IfExp})


class FunctionCall(msgspec.Struct, frozen=True):
    """A call of a function or class of the SDK that is no method.

    Attributes:
        item: the alternative that makes it one.
        name: of what is called; for a model of the extension, of the SDK's model.
        spec: how it may be called.
        is_model: whether wrong fields raise ``pydantic.ValidationError``.
        callee: what is called, in the target version; none for a model of the extension.
    """

    node: ast.Call
    item: Alternative
    name: str
    spec: Signature
    is_model: bool
    callee: Callee | None = None


def path_of(value: Value) -> str:
    """Return the dotted path of an outside name below the SDK's package; empty for others."""
    if type(value) in _OUTSIDE and isinstance(value, External):
        return value.name[len(_BELOW) :] if value.name.startswith(_BELOW) else ""
    return ""


@asked_once
def function_calls(view: FileView) -> tuple[FunctionCall, ...]:
    """Return the calls of the SDK's functions and classes, ``sdl.EntityList[Note](…)`` included."""
    return tuple(_function_calls(view))


def _function_calls(view: FileView) -> Iterator[FunctionCall]:
    for node in view.module.nodes(ast.Call):
        for item in _callees(view, node):
            if type(item.value) in _CALLED:
                found = _called(view, node, item)
                if found is not None:
                    yield found
                    break


def _callees(view: FileView, call: ast.Call) -> Alternatives:
    """Return the values of the callee; of ``EntityList[Note]`` the class."""
    if isinstance(call.func, ast.Subscript):
        found = view.values(call.func)
        if any(type(item.value) in _CALLED for item in found):
            return found
    func = named_callee(call)
    return view.values(func) if type(func) in _CALLEES else ()


def named_callee(call: ast.Call) -> ast.expr:
    """Return the callee without what stands in brackets: ``sdl.EntityList`` of ``…[Note](…)``."""
    return call.func.value if isinstance(call.func, ast.Subscript) else call.func


def _called(view: FileView, node: ast.Call, item: Alternative) -> FunctionCall | None:
    if isinstance(item.value, Class):
        model = required_by_sdk(view, item.value)
        return FunctionCall(node, item, model[0], model[1], is_model=True) if model else None
    callee = callee_of(view, item.value)
    spec = callee.signature if callee else None
    if callee is None or spec is None:
        return None
    name = callee.path.rpartition(".")[2]
    return FunctionCall(node, item, name, spec, callee.is_model, callee)


def callee_of(view: FileView, value: Value) -> Callee | None:
    """Return the signature of a value, if it is a function or class of the SDK."""
    if isinstance(value, SdkClass):
        known = modules(view.surface.version)
        return known.callee(value.cls) or known.callee(f"{_OF_THE_TYPES}.{value.cls}")
    path = path_of(value)
    return modules(view.surface.version).callee(path) if path else None


def is_annotation(view: FileView, node: ast.AST) -> bool:
    """Tell whether a node is part of an annotation."""
    child = node
    for parent in view.module.ancestors(node):
        if isinstance(parent, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return child is parent.returns
        if isinstance(parent, (ast.arg, ast.AnnAssign)):
            return child is parent.annotation
        if isinstance(parent, ast.stmt):
            return False
        child = parent
    return False


ROOT = ""
"""Under which the surface keeps the names and modules of the package itself."""


def absent(surface: Surface, path: str) -> tuple[str, str] | None:
    """Return (module, name) of the first missing part of a path below the package.

    None if all exist, or are private and so unknown.
    """
    first = path.partition(".")[0]
    if path.startswith("_"):
        return None
    if first not in surface.members(ROOT):
        return ROOT, first
    return modules(surface.version).absent(path)


def taken_from_sdk(statement: ast.stmt) -> Iterator[str]:
    """Yield the paths below the package that an import binds."""
    if isinstance(statement, ast.Import):
        names = [alias.name for alias in statement.names]
    elif isinstance(statement, ast.ImportFrom) and not statement.level:
        base = statement.module or ""
        names = [base if it.name == "*" else f"{base}.{it.name}" for it in statement.names]
    else:
        return
    for name in names:
        package, _, path = name.partition(".")
        if package == PACKAGE and path:
            yield path
