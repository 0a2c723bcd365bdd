"""How tests turned out that stand before a use: ``if a: x = y`` … ``if a: use(x)``."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from .bindings import Table
from .blocks import LOOPS
from .conditions import Condition, conditions, split
from .module import Module, last_name
from .settled_tests import Names, settled_outcome
from .spelling import spelled

_ELSEWHERE = (ast.Global, ast.Nonlocal)
"""Other functions that declare these may run in between."""
_CONTAINERS = frozenset({"defaultdict", "deque", "dict", "list", "set"})
_DISPLAYS = (ast.List, ast.ListComp, ast.Dict, ast.DictComp, ast.Set, ast.SetComp)
_READING = frozenset({
    "all", "any", "bool", "dict", "enumerate", "isinstance", "iter", "len", "list", "max", "min",
    "print", "repr", "reversed", "set", "sorted", "str", "sum", "tuple", "zip",
})  # fmt: skip
"""Builtins that only look at what they get."""
_CONTRARY: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.IsNot: ast.Is,
    ast.NotEq: ast.Eq,
    ast.NotIn: ast.In,
}


def known_outcome(
    names: Names,
    module: Module,
    scope: ast.AST,
    earlier: ast.If,
    use: ast.AST,
    branch: bool | None = None,
) -> bool | None:
    """Return how the test of an earlier statement turned out on each way to a use.

    Args:
        names: of the extension.
        module: the file.
        scope: that in which both stand.
        earlier: the statement.
        use: what is evaluated later.
        branch: of a later ``if`` the outcome of its own test, for the ways through that branch.

    Returns:
        None if it is not always the same, and the conditions of the use do not tell it.
    """
    fixed = settled_outcome(names, module, earlier.test)
    if fixed is not None:
        return fixed
    if branch is None or not isinstance(use, ast.If):
        known = conditions(module, use, rebound=False)
    else:
        known = split(use.test, truth=branch)
    return _told(names, module, names.table(scope), earlier, use, known)


def _told(
    names: Names,
    module: Module,
    table: Table,
    earlier: ast.If,
    use: ast.AST,
    known: Iterable[Condition],
) -> bool | None:
    parts = {truth: list(split(earlier.test, truth=truth)) for truth in (True, False)}
    asked = {_spelt(test) for each in parts.values() for test, _ in each} - {""}
    if not asked:
        return None
    told = {
        text: _holds(test, truth)
        for test, truth in known
        if (text := _spelt(test)) in asked
        and _keeps_outcome(names, module, table, test, earlier, use)
    }
    for truth, each in parts.items():
        wanted = [(told.get(_spelt(test)), _holds(test, holds)) for test, holds in each]
        if all(was is holds for was, holds in wanted):
            return truth
        if any(was is (not holds) for was, holds in wanted):
            return not truth
    return None


def _spelt(test: ast.expr) -> str:
    """Return a test of names as a text, ``is`` and ``is not`` alike; empty for other tests."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        kind = type(test.ops[0])
        left, right = _plain(test.left), _plain(test.comparators[0])
        return f"{left} {_CONTRARY.get(kind, kind).__name__} {right}" if left and right else ""
    return "" if isinstance(test, ast.Constant) else _plain(test)


def _plain(node: ast.expr) -> str:
    return repr(node.value) if isinstance(node, ast.Constant) else spelled(node)


def _holds(test: ast.expr, truth: bool) -> bool:
    """Return the outcome of what ``_spelt`` writes."""
    return truth is not (isinstance(test, ast.Compare) and type(test.ops[0]) in _CONTRARY)


def _keeps_outcome(
    names: Names, module: Module, table: Table, test: ast.expr, earlier: ast.If, use: ast.AST
) -> bool:
    """Tell whether nothing changes what a test speaks of from the first time it is asked."""
    first = min(test.lineno, earlier.lineno)
    last: int = getattr(use, "lineno", first)
    for up in module.ancestors(use):
        if isinstance(up, LOOPS) and up.lineno > first:
            last = up.end_lineno or last
    span = range(first, last + 1)
    parts = list(ast.walk(test))
    attributes = (part.attr for part in parts if isinstance(part, ast.Attribute))
    held = [part.id for part in parts if isinstance(part, ast.Name)]
    if any(_is_changed(names, name) for name in attributes):
        return False
    is_of_names = isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Is | ast.IsNot)
    return all(_is_kept(module, table, name, span) for name in held) and (
        is_of_names or not any(_may_be_filled(module, table, name, span) for name in held)
    )


def _is_changed(names: Names, attribute: str) -> bool:
    """Tell whether the extension gives an attribute a value, or computes it when it is read."""
    return any(
        bool(module.stored(attribute))
        or attribute in module.changed_names
        or any(node.name == attribute for node in module.nodes(ast.FunctionDef))
        for module in names.naming(attribute)
    )


def _is_kept(module: Module, table: Table, name: str, span: range) -> bool:
    """Tell whether a name is given nothing else in some lines."""
    if name not in table:
        given = [it for it in module.names[name] if not isinstance(it.ctx, ast.Load)]
        return len(given) < 2
    return name not in module.changed_names and not any(
        isinstance(it.node, _ELSEWHERE) or getattr(it.node, "lineno", span.start) in span
        for it in table[name]
    )


def _may_be_filled(module: Module, table: Table, name: str, span: range) -> bool:
    """Tell whether other code gets a list or an object, whose truth it may change."""
    return any(_is_open(it.value) for it in table.get(name, ())) and any(
        use.lineno in span and _is_handed_over(module, use) for use in module.names[name]
    )


def _is_open(made: ast.AST | None) -> bool:
    """Tell whether an expression makes what may be empty now and hold something later."""
    if isinstance(made, ast.Call):
        name = last_name(made.func)
        return name in _CONTAINERS or name[:1].isupper()
    return isinstance(made, _DISPLAYS)


def _is_handed_over(module: Module, use: ast.Name) -> bool:
    parent = module.parents.get(use)
    if isinstance(parent, ast.keyword):
        parent = module.parents.get(parent)
    if isinstance(parent, ast.Attribute):
        call = module.parents.get(parent)
        return isinstance(call, ast.Call) and call.func is parent
    return isinstance(parent, ast.Call) and last_name(parent.func) not in _READING
