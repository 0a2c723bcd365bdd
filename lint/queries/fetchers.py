"""What the fetcher of ``ctx.cache.get_or_fetch`` is, and what it returns."""

from __future__ import annotations

import ast

from ..model.attributes import class_chain
from ..model.models import is_model, known_type
from ..model.values import Alternative, Class, Const, Coroutine, Display, Function, Instance, Value
from ..model.wrappers.decorators import returns_of
from ..model.written import Written, is_changed
from ..view import FileView
from .answers import answer_of
from .dump_calls import dumped_as

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
    function, module = value.node, value.module
    if not isinstance(function, ast.Lambda) and (
        is_changed(view.evaluator, module, function) or module.is_generator(function)
    ):
        return ""
    places = [Written(module, node, item.frame) for node in returns_of(value)]
    found = [each for at in places for each in _values(view, at)]
    is_awaited = all(isinstance(each, Coroutine) for each in found)
    if is_awaited or isinstance(function, ast.AsyncFunctionDef):
        return _not_of(view, places, model)
    return _unawaited(view, found)


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


def _not_of(view: FileView, places: list[Written], model: Class | None) -> str:
    """Tell that an async function returns what is no object of the model."""
    kinds = [_returned(view, at, model) for at in places]
    return f"a function that returns {kinds[0]}" if kinds and all(kinds) else ""


def _returned(view: FileView, at: Written, model: Class | None) -> str:
    plain = dumped_as(view, at) or answer_of(view, at)
    if plain:
        return plain
    found = [it.result if isinstance(it, Coroutine) else it for it in _values(view, at)]
    kinds = [known_type(value) or _other_model(view, value, model) for value in found]
    return kinds[0] if kinds and all(kinds) else ""


def _values(view: FileView, at: Written) -> list[Value]:
    return [item.value for item in view.evaluator.values(at.module, at.node, at.frame)]


def _other_model(view: FileView, value: Value, model: Class | None) -> str:
    if model is None or not isinstance(value, Instance):
        return ""
    chain = [each.node for each in class_chain(view.evaluator, value.cls)]
    return "" if model.node in chain else _model(view, value)
