"""What ``try: json.dumps(x)`` proves about a value."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import takewhile

from ..syntax.blocks import leaves
from ..syntax.memo import remembered
from ..syntax.module import FUNCTIONS, Module, block_of, last_name
from ..values.standard_types import standard_type
from ..values.values import Value
from .conditions import Condition, bound_in

_DUMPS = "dumps"
_CAUGHT = frozenset({"TypeError", "Exception", "BaseException"})
_CONVERTING = frozenset({"default", "cls", "skipkeys"})
"""Arguments by which ``json.dumps`` takes what JSON cannot carry."""
_SCALARS: tuple[type, ...] = (str, int, float, type(None))
_CONTAINERS: tuple[type, ...] = (list, tuple, dict)
"""What JSON carries; of what containers hold it depends."""


def trials(module: Module, node: ast.AST) -> Iterator[Condition]:
    """Yield the calls ``json.dumps(x)`` that certainly passed before a node, or raised.

    Only those of the statements of a ``try``, which catches what they raise.
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
    """Tell whether ``json.dumps`` raises for a value; None if unknown."""
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
    step = _trial(tried)
    if step is None or child in tried.finalbody:
        return
    place, call = step
    if child in tried.handlers:
        others = [it for it in tried.body if it is not place]
        if not any(isinstance(part, ast.Call) for it in others for part in ast.walk(it)):
            yield call, False
    elif child in tried.orelse or child in tried.body[tried.body.index(place) + 1 :]:
        yield call, True


def _behind(module: Module, before: ast.stmt) -> Iterator[Condition]:
    """Yield what is known after a ``try`` whose handlers leave or rebind the name."""
    step = _trial(before) if isinstance(before, ast.Try) else None
    if step is not None and isinstance(before, ast.Try):
        call = step[1]
        name = call.args[0].id if isinstance(call.args[0], ast.Name) else ""
        bodies = [handler.body for handler in before.handlers]
        if all(leaves(it[-1], module.swallowing) or name in bound_in(it) for it in bodies):
            yield call, True


@remembered
def _trial(tried: ast.Try) -> tuple[ast.stmt, ast.Call] | None:
    """Return the first ``json.dumps(x)`` of a ``try`` that catches what it raises, and where."""
    caught = {last_name(part) for it in tried.handlers if it.type for part in ast.walk(it.type)}
    if caught.isdisjoint(_CAUGHT) and all(it.type for it in tried.handlers):
        return None
    return next(
        (
            (place, part)
            for place in tried.body
            if isinstance(place, (ast.Expr, ast.Assign, ast.AnnAssign, ast.Return))
            for part in ast.walk(place)
            if isinstance(part, ast.Call) and is_trial(part)
        ),
        None,
    )
