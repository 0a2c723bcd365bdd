"""Chat functions and the models that they return."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from ....files.plain_text import mentions
from ....inference.calls.calling import constant_text
from ....inference.calls.handlers import EXTENSIONS
from ....inference.calls.roles import Role
from ....inference.syntax.arguments import shows_all
from ....inference.syntax.spelling import is_none
from ....inference.values.annotations import annotated
from ....inference.values.definitions import definition
from ....inference.values.models import is_model
from ....inference.values.values import (
    Class,
    Const,
    External,
    Instance,
    Made,
    ModuleValue,
    Sdk,
    SdkClass,
    Value,
)
from ....sdk_use.calls import arguments, shown
from ....view import FileView, ProjectView, asked_once

TRIGGER = "function"
WRITING = frozenset({"write", "destructive"})


class ChatFunction(msgspec.Struct, frozen=True, eq=False):
    """A handler and its decorator.

    Attributes:
        call: the decorator.
        action: ``read`` (the default), ``write`` or ``destructive``; empty if it is not known.
        arguments: name → argument of the decorator.
    """

    function: ast.FunctionDef | ast.AsyncFunctionDef
    role: Role
    call: ast.Call
    action: str
    arguments: dict[str, ast.expr]


@asked_once
def chat_functions(view: FileView) -> tuple[ChatFunction, ...]:
    """Return the chat functions of a file whose decorators write all arguments out."""
    return tuple(_declared(view))


def _declared(view: FileView) -> Iterator[ChatFunction]:
    for function, role in view.handlers():
        call = role.call
        if role.kind != "function" or not isinstance(call, ast.Call):
            continue
        if not shows_all(shown(view, call)):
            continue
        given = arguments(view, call, "ChatExtension", "function")
        written = given.get("action_type")
        action = "read" if written is None else constant_text(view.evaluator, view.module, written)
        yield ChatFunction(function, role, call, action or "", given)


def app_id(extension: ProjectView) -> str:
    """Return the id of the extension, if the code names exactly one; else an empty text."""
    found: set[str] = set()
    for module in extension.project.mentioning("imperal_sdk"):
        view = FileView(extension, module)
        calls = (extension.project.calls_by_name(module, name) for name in EXTENSIONS)
        for call in (call for found in calls for call in found):
            for item in view.values(call.func):
                if isinstance(item.value, SdkClass) and item.value.cls in EXTENSIONS:
                    given = arguments(view, call, item.value.cls, "__init__").get("app_id")
                    values = view.values(given) if given is not None else ()
                    found.update(
                        str(each.value.value) for each in values if isinstance(each.value, Const)
                    )
    return found.pop() if len(found) == 1 else ""


_OPEN = frozenset({"Any", "object", "None"})
_BUILTINS = frozenset(
    {"dict", "list", "tuple", "set", "frozenset", "str", "bytes", "int", "float", "bool", "object"}
)
_TYPING = frozenset(
    {"Any", "Optional", "Union", "Dict", "List", "Tuple", "Set", "FrozenSet", "Sequence", "Mapping"}
)
_NO_MODELS = _BUILTINS | {f"typing.{name}" for name in _TYPING}


def may_name_model(view: FileView, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Tell whether the return annotation may be a model or ``ActionResult[Model]``."""
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


_MAKING = ("__getattr__", "__dict__", "exec", "globals", "setattr", "vars")
"""Words of modules that may make names which they do not write."""


def lacking_names(view: FileView, node: ast.ImportFrom) -> list[str]:
    """Return imported names that the imported file of the extension never mentions."""
    found = view.evaluator.module_named(view.module, node.module or "")
    other = found.module if isinstance(found, ModuleValue) else None
    if other is None or other.source.path.name == "__init__.py":
        return []  # a package has its files, whatever they are
    stars = "*" in view.extension.project.table(other.tree)
    if stars or any(mentions(other.source, word) for word in _MAKING):
        return []
    names = [alias.name for alias in node.names if alias.name != "*"]
    return [name for name in names if not mentions(other.source, name)]
