"""What a call gives to the parameters of a function."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from ..evaluator import Evaluator
from ..syntax.arguments import argument_node, default_of, shows_all, spreads
from ..syntax.bindings import parameters, sole_value
from ..syntax.module import FunctionNode, Module
from ..values.values import UNKNOWN, Alternative, Display, Frame
from .kept_decorators import is_followed
from .keyword_arguments import collected


def argument(
    evaluator: Evaluator, module: Module, function: FunctionNode, arg: ast.arg, frame: Frame
) -> Iterable[Alternative]:
    """Return the value of a parameter in one call."""
    is_method = evaluator.enclosing_class(module, function) is not None
    bound = is_method and frame.bound is not None
    if bound and parameters(function)[:1] == [arg]:
        assert frame.bound is not None  # noqa: S101 - just looked
        return (Alternative(frame.bound),)
    if not is_followed(evaluator, module, function):
        return (Alternative(UNKNOWN),)
    return _passed(evaluator, module, function, arg, frame, skip=int(bound))


def _passed(
    evaluator: Evaluator,
    module: Module,
    function: FunctionNode,
    arg: ast.arg,
    frame: Frame,
    *,
    skip: int,
) -> Iterable[Alternative]:
    """Return what a call itself gives to a parameter."""
    if arg is function.args.kwarg:
        display = collected(frame.call, function)
        return (
            Alternative(Display(frame.module, display) if display else UNKNOWN, frame=frame.outer),
        )
    call = _with_tuples(evaluator, frame)
    given = argument_node(call, function, arg, skip=skip)
    if given is not None:
        return evaluator.values(frame.module, given, frame.outer)
    default = default_of(function, arg)
    if default is not None and shows_all(call):
        return evaluator.values(module, default)
    return (Alternative(UNKNOWN),)


def _with_tuples(evaluator: Evaluator, frame: Frame) -> ast.Call:
    """Return a call in which ``*args`` is replaced by the tuple that ``args`` is bound to once."""
    if not spreads(frame.call.args):
        return frame.call
    args = [_tuple_behind(evaluator, frame.module, item) for item in frame.call.args]
    return ast.copy_location(ast.Call(frame.call.func, args, frame.call.keywords), frame.call)


def _tuple_behind(evaluator: Evaluator, module: Module, given: ast.expr) -> ast.expr:
    if isinstance(given, ast.Starred) and isinstance(given.value, ast.Name):
        held = sole_value(evaluator.project.lookup(module, given.value)[1])
        if isinstance(held, ast.Tuple):
            return ast.Starred(held, ast.Load())
    return given
