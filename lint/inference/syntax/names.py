"""What a name or a dotted path stands for in a file."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from ...files.imports import Resolver
from ...sdk.module_surface import PACKAGE, modules
from ...sdk.surface import Surface
from .bindings import Binding, Table
from .module import Module


def imported_path(statement: ast.ImportFrom) -> str:
    """Return the module that ``from … import`` names: ``..helpers``, or ``.`` alone."""
    return "." * statement.level + (statement.module or "")


class Names(Protocol):
    """What these functions need of ``Project``."""

    resolver: Resolver
    surface: Surface

    def module(self, path: Path) -> Module | None:
        """Return the file."""
        ...

    def table(self, scope: ast.AST) -> Table:
        """Return the bindings of a scope."""
        ...

    def bindings(self, module: Module, name: ast.Name) -> tuple[ast.AST, list[Binding], bool]:
        """Return the scope that binds a name, its bindings there, whether it lies further out."""
        ...

    def global_bindings(self, module: Module, name: str) -> list[Binding]:
        """Return what binds a name of a module."""
        ...

    def naming(self, identifier: str) -> Iterator[Module]:
        """Yield the modules in which an identifier stands."""
        ...


def imported_module(names: Names, module: Module, statement: ast.ImportFrom) -> Module | None:
    """Return the file of the extension from which names are imported."""
    path = names.resolver.module(module.source.path, imported_path(statement))
    return names.module(path) if path is not None else None


def starred(names: Names, module: Module, stars: list[Binding], name: str) -> Iterator[Binding]:
    """Yield the star imports that bind a name, as bindings of ``from … import name``."""
    for star in stars:
        statement = star.value
        if not isinstance(statement, ast.ImportFrom):
            continue
        owner = imported_module(names, module, statement)
        in_tree = owner is not None and owner is not module and _exports(names, owner, name)
        if in_tree or _is_of_sdk(names, statement, name):
            alias = ast.copy_location(ast.alias(name), star.node)
            module.parents[alias] = statement
            yield Binding("import", alias, statement)


def _exports(names: Names, owner: Module, name: str) -> bool:
    found = names.table(owner.tree).get("__all__", ())
    parts = [part for it in found if it.value for part in ast.walk(it.value)]
    listed = [part.value for part in parts if isinstance(part, ast.Constant)]
    is_public = name in listed if listed else not name.startswith("_")
    return is_public and bool(names.global_bindings(owner, name))


def _is_of_sdk(names: Names, statement: ast.ImportFrom, name: str) -> bool:
    package, _, path = imported_path(statement).partition(".")
    return package == PACKAGE and name in modules(names.surface.version).offered(path)
