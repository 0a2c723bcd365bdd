"""The items of lists in payloads."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from ..inference.containers.rows import is_mixed
from ..inference.evaluator import Evaluator
from ..inference.flow.branches import may_run
from ..inference.syntax.module import Module, last_name
from ..inference.values.changed_objects import is_changed as changed_objects_is_changed
from ..inference.values.known_calls import COLLECTING, LISTING
from ..inference.values.origins import Holder, Written, is_changed, written
from ..inference.values.values import Const, Display, External, Function, Value, only_value
from ..view import FileView, ProjectView
from .changes import ANY

LISTS = (ast.List, ast.Tuple, ast.ListComp)
_ADDING = frozenset({"append", "extend", "insert"})
_DEEPEST = 4
_MOST = 20

Item = tuple[object, Written]
"""Index, or ``ANY`` if it is not known, and what stands there."""


def is_list(evaluator: Evaluator, at: Written) -> bool:
    """Tell whether an expression is a list whose items are known: ``list(map(row, …))``."""
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
    """Yield the items of a list, with those added through its names before its use."""
    if isinstance(at.node, (ast.Tuple, ast.List)):
        for index, part in enumerate(at.node.elts):
            if isinstance(part, ast.Starred):
                yield from _inner(evaluator, at.part(part.value), depth)
            else:
                yield index, at.part(part)
    else:
        yield from _each(evaluator, at, depth)
    yield from _added(evaluator, at, depth)


def added(evaluator: Evaluator, at: Written) -> Iterator[Written]:
    """Yield the items added by ``append`` and ``extend`` before the use of a list."""
    return (item for _, item in _added(evaluator, at, 0))


def _each(evaluator: Evaluator, at: Written, depth: int) -> Iterator[Item]:
    """Yield the element expression of a comprehension, or the results of ``map``."""
    node = at.node
    if isinstance(node, (ast.ListComp, ast.GeneratorExp)):
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
    """Tell whether a test is about a name itself, not only its attributes and items."""
    return any(
        isinstance(part, ast.Name)
        and part.id == name
        and not isinstance(module.parents.get(part), (ast.Attribute, ast.Subscript))
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
    """Yield the results of a function with unknown arguments."""
    if isinstance(callee, ast.Lambda):
        yield at.part(callee.body)
        return
    function = only_value(evaluator.values(at.module, callee, at.frame))
    if isinstance(function, Function) and not isinstance(function.node, ast.Lambda):
        returned = function.module.returns(function.node)
        if len(returned) == 1 and not is_changed(evaluator, function.module, function.node):
            yield Written(function.module, returned[0])


def _added(evaluator: Evaluator, at: Written, depth: int) -> Iterator[Item]:
    for holder in at.holders if isinstance(at.node, (ast.List, ast.ListComp, ast.Call)) else ():
        yield from _added_to(evaluator, at, holder, depth)


def _added_to(evaluator: Evaluator, at: Written, holder: Holder, depth: int) -> Iterator[Item]:
    """Yield the items that ``rows.append(…)`` and ``rows.extend(…)`` add."""
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
    """Return (items, name with its holders) of a list that grows by ``rows += […]``.

    The items from before the first ``+=`` are included.
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
    if isinstance(given.node, (ast.GeneratorExp, ast.ListComp)):
        yield from _of_comprehension(given, given.node)
    else:
        yield from _inner(evaluator, given, depth)


_DEEPEST_PARTS = 8

Part = tuple[Module, ast.expr]


def elements_of(
    view: FileView, module: Module, node: ast.expr, depth: int = 0
) -> Iterator[Part | None]:
    """Yield the elements of a list with their files; None for unknown parts."""
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        for part in node.elts:
            if isinstance(part, ast.Starred):
                yield from elements_of(view, module, part.value, depth + 1)
            else:
                yield module, part
    elif isinstance(node, ast.Dict):
        yield from ((module, key) if key is not None else None for key in node.keys)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        yield from elements_of(view, module, node.left, depth + 1)
        yield from elements_of(view, module, node.right, depth + 1)
    elif isinstance(node, ast.Call) and _copied(view, module, node) is not None:
        yield from elements_of(view, module, node.args[0], depth + 1)
    elif isinstance(node, (ast.Name, ast.Attribute)) and depth < _DEEPEST_PARTS:
        yield from _behind(view, module, node, depth)
    else:
        yield None


def copies(view: FileView, node: ast.expr) -> list[Part]:
    """Return the calls ``list(NAMES)`` and the like that an expression may evaluate to."""
    found = written(view.evaluator, view.module, node)
    return [(at.module, at.node) for at in found if _copied(view, at.module, at.node) is not None]


def _copied(view: FileView, module: Module, node: ast.expr) -> ast.expr | None:
    if not isinstance(node, ast.Call) or last_name(node.func) not in COLLECTING or not node.args:
        return None
    callees = {item.value for item in view.evaluator.values(module, node.func)}
    return node.args[0] if callees == {External(last_name(node.func))} else None


