"""The calls that make a successful result, and what is given to them as data."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from ..model.branches import may_run
from ..model.call_sites import call_sites
from ..model.models import known_type
from ..model.module import Module
from ..model.values import Const, SdkClass, SdkField, SdkMethod, Value
from ..sdk.surface import Signature, signature
from ..view import FileView, asked_once
from .handed_results import handed_results, makers
from .loading import never_runs
from .sdk_objects import argument_of
from .spread_arguments import shown

_RESULT = "ActionResult"
_EXPOSED = "expose"
_DEEPEST = 3
_CONSTRUCTOR = signature("(status, data, summary)")
"""How the fields of the dataclass begin, in every release that has it."""


class ResultCall(msgspec.Struct, frozen=True):
    """A call of ``ActionResult.success``, of the constructor, or of what hands on to ``success``.

    Attributes:
        data, summary: the arguments, if the call shows them.
    """

    node: ast.Call
    data: ast.expr | None
    summary: ast.expr | None


def kept_calls(view: FileView) -> Iterator[tuple[ResultCall, ast.expr]]:
    """Yield (call, its data) of the results that the kernel gets, serialises and keeps.

    What only ``@ext.expose`` reaches goes as an object to the extension that asked:
    ``ExtensionsClient.call`` returns what the exposed function returned (6.3.7).
    """
    exposes = any(True for _ in view.evaluator.project.naming(_EXPOSED))
    for call in result_calls(view):
        function = view.module.function(call.node)
        is_exposed = exposes and _is_exposed(view, view.module, function, 0)
        if call.data is not None and not is_exposed:
            yield call, call.data


def _is_exposed(view: FileView, module: Module, function: ast.AST | None, depth: int) -> bool:
    """Tell whether a function is called by other extensions only, or by such functions."""
    if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) or depth > _DEEPEST:
        return False
    kinds = {role.kind for role in view.evaluator.roles(module, function)}
    naming = view.evaluator.project.naming(function.name)
    if not kinds <= {_EXPOSED} or any(_is_handed_on(other, function.name) for other in naming):
        return False
    sites = call_sites(view.evaluator, module, function)
    return bool(kinds or sites) and all(
        _is_exposed(view, caller, caller.function(call), depth + 1) for caller, call, _ in sites
    )


def _is_handed_on(module: Module, name: str) -> bool:
    """Tell whether a name or attribute spelt like a function is used but not called."""
    uses = [*module.names.get(name, ()), *module.attributes(name)]
    registering = module.decorating_calls(name)
    return any(
        isinstance(use.ctx, ast.Load)
        and module.parents.get(use) not in registering
        and getattr(module.parents.get(use), "func", None) is not use
        for use in uses
    )


@asked_once
def result_calls(view: FileView) -> tuple[ResultCall, ...]:
    """Return the calls that make a successful result, but for those that never run."""
    found: list[ResultCall] = []
    for call, callees in view.sdk_calls.items():
        if isinstance(call.func, ast.Attribute) and call.func.attr not in {"success", _RESULT}:
            continue
        specs = (_making(view, call, item.value) for item in callees)
        spec = next((spec for spec in specs if spec is not None), None)
        if spec is not None and _runs(view, call):
            is_handed = call in makers(view)
            found.append(_result(view, call, shown(view, call), spec, own=is_handed))
    return (*found, *_handed(view))


def _handed(view: FileView) -> Iterator[ResultCall]:
    """Yield the calls of functions that hand what they get on to ``ActionResult.success``."""
    member = view.surface.member(_RESULT, "success")
    spec = member.signature if member is not None else None
    for each in handed_results(view):
        if spec is not None and _runs(view, each.site):
            yield _result(view, each.site, each.made, spec, own=True)


def _result(
    view: FileView, call: ast.Call, made: ast.Call, spec: Signature, *, own: bool
) -> ResultCall:
    """Return a result; with ``own`` only what its file itself writes as an argument counts."""
    data, summary = (
        None if own and given not in view.module.parents else given
        for given in (argument_of(made, spec, name) for name in ("data", "summary"))
    )
    return ResultCall(call, data, summary)


def _runs(view: FileView, call: ast.Call) -> bool:
    return not never_runs(view, call) and may_run(view.evaluator, view.module, call, None)


def _making(view: FileView, call: ast.Call, callee: Value) -> Signature | None:
    """Return the signature of what makes a successful result; None for everything else."""
    if isinstance(callee, SdkMethod) and (callee.owner.cls, callee.name) == (_RESULT, "success"):
        member = view.surface.member(_RESULT, "success")
        return member.signature if member else None
    if callee != SdkClass(_RESULT):
        return None
    status = argument_of(shown(view, call), _CONSTRUCTOR, "status")
    worth = [item.value for item in view.values(status)] if status is not None else []
    return _CONSTRUCTOR if worth == [Const("success")] else None


def type_of(view: FileView, value: Value) -> str:
    """Return what a value certainly is, ``(await ctx.ai.complete(…)).text`` too; else empty."""
    if not isinstance(value, SdkField):
        return known_type(value)
    member = view.surface.member(value.owner.cls, value.name)
    return "a text" if member is not None and member.text.rstrip("=") == "field str" else ""
