"""FED222: a section name that the SDK rejects."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...inference.calls.roles import Role
from ...inference.values.values import Const
from ...rule import Example, Hit, Rule
from ...sdk_use.calls import is_proved
from ...view import FileView
from .support.skeletons import TRIGGER, skeleton_handlers

_FORBIDDEN = "*?[]:/"


def _check(view: FileView) -> Iterator[Hit]:
    for _, role in skeleton_handlers(view):
        call = role.call
        if not isinstance(call, ast.Call):
            continue
        if not isinstance(call.func, ast.Attribute) or call.func.attr != "skeleton":
            continue
        name = call.args[0] if call.args else role.arguments.get("section_name")
        if name is not None:
            yield from _hits(view, role, name)


def _hits(view: FileView, role: Role, node: ast.expr) -> Iterator[Hit]:
    for item in view.values(node):
        problem = _problem(item.value.value) if isinstance(item.value, Const) else ""
        if problem:
            yield Hit(
                node=node,
                severity=None if is_proved(view, role) else "warning",
                message=f"the name of this section {problem}: ValueError at import\n"
                f"{view.sdk} refuses it, so the whole "
                'extension fails to load. Use letters, digits and "_": @ext.skeleton("notes").',
            )
            return


def _problem(name: object) -> str:
    if not isinstance(name, str):
        return f"is no text ({name!r})"
    if not name:
        return "is empty"
    bad = sorted({letter for letter in name if letter in _FORBIDDEN})
    return f"holds {' '.join(map(repr, bad))}" if bad else ""


RULE = Rule(
    code="FED222",
    name="skeleton-section-name",
    summary="The SDK refuses the name of a skeleton section.",
    severity="error",
    triggers=(TRIGGER,),
    named_here=True,
    since="1.5.22",
    check=_check,
    what="Finds names of sections that are empty, no text, or hold one of `* ? [ ] : /`.",
    why="`ext.skeleton` raises ValueError while the module is imported, so nothing of the "
    "extension loads.",
    example='@ext.skeleton("notes:today")\nasync def today(ctx): ...',
    instead='@ext.skeleton("notes_today")\nasync def today(ctx): ...',
    references=("imperal_sdk.Extension.skeleton",),
    bad=(
        Example(
            '\n@ext.skeleton("notes:today")\nasync def n(ctx):\n    return {"response": {}}\n',
            holds="holds ':'",
        ),
        Example(
            '\nNAME = ""\n\n\n@ext.skeleton(section_name=NAME)\nasync def n(ctx):\n'
            '    return {"response": {}}\n'
        ),
        Example(
            '\n@ext.skeleton(7)\nasync def n(ctx):\n    return {"response": {}}\n',
            holds="is no text (7)",
        ),
    ),
    good=(
        Example(
            '\n@ext.skeleton("notes-today.all")\nasync def n(ctx):\n    return {"response": {}}\n'
        ),
        Example(
            '\n@ext.tool("skeleton_refresh_n")\nasync def n(ctx):\n    return {"response": {}}\n'
        ),
    ),
)
