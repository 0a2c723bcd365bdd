"""What the fetcher of ``ctx.cache.get_or_fetch`` is, and what it returns."""

from __future__ import annotations

import ast

from ..model.attributes import class_chain
from ..model.models import is_model, known_type
from ..model.values import Alternative, Class, Const, Coroutine, Display, Function, Instance, Value
from ..model.written import is_changed
from ..view import FileView

_NO_CALL = "a coroutine, which cannot be called: the SDK calls the fetcher itself"


def wrong_fetcher(view: FileView, item: Alternative, model: Class | None) -> str:
    """Return why a fetcher cannot work, in words; empty if it may.

    Args:
        view: the file of the call.
        item: one of the values of the fetcher.
        model: the class that the call names.
    """
    value = item.value
    if isinstance(value, Coroutine):
        return _NO_CALL
    if isinstance(value, Const | Display | Instance):
        kind = _kind(view, value)
        return f"{kind}, which cannot be called" if kind else ""
    if not isinstance(value, Function):
        return ""
    if isinstance(value.node, ast.Lambda):
        found = view.evaluator.values(value.module, value.node.body, item.frame)
        return _unawaited(view, [each.value for each in found])
    if is_changed(view.evaluator, value.module, value.node):
        return ""
    if value.module.is_generator(value.node):
        return ""
    returned = [
        each.value
        for node in value.module.returns(value.node)
        for each in view.evaluator.values(value.module, node, item.frame)
    ]
    if isinstance(value.node, ast.FunctionDef):
        return _unawaited(view, returned)
    return _not_of(view, returned, model)


def _unawaited(view: FileView, found: list[Value]) -> str:
    """Tell that a plain function returns what cannot be awaited."""
    kinds = [_kind(view, value) for value in found]
    return f"a plain function that returns {kinds[0]}: await raises" if kinds and all(kinds) else ""


def _kind(view: FileView, value: Value) -> str:
    """Return what a value is, if it is none that can be called or awaited."""
    return known_type(value) or _model(view, value)


def _model(view: FileView, value: Value) -> str:
    """Return ``an object of Note`` for one of a model; empty for everything else."""
    if isinstance(value, Instance) and is_model(view.evaluator, value.cls) is True:
        return f"an object of {value.cls.node.name}"
    return ""


def _not_of(view: FileView, found: list[Value], model: Class | None) -> str:
    kinds = [known_type(value) or _other_model(view, value, model) for value in found]
    return f"a function that returns {kinds[0]}" if kinds and all(kinds) else ""


def _other_model(view: FileView, value: Value, model: Class | None) -> str:
    if model is None or not isinstance(value, Instance):
        return ""
    chain = [each.node for each in class_chain(view.evaluator, value.cls)]
    return "" if model.node in chain else _model(view, value)
