"""Which handler can come to a place in the code."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterator

import msgspec

from ..model.call_sites import call_sites
from ..model.module import FunctionNode, Module, last_name
from ..model.roles import Role
from ..model.values import UNKNOWN, Alternative, Step
from ..view import FileView

_MOST = 60

Way = tuple[Step, ...]
Place = tuple[Module, FunctionNode, Way]


class Reached(msgspec.Struct, frozen=True):
    """A handler and the calls from it to a place.

    Attributes:
        item: an alternative that ``FileView.chain`` and ``FileView.way`` can show.
    """

    role: Role
    item: Alternative


def reaching_handler(view: FileView, node: ast.AST) -> Reached | None:
    """Return a handler from which control can come to a node, by the fewest calls."""
    start = function_around(view.module, node)
    todo: deque[Place] = deque()
    if start is not None:
        todo.append((view.module, start, ()))
    seen: set[ast.AST] = set()
    while todo and len(seen) < _MOST:
        module, function, way = todo.popleft()
        if function not in seen:
            seen.add(function)
            for role in view.evaluator.roles(module, function):
                return Reached(role, Alternative(UNKNOWN, way, (module, function)))
            todo.extend(_before(view, module, function, way))
    return None


def is_for_type_checkers(module: Module, node: ast.AST) -> bool:
    """Tell whether ``if TYPE_CHECKING:`` keeps a node from running, or the ``else`` of ``not``."""
    child = node
    for up in module.ancestors(node):
        if isinstance(up, ast.If) and child is not up.test:
            is_opposite = isinstance(up.test, ast.UnaryOp) and isinstance(up.test.op, ast.Not)
            asked = up.test.operand if isinstance(up.test, ast.UnaryOp) else up.test
            if (child in up.orelse) is is_opposite and _asks_for_types(asked):
                return True
        child = up
    return False


def _asks_for_types(test: ast.expr) -> bool:
    is_both = isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And)
    parts = test.values if isinstance(test, ast.BoolOp) and is_both else [test]
    return any(last_name(part) == "TYPE_CHECKING" for part in parts)


def function_around(module: Module, node: ast.AST) -> FunctionNode | None:
    """Return the nearest function above a node, also above what it is decorated with."""
    return next(module.functions_around(node), None)


def _before(view: FileView, module: Module, function: FunctionNode, way: Way) -> Iterator[Place]:
    """Yield the function around a function, and those that call it."""
    outer = function_around(module, function)
    if outer is not None:
        yield module, outer, way
    name = view.evaluator.project_name(module, function)
    for caller, call, _ in call_sites(view.evaluator, module, function):
        inside = function_around(caller, call)
        if inside is not None:
            yield caller, inside, (Step(caller, call, name), *way)
