"""FED220: ``alert=True`` without the tool that the kernel then calls."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...inference.values.values import only_value
from ...rule import Example, Hit, Rule
from ...sdk_use.declarations import unread
from ...view import FileView
from .support.skeletons import skeleton_handlers

_PREFIX = "skeleton_alert_"
_REFUSED = ("1.6.0", "4.2.1")
"""Releases between which MANIFEST-SKELETON-1 of the validator took alert tools for skeletons."""


def _check(view: FileView) -> Iterator[Hit]:
    for _, role in skeleton_handlers(view):
        flag = role.arguments.get("alert")
        if flag is None or not role.name or not _is_true(view, flag):
            continue
        if not _is_named(view, _PREFIX + role.name):
            yield Hit(
                node=flag,
                message=f"{role.label}: its alerts are skipped silently\n"
                f"No tool {_PREFIX}{role.name} exists. "
                f'Register @ext.tool("{_PREFIX}{role.name}", '
                f'description="…"){_mistake(view)} or drop alert=True.',
            )


def _mistake(view: FileView) -> str:
    first, mended = _REFUSED
    if not view.surface.at_least(first) or view.surface.at_least(mended):
        return ""
    return (
        f" (the validator of {view.sdk} refuses it by mistake, MANIFEST-SKELETON-1; {mended} "
        "mended that)"
    )


def _is_true(view: FileView, node: ast.expr) -> bool:
    return getattr(only_value(view.values(node)), "value", None) is True


def _is_named(view: FileView, name: str) -> bool:
    """Tell whether the extension's code names the tool, or computes such a name."""
    if unread(view.extension.project, name):
        return True
    for module in view.extension.project.mentioning(_PREFIX):
        for text in module.nodes(ast.Constant):
            if text.value in (name, _PREFIX):
                return True
            if isinstance(module.parents.get(text), (ast.JoinedStr, ast.BinOp)) and _PREFIX in str(
                text.value
            ):
                return True
    return False


RULE = Rule(
    code="FED220",
    name="skeleton-alert-without-tool",
    summary="`alert=True` needs a tool `skeleton_alert_<section>`.",
    severity="warning",
    triggers=("alert",),
    since="1.5.22",
    check=_check,
    what="Finds `@ext.skeleton(section, alert=True)` for which no tool "
    "`skeleton_alert_<section>` exists anywhere in the extension.",
    why="On a change the kernel looks for that tool by its name. Without it users never get the "
    "alert, and nothing says so.",
    example='@ext.skeleton("budget", alert=True)\nasync def budget(ctx): ...',
    instead='@ext.skeleton("budget", alert=True)\nasync def budget(ctx): ...\n\n\n'
    '@ext.tool("skeleton_alert_budget", description="Tells when the budget runs out")\n'
    "async def alert(ctx, old=None, new=None): ...",
    references=("Skeletons: alerts", "imperal_sdk.Extension.skeleton"),
    bad=(
        Example(
            '\n@ext.skeleton("n", alert=True)\nasync def n(ctx):\n    return {"response": {}}\n',
            holds='description="…") or drop',
        ),
        Example(
            '\n@ext.skeleton("n", alert=True)\nasync def n(ctx):\n    return {"response": {}}\n',
            sdk="1.5.27",
            holds='description="…") or drop',
        ),
        Example(
            '\n@ext.skeleton("n", alert=True)\nasync def n(ctx):\n    return {"response": {}}\n',
            sdk="4.2.0",
            holds="refuses it by mistake",
        ),
        Example(
            '\n@ext.skeleton("n", alert=True)\nasync def n(ctx):\n    return {"response": {}}\n',
            sdk="4.2.1",
            holds='description="…") or drop',
        ),
        Example(
            '\n@ext.skeleton("n", alert=True)\nasync def n(ctx):\n    """See skeleton_alert_n."""\n'
            '    return {"response": {}}\n\n\n@ext.tool("skeleton_alert_m")\n'
            'async def m(ctx):\n    return ""\n'
        ),
    ),
    good=(
        Example(
            '\n@ext.skeleton("n", alert=True)\nasync def n(ctx):\n    return {"response": {}}\n\n\n'
            '@ext.tool("skeleton_alert_n")\nasync def a(ctx):\n    return ""\n'
        ),
        Example(
            "\nfrom imperal_sdk import Extension\n\next = Extension('n')\nimport alerts\n\n\n"
            '@ext.skeleton("n", alert=True)\nasync def n(ctx):\n    return {"response": {}}\n',
            {
                "alerts.py": "from main import ext\n\nNAME = 'skeleton_alert_n'\n\n\n"
                "@ext.tool(NAME)\n"
                "async def a(ctx):\n    return ''\n"
            },
        ),
        Example(
            '\n@ext.skeleton("n", alert=False)\nasync def n(ctx):\n    return {"response": {}}\n'
        ),
        Example(
            '\n@ext.skeleton("n")\nasync def n(ctx):\n    return {"response": {}}\n\n\n'
            '@ext.tool("skeleton_alert_n")\nasync def a(ctx):\n    return ""\n'
        ),
    ),
)
