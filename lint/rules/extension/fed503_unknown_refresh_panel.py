"""FED503: a function refreshes a panel that the extension does not declare."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ....reports.lint.findings import Edit, Fix
from ...edits.concrete import surround
from ...inference.values.values import Const, Display
from ...rule import Example, Hit, Rule
from ...sdk_use.certainty import near_names
from ...sdk_use.sdk_objects import source_of
from ...view import FileView, span_of
from .support.panels import (
    KEYWORD,
    SECRETS,
    TOOL_PREFIX,
    panel_arguments,
    panels,
    refreshed_panels,
)


def _check(view: FileView) -> Iterator[Hit]:
    for given, _ in panel_arguments(view):
        if _is_text(view, given):
            yield _text_hit(view, given)
            continue
        known = view.extension.once(panels)
        if known is None:
            return
        for name, node, _ in refreshed_panels(view, given):
            if name.removeprefix(TOOL_PREFIX) not in known:
                yield _hit(view, name, node, known)


def _is_text(view: FileView, given: ast.expr) -> bool:
    """Tell whether an argument certainly is one text and no list."""
    values = [item.value for item in view.values(given)]
    return bool(values) and all(
        (isinstance(value, Const) and isinstance(value.value, str) and value.value)
        or (isinstance(value, Display) and isinstance(value.node, ast.JoinedStr))
        for value in values
    )


def _text_hit(view: FileView, given: ast.expr) -> Hit:
    return Hit(
        node=given,
        message=f"{KEYWORD} is a text, not a list of names: no panel may be refreshed\n"
        f"{view.sdk} hands it on as it is. Write {KEYWORD}=[{source_of(given)}].",
        fix=_in_list(view, given),
    )


def _in_list(view: FileView, given: ast.expr) -> Fix | None:
    if given not in view.module.parents:
        return None  # it stands in a mapping that is spread
    edits = surround(view.module, given, "[", "]")
    return Fix(title="Make it a list", safety="safe", edits=edits)


def _hit(view: FileView, name: str, node: ast.expr, known: frozenset[str]) -> Hit:
    if not known - {SECRETS}:
        return Hit(
            node=node,
            message=f"this extension has no panel, so that nothing is refreshed for {name!r}\n"
            f'Register one, @ext.panel("{name}"), or leave {KEYWORD} out.',
        )
    near, names = _near(name, known), ", ".join(f'"{panel}"' for panel in sorted(known))
    there = f"The panel is {names}." if len(known) == 1 else f"The panels are {names}."
    advice = f'Write "{near}" in its place.' if near else there
    return Hit(
        node=node,
        message=f"no panel of this extension is called {name!r}: nothing is refreshed for it\n"
        f"{advice}",
        fix=_fix(view, name, node, near),
    )


def _near(name: str, known: frozenset[str]) -> str:
    ending = [panel for panel in known if panel.endswith(f"_{name}") or name.endswith(f"_{panel}")]
    close = ending or near_names(name, known, most=2, alike=0.8)
    return close[0] if len(close) == 1 else ""


def _fix(view: FileView, name: str, node: ast.expr, near: str) -> Fix | None:
    if not near or not (isinstance(node, ast.Constant) and node.value == name):
        return None
    edit = Edit(span=span_of(view.module, node), replacement=f'"{near}"')
    return Fix(title=f"Refresh {near}", safety="unsafe", edits=(edit,))


RULE = Rule(
    code="FED503",
    name="unknown-refresh-panel",
    summary="`refresh_panels` names a panel that does not exist.",
    severity="warning",
    since="1.5.1",
    triggers=(KEYWORD,),
    check=_check,
    what="""
Compares the constant names in `refresh_panels=[…]` with the panels that the extension registers,
also those in `[*NAMES, "x"]`, `list(NAMES)` and `NAMES + ["x"]`, those that a list gets later, in
`**{"refresh_panels": […]}`, and what a finished result is given once:
`result.refresh_panels = […]`.
A text in place of the list is found too. Silent if a panel's name is computed, or if the code may
take names out of the list again.
""",
    why="The platform refreshes nothing, without an error. The user sees the old list; all else "
    "works.",
    example='return ActionResult.success(data, "Saved", refresh_panels=["workspace"])',
    instead='return ActionResult.success(data, "Saved", refresh_panels=["notes_workspace"])',
    safety="A text becomes a list of one name, which is safe. Else takes the only panel with a "
    "similar name; unsafe, because it may be another one.",
    references=("Context channels: Post-turn", "SDK sources: types/contracts.py ActionResultModel"),
    bad=(
        Example(
            """
@ext.panel("side")
async def side(ctx):
    ...


@chat.function("f", "Saves")
async def f(ctx, p):
    return ActionResult.success({}, "x", refresh_panels="side")
