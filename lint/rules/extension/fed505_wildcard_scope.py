"""FED505: an extension that asks for every scope."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ...files.plain_text import mentions
from ...inference.calls.handlers import EXTENSIONS, sdk_class
from ...inference.syntax.module import Module, last_name
from ...inference.values.attributes import class_chain
from ...inference.values.fields import writes_constructor
from ...inference.values.values import Class, Const, Display, Value
from ...rule import Example, Hit, Rule
from ...sdk_use.calls import arguments, shown
from ...view import FileView, ProjectView
from .support.declared_scopes import (
    Scopes,
    extension_class,
    is_whole,
    scopes_given_later,
    scopes_of_call,
    wildcard_in,
)

_SYSTEM_JUDGED = "5.9.9"
"""Release from which the SDK's validator refuses system extensions without scopes (V34)."""


def _check(view: FileView) -> Iterator[Hit]:
    for call in view.module.nodes(ast.Call):
        if call in view.sdk_calls or last_name(call.func) in {"tool", "__init__"}:
            yield from _judged(view, call)
    if mentions(view.module.source, "capabilities"):
        yield from _wildcards(view, scopes_given_later(view))


def _judged(view: FileView, call: ast.Call) -> Iterator[Hit]:
    yield from _wildcards(view, scopes_of_call(view, call))
    made = _constructs(view, call)
    if made and is_whole(view, call):
        yield from _undeclared(view, call, made)


def _constructs(view: FileView, call: ast.Call) -> str:
    """Return the SDK class, Extension or App, that a call instantiates."""
    if not isinstance(call.func, (ast.Name, ast.Attribute)):
        return ""
    found = (extension_class(view, item.value) for item in view.values(call.func))
    return next(filter(None, found), "")


def _wildcards(view: FileView, found: Iterable[Scopes]) -> Iterator[Hit]:
    for given in found:
        place = wildcard_in(view, given)
        if place is not None:
            yield Hit(
                node=place,
                message=f'{given.name} holds "*": the extension may do everything that any user '
                "may\n"
                'Name the scopes that it needs, such as "notes:read".',
            )


def _undeclared(view: FileView, call: ast.Call, cls: str) -> Iterator[Hit]:
    given = arguments(view, call, cls, "__init__")
    if not _is_empty(view, given.get("capabilities")) or view.extension.once(_any_scope):
        return
    if view.extension.once(_is_given_later) or _is_given_inside(view, call):
        return
    if any(isinstance(item, ast.Starred) for item in shown(view, call).args):
        return
    system = _is_true(view, given.get("system")) and view.surface.at_least(_SYSTEM_JUDGED)
    yield Hit(
        node=call,
        message="no capabilities and no scopes are declared: the kernel grants every scope"
        + ("\nSystem extensions must not have every scope. " if system else "\n")
        + 'Write capabilities=["notes:read", …] in Extension(…).',
        severity="error" if system else None,
    )


def _is_empty(view: FileView, node: ast.expr | None) -> bool:
    """Tell whether a list of scopes is certainly empty or missing."""
    if node is None:
        return True
    return all(
        (isinstance(item.value, Const) and item.value.value is None)
        or (
            (
                isinstance(item.value, Display)
                and isinstance(item.value.node, (ast.List, ast.Tuple))
                and not item.value.node.elts
            )
            and last_name(node) not in view.module.changed_names
        )
        for item in view.values(node)
    )


def _is_given_later(view: ProjectView) -> bool:
    """Tell whether code sets the scopes later: ``ext.capabilities = …``, or changes the list.

    A tool's scopes count too: ``ext.tools["list"].scopes = …``.
    """
    return any(
        (name in module.changed_names or module.stored(name))
        and (name == "capabilities" or _names_tools(module))
        for name in ("capabilities", "scopes")
        for module in view.project.naming(name)
    )


def _names_tools(module: Module) -> bool:
    return any(mentions(module.source, name) for name in ("tools", "_tools"))


def _is_given_inside(view: FileView, call: ast.Call) -> bool:
    """Tell whether the extension's own class has a constructor, which may pass scopes."""
    classes = [item.value for item in view.values(call.func) if isinstance(item.value, Class)]
    return any(writes_constructor(class_chain(view.evaluator, cls)) for cls in classes)


