"""What a scope binds."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from .module import COMPREHENSIONS, FUNCTIONS, FunctionNode, Module
from .unpacking import put_in


class Binding(msgspec.Struct, frozen=True, eq=False):
    """One place where a name gets a value.

    Attributes:
        kind: ``assign``, ``param``, ``for``, ``with``, ``import``, ``def``, ``class`` or
            ``opaque`` (a value that is not followed).
        node: the statement or expression that binds; an ``alias`` for an import.
        value: the expression that gives the value, if there is one.
        path: indexes into the value for unpacking.
    """

    kind: str
    node: ast.AST
    value: ast.AST | None = None
    path: tuple[int, ...] = ()

    @property
    def assigned(self) -> ast.expr | None:
        """What an assignment gives to the name as a whole; None for all else."""
        is_whole = self.kind == "assign" and not self.path
        return self.value if is_whole and isinstance(self.value, ast.expr) else None


Table = dict[str, list[Binding]]


def sole_value(found: Sequence[Binding]) -> ast.expr | None:
    """Return the assigned value if it is the only binding of a name; else None."""
    return found[0].assigned if len(found) == 1 else None


def binders_of(module: Module) -> dict[ast.AST, list[ast.AST]]:
    """Return scope → the nodes in it that bind a name or declare one, in source order."""
    found: list[Any] = [node for kind in (*_BINDERS, *_DECLARATIONS) for node in module.nodes(kind)]
    found.sort(key=lambda node: (node.lineno, node.col_offset))
    result: dict[ast.AST, list[ast.AST]] = {}
    for node in found:
        scope = module.scope(node)
        while isinstance(scope, COMPREHENSIONS):  # a walrus in one binds around it
            scope = module.scope(scope)
        result.setdefault(scope, []).append(node)
        if isinstance(node, ast.Global) and scope is not module.tree:
            result.setdefault(module.tree, []).append(node)
        if isinstance(node, ast.Nonlocal):
            for outer in module.functions_around(scope):
                result.setdefault(outer, []).append(node)
    for call in module.calls.get("globals", ()):
        names = [key for key, _ in put_in(module.parents, call) if isinstance(key, str)]
        if names:  # globals()["LIFE"] = 60
            declared = ast.copy_location(ast.Global(names), call)
            result.setdefault(module.tree, []).append(declared)
    return result


def _own_nonlocals(scope: ast.AST) -> set[ast.AST]:
    """Return the ``nonlocal`` declarations of a scope, not of functions inside it."""
    found: set[ast.AST] = set()
    stack = list(ast.iter_child_nodes(scope))
    while stack:
        part = stack.pop()
        if isinstance(part, ast.Nonlocal):
            found.add(part)
        elif not isinstance(part, FUNCTIONS):
            stack.extend(ast.iter_child_nodes(part))
    return found


def bindings_of(scope: ast.AST, binders: Sequence[ast.AST]) -> tuple[Table, frozenset[str]]:
    """Return name → bindings of a scope, and the names that it declares global or nonlocal."""
    table: Table = {}
    outer: set[str] = set()
    has_nonlocals = any(isinstance(node, ast.Nonlocal) for node in binders)
    own = _own_nonlocals(scope) if has_nonlocals else set[ast.AST]()
    if isinstance(scope, FUNCTIONS):
        _bind_parameters(table, scope)
    if isinstance(scope, COMPREHENSIONS):
        for generator in scope.generators:
            _bind_target(table, "for", generator, generator.target, generator.iter)
    for node in binders:
        if not isinstance(node, _DECLARATIONS):
            _BINDERS[type(node)](table, node)
        elif isinstance(scope, ast.Module) or (isinstance(node, ast.Nonlocal) and node not in own):
            _bind_elsewhere(table, node)
        else:
            outer.update(node.names)
    for name in outer:
        table.pop(name, None)
    return table, frozenset(outer)


def parameters(function: FunctionNode) -> list[ast.arg]:
    """Return the parameters that have a name, positional ones first."""
    spec = function.args
    rest = (arg for arg in (spec.vararg, spec.kwarg) if arg)
    return [*spec.posonlyargs, *spec.args, *spec.kwonlyargs, *rest]


def _bind_parameters(table: Table, function: FunctionNode) -> None:
    for arg in parameters(function):
        table.setdefault(arg.arg, []).append(Binding("param", arg, function))


def _add(table: Table, name: str, binding: Binding) -> None:
    table.setdefault(name, []).append(binding)


def _bind_assign(table: Table, node: ast.Assign) -> None:
    for target in node.targets:
        _bind_target(table, "assign", node, target, node.value)


def _bind_one(table: Table, node: ast.AnnAssign | ast.NamedExpr) -> None:
    if node.value is not None:
        _bind_target(table, "assign", node, node.target, node.value)


def _bind_augmented(table: Table, node: ast.AugAssign) -> None:
    """Bind ``a |= b`` of dicts as ``a | b``; other operators are opaque."""
    merges = isinstance(node.op, ast.BitOr)
    whole = ast.BinOp(node.target, node.op, node.value) if merges else None
    _bind_target(table, "opaque", node, node.target, whole and ast.copy_location(whole, node))


def _bind_for(table: Table, node: ast.For | ast.AsyncFor) -> None:
    _bind_target(table, "for", node, node.target, node.iter)


def _bind_with(table: Table, node: ast.With | ast.AsyncWith) -> None:
    for item in node.items:
        if item.optional_vars is not None:
            _bind_target(table, "with", node, item.optional_vars, item.context_expr)


def _bind_import(table: Table, node: ast.Import | ast.ImportFrom) -> None:
    for alias in node.names:
        name = alias.asname or alias.name
        if isinstance(node, ast.Import):
            name = alias.asname or alias.name.split(".")[0]
        _add(table, name, Binding("import", alias, node))


def _bind_definition(
    table: Table, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
) -> None:
    kind = "class" if isinstance(node, ast.ClassDef) else "def"
    _add(table, node.name, Binding(kind, node))


def _bind_named(table: Table, node: ast.AST) -> None:
    """Bind the name of an ``except … as`` or of a pattern."""
    name = getattr(node, "name", None) or getattr(node, "rest", None)
    if isinstance(name, str):
        _add(table, name, Binding("opaque", node))


def _bind_elsewhere(table: Table, node: ast.Global | ast.Nonlocal) -> None:
    """Bind globals that a function of the module declares and assigns, as opaque."""
    for name in node.names:
        _add(table, name, Binding("opaque", node, ast.Name(name, ast.Store())))


def _bind_delete(table: Table, node: ast.Delete) -> None:
    for target in node.targets:
        if isinstance(target, ast.Name):
            _add(table, target.id, Binding("opaque", node))


def _bind_target(
    table: Table,
    kind: str,
    node: ast.AST,
    target: ast.expr,
    value: ast.AST | None,
    path: tuple[int, ...] = (),
) -> None:
    if isinstance(target, ast.Name):
        _add(table, target.id, Binding(kind, node, value, path))
    elif isinstance(target, (ast.Tuple, ast.List)):
        for index, item in enumerate(target.elts):
            _bind_target(table, kind, node, item, value, (*path, index))
    elif isinstance(target, ast.Starred):
        _bind_target(table, "opaque", node, target.value, None)


_DECLARATIONS = (ast.Global, ast.Nonlocal)
_BINDERS: dict[type[ast.AST], Callable[[Table, Any], None]] = {
    ast.Assign: _bind_assign,
    ast.AnnAssign: _bind_one,
    ast.AugAssign: _bind_augmented,
    ast.NamedExpr: _bind_one,
    ast.For: _bind_for,
    ast.AsyncFor: _bind_for,
    ast.With: _bind_with,
    ast.AsyncWith: _bind_with,
    ast.Import: _bind_import,
    ast.ImportFrom: _bind_import,
    ast.FunctionDef: _bind_definition,
    ast.AsyncFunctionDef: _bind_definition,
    ast.ClassDef: _bind_definition,
    ast.ExceptHandler: _bind_named,
    ast.MatchAs: _bind_named,
    ast.MatchStar: _bind_named,
    ast.MatchMapping: _bind_named,
    ast.Delete: _bind_delete,
}


def settled(scope: ast.AST, found: list[Binding]) -> list[Binding]:
    """Return the bindings that functions see after import: of ``X = 1`` and ``X = 2`` the last.

    Assignments in functions of the module stay possible.
    """
    if not isinstance(scope, ast.Module) or len(found) < 2:
        return found
    statements = frozenset[ast.AST | None](scope.body)
    plain = [it.node in statements or it.value in statements for it in found]
    last = len(plain) - 1 - plain[::-1].index(True) if True in plain else 0
    opaque = [binding for binding in found[:last] if isinstance(binding.node, ast.Global)]
    return [*opaque, *found[last:]]


def in_order(found: list[Binding]) -> list[Binding]:
    """Return bindings of a module in source order."""
    places = [(getattr(it.node, "lineno", 0), getattr(it.node, "col_offset", 0)) for it in found]
    return [found[index] for index in sorted(range(len(found)), key=places.__getitem__)]
