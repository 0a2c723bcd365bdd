"""FED116: an attribute of an object that takes no others: a component, the user, the tenant."""

from __future__ import annotations

from collections.abc import Iterator

from ..model.values import Sdk, Value
from ..queries.components import made_by
from ..queries.patches import is_patched
from ..queries.sdk_objects import FROZEN, Verdict, missing, operand_of, source_of
from ..rule import Example, Hit, Rule
from ..sdk.module_surface import modules
from ..view import Access, FileView

_PARTS = frozenset({"action", "params", "props", "to_dict", "type"})
"""What UINode and UIAction have, in every release that has them; both have slots."""
_OTHERS = frozenset({"DataColumn", "Signal", "TrayResponse", "theme"})
"""Functions of ``ui`` that return something else."""
_FROZEN_SINCE = "3.0.0"


def _check(view: FileView) -> Iterator[Hit]:
    for access in view.accesses():
        if access.name not in _PARTS:
            found = view.values(access.owner)
            if found and all(_is_component(view, item.value) for item in found):
                yield from _of_component(view, access)
    for access in view.sdk_accesses if view.surface.at_least(_FROZEN_SINCE) else ():
        if access.how in {"write", "delete"}:
            yield from _of_frozen(view, access)


def _is_component(view: FileView, value: Value) -> bool:
    """Tell whether a value is what a function of ``ui`` returned."""
    made = made_by(value)
    callee = modules(view.surface.version).callee(made) if made else None
    name = callee.path.rpartition(".")[2] if callee is not None else ""
    is_function = callee is not None and callee.text.startswith("f")
    return is_function and name not in _OTHERS and not is_patched(view, name)


def _of_component(view: FileView, access: Access) -> Iterator[Hit]:
    if access.name.startswith("__"):
        return
    verdict = missing(view, access, view.values(access.owner)[0])
    yield Hit(
        node=access.node,
        message=f"{source_of(access.node)}: a component of {view.sdk} has no {access.name}, only "
        f"type, props and to_dict(); {_told(access, verdict)}. Write "
        f'{operand_of(access.owner)}.props["{access.name}"], or give it when it is made.',
        severity=verdict.severity,
    )


def _told(access: Access, verdict: Verdict) -> str:
    is_set = access.how == "write" and verdict.severity == "error"
    return "it has slots, so this raises AttributeError" if is_set else verdict.text


def _of_frozen(view: FileView, access: Access) -> Iterator[Hit]:
    found = view.values(access.owner)
    if not found or not all(
        isinstance(it.value, Sdk) and it.value.certain and it.value.cls in FROZEN for it in found
    ):
        return
    item = found[0]
    yield Hit(
        node=access.node,
        message=f"{source_of(access.node)} cannot be set: the user and the tenant are frozen in "
        f"{view.sdk}, so this raises ValidationError{view.way(item)}. Keep what changes in a "
        "variable, or in ctx.store.",
        chain=view.chain(item),
    )


RULE = Rule(
    code="FED116",
    name="closed-object",
    summary="Components, the user and the tenant take no other attributes.",
    severity="error",
    check=_check,
    since="1.2.0",
    what="""
Finds attributes of components that are neither `type`, `props` nor `to_dict` (of actions `action`
and `params`), read or set: `stack.children.append(…)`, `button.disabled = True`; and what sets or
deletes an attribute of `ctx.user` or `ctx.tenant`, which are frozen since 3.0.0. What may be
something else as well is left alone.
""",
    why="""
What a component was given stands in `props`, and the class has slots: other names raise
AttributeError. The user is who the kernel says; setting a role raises ValidationError.
""",
    example='page = ui.Stack([])\npage.children.append(ui.Text("a"))',
    instead='page = ui.Stack([])\npage.props["children"].append(ui.Text("a"))',
    references=("SDK sources: ui/base.py UINode, UIAction; types/identity.py",),
    bad=(
        Example(
            """
from imperal_sdk import Extension, ui

ext = Extension("notes")


@ext.panel("p")
async def p(ctx):
    page = ui.Stack([])
    page.children.append(ui.Text("a"))
    return page
""",
            holds="page.children: a component of imperal-sdk 6.3.7 has no children, only type, "
            'props and to_dict(); it raises AttributeError. Write page.props["children"], or',
        ),
        Example(
            """
from imperal_sdk import ui


def button(off):
    made = ui.Button("Save")
    made.disabled = off
    return made
""",
            holds="it has slots, so this raises AttributeError",
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    ctx.user.role = "admin"
""",
            holds="ctx.user.role cannot be set: the user and the tenant are frozen in imperal-sdk "
            '6.3.7, so this raises ValidationError (@ext.panel("p") p).',
        ),
    ),
    good=(
        Example(
            """
from imperal_sdk import Extension, ui

ext = Extension("notes")


def own(title):
    return ui.Text(title) if title else Blank()


class Blank:
    children = ()


@ext.panel("p")
async def p(ctx):
    page = ui.Stack([])
    page.props["children"].append(ui.Text("a"))
    column = ui.DataColumn("id", "Id")
    call = ui.Call("save")
    return page.to_dict(), page.type, column.get("key"), call.params, own("").children
"""
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    ctx.user.role = "admin"
""",
            sdk="1.6.2",
        ),
    ),
)
