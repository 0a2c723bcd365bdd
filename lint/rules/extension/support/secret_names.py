"""Names of secrets in calls, and patterns of computed names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from typing import TypeAlias

from ....inference.calls.calling import constant_text
from ....inference.syntax.module import Module
from ....inference.values.known_calls import template_fields
from ....inference.values.values import Const, Display, Frame
from ....sdk_use.calls import arguments
from ....sdk_use.extension_calls import app_id_of
from ....view import FileView, ProjectView
from .system_user_rows import client_calls

WRITING = frozenset({"set", "delete"})
_CLIENT = "secrets"
_PERCENT = re.compile(r"%%|%(?:\([^()]*\))?[-#0 +]*\d*(?:\.\d+)?[a-zA-Z]")
_DEPTH = 6

Form: TypeAlias = "tuple[Part, ...]"
"""What stands one behind the other in the texts that an expression can make."""
Part: TypeAlias = "str | frozenset[Form] | None"
"""A text, one of some forms, or whatever there may be."""
_ANY: Form = (None,)


def possible_names(view: FileView, call: ast.Call, method: str) -> list[str]:
    """Return the names that a call may give; an empty one stands for unknown."""
    given = arguments(view, call, "SecretClient", method).get("name")
    worth = [item.value for item in view.values(given)] if given is not None else []
    return [str(it.value) if isinstance(it, Const) else "" for it in worth] or [""]


def written_names(extension: ProjectView) -> frozenset[str]:
    """Return the known names of secrets that an extension sets or deletes."""
    return frozenset(
        name
        for view, call, callee in client_calls(extension, _CLIENT)
        if callee.attr in WRITING
        for name in possible_names(view, call, callee.attr)
        if name
    )


def matches(form: Form, name: str) -> bool:
    """Tell whether a string matches a form."""
    return len(name) in _ends(form, name, {0})


def _ends(form: Form, name: str, starts: set[int]) -> set[int]:
    """Return the offsets at which a form can end that starts at one of some offsets.

    Not by ``re``, which would backtrack over many gaps.
    """
    ends: set[int] = starts
    for part in form:
        if not ends:
            break
        if part is None:
            ends = set(range(min(ends), len(name) + 1))
        elif isinstance(part, str):
            ends = {at + len(part) for at in ends if name.startswith(part, at)}
        else:
            ends = {end for each in part for end in _ends(each, name, ends)}
    return ends


def says_nothing(form: Form) -> bool:
    """Tell whether every string matches a form."""
    return bool(form) and all(part is None for part in form)


def form_of(
    view: FileView, module: Module, node: ast.expr, frame: Frame | None, depth: int = 0
) -> Form:
    """Return the form of the strings that an expression may evaluate to."""
    if isinstance(node, ast.JoinedStr):
        return _joined(_of_part(view, module, part, frame, depth) for part in node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _joined(_worth(view, module, it, frame, depth) for it in (node.left, node.right))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        return _of_percent(constant_text(view.evaluator, module, node.left, frame))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        base = constant_text(view.evaluator, module, node.func.value, frame)
        if node.func.attr == "format":
            return _of_template(base)
        if node.func.attr == "join" and base is not None and len(node.args) == 1:
            return _of_join(view, module, base, node.args[0], frame, depth)
    return _ANY


def _joined(forms: Iterable[Form]) -> Form:
    return tuple(part for form in forms for part in form)


def _worth(view: FileView, module: Module, node: ast.expr, frame: Frame | None, depth: int) -> Form:
    """Return the form of an expression's values."""
    forms: set[Form] = set()
    if isinstance(node, ast.Attribute) and node.attr == "app_id":
        known = app_id_of(FileView(view.extension, module), node.value)
        if known:
            return (known,)
    for item in view.evaluator.values(module, node, frame):
        value = item.value
        if isinstance(value, Const) and isinstance(value.value, str):
            forms.add((value.value,))
        elif isinstance(value, Display) and depth < _DEPTH:
            forms.add(form_of(view, value.module, value.node, item.frame, depth + 1))
        else:
            return _ANY
    return forms.pop() if len(forms) == 1 else (frozenset(forms),) if forms else _ANY


def _of_part(
    view: FileView, module: Module, part: ast.expr, frame: Frame | None, depth: int
) -> Form:
    if isinstance(part, ast.Constant):
        return (str(part.value),)
    if not isinstance(part, ast.FormattedValue) or part.conversion != -1 or part.format_spec:
        return _ANY
    return _worth(view, module, part.value, frame, depth)


def _of_percent(template: str | None) -> Form:
    if template is None:
        return _ANY
    fields = ("%" if field == "%%" else None for field in _PERCENT.findall(template))
    first, *rest = _PERCENT.split(template)
    return (first, *(part for pair in zip(fields, rest, strict=True) for part in pair))


def _of_template(template: str | None) -> Form:
    fields = template_fields(template or "")
    if not fields:
        return _ANY
    return _joined((text,) if name is None else (text, None) for text, name, _, _ in fields)


def _of_join(
    view: FileView, module: Module, between: str, given: ast.expr, frame: Frame | None, depth: int
) -> Form:
    if not isinstance(given, (ast.List, ast.Tuple)):
        return _ANY
    if any(isinstance(part, ast.Starred) for part in given.elts):
        return _ANY
    forms = [_worth(view, module, it, frame, depth) for it in given.elts]
    return _joined(each for form in forms for each in ((between,), form))[1:]
