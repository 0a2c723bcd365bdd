"""The names of secrets: which a call may ask for, which are written, how one is made of parts."""

from __future__ import annotations

import ast
import re

from ..model.module import Module
from ..model.values import Const, Display, Frame
from ..view import FileView, ProjectView
from .pseudo_rows import client_calls
from .sdk_calls import arguments

WRITING = frozenset({"set", "delete"})
_CLIENT = "secrets"
_ANY = ".*"
_PERCENT = re.compile(r"%%|%(?:\([^()]*\))?[-#0 +]*\d*(?:\.\d+)?[a-zA-Z]")
_DEPTH = 6


def possible_names(view: FileView, call: ast.Call, method: str) -> list[str]:
    """Return the names that a call may give; an empty one stands for what is not known."""
    given = arguments(view, call, "SecretClient", method).get("name")
    worth = [item.value for item in view.values(given)] if given is not None else []
    return [str(it.value) if isinstance(it, Const) else "" for it in worth] or [""]


def written_names(extension: ProjectView) -> frozenset[str]:
    """Return the names under which an extension sets or deletes secrets, as far as they show."""
    return frozenset(
        name
        for view, call, callee in client_calls(extension, _CLIENT)
        if callee.attr in WRITING
        for name in possible_names(view, call, callee.attr)
        if name
    )


def form_of(
    view: FileView, module: Module, node: ast.expr, frame: Frame | None, depth: int = 0
) -> str:
    """Return a pattern of the texts that an expression can make."""
    if isinstance(node, ast.JoinedStr):
        parts = (_of_part(view, module, part, frame, depth) for part in node.values)
        return "".join(parts)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        sides = (_worth(view, module, side, frame, depth) for side in (node.left, node.right))
        return "".join(sides)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        return _of_percent(_constant(view, module, node.left, frame))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        base = _constant(view, module, node.func.value, frame)
        if node.func.attr == "format":
            return _of_template(base)
        if node.func.attr == "join" and base is not None and len(node.args) == 1:
            return _of_join(view, module, base, node.args[0], frame, depth)
    return _ANY


def _worth(view: FileView, module: Module, node: ast.expr, frame: Frame | None, depth: int) -> str:
    """Return a pattern of what an expression is worth, wherever that stands."""
    forms: list[str] = []
    for item in view.evaluator.values(module, node, frame):
        value = item.value
        if isinstance(value, Const) and isinstance(value.value, str):
            forms.append(re.escape(value.value))
        elif isinstance(value, Display) and depth < _DEPTH:
            forms.append(form_of(view, value.module, value.node, item.frame, depth + 1))
        else:
            return _ANY
    return forms[0] if len(forms) == 1 else f"(?:{'|'.join(forms)})" if forms else _ANY


def _of_part(
    view: FileView, module: Module, part: ast.expr, frame: Frame | None, depth: int
) -> str:
    if isinstance(part, ast.Constant):
        return re.escape(str(part.value))
    if not isinstance(part, ast.FormattedValue) or part.conversion != -1 or part.format_spec:
        return _ANY
    return _worth(view, module, part.value, frame, depth)


def _constant(view: FileView, module: Module, node: ast.expr, frame: Frame | None) -> str | None:
    """Return the one text that an expression is worth; None if it is not known."""
    found = [item.value for item in view.evaluator.values(module, node, frame)]
    texts = [it.value for it in found if isinstance(it, Const) and isinstance(it.value, str)]
    return texts[0] if len(texts) == len(found) == 1 else None


def _of_percent(template: str | None) -> str:
    if template is None:
        return _ANY
    fields = (re.escape("%") if field == "%%" else _ANY for field in _PERCENT.findall(template))
    first, *rest = map(re.escape, _PERCENT.split(template))
    return first + "".join(field + text for field, text in zip(fields, rest, strict=True))


def _of_template(template: str | None) -> str:
    from string import Formatter  # as in known_calls.py

    try:
        fields = list(Formatter().parse(template)) if template is not None else []
    except ValueError:
        return _ANY
    parts = (re.escape(text) + ("" if name is None else _ANY) for text, name, _, _ in fields)
    return "".join(parts) if fields else _ANY


def _of_join(
    view: FileView, module: Module, between: str, given: ast.expr, frame: Frame | None, depth: int
) -> str:
    if not isinstance(given, ast.List | ast.Tuple):
        return _ANY
    if any(isinstance(part, ast.Starred) for part in given.elts):
        return _ANY
    return re.escape(between).join(_worth(view, module, it, frame, depth) for it in given.elts)
