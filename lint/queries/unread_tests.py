"""Tests of what a call writes out that nothing here decides: ``if "live" in options:``."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ..model.arguments import argument_node, shows_all
from ..model.bindings import parameters
from ..model.call_sites import call_sites
from ..model.module import FUNCTIONS, FunctionNode, Module
from ..model.values import Class, Const, Display, Frame, Sdk
from ..view import FileView


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
    function = frame.function
    if not isinstance(function, FUNCTIONS):
        return False
    names = {part.id for part in ast.walk(test) if isinstance(part, ast.Name)}
    skip = int(frame.bound is not None)
    for arg in parameters(function):
        own = list(_given(frame.call, function, arg, skip)) if arg.arg in names else []
        if arg.arg in names and _is_written(view, frame, own):
            told = _spelt(own)
            for _, call, bound in call_sites(view.evaluator, module, function):
                if _spelt(_given(call, function, arg, int(bound is not None))) != told:
                    return True
    return False


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
