"""FED221: a skeleton handler is declared as a tool."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ....reports.lint.findings import Edit, Fix, Span
from ...inference.calls.roles import Role
from ...rule import Example, Hit, Rule
from ...sdk_use.calls import is_proved
from ...view import FileView, span_of
from .support.skeletons import TRIGGER, skeleton_handlers

_PREFIX = "skeleton_refresh_"
_BARE = "refresh_"


def _check(view: FileView) -> Iterator[Hit]:
    yield from _not_wired(view)
    for _, role in skeleton_handlers(view):
        if not role.name.startswith(_PREFIX):
            continue
        if isinstance(role.call, ast.Call) and isinstance(role.call.func, ast.Attribute):
            section = role.name.removeprefix(_PREFIX)
            if role.call.func.attr == "tool" and section:
                scoped = "scopes" in role.arguments or len(role.call.args) > 1
                instead = " without scopes: refreshes run with those of the system" * scoped
                yield Hit(
                    node=role.call,
                    message=f"{role.label}: the validator refuses this extension\n"
                    f"It works, because the kernel derives the section from the name, but the "
                    f"validator of {view.sdk} refuses it (MANIFEST-SKELETON-1). "
                    f'Write @ext.skeleton("{section}"){instead}.',
                    fix=_fix(view, role, role.call, role.call.func, section),
                )


def _not_wired(view: FileView) -> Iterator[Hit]:
    """Find ``refresh_x`` where no skeleton section ``x`` is, which nothing ever refreshes."""
    for _, role in view.handlers():
        section = role.name.removeprefix(_BARE) if role.name.startswith(_BARE) else ""
        if role.kind == "tool" and section and is_proved(view, role):
            yield Hit(
                node=role.call,
                message=f"{role.label} refreshes no skeleton section: it is a plain tool\n"
                f"The platform wires {_PREFIX}… alone, and the validator of {view.sdk} warns of it "
                f'(V13). Write @ext.skeleton("{section}") if it is a section; else give the tool '
                "another name.",
                severity="warning",
            )


def _fix(
    view: FileView, role: Role, call: ast.Call, callee: ast.Attribute, section: str
) -> Fix | None:
    """Rename the decorator, if a skeleton accepts all arguments of the tool."""
    name = call.args[0] if len(call.args) == 1 else None
    plain = isinstance(name, ast.Constant) and set(role.arguments) <= {"description"}
    if not plain or len(role.arguments) != len(call.keywords) or name is None:
        return None
    whole = span_of(view.module, callee)
    method = Span(
        line=whole.end_line,
        column=whole.end_column - len("tool"),
        end_line=whole.end_line,
        end_column=whole.end_column,
    )
    if view.module.source.slice(method) != "tool":
        return None
    return Fix(
        title=f'Declare it with @ext.skeleton("{section}")',
        safety="safe",
        edits=(
            Edit(span=method, replacement="skeleton"),
            Edit(span=span_of(view.module, name), replacement=f'"{section}"'),
        ),
    )


RULE = Rule(
    code="FED221",
    name="skeleton-declared-as-tool",
    summary="A skeleton handler is declared with `@ext.tool`.",
    severity="error",
    triggers=(TRIGGER, "tool"),
    named_here=True,
    since="1.6.0",
    check=_check,
    what='Finds `@ext.tool("skeleton_refresh_<section>")`, the form from before SDK 1.5.22, and '
    '`@ext.tool("refresh_<section>")`, which is no section at all (a warning).',
    why="""
The kernel still derives the section from the tool's name, so it works. Since SDK 1.6.0 its own
validator reports it as an error, and the section's ttl and alert cannot be set.
""",
    example='@ext.tool("skeleton_refresh_notes")\nasync def notes(ctx): ...',
    instead='@ext.skeleton("notes")\nasync def notes(ctx): ...',
    safety="Safe: the decorator registers the same tool. Not offered if scopes are given.",
    references=("I-SKEL-AUTO-DERIVE-1", "imperal_sdk validator: MANIFEST-SKELETON-1"),
    bad=(
        Example(
            '\n@ext.tool("skeleton_refresh_n", description="N")\nasync def n(ctx):\n'
            '    return {"response": {}}\n'
        ),
        Example(
            '\n@ext.tool(name="skeleton_refresh_n", scopes=["a"])\nasync def n(ctx):\n'
            '    return {"response": {}}\n',
            holds='@ext.skeleton("n") without scopes',
        ),
        Example(
            '\n@ext.tool("skeleton_refresh_n", [], "Reads")\nasync def n(ctx):\n'
            '    return {"response": {}}\n',
            holds='@ext.skeleton("n") without scopes',
        ),
        Example(
            '\n@ext.tool("skeleton_refresh_n")\nasync def n(ctx):\n    return {"response": {}}\n',
            holds='Write @ext.skeleton("n").',
            sdk="1.6.0",
        ),
        Example(
            '\n@ext.tool("refresh_n", description="N")\nasync def n(ctx):\n'
            '    return {"response": {}}\n',
            severity="warning",
            holds='Write @ext.skeleton("n") if it is a section',
        ),
    ),
    good=(
        Example('\n@chat.function("refresh_n", "N")\nasync def n(ctx, params): ...\n'),
        Example(
            '\n@ext.skeleton("n")\nasync def skeleton_refresh_n(ctx):\n'
            '    return {"response": {}}\n'
        ),
        Example('\n@ext.tool("skeleton_alert_n")\nasync def n(ctx):\n    return ""\n'),
        Example(
            '\n@ext.tool("skeleton_refresh_n")\nasync def n(ctx):\n    return {"response": {}}\n',
            sdk="1.5.27",
        ),
    ),
)
