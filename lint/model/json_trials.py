"""What ``try: json.dumps(x)`` tells of a value where its outcome is known."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import takewhile

from .blocks import leaves
from .conditions import Condition, bound_in
from .module import FUNCTIONS, Module, block_of, last_name
from .standard_types import standard_type
from .values import Value

_DUMPS = "dumps"
_CAUGHT = frozenset({"TypeError", "Exception", "BaseException"})
_CONVERTING = frozenset({"default", "cls", "skipkeys"})
"""Arguments by which ``json.dumps`` takes what JSON cannot carry."""
_SCALARS: tuple[type, ...] = (str, int, float, type(None))
_CONTAINERS: tuple[type, ...] = (list, tuple, dict)
"""What JSON carries; of what containers hold it depends."""


def trials(module: Module, node: ast.AST) -> Iterator[Condition]:
    """Yield the calls ``json.dumps(x)`` that certainly passed before a node, or raised.

    Only those that a ``try`` begins with, which catches what they raise.
    """
    child = node
    for parent in module.ancestors(node) if module.calls.get(_DUMPS) else ():
        if isinstance(parent, ast.Try):
            yield from _inside(parent, child)
        for before in takewhile(lambda it, last=child: it is not last, _block(parent, child)):
            yield from _behind(module, before)
        if isinstance(parent, FUNCTIONS):
            return
        child = parent


def is_refused(value: Value) -> bool | None:
    """Tell whether ``json.dumps`` raises for a value; None if that is not known."""
    known = standard_type(value)
    if known is None or issubclass(known.cls, _CONTAINERS):
        return None
    return not issubclass(known.cls, _SCALARS)


def is_trial(call: ast.Call) -> bool:
    """``json.dumps(x)`` of a name, which raises for what JSON cannot carry."""
    return (
        last_name(call.func) == _DUMPS
        and [type(arg) for arg in call.args] == [ast.Name]
        and all(item.arg not in {None, *_CONVERTING} for item in call.keywords)
    )


def _block(parent: ast.AST, child: ast.AST) -> list[ast.stmt]:
    return block_of(parent, child) if isinstance(child, ast.stmt) else []


def _inside(tried: ast.Try, child: ast.AST) -> Iterator[Condition]:
    """Yield what is known in the blocks of a ``try``."""
    call = _trial(tried)
    if call is None or child is tried.body[0] or child in tried.finalbody:
        return
    if child not in tried.handlers:
        yield call, True
    elif not any(isinstance(part, ast.Call) for it in tried.body[1:] for part in ast.walk(it)):
        yield call, False


def _behind(module: Module, before: ast.stmt) -> Iterator[Condition]:
    """Yield what is known behind a ``try`` whose handlers leave, or give the name another value."""
    call = _trial(before) if isinstance(before, ast.Try) else None
    if call is not None and isinstance(before, ast.Try):
        name = call.args[0].id if isinstance(call.args[0], ast.Name) else ""
        bodies = [handler.body for handler in before.handlers]
        if all(leaves(it[-1], module.swallowing) or name in bound_in(it) for it in bodies):
            yield call, True


def _trial(tried: ast.Try) -> ast.Call | None:
    """Return the ``json.dumps(x)`` with which a ``try`` begins, if it catches what that raises."""
    caught = {last_name(part) for it in tried.handlers if it.type for part in ast.walk(it.type)}
    if caught.isdisjoint(_CAUGHT) and all(it.type for it in tried.handlers):
        return None
    parts = (it for it in ast.walk(tried.body[0]) if isinstance(it, ast.Call) and is_trial(it))
    return next(parts, None)
