"""FED107: a method that is not called, or a field that is."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..fixes.mending import call_it
from ..model.evaluate import Alternatives
from ..model.values import Sdk, SdkField, SdkMethod
from ..queries.guards import guard
from ..rule import Example, Hit, Rule
from ..sdk.sdk_objects import is_certain, source_of
from ..view import Access, FileView

_METHODS = frozenset({"json", "text", "has_role", "has_scope", "raise_for_status"})
_OWNERS = frozenset({"HTTPResponse", "UserContext", "User"})
_FIELDS = frozenset({"str", "int", "bool", "dict", "float", "list", "list[str]", "dict | None"})


def _check(view: FileView) -> Iterator[Hit]:
    for call, callees in view.sdk_calls.items():
        if isinstance(call.func, ast.Attribute):
            yield from _called_field(view, call, call.func, callees)
    for node in view.module.nodes(ast.Attribute):
        if node.attr in _METHODS and not _is_passed(view, node):
            yield from _uncalled_method(view, node)


def _is_passed(view: FileView, node: ast.Attribute) -> bool:
    """Tell whether an attribute is called or is an argument, so that a method is in place."""
    return isinstance(view.module.parents.get(node), ast.Call | ast.keyword)


def _uncalled_method(view: FileView, node: ast.Attribute) -> Iterator[Hit]:
    if _asked_first(view, node):
        return
    for item in view.values(node):
        value = item.value
        if (
            isinstance(value, SdkMethod)
            and isinstance(value.owner, Sdk)
            and value.owner.cls in _OWNERS
        ):
            yield Hit(
                node=node,
                message=f"{source_of(node)} is a method of {value.owner.cls}: without () this "
                "is the "
                f"method itself, not its result. Write {source_of(node)}().",
                severity=None if is_certain(view, node, item) else "warning",
                fix=call_it(view, node),
            )
            return


def _asked_first(view: FileView, node: ast.Attribute) -> bool:
    """``callable(r.text)`` and ``hasattr`` show that the author knows."""
    if guard(view, Access(node, node.value, node.attr, "read")):
        return True
    statement = view.module.statement(node)
    return statement is not None and any(
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id == "callable"
        for call in ast.walk(statement)
    )


def _called_field(
    view: FileView, call: ast.Call, node: ast.Attribute, callees: Alternatives
) -> Iterator[Hit]:
    for item in callees:
        value = item.value
        if not isinstance(value, SdkField) or value.owner.cls == "ActionResult":
            continue
        member = view.surface.member(value.owner.cls, value.name)
        if member is None or member.returns.strip("'\"") not in _FIELDS:
            continue
        yield Hit(
            node=call,
            message=f"{source_of(node)} is a value ({member.returns}), not a method: calling it "
            "raises "
            f"TypeError in {view.sdk}. Write {source_of(node)}.",
        )
        return


RULE = Rule(
    code="FED107",
    name="method-as-attribute",
    summary="A method is not called, or a field is called.",
    severity="error",
    check=_check,
    triggers=(*sorted(_METHODS), "ok", "time", "user", "status_code", "body", "headers"),
    what="Finds `response.text` and `response.json` without `()`, and `response.ok()` with them.",
    why="""
`json()` and `text()` of the SDK's response are methods, and not async ones. Without the
parentheses the code shows `<bound method …>` to the user; `response.ok()` raises TypeError.
""",
    example="response = await ctx.http.get(url)\nreturn response.text",
    instead="response = await ctx.http.get(url)\nreturn response.text()",
    safety="Adds the parentheses.",
    references=("SDK sources: types/models.py",),
    bad=(
        Example(
            """
@ext.panel("p")
async def p(ctx):
    r = await ctx.http.get("x")
    return r.text[:200]
"""
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    r = await ctx.http.get("x")
    return r.ok()
"""
        ),
    ),
    good=(
        Example(
            """
@ext.panel("p")
async def p(ctx):
    r = await ctx.http.get("x")
    return r.text() if r.ok else r.json()
"""
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    r = await ctx.http.get("x")
    return r.text() if callable(r.text) else r.text
"""
        ),
    ),
)
