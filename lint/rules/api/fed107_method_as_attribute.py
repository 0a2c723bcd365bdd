"""FED107: a method that is read without being called, or a field that is called."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...edits.mending import call_it
from ...inference.evaluator import Alternatives
from ...inference.values.values import Sdk, SdkField, SdkMethod
from ...rule import Example, Hit, Rule
from ...sdk_use.sdk_objects import is_attached, is_certain, operand_of, source_of
from ...view import Access, FileView
from .support.methods import (
    ALWAYS_TRUE,
    CALLED,
    asked_first,
    asked_in_vain,
    effect_of_giving,
    use_of_method,
)
from .support.uses import is_tested

_METHODS = frozenset({"json", "text", "has_role", "has_scope", "raise_for_status"})
_OWNERS = frozenset({"HTTPResponse", "UserContext", "User"})
_FIELDS = frozenset({"str", "int", "bool", "dict", "float", "list", "list[str]", "dict | None"})
_FACTORY = "success"
"""A method that makes a result; every result has it, so ``result.success`` is always true."""
_ASKED = _METHODS | {_FACTORY}
_READING = frozenset({"read", "default"})


def _check(view: FileView) -> Iterator[Hit]:
    for call, callees in view.sdk_calls.items():
        if isinstance(call.func, ast.Attribute):
            yield from _called_field(view, call, call.func, callees)
    for access in view.accesses(*sorted(_ASKED)):
        if access.how not in _READING or _is_passed(view, access):
            continue
        if access.name in _METHODS and not _is_given_a_value(view, access):
            yield from _uncalled_method(view, access)
        elif access.name == _FACTORY and not is_attached(view, _FACTORY, own=False):
            yield from _factory_as_answer(view, access)


def _is_passed(view: FileView, access: Access) -> bool:
    """Tell whether an attribute is called or passed as an argument, where a method may stand."""
    is_passed = isinstance(view.module.parents.get(access.node), (ast.Call, ast.keyword))
    return is_passed and not (effect_of_giving(view, access.node) or asked_in_vain(view, access))


def _uncalled_method(view: FileView, access: Access) -> Iterator[Hit]:
    node = access.node
    in_vain = asked_in_vain(view, access)
    if not in_vain and asked_first(view, access):
        return
    for item in view.values(node):
        value = item.value
        if (
            isinstance(value, SdkMethod)
            and isinstance(value.owner, Sdk)
            and value.owner.cls in _OWNERS
        ):
            use = in_vain or use_of_method(view, access)
            if use != CALLED:
                certain = bool(use) and is_certain(view, node, item)
                effect = use or "whoever reads it gets the method, and no result"
                call, is_whole = _call_of(view, access, value)
                fixed = node if is_whole and isinstance(node, ast.Attribute) else None
                yield Hit(
                    node=node,
                    message=f"{source_of(node)} is not called: {effect}\nIt is a method of "
                    f"{value.owner.cls} in {view.sdk}; without () it is never called. "
                    f"Write {call}.",
                    severity=None if certain else "warning",
                    fix=call_it(view, fixed) if fixed is not None else None,
                )
            return


def _call_of(view: FileView, access: Access, method: SdkMethod) -> tuple[str, bool]:
    """Return the call that was meant, and whether adding ``()`` is enough.

    A method that needs an argument gets what it is compared with.
    """
    member = view.surface.member(method.owner.cls, method.name)
    spec = member.signature if member is not None else None
    needed = [name for name in spec.positional if name in spec.required] if spec else []
    parent = view.module.parents.get(access.node)
    if len(needed) == 1 and isinstance(parent, ast.Compare) and parent.left is access.node:
        needed = [source_of(parent.comparators[0])]
    return f"{operand_of(access.owner)}.{access.name}({', '.join(needed)})", not needed


def _factory_as_answer(view: FileView, access: Access) -> Iterator[Hit]:
    """Report ``if result.success:``."""
    node = access.node
    for item in view.values(node):
        value = item.value
        if not isinstance(value, SdkMethod) or not isinstance(value.owner, Sdk):
            continue
        if value.owner.cls != "ActionResult":
            continue
        use = use_of_method(view, access) or (ALWAYS_TRUE if is_tested(view.module, node) else "")
        if use not in {"", CALLED} and not asked_first(view, access):
            yield Hit(
                node=node,
                message=f"{source_of(node)}: {use}, so a failure is taken for a success\n"
                f"It is the function that makes results in {view.sdk}, and a failed result has it "
                f'too. Write {operand_of(access.owner)}.status == "success".',
                severity=None if is_certain(view, node, item) else "warning",
            )
        return


def _is_given_a_value(view: FileView, access: Access) -> bool:
    """Tell whether the code sets the attribute on the same object: ``r.text = "…"``."""
    owner = source_of(access.owner)
    return any(source_of(each.value) == owner for each in view.module.stored(access.name))


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
            message=f"{source_of(node)}() raises TypeError: it is no method\nIt is a value "
            f"({member.returns}) in {view.sdk}. Write {source_of(node)}.",
        )
        return


RULE = Rule(
    code="FED107",
    name="method-not-called",
    summary="A method is not called, or a field is called.",
    severity="error",
    check=_check,
    triggers=(*sorted(_METHODS), _FACTORY, "ok", "time", "user", "status_code", "body", "headers"),
    what="Finds `response.text` and `response.json` without `()`, `response.ok()` with them, and "
    "`if result.success:` on an `ActionResult`; also where `json.loads`, `len` and the "
    "like get the method, or a result as its text, and "
    "`response.json if isinstance(response.json, list) else []`, which is always `[]`.",
    why="""
