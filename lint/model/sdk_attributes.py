"""``value.name`` of an object of the SDK."""

from __future__ import annotations

import ast

from .annotations import named_type
from .evaluator import Evaluator
from .foreign_stores import owners
from .module import Module, last_name
from .remembered import remembered_in_circles
from .roles import CONTEXT_NAMES
from .spelling import OWN_NAMES
from .values import UNKNOWN, Sdk, SdkField, SdkMethod, Value


def of_sdk(evaluator: Evaluator, value: Sdk, name: str) -> Value:
    """Return the value of an attribute of an SDK object; unknown if it has none."""
    surface = evaluator.surface
    if value.cls == "Context" and surface.client(name):
        if _is_replaced(evaluator, name):
            return UNKNOWN
        return Sdk(surface.client(name), value.kind, value.certain, value.scoped)
    member = surface.member(value.cls, name)
    if member is None:
        return UNKNOWN
    if member.is_method:
        return SdkMethod(value, name)
    found = named_type(evaluator, member.returns)
    return found if isinstance(found, Sdk) else SdkField(value, name)


def has(evaluator: Evaluator, value: Value, name: str | None) -> bool:
    """Tell whether a value is an object of the SDK with an attribute of that name."""
    if not isinstance(value, Sdk) or name is None:
        return False
    return evaluator.surface.member(value.cls, name) is not None


@remembered_in_circles(meanwhile=False)  # what is changed may come from a client itself
def _is_replaced(evaluator: Evaluator, name: str) -> bool:
    """Tell whether the extension puts a client of its own into a context: ``ctx.http = Mine()``.

    ``cache`` cannot be set, and who sets ``skeleton`` is told so by a rule of its own.
    """
    if name in {"cache", "skeleton"}:
        return False
    return any(
        _may_be_context(evaluator, module, owner) for module, owner in owners(evaluator, name)
    )


def _may_be_context(evaluator: Evaluator, module: Module, owner: ast.expr) -> bool:
    name = last_name(owner)
    return name in CONTEXT_NAMES or (
        name not in OWN_NAMES
        and any(
            isinstance(item.value, Sdk) and item.value.cls == "Context"
            for item in evaluator.values(module, owner)
        )
    )
