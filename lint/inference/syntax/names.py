"""What a name or a dotted path stands for in the files of an extension."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path

from ...files.imports import Resolver, reachable
from ...files.plain_text import mentions, words
from ...files.source import SourceFile
from ...files.walking import ENTRIES, names_sdk
from ...sdk.module_surface import PACKAGE, modules
from ...sdk.surface import Surface
from .bindings import Binding, Table, binders_of, bindings_of, in_order
from .kept_trees import KeptTrees
from .module import FUNCTIONS, Module
from .parsing import Unparsable, parse

_Found = tuple[ast.AST, list[Binding], bool]
"""A scope, what binds a name there, and whether it lies further out than the name."""


def imported_path(statement: ast.ImportFrom) -> str:
    """Return the module that ``from … import`` names: ``..helpers``, or ``.`` alone."""
    return "." * statement.level + (statement.module or "")


class Names:
    """The files of an extension, parsed on demand, and what binds the names in them.

    Attributes:
        root: the folder of the entry.
        sources: absolute path → file.
        surface: the SDK in the target version.
        resolver: finds the files that imports name.
        problems: path → why it could not be parsed.
        whole: whether files count that the entry does not import.
        named: files that the user named and that count in any case.
        trees: parses files, if some were parsed in an earlier run.
    """

    def __init__(self, root: Path, sources: Mapping[Path, SourceFile], surface: Surface) -> None:
        self.root = root
        self.sources = sources
        self.surface = surface
        self.resolver = Resolver(root, sources)
        self.problems: dict[Path, str] = {}
        self.whole = False
        self.named: frozenset[Path] = frozenset()
        self.trees: KeptTrees | None = None
        self._modules: dict[Path, Module | None] = {}
        self._binders: dict[ast.AST, list[ast.AST]] = {}
        self._tables: dict[ast.AST, tuple[Table, frozenset[str]]] = {}
        self._bindings: dict[tuple[ast.AST, str], _Found] = {}
        self._starred: dict[tuple[Module, str], list[Binding]] = {}
        self._of_names: dict[ast.Name, _Found] = {}
        self._mentioning: dict[str, tuple[Path, ...]] = {}

    # ---- files -------------------------------------------------------------------------------

    def module(self, path: Path) -> Module | None:
        """Return a parsed file, or None if it does not parse."""
        if path not in self._modules:
            try:
                module = self._modules[path] = self._parse(path)
                self._binders.update(binders_of(module))
            except Unparsable as error:
                self.problems[path] = str(error)
                self._modules[path] = None
        return self._modules[path]

    def _parse(self, path: Path) -> Module:
        """Parse a file.

        Raises:
            Unparsable: it is no Python.
        """
        source = self.sources[path]
        return parse(source) if self.trees is None else self.trees.parse(source)

    @cached_property
    def reachable(self) -> frozenset[Path]:
        """The files that the extension's entry imports.

        Without an entry, those that name the SDK stand for it.
        """
        entries = [self.root / name for name in ENTRIES if self.root / name in self.sources]
        if not entries:
            entries = [path for path, it in self.sources.items() if names_sdk(it.data)]
        return reachable(entries, self.sources, self.resolver)

    @cached_property
    def relevant(self) -> tuple[Path, ...]:
        """The files in which callers and declarations are looked for, in a fixed order."""
        if self.whole:
            return tuple(self.sources)
        return tuple(path for path in self.sources if path in self.reachable | self.named)

    def mentioning(self, name: str) -> Iterator[Module]:
        """Yield the parsed modules whose text holds an identifier."""
        if name not in self._mentioning:
            found = (path for path in self.relevant if mentions(self.sources[path], name))
            self._mentioning[name] = tuple(found)
        yield from self._parsed(self._mentioning[name])

    def naming(self, identifier: str) -> Iterator[Module]:
        """Yield the parsed modules in which an identifier stands: ``mentioning``, but faster."""
        if not identifier.isascii():
            return self.mentioning(identifier)
        return self._parsed(self._words.get(identifier.encode(), ()))

    @cached_property
    def _words(self) -> dict[bytes, list[Path]]:
        index: dict[bytes, list[Path]] = {}
        for path in self.relevant:
            for word in words(self.sources[path]).split():
                index.setdefault(word, []).append(path)
        return index

    def holding(self, identifiers: Iterable[str]) -> list[SourceFile]:
        """Return the files that count in which one of some ASCII identifiers stands."""
        paths = (path for name in identifiers for path in self._words.get(name.encode(), ()))
        return [self.sources[path] for path in dict.fromkeys(paths)]

    def _parsed(self, paths: Iterable[Path]) -> Iterator[Module]:
        for path in paths:
            module = self.module(path)
            if module is not None:
                yield module

    # ---- bindings ----------------------------------------------------------------------------

    def table(self, scope: ast.AST) -> Table:
        """Return the bindings of a scope."""
        return self._scope(scope)[0]

    def _scope(self, scope: ast.AST) -> tuple[Table, frozenset[str]]:
        if scope not in self._tables:
            self._tables[scope] = bindings_of(scope, self._binders.get(scope, ()))
        return self._tables[scope]

    def bindings(self, module: Module, name: ast.Name) -> _Found:
        """Return the scope that binds a name, its bindings there, whether it lies further out."""
        found = self._of_names.get(name)
        if found is None:
            start = module.scope(name)
            key = (start, name.id)
            found = self._bindings.get(key)
            if found is None:
                found = self._bindings[key] = self._search(module, start, name.id)
            self._of_names[name] = found
        return found

    def _search(self, module: Module, start: ast.AST, name: str) -> _Found:
        scope, crossed = start, False
        while True:
            table, outer = self._scope(scope)
            if isinstance(scope, ast.Module):
                return scope, self.global_bindings(module, name), crossed
            visible = scope is start or not isinstance(scope, ast.ClassDef)
            if visible and name in table and name not in outer:
                return scope, table[name], crossed
            crossed = crossed or isinstance(scope, FUNCTIONS)
            scope = module.scope(scope)

    def global_bindings(self, module: Module, name: str) -> list[Binding]:
        """Return what binds a name of a module, in source order; ``import *`` counts."""
        table = self.table(module.tree)
        own, stars = table.get(name, []), table.get("*", [])
        key = (module, name)
        if stars and key not in self._starred:
            self._starred[key] = own
            self._starred[key] = in_order([*own, *self._imported(module, stars, name)])
        return self._starred[key] if stars else own

    def imported_module(self, module: Module, statement: ast.ImportFrom) -> Module | None:
        """Return the file of the extension from which names are imported."""
        path = self.resolver.module(module.source.path, imported_path(statement))
        return self.module(path) if path is not None else None

    def _imported(self, module: Module, stars: list[Binding], name: str) -> Iterator[Binding]:
        """Yield the star imports that bind a name, as bindings of ``from … import name``."""
        for star in stars:
            statement = star.value
            if not isinstance(statement, ast.ImportFrom):
                continue
            owner = self.imported_module(module, statement)
            in_tree = owner is not None and owner is not module and self._exports(owner, name)
            if in_tree or self._is_of_sdk(statement, name):
                alias = ast.copy_location(ast.alias(name), star.node)
                module.parents[alias] = statement
                yield Binding("import", alias, statement)

    def _exports(self, owner: Module, name: str) -> bool:
        found = self.table(owner.tree).get("__all__", ())
        parts = [part for it in found if it.value for part in ast.walk(it.value)]
        listed = [part.value for part in parts if isinstance(part, ast.Constant)]
        is_public = name in listed if listed else not name.startswith("_")
        return is_public and bool(self.global_bindings(owner, name))

    def _is_of_sdk(self, statement: ast.ImportFrom, name: str) -> bool:
        package, _, path = imported_path(statement).partition(".")
        return package == PACKAGE and name in modules(self.surface.version).offered(path)
