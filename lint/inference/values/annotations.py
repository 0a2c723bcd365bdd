"""What annotations say about values."""

from __future__ import annotations

import ast

from ..evaluator import Evaluator
from ..syntax.module import Module
from ..syntax.spelling import is_none
from .values import (
    UNKNOWN,
    Class,
    Display,
    External,
    Instance,
    Made,
    Rows,
    Sdk,
    SdkClass,
    Value,
    only_value,
)

_OPEN = frozenset({"Any", "object", "TypeVar", "T"})
_WRAPPERS = frozenset({"Optional", "Annotated", "Final", "ClassVar", "Required", "NotRequired"})
_AWAITED = frozenset({"Awaitable", "Coroutine"})
_LISTS = (Made("list"), Made("typing.List"))


def annotated(evaluator: Evaluator, module: Module, node: ast.expr | None) -> Value:
    """Return an instance of the annotated type; ``UNKNOWN`` if it says nothing."""
    if node is None:
        return UNKNOWN
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return _from_text(evaluator, module, node.value)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _without_none(evaluator, module, [node.left, node.right])
    if isinstance(node, ast.Subscript):
        return _subscripted(evaluator, module, node)
    if isinstance(node, (ast.Name, ast.Attribute)):
        value = only_value(evaluator.values(module, node))
        return instance_of(evaluator, value) if value is not None else UNKNOWN
    return UNKNOWN


def instance_of(evaluator: Evaluator, value: Value) -> Value:
    """Return an instance of a class."""
    if isinstance(value, SdkClass):
        return Sdk(value.cls)
    if isinstance(value, Class):
        base = evaluator.sdk_base(value)
        return Sdk(base) if base == "Context" else Instance(value)
    if isinstance(value, External):
        last = value.name.rpartition(".")[2]
        return UNKNOWN if last in _OPEN else Made(value.name)
    return UNKNOWN


def _without_none(evaluator: Evaluator, module: Module, parts: list[ast.expr]) -> Value:
    kept = [part for part in parts if not is_none(part)]
    return annotated(evaluator, module, kept[0]) if len(kept) == 1 else UNKNOWN


def _subscripted(evaluator: Evaluator, module: Module, node: ast.Subscript) -> Value:
    name = node.value.attr if isinstance(node.value, ast.Attribute) else ""
    name = node.value.id if isinstance(node.value, ast.Name) else name
    inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if name in _WRAPPERS and inner:
        return annotated(evaluator, module, inner[0])
    if name in _AWAITED or name == "Union":
        return UNKNOWN
    outer = annotated(evaluator, module, node.value)
    if outer not in _LISTS or len(inner) != 1:
        return outer
    row = annotated(evaluator, module, inner[0])
    return Rows("list", row) if isinstance(row, Sdk) else outer


def _from_text(evaluator: Evaluator, module: Module, text: str) -> Value:
    """Resolve a quoted type: a dotted name, perhaps optional, looked up in the globals."""
    parts = [part.strip() for part in text.split("|") if part.strip() != "None"]
    if len(parts) != 1:
        return UNKNOWN
    name = parts[0].removeprefix("Optional[").removesuffix("]").partition("[")[0]
    first, *rest = name.split(".")
    found = evaluator.global_name(module, first)
    if len(found) != 1:
        return Made(name) if not found and name in {"dict", "str", "int", "list"} else UNKNOWN
    value = found[0].value
    for attribute in rest:
        value = (
            evaluator.external(f"{value.name}.{attribute}")
            if isinstance(value, External)
            else UNKNOWN
        )
    return instance_of(evaluator, value)


def named_type(evaluator: Evaluator, written: str) -> Value:
    """Return an instance of a type as the SDK's own sources write it: ``Document | None``."""
    parts = [part.strip(" '\"") for part in written.strip("'\" ").split("|")]
    parts = [part for part in parts if part not in {"None", ""}]
    if len(parts) != 1:
        return UNKNOWN
    name, _, inner = parts[0].partition("[")
    row = inner.removesuffix("]")
    row = row if evaluator.surface.has_class(row) else ""
    if evaluator.surface.has_class(name):
        return Sdk(name, row=row)
    if name not in {"str", "int", "float", "bool", "dict", "list", "bytes"}:
        return UNKNOWN
    return Rows(name, Sdk(row)) if row and name == "list" else Made(name)


def says_nothing(value: Value) -> bool:
    """Tell whether the annotation of a parameter says nothing, so that callers decide."""
    return type(value) is Value or (
        isinstance(value, Display) and isinstance(value.node, ast.Subscript)
    )


def is_any(evaluator: Evaluator, module: Module, node: ast.expr) -> bool:
    """Tell whether an annotation is ``Any``, also by an alias."""
    found = evaluator.values(module, node) if isinstance(node, (ast.Name, ast.Attribute)) else ()
    return only_value(found) == External("typing.Any")


def is_told_by_caller(value: Value) -> bool:
    """Tell whether callers may tell a parameter's value more exactly than its annotation."""
    return isinstance(value, Rows) or (isinstance(value, Made) and value.of in _TOLD)


_TOLD = frozenset({"str", "int", "float", "bool", "type", "typing.Type"})