def _is_true(view: FileView, node: ast.expr | None) -> bool:
    found = view.values(node) if node is not None else ()
    return bool(found) and all(item.value == Const(value=True) for item in found)


def _any_scope(view: ProjectView) -> bool:
    """Tell whether any tool declares scopes or may; an App gives each tool one."""
    for module in view.project.naming("tool"):
        for call in module.calls.get("tool", ()):
            if isinstance(call.func, ast.Attribute) and _is_app(view, module, call.func.value):
                return True
    for module in view.project.mentioning("scopes"):
        for call in module.nodes(ast.Call):
            if _is_tool(view, module, call) and not _no_scopes(call):
                return True
    return False


def _is_app(view: ProjectView, module: Module, owner: ast.expr) -> bool:
    found = view.evaluator.values(module, owner)
    return any(sdk_class(view.evaluator, item.value) == "App" for item in found)


def _is_tool(view: ProjectView, module: Module, call: ast.Call) -> bool:
    if not isinstance(call.func, ast.Attribute) or call.func.attr != "tool":
        return False
    owners = [item.value for item in view.evaluator.values(module, call.func.value)]
    return any(
        sdk_class(view.evaluator, owner) in EXTENSIONS or type(owner) is Value for owner in owners
    )


def _no_scopes(call: ast.Call) -> bool:
    given = next((item.value for item in call.keywords if item.arg == "scopes"), None)
    given = call.args[1] if given is None and len(call.args) > 1 else given
    if given is None:
        return all(item.arg for item in call.keywords)
    return isinstance(given, (ast.List, ast.Tuple)) and not given.elts


RULE = Rule(
    code="FED505",
    name="wildcard-scope",
    summary="An extension declares the scopes that it needs.",
    severity="warning",
    check=_check,
    what="""
Finds extensions with neither `capabilities=[…]` nor `scopes=[…]` on any tool, and the scope `"*"`,
given at once or later: `ext.capabilities = ["*"]`. With `system=True` the former is an error from
5.9.9 on.
""",
    why="Without a declaration the kernel grants every scope, so that a fault in it reaches "
    "everything.",
    example='ext = Extension("notes")',
    instead='ext = Extension("notes", capabilities=["notes:read", "notes:write"])',
    references=("SDK sources: validator.py V34",),
    bad=(
        Example(
            """
from imperal_sdk import Extension

ALL = "*"


class Notes(Extension):
    def __init__(self):
        super().__init__("notes", "1.0.0", ["notes:read"] + [ALL])
"""
        ),
        Example("""
from imperal_sdk import Extension

ext = Extension('notes', '1.0.0')
"""),
        Example(
            """
from imperal_sdk import Extension

ext = Extension('notes', system=True, capabilities=[])
""",
            severity="error",
        ),
        Example(
            """
from imperal_sdk import Extension

ext = Extension('notes', system=True, capabilities=[])
""",
            sdk="5.9.8",
        ),
        Example(
            """
from imperal_sdk import Extension

ext = Extension('notes', capabilities=['*'])
"""
        ),
    ),
    good=(
        Example(
            """
from imperal_sdk import Extension

ext = Extension("notes")


@ext.tool("list_notes")
async def list_notes(ctx): ...


for tool in ext.tools.values():
    tool.scopes = ["notes:read"]
"""
        ),
        Example(
            """
from imperal_sdk import App

app = App("notes")


@app.tool("t")
async def t(ctx):
    ...
"""
        ),
        Example(
            """
from imperal_sdk import Extension

ext = Extension("n")
ext.capabilities = ["notes:read"]
"""
        ),
        Example(
            """
from imperal_sdk import Extension

NEEDED = []
NEEDED.append("notes:read")
ext = Extension("n", capabilities=NEEDED)
"""
        ),
        Example(
            """
from imperal_sdk import Extension

ext = Extension('notes', capabilities=['a:read'])
"""
        ),
        Example(
            """
@ext.tool("t", scopes=["a:read"])
async def t(ctx):
    return Count.grant(scopes=["*"])
"""
        ),
        Example(
            """
from imperal_sdk import Extension

ext = Extension('notes')


@ext.tool('t', scopes=['a:read'])
async def t(ctx):
    ...
"""
        ),
    ),
)
