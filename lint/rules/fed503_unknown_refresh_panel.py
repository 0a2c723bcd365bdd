"""FED503: a panel that the extension does not have."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterator

from ...reports.lint.findings import Edit, Fix
from ..model.alternatives import is_same_way
from ..model.calling import constant_text
from ..model.module import Module
from ..model.values import Display, Made, Sdk, SdkClass, SdkMethod
from ..queries.declarations import is_handed_away, unread
from ..queries.list_parts import copies, elements_of
from ..rule import Example, Hit, Rule
from ..view import Access, FileView, ProjectView, span_of

_KEYWORD = "refresh_panels"
_TOOL_PREFIX = "__panel__"  # the name of a panel's tool; whether it is taken is not documented
_REGISTERING = ("panel", "secret", "_panels")
_LISTS = (ast.List, ast.Tuple, ast.BinOp)
_METHODS = frozenset({"success", "morph", "deliver_chat_message"})
_SECRETS_ALWAYS = ("4.2.4", "5.0.1")
"""Between these every extension had the panel ``secrets``, whether it declared one or not."""


def _check(view: FileView) -> Iterator[Hit]:
    for call in view.module.nodes(ast.Call):
        given = next((item.value for item in call.keywords if item.arg == _KEYWORD), None)
        if given is None or not _is_sdk_call(view, call):
            continue
        panels = view.extension.once(_panels)
        for name, node, certain in _names(view, given) if panels else ():
            if name.removeprefix(_TOOL_PREFIX) not in panels:
                yield _hit(view, name, node, panels, certain=certain)


def _is_sdk_call(view: FileView, call: ast.Call) -> bool:
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in _METHODS:
        return False
    return any(isinstance(item.value, SdkMethod) for item in view.values(call.func))


def _names(view: FileView, given: ast.expr) -> Iterator[tuple[str, ast.expr, bool]]:
    """Yield the names in a list, and whether it is no other list on the same way.

    The node is the name's own if it stands in this file.
    """
    found = view.values(given)
    for item in found:
        certain = all(other is item or not is_same_way(item, other) for other in found)
        value = item.value
        lists = copies(view, given) if isinstance(value, Made) else []
        if isinstance(value, Display) and isinstance(value.node, _LISTS):
            lists = [(value.module, value.node)]
        parts = (part for at in lists for part in elements_of(view, *at) if part is not None)
        for module, node in parts:
            name = constant_text(view.evaluator, module, node)
            if name is not None:
                yield name, node if module is view.module else given, certain


def _panels(view: ProjectView) -> frozenset[str]:
    """Return the names of all panels; nothing if one of them is not known."""
    if any(unread(view.project, word) for word in _REGISTERING) or view.once(is_handed_away):
        return frozenset()
    found = set(_registrations(view))
    if None in found:
        return frozenset()
    for panel in view.project.listed("panels"):
        found.update(str(panel[key]) for key in ("panel_id", "id", "name") if key in panel)
    first, after = _SECRETS_ALWAYS
    if view.surface.at_least(first) and not view.surface.at_least(after):
        found.add("secrets")
    names = frozenset(name for name in found if name)
    return names if names - {"secrets"} else frozenset()


def _registrations(view: ProjectView) -> Iterator[str | None]:
    """Yield what the code registers; None for a panel whose name is not known."""
    for word in _REGISTERING:
        for module in view.project.mentioning(word):
            for access in FileView(view, module).accesses(word):
                yield _registered(view, module, access)
    for _, _, role in view.handlers(_TOOL_PREFIX):
        if role.kind == "tool" and role.name.startswith(_TOOL_PREFIX):
            yield role.name.removeprefix(_TOOL_PREFIX)


def _registered(view: ProjectView, module: Module, access: Access) -> str | None:
    """Return the panel that a use of an attribute registers, empty for none; None if unknown."""
    owners = [item.value for item in view.evaluator.values(module, access.owner)]
    if owners and all(
        isinstance(owner, Sdk | SdkClass) and owner.cls == "Context" for owner in owners
    ):
        return ""
    if access.name == "secret":
        return "secrets"
    call = module.parents.get(access.node)
    if access.name != "panel" or not isinstance(call, ast.Call) or call.func is not access.node:
        return None
    first = (
        call.args[0]
        if call.args
        else next((item.value for item in call.keywords if item.arg == "panel_id"), None)
    )
    return constant_text(view.evaluator, module, first) if first is not None else None


def _hit(
    view: FileView, name: str, node: ast.expr, panels: frozenset[str], *, certain: bool
) -> Hit:
    near = _near(name, panels)
    advice = (
        f'Write refresh_panels=["{near}"].'
        if near
        else f"The panels are {', '.join(sorted(panels))}."
    )
    return Hit(
        node=node,
        message=f"no panel of this extension is called {name!r}: nothing is refreshed for it. "
        f"{advice}",
        severity=None if certain else "warning",
        fix=_fix(view, name, node, near),
    )


def _near(name: str, panels: frozenset[str]) -> str:
    ending = [panel for panel in panels if panel.endswith(f"_{name}") or name.endswith(f"_{panel}")]
    close = ending or difflib.get_close_matches(name, panels, n=2, cutoff=0.8)
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
    severity="error",
    since="1.5.1",
    triggers=(_KEYWORD,),
    check=_check,
    what="""
Compares the constant names in `refresh_panels=[…]` with the panels that the extension registers,
also those in `[*NAMES, "x"]`, `list(NAMES)` and `NAMES + ["x"]`.
Silent if a panel's name is computed.
""",
    why="The platform refreshes nothing, without an error. The user sees the old list.",
    example='return ActionResult.success(data, "Saved", refresh_panels=["workspace"])',
    instead='return ActionResult.success(data, "Saved", refresh_panels=["notes_workspace"])',
    safety="Takes the only panel with a similar name; unsafe, because it may be another one.",
    references=("Context channels: Post-turn",),
    bad=(
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
            holds='["notes_side"]',
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
            severity="warning",
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
