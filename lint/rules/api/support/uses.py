"""How code uses an uncalled method or an unawaited coroutine."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from enum import Enum, auto

from ....inference.syntax.module import Module


class Use(Enum):
    """How code uses a value."""

    CALLED = auto()
    ATTRIBUTE = auto()
    ITEM = auto()
    LOOP = auto()
    OPERATION = auto()
    TEST = auto()
    EQUALITY = auto()
    ORDER = auto()
    TEXT = auto()
    AWAITED = auto()
    COUNTED = auto()


_PLAIN = ast.Constant | ast.JoinedStr | ast.Dict | ast.List
"""What stands beside a value in ``and`` and ``or`` and shows that the value's truth is asked."""
_KINDS: dict[type[ast.AST], Use] = {
    ast.Subscript: Use.ITEM,
    ast.Attribute: Use.ATTRIBUTE,
    ast.FormattedValue: Use.TEXT,
    ast.BinOp: Use.OPERATION,
    ast.UnaryOp: Use.OPERATION,
    ast.Await: Use.AWAITED,
}
_COUNTING = frozenset({"all", "any", "dict", "enumerate", "float", "frozenset", "int", "iter",
                       "len", "list", "next", "reversed", "set", "sorted", "sum", "tuple",
                       "zip"})  # fmt: skip
"""Builtins that raise TypeError for what has no items and is no number."""
_OF_ONE = frozenset({"max", "min"})
_SHOWING = frozenset({"format", "print", "repr", "str"})
_REFUSING = {
    "base64.b64decode": 0,
    "base64.b64encode": 0,
    "json.dumps": 0,
    "json.loads": 0,
    "re.findall": 1,
    "re.finditer": 1,
    "re.fullmatch": 1,
    "re.match": 1,
    "re.search": 1,
    "re.split": 1,
    "re.sub": 2,
    "urllib.parse.quote": 0,
}
"""Functions of the standard library → the argument for which only data will do."""
_ORDERS = ast.Lt | ast.LtE | ast.Gt | ast.GtE


def use_of(module: Module, node: ast.expr) -> Use | None:
    """Return how the expression around a value uses it; None if unknown."""
    parent = module.parents.get(node)
    if isinstance(parent, ast.Call):
        return Use.CALLED if parent.func is node else None
    if isinstance(parent, ast.BoolOp):
        return Use.TEST if any(isinstance(part, _PLAIN) for part in parent.values) else None
    if isinstance(parent, ast.Compare):
        return _compared(parent)
    if isinstance(parent, (ast.If, ast.While, ast.IfExp)):
        return Use.TEST if parent.test is node else None
    if isinstance(parent, (ast.For, ast.comprehension)):
        return Use.LOOP if parent.iter is node else None
    return _inside(parent, node)


def _compared(parent: ast.Compare) -> Use | None:
    if any(isinstance(operator, (ast.Is, ast.IsNot)) for operator in parent.ops):
        return None
    orders = any(isinstance(operator, _ORDERS) for operator in parent.ops)
    return Use.ORDER if orders else Use.EQUALITY


def _inside(parent: ast.AST | None, node: ast.expr) -> Use | None:
    if isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not):
        return Use.TEST
    if isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Mod) and parent.right is node:
        return Use.TEXT
    if isinstance(parent, ast.Attribute) and parent.attr.startswith("__"):
        return None
    if isinstance(parent, ast.Subscript) and parent.value is not node:
        return None
    return next((kind for type_, kind in _KINDS.items() if isinstance(parent, type_)), None)


def is_tested(module: Module, node: ast.expr) -> bool:
    """Tell whether only the truth of an operand of ``and`` or ``or`` matters."""
    parent = module.parents.get(node)
    if isinstance(parent, ast.BoolOp):
        is_last = parent.values[-1] is node
        return not is_last or (is_tested(module, parent) and not _is_choice(module, parent))
    return use_of(module, node) is Use.TEST


def _is_choice(module: Module, both: ast.BoolOp) -> bool:
    """Tell whether ``test and node or other`` chooses, as ``node if test else other`` does."""
    outer = module.parents.get(both)
    if not isinstance(outer, ast.BoolOp) or outer.values[0] is not both:
        return False
    return isinstance(both.op, ast.And) and not is_tested(module, outer)


def holder(module: Module, node: ast.expr) -> str | None:
    """Return the name that a value is assigned to, also through ``a if x else b``."""
    child: ast.AST = node
    parent = module.parents.get(child)
    while isinstance(parent, ast.IfExp) and child is not parent.test:
        child, parent = parent, module.parents.get(parent)
    return binder(parent) or None


def reads_of(module: Module, node: ast.expr, name: str) -> Iterator[ast.Name]:
    """Yield the reads of a name in the function around a node, or else in the file."""
    scope = module.function(node) or module.tree
    for part in ast.walk(scope):
        if isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Load):
            yield part


def use_by_builtin(call: ast.Call, node: ast.expr) -> Use | None:
    """Return how a builtin uses an argument that is no container and no number; None if unknown."""
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    if node not in call.args:
        return None
    if name in _COUNTING or (name in _OF_ONE and not call.keywords):
        return Use.COUNTED
    if name == "bool":
        return Use.TEST
    return Use.TEXT if name in _SHOWING else None


def is_refused(call: ast.Call, node: ast.expr, callee: str) -> bool:
    """Tell whether a function of the standard library raises TypeError for a plain object.

    Args:
        call: the call.
        node: the argument, such an object.
        callee: dotted name of the function.
    """
    place = _REFUSING.get(callee, -1)
    is_there = 0 <= place < len(call.args) and call.args[place] is node
    before = call.args[: place + 1]
    is_written = not any(isinstance(item, ast.Starred) for item in before)
    return is_there and is_written and not (callee == "json.dumps" and call.keywords)


def binder(parent: ast.AST | None) -> str:
    """Return the name that a simple assignment binds; empty for other nodes."""
    target = None
    if isinstance(parent, ast.Assign) and len(parent.targets) == 1:
        target = parent.targets[0]
    elif isinstance(parent, (ast.AnnAssign, ast.NamedExpr)):
        target = parent.target
    return target.id if isinstance(target, ast.Name) else ""


def reads_in(module: Module, function: ast.AST | None, name: str) -> Iterator[ast.Name]:
    """Yield the reads of a name in a function and nested ones; without one, in the file."""
    for read in module.names.get(name, ()):
        is_inside = function is None or function in module.ancestors(read)
        if is_inside and isinstance(read.ctx, ast.Load):
            yield read
