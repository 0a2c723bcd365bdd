"""Which pydantic model a chat function's decorator and annotation name, as the SDK reads them.

``ChatExtension.function`` takes ``data_model=`` if it is a pydantic class, else the return type if
that is a pydantic class or ``ActionResult[…]`` of one. Unions and containers are none to it. Only
what certainly is no model is called none here.
"""

from __future__ import annotations

import ast

from ..model.annotations import annotated
from ..model.definitions import definition
from ..model.models import is_model
from ..model.spelling import is_none
from ..model.values import Class, Const, External, Instance, Made, Sdk, Value
from ..view import FileView

_OPEN = frozenset({"Any", "object", "None"})
_BUILTINS = frozenset(
    {"dict", "list", "tuple", "set", "frozenset", "str", "bytes", "int", "float", "bool", "object"}
)
_TYPING = frozenset(
    {"Any", "Optional", "Union", "Dict", "List", "Tuple", "Set", "FrozenSet", "Sequence", "Mapping"}
)
_NO_MODELS = _BUILTINS | {f"typing.{name}" for name in _TYPING}


def may_name_model(view: FileView, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Tell whether the written result is, or may be, a model or ``ActionResult[Model]``."""
    return function.returns is not None and _may_return(view, function.returns)


def may_be_model(view: FileView, node: ast.expr) -> bool:
    """Tell whether an expression, as that of ``data_model=``, is or may be a pydantic class."""
    if isinstance(node, ast.BinOp):
        return False
    if isinstance(node, ast.Subscript):
        return not _is_container(view, node.value)
    found = view.values(node)
    return not found or any(_may_be_class(view, item.value) for item in found)


def _may_return(view: FileView, written: ast.expr) -> bool:
    if isinstance(written, ast.BinOp) or is_none(written):
        return False
    if isinstance(written, ast.Subscript):
        owner = annotated(view.evaluator, view.module, written.value)
        if isinstance(owner, Sdk) and owner.cls == "ActionResult":
            return _is_quoted(written.slice) or may_be_model(view, written.slice)
        return not _is_container(view, written.value)
    if "[" in ast.unparse(written):
        return True
    found = annotated(view.evaluator, view.module, written)
    if isinstance(found, Instance):
        return is_model(view.evaluator, found.cls) is not False
    if isinstance(found, Sdk):
        place = definition(view.evaluator, view.module, written)
        is_alias = place is not None and isinstance(place[1], ast.Subscript)
        return is_alias or found.cls != "ActionResult"
    if isinstance(found, Made):
        return "." in found.of
    return ast.unparse(written).strip("'\"").rpartition(".")[2] not in _OPEN


def _is_container(view: FileView, node: ast.expr) -> bool:
    """Tell whether ``node[…]`` is a union or a container, which the SDK does not look into."""
    found = view.values(node)
    return bool(found) and all(
        isinstance(item.value, External) and item.value.name in _NO_MODELS for item in found
    )


def _may_be_class(view: FileView, value: Value) -> bool:
    if isinstance(value, Class):
        return is_model(view.evaluator, value) is not False
    if isinstance(value, External):
        return value.name not in _NO_MODELS
    return not isinstance(value, Const)


def _is_quoted(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
