"""Calls of ``asyncio`` whose result is what the coroutines given to them return."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from ..evaluator import Evaluator
from ..syntax.bindings import Binding
from ..syntax.module import Module, last_name
from ..values import arithmetic as folding
from ..values.arithmetic import results
from ..values.known_calls import WAITING
from ..values.values import UNKNOWN, Alternative, External, Frame


def assigned(evaluator: Evaluator, module: Module, binding: Binding) -> ast.expr | None:
    """Return the expression assigned to a name; None if the name gets only a part of one.

    Of ``rows, count = await asyncio.gather(find(), tally())`` it is ``find()`` for ``rows``, of
    ``rows, count = await first, await second`` it is ``await first``.
    """
    known = binding.kind == "assign" or isinstance(binding.node, ast.AugAssign)
    if not known or not isinstance(binding.value, ast.expr):
        return None
    if not binding.path:
        return binding.value
    value, index = binding.value, binding.path[0]
    if isinstance(value, ast.Tuple) and len(binding.path) == 1:
        return _awaited(value.elts[: index + 1]) if index < len(value.elts) else None
    call = value.value if isinstance(value, ast.Await) else None
    if len(binding.path) != 1 or not isinstance(call, ast.Call):
        return None
    if last_name(call.func) != "gather" or not _is_of_asyncio(evaluator, module, call, None):
        return None
    plain = all(isinstance(item, ast.Call) for item in call.args[: index + 1])
    return call.args[index] if plain and index < len(call.args) else None


def bound(
    evaluator: Evaluator, module: Module, binding: Binding, frame: Frame | None
) -> Iterable[Alternative]:
    """Return the values that an assignment gives to a name, also by unpacking."""
    assert binding.value is not None  # noqa: S101 - the caller looked
    part = assigned(evaluator, module, binding) if isinstance(binding.value, ast.Await) else None
    if binding.path and part is not None:
        call = binding.value.value if isinstance(binding.value, ast.Await) else None
        given = call.keywords if isinstance(call, ast.Call) else []
        found = results(evaluator.values(module, part, frame))
        return [*found, Alternative(UNKNOWN)] if given else found  # an exception may stand there
    items = evaluator.values(module, binding.value, frame)
    for index in binding.path:
        items = tuple(item for each in items for item in folding.item(evaluator, each, index))
    return items


def _awaited(parts: list[ast.expr]) -> ast.expr | None:
    """Return the last of the parts of ``await first, await second``."""
    if any(isinstance(part, ast.Starred) for part in parts):
        return None
    return parts[-1] if isinstance(parts[-1], ast.Await) else None


def waited_for(
    evaluator: Evaluator, module: Module, node: ast.Call, frame: Frame | None
) -> ast.Call | None:
    """Return ``find()`` in ``asyncio.wait_for(find(), 3)``; None for other calls."""
    given = node.args[0] if node.args else None
    if last_name(node.func) not in WAITING or not isinstance(given, ast.Call):
        return None
    return given if _is_of_asyncio(evaluator, module, node, frame) else None


def _is_of_asyncio(
    evaluator: Evaluator, module: Module, node: ast.Call, frame: Frame | None
) -> bool:
    found = [item.value for item in evaluator.values(module, node.func, frame)]
    return bool(found) and all(
        isinstance(it, External) and it.name.startswith("asyncio.") for it in found
    )