`json()` and `text()` of the SDK's response are methods, and not async ones. Without the
parentheses the code shows `<bound method …>` to the user; `response.ok()` raises TypeError.
`ActionResult.success` makes a result, so `result.success` is that function and always true, also
for a failed result.
""",
    example="response = await ctx.http.get(url)\nreturn response.text",
    instead="response = await ctx.http.get(url)\nreturn response.text()",
    safety="Adds the parentheses.",
    references=("SDK sources: types/models.py",),
    bad=(
        Example(
            """
class Sent:
    def __init__(self):
        self.success = True


async def load(ctx):
    return ActionResult.error("not connected")


@ext.panel("p")
async def p(ctx):
    result = await load(ctx)
    return result.data if result.success and result.data else None
""",
            holds='Write result.status == "success"',
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    r = await ctx.http.get("x")
    return r.text[:200]
""",
            holds="without () it is never called. Write r.text().",
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    r = await ctx.http.get("x")
    return f"{r.text}" if r.json else "%s" % r.text
""",
            holds='the text shows "<bound method …>"',
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    r = await ctx.http.get("x")
    return r.ok()
"""
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    r = await ctx.http.get("x")
    detail = r.text
    return detail.lower()
"""
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    return [ctx.user.has_role]
""",
            severity="warning",
        ),
    ),
    good=(
        Example(
            """
class Answer:
    success = False


async def load(ctx):
    return ActionResult.error("not connected") if ctx.user else Answer()


@ext.panel("p")
async def p(ctx):
    made = ActionResult.success
    result = await load(ctx)
    if isinstance(result, Answer) and result.success:
        return None
    return result.data if result.status == "success" else made({"a": 1}, "Done")
"""
        ),
        Example(
            """
async def load(ctx):
    result = ActionResult.error("not connected")
    result.success = result.status == "success"
    return result


@ext.panel("p")
async def p(ctx):
    result = await load(ctx)
    return result.data if result.success else None
"""
        ),
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
        Example(
            """
@ext.panel("p")
async def p(ctx):
    r = await ctx.http.get("x")
    try:
        return r.text()
    except TypeError:
        return r.text
"""
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    r = await ctx.http.get("x")
    read = r.json if r.ok else r.text
    return read()
"""
        ),
    ),
)
