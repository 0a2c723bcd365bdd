"""FED107: a method that is not called, or a field that is."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edits.mending import call_it
from ..model.evaluator import Alternatives
from ..model.values import External, Sdk, SdkField, SdkMethod
from ..queries.guards import exception_names, guard
from ..queries.sdk_objects import is_attached, is_certain, source_of
from ..queries.uses import (
    Use,
    holder,
    is_refused,
    is_tested,
    reads_of,
    use_of,
    use_of_object,
)
from ..rule import Example, Hit, Rule
from ..view import Access, FileView

_METHODS = frozenset({"json", "text", "has_role", "has_scope", "raise_for_status"})
_OWNERS = frozenset({"HTTPResponse", "UserContext", "User"})
_FIELDS = frozenset({"str", "int", "bool", "dict", "float", "list", "list[str]", "dict | None"})
_ASKING = frozenset({"isinstance", "hasattr"})
_FACTORY = "success"
"""Makes a result, and every result has it: ``result.success`` says nothing of that result."""
_ASKED = _METHODS | {_FACTORY}
_ALWAYS_TRUE = "the method itself is always true"
_EFFECTS = {
    Use.ITEM: "[ ] raises TypeError",
    Use.ATTRIBUTE: "the next attribute raises AttributeError",
    Use.TEXT: 'the text shows "<bound method …>"',
    Use.OPERATION: "the operation raises TypeError",
    Use.LOOP: "the loop raises TypeError",
    Use.EQUALITY: "the comparison is with the method",
    Use.ORDER: "the comparison is with the method",
    Use.TEST: _ALWAYS_TRUE,
    Use.AWAITED: "await raises TypeError",
}
"""How a method is taken → what comes of it."""
_CALLED = "called"


def _check(view: FileView) -> Iterator[Hit]:
    for call, callees in view.sdk_calls.items():
        if isinstance(call.func, ast.Attribute):
            yield from _called_field(view, call, call.func, callees)
    for node in view.module.nodes(ast.Attribute):
        if node.attr not in _ASKED or not isinstance(node.ctx, ast.Load) or _is_passed(view, node):
            continue
        if node.attr in _METHODS and not _is_given_a_value(view, node):
            yield from _uncalled_method(view, node)
        elif node.attr == _FACTORY and not is_attached(view, _FACTORY, own=False):
            yield from _factory_as_answer(view, node)


def _is_passed(view: FileView, node: ast.Attribute) -> bool:
    """Tell whether an attribute is called or is an argument, so that a method is in place."""
    is_passed = isinstance(view.module.parents.get(node), ast.Call | ast.keyword)
    return is_passed and not _effect_of_giving(view, node)


def _effect_of_giving(view: FileView, node: ast.expr) -> str:
    """Return what comes of a method that is given to ``json.loads`` or ``len``, which need data."""
    call = view.module.parents.get(node)
    if not isinstance(call, ast.Call) or call.func is node:
        return ""
    found = [item.value for item in view.values(call.func)]
    if len(found) != 1 or not isinstance(found[0], External):
        return ""
    raised = f"{source_of(call.func)}() raises TypeError"
    if is_refused(call, node, found[0].name):
        return raised
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    if name != found[0].name or (name == "iter" and len(call.args) > 1):
        return ""
    use = use_of_object(view.module, node)
    if use is Use.COUNTED:
        return raised
    return _EFFECTS.get(use, "") if use is not None else ""


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
            use = _use(view, node)
            if use != _CALLED:
                certain = bool(use) and is_certain(view, node, item)
                effect = use or "whoever reads it gets the method, and no result"
                call, is_whole = _call_of(view, node, value)
                yield Hit(
                    node=node,
                    message=f"{source_of(node)} is a method of {value.owner.cls} in {view.sdk}; "
                    f"without () it is never called: {effect}. Write {call}.",
                    severity=None if certain else "warning",
                    fix=call_it(view, node) if is_whole else None,
                )
            return


def _call_of(view: FileView, node: ast.Attribute, method: SdkMethod) -> tuple[str, bool]:
    """Return the call that was meant, and whether it takes no more than brackets.

    What a method that needs an argument is compared with is that argument.
    """
    member = view.surface.member(method.owner.cls, method.name)
    spec = member.signature if member is not None else None
    needed = [name for name in spec.positional if name in spec.required] if spec else []
    parent = view.module.parents.get(node)
    if len(needed) == 1 and isinstance(parent, ast.Compare) and parent.left is node:
        needed = [source_of(parent.comparators[0])]
    return f"{source_of(node)}({', '.join(needed)})", not needed


def _factory_as_answer(view: FileView, node: ast.Attribute) -> Iterator[Hit]:
    """Report ``if result.success:``."""
    for item in view.values(node):
        value = item.value
        if not isinstance(value, SdkMethod) or not isinstance(value.owner, Sdk):
            continue
        if value.owner.cls != "ActionResult":
            continue
        use = _use(view, node) or (_ALWAYS_TRUE if is_tested(view.module, node) else "")
        if use not in {"", _CALLED} and not _asked_first(view, node):
            owner = source_of(node.value)
            yield Hit(
                node=node,
                message=f"{source_of(node)} is the function that makes results in {view.sdk}, and "
                f"a failed result has it too: {use}, so a failure is taken for a success. Write "
                f'{owner}.status == "success".',
                severity=None if is_certain(view, node, item) else "warning",
            )
        return


def _use(view: FileView, node: ast.Attribute) -> str:
    """Return what comes of a method: an effect, ``called``, or an empty text if not known."""
    name = holder(view.module, node)
    if name is None:
        return _effect(view, node)
    reads = [_effect(view, part) for part in reads_of(view.module, node, name)]
    return _CALLED if _CALLED in reads else next(filter(None, reads), "")


def _effect(view: FileView, node: ast.expr) -> str:
    use = use_of(view.module, node)
    if use is None:
        return _effect_of_giving(view, node)
    return _CALLED if use is Use.CALLED else _EFFECTS[use]


def _asked_first(view: FileView, node: ast.Attribute) -> bool:
    """``callable(r.text)``, ``isinstance`` and ``except TypeError`` show that the author knows."""
    if guard(view, Access(node, node.value, node.attr, "read")) or _is_second_try(view, node):
        return True
    statement = view.module.statement(node)
    return statement is not None and any(
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and (call.func.id == "callable" or (call.func.id in _ASKING and _is_about(call, node)))
        for call in ast.walk(statement)
    )


def _is_about(call: ast.Call, node: ast.Attribute) -> bool:
    return bool(call.args) and source_of(call.args[0]) == source_of(node)


def _is_given_a_value(view: FileView, node: ast.Attribute) -> bool:
    """Tell whether an attribute of the same name of the same object is set: ``r.text = "…"``."""
    owner = source_of(node.value)
    return any(source_of(each.value) == owner for each in view.module.stored(node.attr))


def _is_second_try(view: FileView, node: ast.AST) -> bool:
    """Tell whether an attribute stands in ``except TypeError``, behind a call that failed."""
    return any(
        isinstance(up, ast.ExceptHandler) and "TypeError" in exception_names(up.type)
        for up in view.module.ancestors(node)
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
    triggers=(*sorted(_METHODS), _FACTORY, "ok", "time", "user", "status_code", "body", "headers"),
    what="Finds `response.text` and `response.json` without `()`, `response.ok()` with them, and "
    "`if result.success:` on an `ActionResult`; also where `json.loads`, `len` and the "
    "like get the method.",
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
            holds="without () it is never called: [ ] raises TypeError. Write r.text().",
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
