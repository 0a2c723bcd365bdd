"""Calls that get a coroutine and cannot await it: of the SDK, of texts and of the log.

What a component of ``ui`` holds, and what a client of the SDK sends, becomes JSON; nothing of the
SDK awaits a value inside it.
"""

from __future__ import annotations

import ast

from ..model.evaluator import Evaluator
from ..model.known_calls import LOG_METHODS
from ..model.module import Module, last_name
from ..model.values import External, Sdk, SdkMethod, Value
from .guards import caught
from .losses import EFFECTS, Loss
from .sdk_names import path_of
from .sdk_objects import argument_of, source_of
from .uses import Use

_SENDING = frozenset(
    {"AIClient", "HTTPClient", "NotifyClient", "SecretClient", "StorageClient", "StoreClient"}
)
"""Classes whose methods send what they get; others may hand it on, or are judged by own rules."""
_SHOWN = Loss(EFFECTS[Use.TEXT])


def taken(
    evaluator: Evaluator, module: Module, call: ast.Call, given: ast.expr, *, inside: bool
) -> Loss | None:
    """Return what comes of a coroutine that a call gets; None where somebody may await it.

    Args:
        evaluator: of the extension.
        module: the file of the call.
        call: the call.
        given: the argument.
        inside: whether that is a list or a dict which holds the coroutine.
    """
    name = source_of(call.func)
    if _is_of_text(call.func):
        if last_name(call.func) == "format":
            return _SHOWN
        return _raised(module, call) if last_name(call.func) == "join" else None
    found = [item.value for item in evaluator.values(module, call.func)]
    if found and all(_sends(value) or _shows(evaluator, value, call, given) for value in found):
        return Loss(f"{name}() gets the coroutine in place of the result", raises=True)
    if len(found) == 1 and isinstance(found[0], External) and _is_log(found[0].name):
        return _SHOWN
    return _raised(module, call) if inside and found == [External("sum")] else None


def _raised(module: Module, call: ast.Call) -> Loss | None:
    is_caught = caught(module, call, "TypeError")
    return None if is_caught else Loss(f"{source_of(call.func)}() raises TypeError", raises=True)


def _is_of_text(callee: ast.expr) -> bool:
    """Tell whether a method of a text that is written out is called, ``", ".join``."""
    owner = callee.value if isinstance(callee, ast.Attribute) else None
    return isinstance(owner, ast.JoinedStr) or (
        isinstance(owner, ast.Constant) and isinstance(owner.value, str)
    )


def _sends(value: Value) -> bool:
    owner = value.owner if isinstance(value, SdkMethod) else value
    if isinstance(owner, Sdk):
        return owner.cls in _SENDING and owner.certain
    return path_of(value).startswith("ui.")


def _shows(evaluator: Evaluator, value: Value, call: ast.Call, given: ast.expr) -> bool:
    """Tell whether a result gets something as its summary or the like; data is judged as data."""
    if not isinstance(value, SdkMethod) or value.owner.cls != "ActionResult":
        return False
    member = evaluator.surface.member(value.owner.cls, value.name)
    spec = member.signature if member is not None else None
    return spec is not None and argument_of(call, spec, "data") is not given


def _is_log(name: str) -> bool:
    first, _, last = name.rpartition(".")
    return first.startswith("logging") and last in LOG_METHODS
