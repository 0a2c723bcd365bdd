"""What calls give as ``refresh_panels``, however they write it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..model.arguments import argument_at
from ..model.project import mentions
from ..model.values import Sdk, SdkMethod
from ..view import FileView
from .handed_results import handed_results
from .inner_changes import ANY, Way
from .panels import KEYWORD
from .payload_entries import containers, entries, key_of
from .spread_arguments import shown

_METHODS = frozenset({"success", "morph", "deliver_chat_message"})

_RESULT = "ActionResult"
Given = tuple[ast.expr, bool]
"""An expression, and whether no other one can stand there."""


def panel_arguments(view: FileView) -> Iterator[Given]:
    """Yield what the calls of a file that says so give, also to functions that hand it on."""
    if not mentions(view.module.source, KEYWORD):
        return
    for call in view.module.nodes(ast.Call):
        if _may_give(call) and _is_sdk_call(view, call):
            yield from _given(view, call)
    for each in handed_results(view):
        node = argument_at(each.made, KEYWORD, -1)
        if node is not None and node in view.module.parents:
            yield node, True
    yield from ((node, True) for node in _set_later(view))


def _set_later(view: FileView) -> Iterator[ast.expr]:
    """Yield what a file gives to results that are made already, where a function does so once."""
    stores = view.module.stored(KEYWORD)
    functions = [view.module.function(it) for it in stores]
    for target, function in zip(stores, functions, strict=True):
        statement = view.module.parents.get(target)
        if isinstance(statement, ast.Assign) and functions.count(function) == 1:
            owners = [item.value for item in view.values(target.value)]
            if any(isinstance(it, Sdk) and it.cls == _RESULT for it in owners):
                yield statement.value


def _given(view: FileView, call: ast.Call) -> Iterator[Given]:
    node = argument_at(shown(view, call), KEYWORD, -1)
    if node is not None and node in view.module.parents:
        yield node, True
        return
    for item in call.keywords:
        if item.arg is None:
            yield from _spread(view, item.value)


def _may_give(call: ast.Call) -> bool:
    return any(item.arg in {KEYWORD, None} for item in call.keywords)


def _spread(view: FileView, node: ast.expr) -> Iterator[Given]:
    """``**{"refresh_panels": […]}``, ``**extra``."""
    for at, alone in containers(view.evaluator, view.module, node, None):
        inside = Way().through(view.evaluator, at).at(KEYWORD).at(ANY)
        if any(True for _ in inside.changes(view.evaluator)):
            continue
        for entry in entries(view.evaluator, at):
            for value in entry.values[-1:] if key_of(entry) == KEYWORD else ():
                if value.module is view.module and value.frame is None:
                    yield value.node, alone and entry.sure and len(entry.values) == 1


def _is_sdk_call(view: FileView, call: ast.Call) -> bool:
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in _METHODS:
        return False
    return any(isinstance(item.value, SdkMethod) for item in view.values(call.func))
