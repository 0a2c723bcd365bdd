"""The callee and the arguments of a call, as far as they are written out."""

from __future__ import annotations

import ast

from ..values.values import Frame
from .module import FUNCTIONS, FunctionNode, Module


def callee_of(decorator: ast.expr) -> ast.expr:
    """Return the callee of a decorator: ``ext.panel`` of ``@ext.panel("p")`` and ``@ext.panel``."""
    return decorator.func if isinstance(decorator, ast.Call) else decorator


def shows_all(call: ast.Call) -> bool:
    """Tell whether a call has no ``*args`` or ``**kwargs`` that are not written out."""
    return not spreads(unstarred(call.args)) and all(item.arg is not None for item in call.keywords)


def spreads(args: list[ast.expr]) -> bool:
    """Tell whether one of some positional arguments is ``*args``."""
    return ast.Starred in map(type, args)


def argument_at(call: ast.Call, name: str, position: int) -> ast.expr | None:
    """Return the argument that a call gives to a parameter, if the call shows it.

    Args:
        call: the call.
        name: of the parameter.
        position: among the positional arguments, from 0; negative if it has none.
    """
    for item in call.keywords:
        if item.arg == name:
            return item.value
        found = _spread(item.value, name) if item.arg is None else None
        if found is not None:
            return found
    if position < 0:
        return None
    given = unstarred(call.args)
    if position >= len(given) or (given is not call.args and spreads(given[: position + 1])):
        return None
    return given[position]


def _spread(node: ast.expr, name: str) -> ast.expr | None:
    """Return the value of a key in ``**{**given, "life": 60}``, ``**dict(given, life=60)``."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _spread(node.right, name)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "dict":
        return next((item.value for item in node.keywords if item.arg == name), None)
    if not isinstance(node, ast.Dict):
        return None
    for key, value in zip(reversed(node.keys), reversed(node.values), strict=True):
        if key is None or getattr(key, "value", None) == name:
            return value if key is not None else None
    return None


def place_of(function: FunctionNode, arg: ast.arg) -> int:
    """Return the index of a parameter among the positional ones; -1 if keyword-only."""
    positional = [*function.args.posonlyargs, *function.args.args]
    return positional.index(arg) if arg in positional else -1


def argument_node(
    call_node: ast.Call, function: FunctionNode, arg: ast.arg, *, skip: int
) -> ast.expr | None:
    """Return the argument that a call gives to a parameter, if the call shows it."""
    return argument_at(call_node, arg.arg, place_of(function, arg) - skip)


def given_in(frame: Frame, arg: ast.AST) -> ast.expr | None:
    """Return the argument of a frame's call for a parameter, if it is written out."""
    if not isinstance(frame.function, FUNCTIONS) or not isinstance(arg, ast.arg):
        return None
    return argument_node(frame.call, frame.function, arg, skip=int(frame.bound is not None))


def default_of(function: FunctionNode, arg: ast.arg) -> ast.expr | None:
    """Return the default of a parameter."""
    spec = function.args
    positional = [*spec.posonlyargs, *spec.args]
    if arg in positional:
        index = positional.index(arg) - (len(positional) - len(spec.defaults))
        return spec.defaults[index] if index >= 0 else None
    if arg in spec.kwonlyargs:
        return spec.kw_defaults[spec.kwonlyargs.index(arg)]
    return None


def standing_for(
    module: Module,
    call: ast.Call,
    callee: ast.expr,
    args: list[ast.expr],
    keywords: list[ast.keyword],
) -> ast.Call:
    """Return a synthetic call in the place of a written one.

    Args:
        module: the file of the written call.
        call: what is written: ``asyncio.to_thread(load, ctx)``.
        callee: what is called.
        args: its positional arguments.
        keywords: its arguments by name.
    """
    made = ast.copy_location(ast.Call(callee, args, keywords), call)
    module.parents[made] = module.parents[call]
    return made


def unstarred(args: list[ast.expr]) -> list[ast.expr]:
    """Return positional arguments with ``*(a, b)`` and ``*[a, b]`` written out."""
    if not spreads(args):
        return args
    found: list[ast.expr] = []
    for item in args:
        held = item.value if isinstance(item, ast.Starred) else None
        found.extend(unstarred(held.elts) if isinstance(held, (ast.Tuple, ast.List)) else [item])
    return found
