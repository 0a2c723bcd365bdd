"""Which items a list of a payload gets: from a display, a comprehension, ``append``, ``map``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..model.branches import may_run
from ..model.evaluator import Evaluator
from ..model.known_calls import LISTING
from ..model.module import Module, last_name
from ..model.values import External, Function, Value, only_value
from ..model.written import Holder, Written, is_changed, written
from .inner_changes import ANY

LISTS = (ast.List, ast.Tuple, ast.ListComp)
_ADDING = frozenset({"append", "extend", "insert"})
_DEEPEST = 4
_MOST = 20

Item = tuple[object, Written]
"""Index, or ``ANY`` if it is not known, and what stands there."""


def is_list(evaluator: Evaluator, at: Written) -> bool:
    """Tell whether an expression is a list whose items the code shows: ``list(map(row, …))``."""
    node = at.node
    if isinstance(node, LISTS):
        return True
    return (
        isinstance(node, ast.Call)
        and bool(node.args)
        and last_name(node.func) in LISTING
        and _is_builtin(evaluator, at, node.func, LISTING)
    )


def items_of(evaluator: Evaluator, at: Written, depth: int = 0) -> Iterator[Item]:
    """Yield the items of a list, those included that its names get before it is used."""
    if isinstance(at.node, ast.Tuple | ast.List):
        for index, part in enumerate(at.node.elts):
            if isinstance(part, ast.Starred):
                yield from _inner(evaluator, at.part(part.value), depth)
            else:
                yield index, at.part(part)
    else:
        yield from _each(evaluator, at, depth)
    yield from _added(evaluator, at, depth)


def added(evaluator: Evaluator, at: Written) -> Iterator[Written]:
    """Yield what a list gets by ``append`` and ``extend`` before it is used."""
    return (item for _, item in _added(evaluator, at, 0))


def _each(evaluator: Evaluator, at: Written, depth: int) -> Iterator[Item]:
    """Yield what stands for every item: the element of a comprehension, what ``map`` calls."""
    node = at.node
    if isinstance(node, ast.ListComp | ast.GeneratorExp):
        yield from _of_comprehension(at, node)
    elif isinstance(node, ast.Call) and len(node.args) > 1 and _is_map(evaluator, at, node):
        for made in _mapped(evaluator, at, node.args[0]):
            yield ANY, made
    elif is_list(evaluator, at) and isinstance(node, ast.Call):
        yield from _inner(evaluator, at.part(node.args[0]), depth)


def _of_comprehension(at: Written, node: ast.ListComp | ast.GeneratorExp) -> Iterator[Item]:
    """Yield the element; not ``x`` of ``[x for x in rows if isinstance(x, str)]``."""
    name = node.elt.id if isinstance(node.elt, ast.Name) else ""
    tests = [test for part in node.generators for test in part.ifs]
    if not any(_asks_of(at.module, test, name) for test in tests):
        yield ANY, at.part(node.elt)


def _asks_of(module: Module, test: ast.expr, name: str) -> bool:
    """Tell whether a test speaks of what a name holds, and not only of its attributes and items."""
    return any(
        isinstance(part, ast.Name)
        and part.id == name
        and not isinstance(module.parents.get(part), ast.Attribute | ast.Subscript)
        for part in ast.walk(test)
    )


def _inner(evaluator: Evaluator, at: Written, depth: int) -> Iterator[Item]:
    """Yield the items of what another list copies."""
    if depth > _DEEPEST:
        return
    if isinstance(at.node, ast.GeneratorExp) or _is_map(evaluator, at, at.node):
        yield from _each(evaluator, at, depth + 1)
        return
    places = written(evaluator, at.module, at.node, at.frame)
    if len(places) == 1 and is_list(evaluator, places[0]):
        for _, item in items_of(evaluator, places[0], depth + 1):
            yield ANY, item


def _is_map(evaluator: Evaluator, at: Written, node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Call)
        and last_name(node.func) == "map"
        and _is_builtin(evaluator, at, node.func, frozenset({"map"}))
    )


def _is_builtin(evaluator: Evaluator, at: Written, callee: ast.expr, names: frozenset[str]) -> bool:
    found: list[Value] = [item.value for item in evaluator.values(at.module, callee, at.frame)]
    return bool(found) and all(isinstance(it, External) and it.name in names for it in found)


def _mapped(evaluator: Evaluator, at: Written, callee: ast.expr) -> Iterator[Written]:
    """Yield what a function returns whose arguments are not known."""
    if isinstance(callee, ast.Lambda):
        yield at.part(callee.body)
        return
    function = only_value(evaluator.values(at.module, callee, at.frame))
    if isinstance(function, Function) and not isinstance(function.node, ast.Lambda):
        returned = function.module.returns(function.node)
        if len(returned) == 1 and not is_changed(evaluator, function.module, function.node):
            yield Written(function.module, returned[0])


def _added(evaluator: Evaluator, at: Written, depth: int) -> Iterator[Item]:
    for holder in at.holders if isinstance(at.node, ast.List | ast.ListComp | ast.Call) else ():
        yield from _added_to(evaluator, at, holder, depth)


def _added_to(evaluator: Evaluator, at: Written, holder: Holder, depth: int) -> Iterator[Item]:
    """Yield what ``rows.append(…)`` and ``rows.extend(…)`` add."""
    module = holder.module
    for name in holder.mentions(evaluator):
        method = module.parents.get(name)
        if not isinstance(method, ast.Attribute) or method.attr not in _ADDING:
            continue
        call = module.parents.get(method)
        if not isinstance(call, ast.Call) or call.func is not method or not call.args:
            continue
        given = Written(module, call.args[-1], at.frame)
        if isinstance(given.node, ast.Starred) or not may_run(evaluator, module, name, at.frame):
            continue
        if method.attr != "extend":
            yield ANY, given
        else:
            yield from _spread(evaluator, given, depth)


def grown(evaluator: Evaluator, at: Written) -> tuple[list[Item], Written]:
    """Return what a name has by ``rows += […]``, and the name with those that held it before.

    The items that it had before the first ``+=`` are among them.
    """
    items: list[Item] = []
    holders = list(at.holders)
    todo, seen = [at.node], set[ast.AST]()
    while todo:
        name = todo.pop()
        scope, found = (
            evaluator.project.lookup(at.module, name)
            if isinstance(name, ast.Name) and len(seen) < _MOST
            else (name, [])
        )
        for binding in (it for it in found if it.node not in seen):
            node = binding.node
            if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add):
                seen.add(node)
                todo.append(node.target)
                if may_run(evaluator, at.module, node, at.frame):
                    items += _spread(evaluator, at.part(node.value), 0)
            elif seen and isinstance(node, ast.Assign) and isinstance(node.value, LISTS):
                seen.add(node)
                items += items_of(evaluator, at.part(node.value))
            if isinstance(name, ast.Name) and name is not at.node:
                holders.append(Holder(at.module, scope, binding, name))
    return items, Written(at.module, at.node, at.frame, tuple(holders))


def _spread(evaluator: Evaluator, given: Written, depth: int) -> Iterator[Item]:
    if isinstance(given.node, ast.GeneratorExp | ast.ListComp):
        yield from _of_comprehension(given, given.node)
    else:
        yield from _inner(evaluator, given, depth)
