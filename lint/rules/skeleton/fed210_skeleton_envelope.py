"""FED210: a skeleton handler that does not return ``{"response": {…}}``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ....reports.lint.findings import Fix, Severity
from ...edits.concrete import surround
from ...inference.calls.call_sites import call_sites
from ...inference.calls.roles import Role
from ...inference.syntax.module import FunctionNode
from ...inference.values.origins import is_changed
from ...rule import Example, Hit, Rule
from ...sdk_use.calls import is_proved
from ...sdk_use.reach import bare_returns, never_passes
from ...view import FileView
from .support.skeletons import TRIGGER, Section, sections, skeleton_handlers

_INSTEAD = 'Return {"response": {…}}, with fields such as "total".'


def _check(view: FileView) -> Iterator[Hit]:
    for section in sections(view):
        if section.envelope not in {"", "response"}:
            yield _hit(view, section)
        elif section.held:
            yield _no_dict(view, section)
    for function, role in skeleton_handlers(view):
        if not is_changed(view.evaluator, view.module, function):
            yield from _silent_ends(view, function, role)


def _silent_ends(view: FileView, function: FunctionNode, role: Role) -> Iterator[Hit]:
    """Report a handler that never returns a value, else each way that ends without one."""
    if _returns_nothing(view, function):
        yield Hit(
            node=function,
            severity=None if is_proved(view, role) else "warning",
            message=f"{role.label} returns None on every path: the section is never filled\n"
            f"The SDK's contract is a dict with the key response. {_INSTEAD}",
        )
        return
    for node in bare_returns(view.module, function):
        yield Hit(
            node=node,
            severity="warning",
            message=f"{role.label} returns None here\nThe SDK's contract is a dict with the "
            f"key response on every path. {_INSTEAD}",
        )
    last = function.body[-1] if isinstance(function.body, list) else None
    if isinstance(last, (ast.If, ast.Assign, ast.Expr)) and not _stops(view, last):
        yield Hit(
            node=last,
            severity="warning",
            message=f"{role.label} can end here without a return, which returns None\n"
            f"The SDK's contract is a dict with the key response on every path. {_INSTEAD}",
        )


def _hit(view: FileView, section: Section) -> Hit:
    if section.envelope == "result":
        text = (
            f"{section.name}: the handler returns an ActionResult\nOlder documents allow it; the "
            f"contract of {view.sdk} asks for a dict with the key response. {_INSTEAD}"
        )
        return Hit(node=section.returned, message=text, severity="info")
    certain = section.certain and section.envelope != "None" and is_proved(view, section.role)
    severity: Severity = "error" if certain else "warning"
    verb = "returns" if section.certain else "may return"
    return Hit(
        node=section.returned,
        message=f"{section.name}: the handler {verb} {section.envelope}: the classifier never sees "
        f"it\nThe kernel takes only what stands under response (contract of {view.sdk}). "
        f"{_INSTEAD}",
        severity=severity,
        fix=_fix(view, section),
    )


def _no_dict(view: FileView, section: Section) -> Hit:
    """Warn about a ``response`` that is no dict; older documents allow such sections."""
    is_object = section.held.endswith(" object")
    advice = "Return its model_dump() there." if is_object else _INSTEAD
    return Hit(
        node=section.returned,
        message=f"{section.name}: response is {section.held}, and not a dict\n"
        f"The contract of {view.sdk} asks for a dict there, whose fields the classifier reads. "
        f"{advice}",
        severity="warning",
    )


def _fix(view: FileView, section: Section) -> Fix | None:
    if not isinstance(section.returned, ast.Dict):
        return None
    function = view.module.function(section.returned)
    called = function is None or bool(call_sites(view.evaluator, view.module, function))
    return Fix(
        title='Wrap the dict in {"response": …}',
        safety="unsafe" if called else "safe",
        edits=surround(view.module, section.returned, '{"response": ', "}"),
    )


def _returns_nothing(view: FileView, function: FunctionNode) -> bool:
    """Tell whether a function only returns None; one that always raises does not."""
    if view.module.is_generator(function) or view.module.returns(function):
        return False
    last = function.body[-1] if isinstance(function.body, list) else None
    return last is None or not _stops(view, last)


def _stops(view: FileView, node: ast.stmt) -> bool:
    return never_passes(view.evaluator, view.module, node)


RULE = Rule(
    code="FED210",
    name="skeleton-envelope",
    summary='A skeleton handler returns `{"response": {…}}`.',
    severity="error",
    triggers=(TRIGGER,),
    named_here=True,
    check=_check,
    since="1.6.0",
    what="""
