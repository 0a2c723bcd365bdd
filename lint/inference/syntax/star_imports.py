"""What ``from helpers import *`` and ``from imperal_sdk import *`` bind."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...sdk.module_surface import PACKAGE, modules
from .bindings import Binding
from .module import Module
from .names import Names, imported_module, imported_path


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
