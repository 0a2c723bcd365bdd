"""Data of services and of the store: plain JSON, never an instance of a model."""

from __future__ import annotations

import ast

from ....inference.flow.conditions import named
from ....inference.syntax.module import Module
from ....inference.syntax.spelling import spelled
from ....inference.values.origins import Written, written
from ....inference.values.values import Sdk, SdkField, SdkMethod, Value
from ....sdk_use.reach import is_replaced
from ....view import FileView

_FIELDS = {
    ("Document", "data"): "the dict of a document",
    ("HTTPResponse", "body"): "the body of an answer",
    ("Page", "data"): "a list of documents",
}
_WHOLE = "what response.json() gave, a dict or a list"
_OF_DOCUMENT = "a part of a document, plain JSON"
_PARTS = {
    _WHOLE: "a part of an answer, plain JSON",
    _FIELDS["HTTPResponse", "body"]: "a part of an answer, plain JSON",
    _FIELDS["Document", "data"]: _OF_DOCUMENT,
}
"""What something is → what its parts are; those of a page are documents."""
_DISPLAY = "(written here)"
_DEEPEST = 6


def answer_of(view: FileView, at: Written) -> str:
    """Return in words what an expression is, if it certainly is such data or a part of it.

    ``response.json()``, ``document.data``, ``response.json()["items"]``, also behind names and
    functions of the extension; empty where something else may stand there.
    """
    found = written(view.evaluator, at.module, at.node, at.frame)
    if any(_is_asked(holder.module, holder.use) for it in found for holder in it.holders):
        return ""
    kinds = {_of(view, it, 0) for it in found}
    answers = kinds - {_DISPLAY}
    return min(answers) if answers and all(kinds) else ""


def _is_asked(module: Module, name: ast.Name) -> bool:
    """Tell whether the function tests the type of a name."""
    function = module.function(name)
    return any(
        module.function(call) is function
        and any(spelled(named(arg)) == name.id for arg in call.args)
        for asking in ("isinstance", "type")
        for call in module.calls.get(asking, ())
    )


def _of(view: FileView, at: Written, depth: int) -> str:
    if depth > _DEEPEST:
        return ""
    node = at.node
    if isinstance(node, ast.Await):
        return _behind(view, at, node.value, depth) if isinstance(node.value, ast.Call) else ""
    if isinstance(node, (ast.Dict, ast.List, ast.Constant)):
        return _DISPLAY
    return _whole(view, at, node) or _part(view, at, node)


def _behind(view: FileView, at: Written, node: ast.expr, depth: int) -> str:
    found = written(view.evaluator, at.module, node, at.frame)
    kinds = {_of(view, each, depth + 1) for each in found}
    return min(kinds) if kinds and all(kinds) and _DISPLAY not in kinds else ""


def _whole(view: FileView, at: Written, node: ast.expr) -> str:
    """Return in words what ``response.json()`` or ``document.data`` is."""
    if isinstance(node, ast.Attribute):
        return _field(view, at, node)
    callee = node.func if isinstance(node, ast.Call) else None
    if not isinstance(callee, ast.Attribute) or callee.attr != "json":
        return ""
    return _WHOLE if _is_json(view, at, callee) else ""


def _part(view: FileView, at: Written, node: ast.expr) -> str:
    """Return in words what ``answer["key"]`` or ``answer.get("key")`` is, at any depth."""
    owner = _owner(node)
    while owner is not None:
        is_row = _is_document(view, at, owner)
        kind = _OF_DOCUMENT if is_row else _PARTS.get(_whole(view, at, owner), "")
        if kind:
            return "" if kind == _OF_DOCUMENT and _is_filled(view) else kind
        owner = _owner(owner)
    return ""


def _owner(node: ast.expr) -> ast.expr | None:
    """Return the object of an item or of ``get``."""
    if isinstance(node, ast.Subscript):
        return node.value
    callee = node.func if isinstance(node, ast.Call) and _is_get(node) else None
    return callee.value if isinstance(callee, ast.Attribute) else None


def _is_document(view: FileView, at: Written, node: ast.expr) -> bool:
    """``document["key"]`` and ``document.get("key")`` are those of its data."""
    found = [item.value for item in view.evaluator.values(at.module, node, at.frame)]
    return bool(found) and all(
        isinstance(value, Sdk) and value.cls == "Document" and value.certain for value in found
    )


def _is_filled(view: FileView) -> bool:
    """Tell whether code writes into the data of a document: ``document.data["x"] = …``."""
    return any(
        isinstance(node.value, ast.Attribute)
        and node.value.attr == "data"
        and not isinstance(node.ctx, ast.Load)
        for module in view.extension.project.naming("data")
        for node in module.nodes(ast.Subscript)
    )


def _field(view: FileView, at: Written, node: ast.Attribute) -> str:
    found = {_kind(view, it.value) for it in view.evaluator.values(at.module, node, at.frame)}
    is_set = any(module.stored(node.attr) for module in view.extension.project.naming(node.attr))
    return found.pop() if len(found) == 1 and not is_set else ""


def _kind(view: FileView, value: Value) -> str:
    if not isinstance(value, SdkField) or not value.owner.certain:
        return ""
    if view.surface.member(value.owner.cls, value.name) is None:
        return ""
    return _FIELDS.get((value.owner.cls, value.name), "")


def _is_json(view: FileView, at: Written, callee: ast.Attribute) -> bool:
    found = [item.value for item in view.evaluator.values(at.module, callee, at.frame)]
    return bool(found) and all(
        isinstance(value, SdkMethod)
        and (value.owner.cls, value.name) == ("HTTPResponse", "json")
        and getattr(value.owner, "certain", False)
        and not is_replaced(view, "HTTPResponse", "json")
        for value in found
    )


def _is_get(call: ast.Call) -> bool:
    """Tell whether a call is ``x.get("key")``, with a default that is plain data if it has one."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr != "get" or call.keywords:
        return False
    return 0 < len(call.args) < 3 and all(
        isinstance(default, (ast.Constant, ast.JoinedStr))
        or (
            isinstance(default, (ast.Dict, ast.List))
            and not list(ast.iter_child_nodes(default))[1:]
        )
        for default in call.args[1:]
    )