Finds skeleton handlers that return something else than a dict with the key `response`: a bare
dict, a list, a text, nothing. It is an error if that is certain, a warning if only some paths do
it or if None is returned on purpose, and an info for `ActionResult`, which older documents allow.
A list, a text, None or a model under `response` is a warning: the contract asks for a dict there,
but no document says that such a section is refused.
""",
    why="""
The kernel stores what stands under `response`. Anything else is refused or stored empty, and the
classifier routes as if the extension had no data.
""",
    example='@ext.skeleton("notes")\nasync def notes(ctx):\n    return {"total": 3}',
    instead='@ext.skeleton("notes")\nasync def notes(ctx):\n    return {"response": {"total": 3}}',
    safety="The fix wraps the dict. It is unsafe if the extension itself calls the handler.",
    references=("Skeletons", "imperal_sdk.Extension.skeleton: return contract"),
    bad=(
        Example(
            """
@ext.skeleton("notes")
async def notes(ctx):
    if ctx.user:
        return {"response": {"total": 1}}
""",
            severity="warning",
            holds="can end here",
        ),
        Example('\n@ext.skeleton("n")\nasync def n(ctx):\n    return {"total": 3}\n'),
        Example(
            '\n@ext.skeleton("n")\nasync def n(ctx):\n    data = {}\n    data["total"] = 3\n'
            "    return data\n"
        ),
        Example('\n@ext.skeleton("n")\nasync def n(ctx):\n    return [1, 2]\n', holds="a list"),
        Example(
            '\n@ext.skeleton("n")\nasync def n(ctx):\n    page = await ctx.store.query("c")\n'
            '    return {"response": [row.id for row in page.data]}\n',
            severity="warning",
            holds="response is a list",
        ),
        Example(
            '\n@ext.skeleton("n")\nasync def n(ctx):\n    await ctx.store.query("c")\n',
            holds="every path",
        ),
        Example(
            '\n@ext.skeleton("n")\nasync def n(ctx):\n    if not ctx.user:\n        return None\n'
            '    return {"response": {"a": 1}}\n',
            severity="warning",
        ),
        Example(
            '\n@ext.skeleton("n")\nasync def n(ctx):\n    if not ctx.user:\n        return\n'
            '    return {"response": {"a": 1}}\n',
            severity="warning",
            holds="here",
        ),
        Example(
            '\n@ext.tool("skeleton_refresh_n")\nasync def n(ctx):\n'
            '    return ActionResult.success(data={"a": 1}, summary="s")\n',
            severity="info",
        ),
    ),
    good=(
        Example(
            """
@ext.skeleton("notes")
async def notes(ctx):
    result = {}
    if ctx.user:
        result = {"response": {"total": 1}}
    return result or {"response": {"total": 0}}
"""
        ),
        Example('\n@ext.skeleton("n")\nasync def n(ctx):\n    return {"response": {"total": 3}}\n'),
        Example(
            '\nEMPTY = {"response": {"total": 0}}\n\n\nasync def load(ctx):\n    out = {}\n'
            '    out["response"] = {"total": 1}\n    return out\n\n\n'
            '@ext.skeleton("n")\nasync def n(ctx):\n    if not ctx.user:\n        return EMPTY\n'
            "    return await load(ctx)\n"
        ),
        Example('\n@ext.skeleton("n")\nasync def n(ctx):\n    return build(ctx)\n'),
        Example(
            "\ndef wrapped(data):\n    inner = dict(data)\n    data.clear()\n"
            '    data["response"] = inner\n    return data\n\n\n'
            '@ext.skeleton("n")\nasync def n(ctx):\n    out = {"total": 3}\n'
            "    out = wrapped(out)\n    return out\n"
        ),
        Example(
            '\n@ext.skeleton("n")\nasync def n(ctx):\n    def count():\n        return 3\n\n'
            '    return {"response": {"total": count()}}\n'
        ),
        Example('\n@ext.skeleton("n")\nasync def n(ctx):\n    raise NotImplementedError\n'),
        Example(
            "\ndef wrapped(function):\n    async def inner(ctx):\n"
            '        return {"response": await function(ctx)}\n\n    return inner\n\n\n'
            '@ext.skeleton("n")\n@wrapped\nasync def n(ctx):\n    return {"total": 3}\n'
        ),
        Example('\n@ext.tool("skeleton_alert_n")\nasync def n(ctx):\n    return ""\n'),
    ),
)
