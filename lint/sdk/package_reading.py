"""The modules of one wheel of the SDK: their names, and what a name finally stands for.

Used by ``surface_extraction``; nothing is imported.
"""

from __future__ import annotations

import ast
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from .surface import PACKAGE, UNREAD_MODULES

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Bound(msgspec.Struct, frozen=True):
    """What one statement of a module binds to a name.

    Attributes:
        node: the definition, if it is one.
        alias: (module, name) that it stands for; the name is empty for the module itself.
    """

    node: Definition | None = None
    alias: tuple[str, str] | None = None


class ModuleNames:
    """One module.

    Attributes:
        names: name → what its statements bind to it, in order.
        is_open: whether it makes names that its text does not show.
        stars: modules of the package from which it takes everything.
    """

    def __init__(self, dotted: str, tree: ast.Module, *, is_package: bool) -> None:
        self.dotted = dotted
        self.tree = tree
        self._package = dotted if is_package else dotted.rpartition(".")[0]
        self.names: dict[str, list[Bound]] = {}
        self.stars: list[str] = []
        self.is_open = False
        for statement in _run(tree.body):
            self._read(statement)
        if not dotted:
            self._read_lazy_names()

    def _read(self, statement: ast.stmt) -> None:
        if isinstance(statement, Definition):
            self.is_open = self.is_open or statement.name == "__getattr__"
            self._bind(statement.name, Bound(node=statement))
        elif isinstance(statement, ast.ImportFrom):
            self._read_from(statement)
        elif isinstance(statement, ast.Import):
            for alias in statement.names:
                self._bind(alias.asname or alias.name.partition(".")[0], Bound())
        else:
            self.is_open = self.is_open or "globals" in _names(statement)
            value = statement.value if isinstance(statement, ast.Assign) else None
            alias = (self.dotted, value.id) if isinstance(value, ast.Name) else None
            for name in _stored(statement):
                self._bind(name, Bound(alias=alias))

    def _read_from(self, statement: ast.ImportFrom) -> None:
        base = self._absolute(statement)
        for alias in statement.names:
            if alias.name == "*":
                self.is_open = self.is_open or base is None
                self.stars.extend(() if base is None else (base,))
            else:
                bound = Bound() if base is None else Bound(alias=(base, alias.name))
                self._bind(alias.asname or alias.name, bound)

    def _absolute(self, statement: ast.ImportFrom) -> str | None:
        """Return the module of the package that is meant; None for one of another package."""
        if not statement.level:
            first, _, rest = (statement.module or "").partition(".")
            return rest if first == PACKAGE else None
        parts = self._package.split(".") if self._package else []
        kept = parts[: len(parts) - statement.level + 1]
        return ".".join([*kept, *(statement.module or "").split(".")]).strip(".")

    def _read_lazy_names(self) -> None:
        """Read ``{"Name": "imperal_sdk.module"}``, from which the root's ``__getattr__`` serves."""
        for node in ast.walk(self.tree):
            if not isinstance(node, ast.Dict):
                continue
            for key, value in zip(node.keys, node.values, strict=True):
                if not isinstance(key, ast.Constant) or not isinstance(value, ast.Constant):
                    continue
                first, _, base = str(value.value).partition(".")
                if first == PACKAGE:
                    self._bind(str(key.value), Bound(alias=(base, str(key.value))))

    def _bind(self, name: str, bound: Bound) -> None:
        self.names.setdefault(name, []).append(bound)


def _run(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements that run at import, those inside of ``if`` and ``try`` included."""
    for statement in body:
        if isinstance(statement, ast.If) and "TYPE_CHECKING" in _names(statement.test):
            yield from _run(statement.orelse)
            continue
        yield statement
        if isinstance(statement, Definition):
            continue
        for field in ("body", "orelse", "finalbody"):
            yield from _run(getattr(statement, field, ()))
        for handler in getattr(statement, "handlers", ()):
            yield from _run(handler.body)


def _stored(node: ast.AST) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            yield part.id


def _names(node: ast.AST) -> set[str]:
    found = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    return found | {part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute)}


class Package:
    """All modules of a wheel, by their dotted path below the package."""

    def __init__(self, wheel: Path) -> None:
        self.modules: dict[str, ModuleNames] = {}
        with zipfile.ZipFile(wheel) as archive:
            for file in sorted(archive.namelist()):
                parts = file.removesuffix(".py").split("/")
                if parts[0] != PACKAGE or not file.endswith(".py") or parts[1] in UNREAD_MODULES:
                    continue
                is_package = parts[-1] == "__init__"
                dotted = ".".join(parts[1:-1] if is_package else parts[1:])
                tree = ast.parse(archive.read(file))
                self.modules[dotted] = ModuleNames(dotted, tree, is_package=is_package)

    def all_names(self, dotted: str) -> dict[str, list[Bound]]:
        """Return what a module binds, with what its ``*`` imports bring; it wins over them."""
        return self._all_names(dotted, set())

    def _all_names(self, dotted: str, seen: set[str]) -> dict[str, list[Bound]]:
        module = self.modules.get(dotted)
        if module is None or dotted in seen:
            return {}
        seen.add(dotted)
        found: dict[str, list[Bound]] = {}
        for base in module.stars:
            names = self._all_names(base, seen)
            found.update({name: [Bound(alias=(base, name))] for name in names if name[0] != "_"})
        return found | module.names

    def submodules(self, dotted: str) -> Iterator[str]:
        """Yield the names of the modules that stand directly in a package."""
        for other in self.modules:
            if other and other.rpartition(".")[0] == dotted:
                yield other.rpartition(".")[2]

    def definition(self, dotted: str, name: str) -> tuple[str, Definition] | None:
        """Return where a name is defined and its definition; None if it is nothing definite."""
        for _ in range(20):
            bound = self.all_names(dotted).get(name, [])
            if len(bound) != 1:
                return None
            if bound[0].alias is None:
                return (dotted, bound[0].node) if bound[0].node is not None else None
            if bound[0].alias == (dotted, name):
                return None
            dotted, name = bound[0].alias
        return None
