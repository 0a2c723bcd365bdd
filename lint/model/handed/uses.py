"""Where a value goes that is not used at once: through names, tables, loops, fields, calls."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from ..attributes import class_chain
from ..evaluator import Evaluator
from ..import_paths import imported_path
from ..module import Module
from ..remembered import remembered
from ..values import Class, Frame, Instance, ModuleValue, Value

ANY = object()
"""Stands for a key or a place that is not known."""


class Part(msgspec.Struct, frozen=True, eq=False):
    """Where in a container something is: under a key, at a place, in a field."""

    kind: str
    name: object = ANY


Path = tuple[Part, ...]


class Held(msgspec.Struct, frozen=True, eq=False):
    """An expression that is worth something, or a container in which that is.

    Attributes:
        what: a function, a class or an instance of the tree.
        path: where it is in the container, outermost first; empty for itself.
        frame: the call in which the expression is to be read.
        is_own: whether, without a call, only what the function gets as a handler counts.
        given: the calls of ``partial`` around it, innermost first.
        asked: the keys that led to it: (key, table, what the key then is).
    """

    module: Module
    node: ast.expr
    what: Value
    path: Path = ()
    frame: Frame | None = None
    is_own: bool = False
    given: tuple[ast.Call, ...] = ()
    asked: tuple[tuple[ast.expr, ast.expr, object], ...] = ()

    @property
    def kind(self) -> str:
        """Where the outermost container has it: ``key``, ``at``, ``field``; empty for itself."""
        return self.path[0].kind if self.path else ""

    def at(self, node: ast.expr, path: Path | None = None) -> Held:
        """Return the same in another expression of the same call."""
        return msgspec.structs.replace(self, node=node, path=self.path if path is None else path)

    def taken_out(self) -> Held:
        """Return what the outermost container holds."""
        return self.at(self.node, self.path[1:])

    def elsewhere(
        self, module: Module, node: ast.expr, frame: Frame | None = None, *, is_own: bool = False
    ) -> Held:
        """Return the same in an expression of another function, in one call of it or in any."""
        return Held(module, node, self.what, self.path, frame, is_own, self.given)

    def inside(self, part: Part) -> Path:
        """Return the path in a container that holds it."""
        return (part, *self.path)


class Variable(msgspec.Struct, frozen=True, eq=False):
    """A name and what binds it."""

    module: Module
    scope: ast.AST
    name: str
    binder: ast.AST


def uses(evaluator: Evaluator, variable: Variable) -> Iterator[tuple[Module, ast.expr]]:
    """Yield the reads of a variable, also those of other files."""
    yield from _uses(evaluator, variable, set())


def _uses(
    evaluator: Evaluator, variable: Variable, seen: set[ast.AST]
) -> Iterator[tuple[Module, ast.expr]]:
    module, name = variable.module, variable.name
    if variable.binder in seen:
        return
    seen.add(variable.binder)
    for use in module.names.get(name, ()):
        if isinstance(use.ctx, ast.Load):
            scope, found = evaluator.project.lookup(module, use)
            if scope is variable.scope and any(it.node is variable.binder for it in found):
                yield module, use
    if isinstance(variable.scope, ast.ClassDef):
        yield from field_uses(evaluator, Class(module, variable.scope), name)
    if isinstance(variable.scope, ast.Module):
        yield from _abroad(evaluator, variable, seen)


def _abroad(
    evaluator: Evaluator, variable: Variable, seen: set[ast.AST]
) -> Iterator[tuple[Module, ast.expr]]:
    """Yield the uses of a global in other files: imported, or ``module.NAME``."""
    owner = ModuleValue(variable.module)
    for module in evaluator.project.naming(variable.name):
        for statement in module.nodes(ast.ImportFrom):
            for alias in statement.names:
                base = imported_path(statement)
                if alias.name == variable.name and evaluator.module_named(module, base) == owner:
                    name = alias.asname or alias.name
                    taken = Variable(module, module.scope(statement), name, alias)
                    yield from _uses(evaluator, taken, seen)
        is_whole = imports_whole(evaluator, module, variable.module)
        for node in reads_of(module, variable.name) if is_whole else ():
            if any(it.value == owner for it in evaluator.values(module, node.value)):
                yield module, node


def field_uses(evaluator: Evaluator, cls: Class, name: str) -> Iterator[tuple[Module, ast.expr]]:
    """Yield the reads of an attribute of a class, of its objects and of those of its subclasses."""
    for module in evaluator.project.naming(name):
        for node in reads_of(module, name):
            for item in evaluator.values(module, node.value):
                owner = item.value.cls if isinstance(item.value, Instance) else item.value
                if isinstance(owner, Class) and _is_below(evaluator, owner, cls):
                    yield module, node
                    break


def _is_below(evaluator: Evaluator, cls: Class, base: Class) -> bool:
    return any(each.node is base.node for each in class_chain(evaluator, cls))


def variable_of(evaluator: Evaluator, module: Module, name: ast.Name) -> Iterator[Variable]:
    """Yield what a name stands for; for an imported one what it is where it comes from."""
    scope, found = evaluator.project.lookup(module, name)
    for binding in found:
        statement = binding.value
        if isinstance(binding.node, ast.alias) and isinstance(statement, ast.ImportFrom):
            base = imported_path(statement)
            owner = evaluator.module_named(module, base)
            if isinstance(owner, ModuleValue):
                yield from _globals(evaluator, owner.module, binding.node.name)
        yield Variable(module, scope, name.id, binding.node)


def _globals(evaluator: Evaluator, module: Module, name: str) -> Iterator[Variable]:
    for binding in evaluator.project.table(module.tree).get(name, ()):
        yield Variable(module, module.tree, name, binding.node)


def owned(
    evaluator: Evaluator, module: Module, node: ast.Attribute
) -> Iterator[tuple[Module, ast.expr]]:
    """Yield the reads of what ``self.table`` or ``module.TABLE`` stands for."""
    for item in evaluator.values(module, node.value):
        value = item.value.cls if isinstance(item.value, Instance) else item.value
        if isinstance(value, Class):
            yield from field_uses(evaluator, value, node.attr)
        elif isinstance(value, ModuleValue):
            for variable in _globals(evaluator, value.module, node.attr):
                yield from uses(evaluator, variable)


def reads_of(module: Module, name: str) -> list[ast.Attribute]:
    """Return the reads ``….name`` of a file, in source order."""
    return _reads(module).get(name, [])


@remembered
def _reads(module: Module) -> dict[str, list[ast.Attribute]]:
    known: dict[str, list[ast.Attribute]] = {}
    for node in module.nodes(ast.Attribute):
        if isinstance(node.ctx, ast.Load):
            known.setdefault(node.attr, []).append(node)
    return known


def imports_whole(evaluator: Evaluator, module: Module, owner: Module) -> bool:
    """Tell whether a file may say ``owner.name``: it uses the name of that module, or an alias."""
    path = owner.source.path
    name = path.stem if path.stem != "__init__" else path.parent.name
    return any(each in module.names for each in (name, *evaluator.project.aliases(module, name)))
