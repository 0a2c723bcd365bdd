"""The calls that make a successful result, and what is given to them as data."""

from __future__ import annotations

import ast

import msgspec

from ..model.models import known_type
from ..model.values import Const, SdkClass, SdkField, SdkMethod, Value
from ..sdk.surface import Signature, signature
from ..view import FileView
from .loading import never_runs
from .sdk_objects import argument_of
from .spread_arguments import shown

_RESULT = "ActionResult"
_CONSTRUCTOR = signature("(status, data, summary)")
"""How the fields of the dataclass begin, in every release that has it."""


class ResultCall(msgspec.Struct, frozen=True):
    """A call of ``ActionResult.success`` or of the constructor.

    Attributes:
        data, summary: the arguments, if the call shows them.
    """

    node: ast.Call
    data: ast.expr | None
    summary: ast.expr | None


def result_calls(view: FileView) -> tuple[ResultCall, ...]:
    """Return the calls that make a successful result, but for those that never run."""
    return view.once(_result_calls)


def _result_calls(view: FileView) -> tuple[ResultCall, ...]:
    found: list[ResultCall] = []
    for call, callees in view.sdk_calls.items():
        if isinstance(call.func, ast.Attribute) and call.func.attr not in {"success", _RESULT}:
            continue
        specs = (_making(view, call, item.value) for item in callees)
        spec = next((spec for spec in specs if spec is not None), None)
        if spec is not None and not never_runs(view, call):
            plain = shown(view, call)
            data, summary = (argument_of(plain, spec, name) for name in ("data", "summary"))
            found.append(ResultCall(call, data, summary))
    return tuple(found)


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
