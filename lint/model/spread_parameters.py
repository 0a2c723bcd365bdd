"""What ``f(*args, **kwargs)`` gives where these are the rest of what the caller itself got."""

from __future__ import annotations

import ast

from .arguments import argument_at
from .bindings import parameters
from .evaluator import Alternatives, Evaluator
from .module import FUNCTIONS, FunctionNode, Module
from .values import Frame, frame_of


def spreads_rest(evaluator: Evaluator, module: Module, call: ast.Call) -> bool:
    """Tell whether a call hands on ``*args`` or ``**kwargs`` of the function around it."""
    spread = [item.value for item in call.args if type(item) is ast.Starred]
    spread += [item.value for item in call.keywords if item.arg is None]
    return any(_rest(evaluator, module, item) is not None for item in spread)


def from_rest(evaluator: Evaluator, frame: Frame, name: str, position: int) -> Alternatives | None:
    """Return what a call gives to a parameter, through the rests of the calls around it.

    Args:
        evaluator: of the extension.
        frame: the call, with those around it.
        name: of the parameter; empty if only its place counts.
        position: among the positional arguments of the call; negative if it has none.

    Returns:
        None if that is not known.
    """
    given = argument_at(frame.call, name, position) if name or position >= 0 else None
    if given is not None:
        return evaluator.values(frame.module, given, frame.outer)
    for index, item in enumerate(frame.call.args[: position + 1] if position >= 0 else ()):
        if isinstance(item, ast.Starred):
            found = _behind(evaluator, frame, item.value)
            if found is None:
                return None
            given_at = _at_place(evaluator, frame, found, position - index)
            if given_at is not None:
                return given_at
            break
    spread = [item.value for item in frame.call.keywords if item.arg is None]
    found = _behind(evaluator, frame, spread[0]) if len(spread) == 1 and name else None
    if found is None or name in {arg.arg for arg in parameters(found[0])}:
        return None
    return from_rest(evaluator, found[1], name, -1)


def _at_place(
    evaluator: Evaluator, frame: Frame, found: tuple[FunctionNode, Frame], place: int
) -> Alternatives | None:
    """Return what stands in a place of ``*args``, in the call that gave it."""
    function, outer = found
    before = len(function.args.posonlyargs) + len(function.args.args)
    is_method = evaluator.enclosing_class(frame.module, function) is not None
    skip = int(outer.bound is not None and is_method)
    return from_rest(evaluator, outer, "", before - skip + place)


def _behind(
    evaluator: Evaluator, frame: Frame, node: ast.expr
) -> tuple[FunctionNode, Frame] | None:
    """Return the function whose rest an expression is, and the call of it."""
    function = _rest(evaluator, frame.module, node)
    outer = frame_of(frame.outer, function) if function is not None else None
    return (function, outer) if function is not None and outer is not None else None


def _rest(evaluator: Evaluator, module: Module, node: ast.expr) -> FunctionNode | None:
    if not isinstance(node, ast.Name):
        return None
    scope, found = evaluator.project.lookup(module, node)
    if not isinstance(scope, FUNCTIONS) or len(found) != 1:
        return None
    if found[0].node is scope.args.vararg:
        return scope
    is_kept = found[0].node is scope.args.kwarg and _is_handed_on(evaluator, module, scope, node)
    return scope if is_kept else None


def _is_handed_on(
    evaluator: Evaluator, module: Module, scope: FunctionNode, rest: ast.Name
) -> bool:
    """Tell whether a function only hands on ``**kwargs``, and changes nothing in it."""
    return all(
        isinstance(module.parents.get(use), ast.keyword)
        for use in module.names.get(rest.id, ())
        if evaluator.project.lookup(module, use)[0] is scope
    )