""",
            holds="Write refresh_panels=['side'].",
        ),
        Example(
            """
@chat.function("f", "Saves")
async def f(ctx, p):
    return ActionResult.success({}, "x", refresh_panels=["side"])
""",
            holds="this extension has no panel",
        ),
        Example(
            """
NAMES = ("side", "other")
ext.panel("side")(print)


@chat.function("f", "Saves")
async def f(ctx, p):
    return ActionResult.success({}, "x", refresh_panels=[*NAMES])
""",
            holds="'other'",
        ),
        Example(
            """
NAMES = ["side"]
ext.panel("side")(print)


@chat.function("f", "Saves")
async def f(ctx, p):
    return ActionResult.success({}, "x", refresh_panels=[*NAMES, "extra"])
""",
            holds="'extra'",
        ),
        Example(
            """
NAMES = ("side",)
ext.panel("side")(print)


@chat.function("f", "Saves")
async def f(ctx, p):
    return ActionResult.success({}, "x", refresh_panels=list(NAMES + ("extra",)))
""",
            holds="'extra'",
        ),
        Example(
            """
@ext.panel("notes_side")
async def side(ctx):
    ...


@chat.function("f", "Saves")
async def f(ctx, p):
    return ActionResult.success({}, "x", refresh_panels=["side"])
""",
            holds='Write "notes_side" in its place.',
        ),
        Example(
            """
@ext.panel("side")
async def side(ctx):
    ...


@chat.function("f", "Saves")
async def f(ctx, p):
    shown = ["side"]
    if p:
        shown = ["other"]
    return ActionResult.success({}, "x", refresh_panels=shown)
""",
        ),
        Example(
            """
@ext.panel("side")
async def side(ctx):
    ...


@chat.function("f", "Saves")
async def f(ctx, p):
    return ActionResult.success({}, "x", refresh_panels=["secrets"])
""",
            sdk="5.0.1",
        ),
        Example(
            """
@ext.panel("side")
async def side(ctx):
    ...


@chat.function("f", "Saves")
async def f(ctx, p):
    return ActionResult.success({}, "x", refresh_panels=["other"])
""",
            sdk="1.5.1",
        ),
    ),
    good=(
        Example(
            """
NAMES = ("side",)
PANELS = {"side": "The panel"}
MORE = ["other"]
MORE.remove("other")
ext.panel("side")(print)


@chat.function("f", "Saves")
async def f(ctx, p):
    return ActionResult.success({}, "x", refresh_panels=[*NAMES, *MORE] + list(PANELS) + p.names)
""",
        ),
        Example(
            """
@ext.panel("side")
async def side(ctx):
    ...


@chat.function("f", "Saves")
async def f(ctx, p):
    return ActionResult.success({}, "x", refresh_panels=["secrets"])
""",
            sdk="5.0.0",
        ),
        Example(
            """
@ext.panel("side")
async def side(ctx):
    ...


@chat.function("f", "Saves")
async def f(ctx, p):
    return ActionResult.success({}, "x", refresh_panels=["other"])
""",
            sdk="1.5.0",
        ),
        Example(
            """
@ext.panel("side")
async def side(ctx):
    ...


@chat.function("f", "Saves")
async def f(ctx, p):
    return ActionResult.success({}, "x", refresh_panels=["other"])
""",
            {"broken.py": "@ext.panel('other')\nasync def other(ctx:\n"},
        ),
        Example(
            """
import more

ext.secret("token", "Token")


@chat.function("f", "Saves")
async def f(ctx, p):
    return ActionResult.success({}, "x", refresh_panels=["secrets", "main", "extra"])
""",
            {
                "more.py": """\
from main import ext


@ext.panel("main")
async def main(ctx):
    ...


@ext.tool("__panel__extra")
async def extra(ctx):
    ...
"""
            },
        ),
        Example(
            """
@ext.panel("side")
async def side(ctx):
    ...


ext._panels["other"] = side


@chat.function("f", "Saves")
async def f(ctx, p):
    return ActionResult.success({}, "x", refresh_panels=["other"])
"""
        ),
        Example(
            """
@ext.panel("side")
async def side(ctx):
    ...


getattr(ext, "panel")("other")(side)


@chat.function("f", "Saves")
async def f(ctx, p):
    return ActionResult.success({}, "x", refresh_panels=["other"])
"""
        ),
        Example(
            """
SIDE = "side"


@ext.panel(SIDE)
async def side(ctx):
    ...


@chat.function("f", "Saves")
async def f(ctx, p):
    return ActionResult.success({}, "x", refresh_panels=["side"])
"""
        ),
        Example(
            """
for name in open("x"):
    ext.panel(name)(print)


@chat.function("f", "Saves")
async def f(ctx, p):
    return ActionResult.success({}, "x", refresh_panels=["side"])
"""
        ),
    ),
)
