"""Handlers that a loop registers: ``for name, function in TABLE: ext.tool(name)(function)``."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from weakref import WeakKeyDictionary

from .arguments import standing_for
from .definitions import definition
from .evaluator import Evaluator
from .module import FunctionNode, Module
from .roles import KINDS
from .values import Function, only_value

Registration = tuple[Module, ast.expr]
"""The file of a loop, and ``ext.tool("a")`` as one round of it calls that."""

_KNOWN: WeakKeyDictionary[Evaluator, dict[FunctionNode, list[Registration]]] = WeakKeyDictionary()
_LEAVING = (ast.Break, ast.Continue, ast.Return, ast.Raise)


def looped(evaluator: Evaluator, function: FunctionNode) -> list[Registration]:
    """Return what registers a function in the rounds of loops over a table that is written out."""
    if evaluator not in _KNOWN:
        found: dict[FunctionNode, list[Registration]] = {}
        _KNOWN[evaluator] = found
        for module in evaluator.project.looping:
            for call in module.calls.get("", ()):
                for node, made in _rounds(evaluator, module, call):
                    found.setdefault(node, []).append((module, made))
    return _KNOWN[evaluator].get(function, [])


def _rounds(
    evaluator: Evaluator, module: Module, call: ast.Call
) -> Iterator[tuple[FunctionNode, ast.Call]]:
    maker, given = call.func, call.args[0] if len(call.args) == 1 else None
    loop = module.parents.get(module.parents[call])
    if (
        not isinstance(maker, ast.Call)
        or not isinstance(maker.func, ast.Attribute)
        or maker.func.attr not in KINDS
        or not isinstance(given, ast.Name)
        or not isinstance(loop, ast.For)
        or not _is_plain(loop)
    ):
        return
    for place, row in _rows(evaluator, module, loop.iter):
        taken = dict(_taken(loop.target, row))
        function = taken.get(given.id)
        made = _as_called(module, maker, taken)
        if function is None or made is None:
            continue
        known = only_value(evaluator.values(place, function))
        if isinstance(known, Function):
            yield known.node, made


def _is_plain(loop: ast.For) -> bool:
    """Tell whether each round runs whole, and gives no name of the target another value."""
    targets = {part.id for part in ast.walk(loop.target) if isinstance(part, ast.Name)}
    parts = [part for statement in loop.body for part in ast.walk(statement)]
    return not any(
        isinstance(part, _LEAVING)
        or (isinstance(part, ast.Name) and part.id in targets and isinstance(part.ctx, ast.Store))
        for part in parts
    )


def _rows(
    evaluator: Evaluator, module: Module, node: ast.expr
) -> Iterator[tuple[Module, ast.expr]]:
    """Yield the rows of a tuple, a list or ``TABLE.items()`` that are written out."""
    called = node.func if isinstance(node, ast.Call) and not node.args else None
    owner = called.value if isinstance(called, ast.Attribute) and called.attr == "items" else None
    where, table = definition(evaluator, module, owner or node) or (module, node)
    if owner is not None and isinstance(table, ast.Dict):
        for key, value in zip(table.keys, table.values, strict=True):
            if key is not None:
                yield where, ast.Tuple([key, value], ast.Load())
    elif owner is None and isinstance(table, ast.Tuple | ast.List):
        yield from ((where, row) for row in table.elts if not isinstance(row, ast.Starred))


def _taken(target: ast.expr, row: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """Yield the names of a target, each with what one row gives it."""
    if isinstance(target, ast.Name):
        yield target.id, row
    parts = target.elts if isinstance(target, ast.Tuple | ast.List) else []
    values = row.elts if isinstance(row, ast.Tuple | ast.List) else []
    for part, value in zip(parts, values, strict=False) if len(parts) == len(values) else ():
        yield from _taken(part, value)


def _as_called(module: Module, maker: ast.Call, taken: dict[str, ast.expr]) -> ast.Call | None:
    """Return ``ext.tool("a")`` for ``ext.tool(name)``; None if a round does not show its name."""
    args = [_shown(each, taken) for each in maker.args]
    named = [(item, _shown(item.value, taken)) for item in maker.keywords]
    if None in args or any(value is None for _, value in named):
        return None
    keywords = [ast.keyword(item.arg, value) for item, value in named if value is not None]
    return standing_for(module, maker, maker.func, [it for it in args if it], keywords)


def _shown(node: ast.expr, taken: dict[str, ast.expr]) -> ast.expr | None:
    """Return an argument, with the text of a round in place of a name of the loop."""
    if not isinstance(node, ast.Name) or node.id not in taken:
        uses = (part for part in ast.walk(node) if isinstance(part, ast.Name))
        return None if any(part.id in taken for part in uses) else node
    value = taken[node.id]
    if not isinstance(value, ast.Constant) or not isinstance(value.value, str):
        return None
    return ast.copy_location(ast.Constant(value.value), node)
