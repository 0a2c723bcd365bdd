"""What a name or a dotted path stands for in a file."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from ...files.imports import Resolver
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
