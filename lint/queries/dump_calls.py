"""What ``model_dump()`` and the like make of a model: plain data, and no model any more."""

from __future__ import annotations

import ast

from ..model.models import is_model
from ..model.values import SdkMethod
from ..model.written import Written, instance_of, written
from ..view import FileView

_DUMPS = {"model_dump": "a dict", "dict": "a dict", "model_dump_json": "a text", "json": "a text"}
_CACHED = frozenset({"get", "get_or_fetch"})
"""Methods of the cache that give an object of the model that they are given."""


def dumped_as(view: FileView, at: Written) -> str:
    """Return what an expression is if a model made it by ``model_dump()`` or the like."""
    places = written(view.evaluator, at.module, at.node, at.frame)
    kinds = {_dump_of(view, place) for place in places}
    return kinds.pop() if len(kinds) == 1 else ""


def _dump_of(view: FileView, at: Written) -> str:
    callee = at.node.func if isinstance(at.node, ast.Call) else None
    if not isinstance(callee, ast.Attribute) or callee.attr not in _DUMPS:
        return ""
    owner = instance_of(view.evaluator, at, callee.value)
    of_model = owner is not None and is_model(view.evaluator, owner)
    return _DUMPS[callee.attr] if of_model or _is_cached(view, at.part(callee.value)) else ""


def _is_cached(view: FileView, at: Written) -> bool:
    """Tell whether a value certainly comes from the cache."""
    places = written(view.evaluator, at.module, at.node, at.frame)
    return bool(places) and all(
        isinstance(place.node, ast.Call) and _is_read(view, place, place.node.func)
        for place in places
    )


def _is_read(view: FileView, at: Written, callee: ast.expr) -> bool:
    found = [item.value for item in view.evaluator.values(at.module, callee, at.frame)]
    return bool(found) and all(
        isinstance(value, SdkMethod)
        and value.owner.cls == "CacheClient"
        and value.name in _CACHED
        and getattr(value.owner, "certain", False)
        for value in found
    )
