"""FED527: a lifecycle hook that is never registered, or does not take what it is told."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..model.bindings import parameters
from ..model.roles import Role
from ..model.values import Function, SdkMethod
from ..queries.sdk_calls import sdk_calls
from ..rule import Example, Hit, Rule
from ..view import FileView

_HOOK = "on_upgrade"
_ASKED = "4.0.0"
"""Since then V22 asks for from_version."""
_Node = ast.FunctionDef | ast.AsyncFunctionDef


def _check(view: FileView) -> Iterator[Hit]:
    for kind in (ast.FunctionDef, ast.AsyncFunctionDef):
        for function in view.module.nodes(kind):
            yield from _bare(view, function)
    for call in sdk_calls(view, "Extension", _HOOK):
        version = call.arguments.get("version")
        found = view.values(version) if version is not None else ()
        if version is not None and found and all(isinstance(it.value, Function) for it in found):
            yield _lost(view, call.node, ast.unparse(call.node.func))
    for function, role in view.handlers() if view.surface.at_least(_ASKED) else ():
        if role.kind == _HOOK and not _takes(function, "from_version"):
            yield _without_version(view, function, role)


def _bare(view: FileView, function: _Node) -> Iterator[Hit]:
    for node in function.decorator_list:
        if isinstance(node, ast.Attribute) and node.attr == _HOOK:
            found = [it.value for it in view.values(node)]
            if found and all(isinstance(it, SdkMethod) for it in found):
                yield _lost(view, node, ast.unparse(node))


def _lost(view: FileView, node: ast.AST, callee: str) -> Hit:
    return Hit(
        node=node,
        message=f"{callee} gets the function in place of the version: in {view.sdk} this registers "
        "nothing and says nothing, so that the hook never runs and the data of the users stays as "
        f'it was. Write @{callee}("1.1.0"), the version that brings the change.',
    )


def _without_version(view: FileView, function: _Node, role: Role) -> Hit:
    return Hit(
        node=function,
        message=f"{role.label} {function.name} does not take from_version, and cannot tell from "
        f"where a user comes. V22 of {view.sdk} asks for it, but its validator looks hooks up "
        "without their version and never refuses one. Write "
        f'async def {function.name}(ctx, from_version=""):',
        severity="info",
    )


def _takes(function: _Node, name: str) -> bool:
    named = (arg.arg for arg in parameters(function))
    return function.args.kwarg is not None or name in named


RULE = Rule(
    code="FED527",
    name="lifecycle-signature",
    summary="An upgrade hook names its version and takes the one before.",
    severity="error",
    since="1.0.0",
    triggers=(_HOOK,),
    named_here=True,
    check=_check,
    what="""
Finds `@ext.on_upgrade` without a version: the function itself is then the version, and nothing is
registered. The other hooks (`on_install`, `on_uninstall`, `on_enable`, `on_disable`) take none.

Hooks that take neither `from_version` nor `**kwargs` are an *info*: the SDK's validator has asked
for it since 4.0.0 (V22), but keeps the hooks as `on_upgrade:<version>` and looks for `on_upgrade`,
so that up to 6.3.7 it refuses none. It asks `on_refresh` for `message`; no version of the SDK has
that decorator, which FED105 says.
""",
    why="""
A hook that is not registered stands in no manifest, and nobody calls it. No code of the SDK calls
hooks: the platform does, and since 4.0.0 it reads from the manifest (`lifecycle_hooks`) which
arguments each one takes.
""",
    example="@ext.on_upgrade\nasync def upgraded(ctx): ...",
    instead='@ext.on_upgrade("1.1.0")\nasync def upgraded(ctx, from_version=""): ...',
    references=(
        "SDK sources: extension.py on_upgrade, manifest.py lifecycle_hooks, validator.py V22",
    ),
    bad=(
        Example(
            """
@ext.on_upgrade
async def upgraded(ctx, from_version=""):
    ...
""",
            holds='Write @ext.on_upgrade("1.1.0")',
        ),
        Example(
            """
async def upgraded(ctx, from_version=""):
    ...


ext.on_upgrade(upgraded)
""",
            holds="registers nothing",
        ),
        Example(
            """
@ext.on_upgrade("1.1.0")
async def upgraded(ctx):
    ...
""",
            severity="info",
            holds="does not take from_version",
        ),
    ),
    good=(
        Example(
            """
@ext.on_upgrade("1.1.0")
async def upgraded(ctx, from_version=""):
    ...


@ext.on_upgrade(version="1.2.0")
async def upgraded_again(ctx, **kwargs):
    ...


@ext.on_install
async def installed(ctx):
    ...


@listener.on_upgrade
async def elsewhere(ctx):
    ...
"""
        ),
        Example(
            """
@ext.on_upgrade("1.1.0")
async def upgraded(ctx):
    ...
""",
            sdk="3.7.0",
        ),
    ),
)
