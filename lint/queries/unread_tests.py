"""Tests of what a call writes out that nothing here decides: ``if "live" in options:``."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ..model.arguments import argument_node, shows_all
from ..model.bindings import parameters
from ..model.call_sites import call_sites
from ..model.module import FUNCTIONS, FunctionNode, Module, last_name
from ..model.values import Class, Const, Display, Frame, Made, Sdk
from ..view import FileView
from .sdk_objects import is_attached


def is_left_to_test(view: FileView, module: Module, test: ast.expr, frame: Frame) -> bool:
    """Tell whether a test asks for what a call writes out, and other calls write something else.

    Such arguments are flags, by which some callers stay away. What a call hands on itself may be
    anything some day.

    Args:
        view: a file of the extension.
        module: the file of the test.
        test: asked around a place, and not decided.
        frame: the call of the function of the test.
    """
    names = {part.id for part in ast.walk(test) if isinstance(part, ast.Name)}
    args = parameters(frame.function) if isinstance(frame.function, FUNCTIONS) else []
    return any(_is_flag(view, module, frame, arg) for arg in args if arg.arg in names)


def asks_for_state(view: FileView, module: Module, test: ast.Call) -> bool:
    """``LIVE.get()`` of a ContextVar, ``hasattr(self, "section")``, ``getattr(ctx, "own", None)``.

    What others set there, and which object it is, is not known where the test stands.
    """
    name = last_name(test.func)
    if name == "get" and not test.args and isinstance(test.func, ast.Attribute):
        owners = view.evaluator.values(module, test.func.value)
        return any(it.value == Made("contextvars.ContextVar") for it in owners)
    if name in {"hasattr", "getattr", "isinstance"} and last_name(test.args[0]) == "self":
        return True
    asked = test.args[1] if name in {"hasattr", "getattr"} and len(test.args) > 1 else None
    return isinstance(asked, ast.Constant) and is_attached(view, str(asked.value))


def _is_flag(view: FileView, module: Module, frame: Frame, arg: ast.arg) -> bool:
    """Tell whether a call writes out what it gives to a parameter, and other calls give more."""
    function = frame.function
    if not isinstance(function, FUNCTIONS):
        return False
    own = list(_given(frame.call, function, arg, int(frame.bound is not None)))
    outer = frame.outer.function if frame.outer is not None else None
    rest = outer.args.kwarg if isinstance(outer, FUNCTIONS) else None
    handed = [it for it in own if rest is not None and last_name(it) == rest.arg]
    if handed and rest is not None and frame.outer is not None:
        return _is_flag(view, frame.module, frame.outer, rest)
    told = _spelt(own)
    return _is_written(view, frame, own) and any(
        _spelt(_given(call, function, arg, int(bound is not None))) != told
        for _, call, bound in call_sites(view.evaluator, module, function)
    )


def _given(call: ast.Call, function: FunctionNode, arg: ast.arg, skip: int) -> Iterator[ast.expr]:
    """Yield what a call gives to a parameter, or all where that is not shown."""
    given = argument_node(call, function, arg, skip=skip)
    if given is not None:
        yield given
    elif arg in {function.args.vararg, function.args.kwarg} or not shows_all(call):
        yield from (it.value if isinstance(it, ast.Starred) else it for it in call.args)
        yield from (it.value for it in call.keywords)


def _spelt(given: Iterable[ast.expr]) -> list[str]:
    return [ast.dump(node) for node in given]


def _is_written(view: FileView, frame: Frame, given: Iterable[ast.expr]) -> bool:
    """Tell whether a call writes out all that it gives but for contexts."""
    return all(_is_constant(view, frame, node) for node in given)


def _is_constant(view: FileView, frame: Frame, node: ast.expr) -> bool:
    """``True``, ``{"live": True}``, ``Mode.LIVE``, ``Options(live=True)``, or a name for that."""
    found = [item.value for item in view.evaluator.values(frame.module, node, frame.outer)]
    if all(isinstance(value, Const | Display | Sdk) for value in found):
        return True
    owner = node.func if isinstance(node, ast.Call) else getattr(node, "value", None)
    made = view.evaluator.values(frame.module, owner) if owner is not None else ()
    if not made or not all(isinstance(item.value, Class) for item in made):
        return False
    parts = [*node.args, *(it.value for it in node.keywords)] if isinstance(node, ast.Call) else []
    return _is_written(view, frame, parts)
