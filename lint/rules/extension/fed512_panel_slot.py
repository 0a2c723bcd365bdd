"""FED512: a panel is put into a slot that does not exist."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ....reports.lint.findings import Edit, Fix
from ...inference.values.values import Alternative, Const
from ...rule import Example, Hit, Rule
from ...sdk_use.calls import arguments, constants_of, is_proved
from ...sdk_use.certainty import is_alone
from ...view import FileView, span_of

_SHOWN = ("center", "left", "right")
_RESERVED = ("overlay", "bottom", "chat-sidebar")
_OVERLAY = "4.1.8"
"""Release that added ``center_overlay=``."""


def _check(view: FileView) -> Iterator[Hit]:
    for _, role in view.handlers():
        if role.kind != "panel" or not isinstance(role.call, ast.Call):
            continue
        slot = arguments(view, role.call, "Extension", "panel").get("slot")
        for value, item in constants_of(view, slot) if slot is not None else ():
            if slot is not None and value not in _SHOWN:
                certain = is_proved(view, role) and is_alone(view, slot, item, _is_refused)
                yield _hit(view, slot, value, certain=certain)
                break


def _is_refused(item: Alternative) -> bool:
    return isinstance(item.value, Const) and item.value.value not in (*_SHOWN, *_RESERVED)


def _hit(view: FileView, slot: ast.expr, value: object, *, certain: bool) -> Hit:
    if value in _RESERVED:
        overlay = ', or slot="center" with center_overlay=True'
        return Hit(
            node=slot,
            message=f"the slot {value!r} is reserved: users never see this panel\nThe documents "
            f"offer it and {view.sdk} accepts it, but no host renders it. "
            'Write slot="right"'
            f"{overlay if view.surface.at_least(_OVERLAY) else ''}.",
            severity="info",
        )
    return Hit(
        node=slot,
        message=f"there is no slot {value!r}: ValueError at import\nIn {view.sdk} the whole "
        "extension fails to "
        'load. Write slot="center", "left" or "right".',
        severity=None if certain else "warning",
        fix=_fix(view, slot) if value == "main" else None,
    )


def _fix(view: FileView, slot: ast.expr) -> Fix | None:
    if not isinstance(slot, ast.Constant):
        return None
    edit = Edit(span=span_of(view.module, slot), replacement='"center"')
    return Fix(title='Write slot="center", which replaced "main"', safety="safe", edits=(edit,))


RULE = Rule(
    code="FED512",
    name="invalid-panel-slot",
    summary="A panel names a slot that does not exist, or that no host renders.",
    severity="error",
    triggers=("panel",),
    named_here=True,
    since="3.4.0",
    check=_check,
    what="Finds `@ext.panel` with a slot other than `center`, `left` and `right`. The reserved "
    "ones (`overlay`, `bottom`, `chat-sidebar`) are infos: documents and hosts disagree.",
    why="`ext.panel` raises ValueError for an unknown slot while the module is imported. A "
    "reserved slot is accepted and shows nothing.",
    example='@ext.panel("notes", slot="main")\nasync def notes(ctx): ...',
    instead='@ext.panel("notes", slot="center")\nasync def notes(ctx): ...',
    safety='Safe for "main", which SDK 3.4.0 renamed to "center"; other names have no fix.',
    references=("I-PANEL-RENDERING-CONTRACT", "imperal_sdk.Extension.panel"),
    bad=(
        Example(
            '\nimport os\n\nSLOT = "main" if os.getenv("OLD") else "center"\n\n\n'
            '@ext.panel("p", slot=SLOT)\nasync def p(ctx):\n    return None\n',
            severity="warning",
        ),
        Example(
            '\n@ext.panel("p", slot="main")\nasync def p(ctx):\n    return None\n', holds="'main'"
        ),
        Example('\nSLOT = "top"\n\n\n@ext.panel("p", SLOT)\nasync def p(ctx):\n    return None\n'),
        Example(
            '\n@ext.panel("p", slot="overlay")\nasync def p(ctx):\n    return None\n',
            severity="info",
            sdk="4.1.8",
            holds='slot="right", or slot="center" with center_overlay=True.',
        ),
        Example(
            '\n@ext.panel("p", slot="overlay")\nasync def p(ctx):\n    return None\n',
            severity="info",
            sdk="4.1.7",
            holds='slot="right".',
        ),
        Example(
            '\n@ext.panel("p", slot="main")\nasync def p(ctx):\n    return None\n', sdk="3.4.0"
        ),
    ),
    good=(
        Example('\n@ext.panel("p", slot="left")\nasync def p(ctx):\n    return None\n'),
        Example('\n@ext.panel("p")\nasync def p(ctx):\n    return None\n'),
        Example('\n@ext.widget("w", slot="dashboard.stats")\nasync def w(ctx):\n    return None\n'),
        Example(
            '\n@ext.panel("p", slot="main")\nasync def p(ctx):\n    return None\n', sdk="3.3.1"
        ),
    ),
)
