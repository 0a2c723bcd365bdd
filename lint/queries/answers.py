"""What came from a service or from the store: JSON, in which no object of a model can be."""

from __future__ import annotations

import ast

from ..model.values import SdkField, SdkMethod, Value
from ..model.written import Written, written
from ..view import FileView
from .patches import is_replaced

_FIELDS = {
    ("Document", "data"): "the dict of a document",
    ("HTTPResponse", "body"): "the body of an answer",
    ("Page", "data"): "a list of documents",
}
_WHOLE = "what response.json() gave, a dict or a list"
_DISPLAY = "(written here)"
_DEEPEST = 6


def answer_of(view: FileView, node: ast.expr) -> str:
    """Return what an expression certainly is, in words, if it is an answer or a part of one.

    ``response.json()``, ``document.data``, ``response.json()["items"]``, also behind names and
    functions of the extension; empty where something else may stand there.
    """
    if isinstance(node, ast.Name) and _is_asked(view, node):
        return ""
    kinds = {_of(view, at, 0) for at in written(view.evaluator, view.module, node)}
    answers = kinds - {_DISPLAY}
    return min(answers) if answers and all(kinds) else ""


def _is_asked(view: FileView, name: ast.Name) -> bool:
    """Tell whether the function asks for the type of what a name holds."""
    function = view.module.function(name)
    return any(
        view.module.function(call) is function
        and any(isinstance(arg, ast.Name) and arg.id == name.id for arg in call.args)
        for asking in ("isinstance", "type")
        for call in view.module.calls.get(asking, ())
    )


def _of(view: FileView, at: Written, depth: int) -> str:
    if depth > _DEEPEST:
        return ""
    node = at.node
    if isinstance(node, ast.Await):
        return _behind(view, at, node.value, depth) if isinstance(node.value, ast.Call) else ""
    if isinstance(node, ast.Attribute):
        return _field(view, at, node)
    if isinstance(node, ast.Dict | ast.List | ast.Constant):
        return _DISPLAY
    return _json(view, at, node)


def _behind(view: FileView, at: Written, node: ast.expr, depth: int) -> str:
    found = written(view.evaluator, at.module, node, at.frame)
    kinds = {_of(view, each, depth + 1) for each in found}
    return min(kinds) if kinds and all(kinds) and _DISPLAY not in kinds else ""


def _json(view: FileView, at: Written, node: ast.expr) -> str:
    """Return what ``response.json()``, an item of it, or ``.get("key")`` of it is."""
    part = node
    while not (
        isinstance(part, ast.Call)
        and isinstance(part.func, ast.Attribute)
        and part.func.attr == "json"
    ):
        if isinstance(part, ast.Subscript):
            part = part.value
        elif isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and _is_get(part):
            part = part.func.value
        else:
            return ""
    if not _is_json(view, at, part.func):
        return ""
    return _WHOLE if part is node else "a part of an answer, plain JSON"


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
        isinstance(default, ast.Constant | ast.JoinedStr)
        or (
            isinstance(default, ast.Dict | ast.List) and not list(ast.iter_child_nodes(default))[1:]
        )
        for default in call.args[1:]
    )
