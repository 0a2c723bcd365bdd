"""How tests turned out that stand before a use: ``if a: x = y`` … ``if a: use(x)``."""

from __future__ import annotations

import ast

from .bindings import Table
from .blocks import LOOPS
from .conditions import conditions, split
from .module import Module
from .settled_tests import Names, settled_outcome
from .spelling import spelled

_ELSEWHERE = (ast.Global, ast.Nonlocal)
"""Other functions that declare these may run in between."""
_CONTRARY: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.IsNot: ast.Is,
    ast.NotEq: ast.Eq,
    ast.NotIn: ast.In,
}


def known_outcome(
    names: Names, module: Module, scope: ast.AST, earlier: ast.If, use: ast.AST
) -> bool | None:
    """Return how the test of an earlier statement turned out on each way to a use.

    Args:
        names: of the extension.
        module: the file.
        scope: that in which both stand.
        earlier: the statement.
        use: what is evaluated later.

    Returns:
        None if it is not always the same, and the conditions of the use do not tell it.
    """
    fixed = settled_outcome(names, module, earlier.test)
    return _told(module, names.table(scope), earlier, use) if fixed is None else fixed


def _told(module: Module, table: Table, earlier: ast.If, use: ast.AST) -> bool | None:
    parts = {truth: list(split(earlier.test, truth=truth)) for truth in (True, False)}
    asked = {_spelt(test) for each in parts.values() for test, _ in each} - {""}
    if not asked:
        return None
    told = {
        text: _holds(test, truth)
        for test, truth in conditions(module, use, rebound=False)
        if (text := _spelt(test)) in asked and _keeps_outcome(module, table, test, earlier, use)
    }
    for truth, each in parts.items():
        known = [(told.get(_spelt(test)), _holds(test, holds)) for test, holds in each]
        if all(was is holds for was, holds in known):
            return truth
        if any(was is (not holds) for was, holds in known):
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
    module: Module, table: Table, test: ast.expr, earlier: ast.If, use: ast.AST
) -> bool:
    """Tell whether nothing changes what a test speaks of from the first time it is asked."""
    first = min(test.lineno, earlier.lineno)
    last: int = getattr(use, "lineno", first)
    for up in module.ancestors(use):
        if isinstance(up, LOOPS) and up.lineno > first:
            last = up.end_lineno or last
    return all(_is_kept(module, table, part, first, last) for part in ast.walk(test))


def _is_kept(module: Module, table: Table, part: ast.AST, first: int, last: int) -> bool:
    if isinstance(part, ast.Attribute):
        return not module.stored(part.attr) and part.attr not in module.changed_names
    if not isinstance(part, ast.Name):
        return True
    if part.id not in table:
        given = [it for it in module.names[part.id] if not isinstance(it.ctx, ast.Load)]
        return len(given) < 2
    return part.id not in module.changed_names and not any(
        isinstance(it.node, _ELSEWHERE) or first <= getattr(it.node, "lineno", first) <= last
        for it in table[part.id]
    )