def _behind(
    view: FileView, module: Module, node: ast.Name | ast.Attribute, depth: int
) -> Iterator[Part | None]:
    """Follow a name that has one value and keeps it."""
    value = only_value(view.evaluator.values(module, node))
    name = last_name(node)
    if isinstance(value, Display) and not (
        changed_objects_is_changed(module, name) or changed_objects_is_changed(value.module, name)
    ):
        yield from elements_of(view, value.module, value.node, depth + 1)
    else:
        yield None


def is_of_growing(view: ProjectView, module: Module, given: ast.expr) -> bool:
    """Tell whether a name is the target of a loop over a list that grows elsewhere."""
    found = view.project.lookup(module, given)[1] if isinstance(given, ast.Name) else []
    walked = [it.value for it in found if it.kind == "for" and isinstance(it.value, ast.expr)]
    return any(is_mixed(view.evaluator, module, each) for each in walked)


_MOST_REPEATS = 1_000_000
_MOST_NUMBERS = 10_000
_DIGIT = ast.Constant(0)


class Repeated(msgspec.Struct, frozen=True, eq=False):
    """A list that repeats items a known number of times.

    Attributes:
        items: one repetition, in order.
        count: number of repetitions.
        more: further characters as JSON: the digits of the numbers of a ``range``.
    """

    items: list[ast.expr]
    count: int
    more: int = 0


def repeated(evaluator: Evaluator, at: Written) -> Repeated | None:
    """Return the repetition of a list; None for other lists and unknown counts."""
    node = at.node
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        return _multiplied(evaluator, at, node)
    if isinstance(node, ast.ListComp):
        count = _rounds(evaluator, at, node)
        return Repeated([node.elt], count) if count is not None else None
    if isinstance(node, ast.Call) and _is_a_builtin(evaluator, at, node, LISTING):
        return _copied_rows(evaluator, at, node)
    return None


def _multiplied(evaluator: Evaluator, at: Written, node: ast.BinOp) -> Repeated | None:
    for part, times in ((node.left, node.right), (node.right, node.left)):
        count = number(evaluator, at, times)
        if count is not None and isinstance(part, (ast.List, ast.Tuple)) and not _spreads(part):
            return Repeated(part.elts, max(count, 0))
    return None


def _copied_rows(evaluator: Evaluator, at: Written, node: ast.Call) -> Repeated | None:
    if len(node.args) != 1:
        return None
    inner = node.args[0]
    if isinstance(inner, (ast.ListComp, ast.GeneratorExp)):
        count = _rounds(evaluator, at, inner)
        return Repeated([inner.elt], count) if count is not None else None
    numbers = _range(evaluator, at, inner)
    if numbers is None:
        return None
    digits = sum(len(str(number)) for number in numbers[:_MOST_NUMBERS])
    return Repeated([_DIGIT], len(numbers), digits - len(numbers[:_MOST_NUMBERS]))


def _rounds(evaluator: Evaluator, at: Written, node: ast.ListComp | ast.GeneratorExp) -> int | None:
    total = 1
    for part in node.generators:
        count = None if part.ifs or part.is_async else _length(evaluator, at, part.iter)
        if count is None:
            return None
        total = min(total * count, _MOST_REPEATS)
    return total


def _length(evaluator: Evaluator, at: Written, node: ast.expr) -> int | None:
    """Return the number of iterations over a ``range`` or a display."""
    if isinstance(node, (ast.List, ast.Tuple)):
        return None if _spreads(node) else len(node.elts)
    numbers = _range(evaluator, at, node)
    return None if numbers is None else len(numbers)


def _range(evaluator: Evaluator, at: Written, node: ast.expr) -> range | None:
    if not isinstance(node, ast.Call) or node.keywords:
        return None
    if not _is_a_builtin(evaluator, at, node, frozenset({"range"})):
        return None
    bounds = [number(evaluator, at, part) for part in node.args]
    known = [bound for bound in bounds if bound is not None]
    if len(known) != len(bounds) or not 1 <= len(known) <= 3 or (len(known) == 3 and not known[2]):
        return None
    found = range(*known)
    return found if len(found) <= _MOST_REPEATS else found[:_MOST_REPEATS]


def _spreads(node: ast.List | ast.Tuple) -> bool:
    return any(isinstance(item, ast.Starred) for item in node.elts)


def number(evaluator: Evaluator, at: Written, node: ast.expr) -> int | None:
    """Return a constant integer; None for others, and for a very large one."""
    value = only_value(evaluator.values(at.module, node, at.frame))
    known = value.value if isinstance(value, Const) else None
    return known if isinstance(known, int) and abs(known) <= _MOST_REPEATS else None


def _is_a_builtin(evaluator: Evaluator, at: Written, call: ast.Call, names: frozenset[str]) -> bool:
    if last_name(call.func) not in names:
        return False
    found = [item.value for item in evaluator.values(at.module, call.func, at.frame)]
    return bool(found) and all(isinstance(it, External) and it.name in names for it in found)
