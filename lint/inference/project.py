"""One extension: its names, its manifest, and an index of its calls."""

from __future__ import annotations

import ast
import json
import re
import weakref
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from ..files.disk import read_regular
from ..files.icons import Icon, icons_named
from ..files.plain_text import plain_text
from ..files.source import SourceFile
from ..files.walking import ENTRIES, MANIFEST, names_sdk
from ..sdk.surface import Surface
from .calls.roles import HOOKS
from .flow.reaching import Reaching
from .flow.settled_tests import settled_outcome
from .flow.swallowing import swallowing
from .syntax.bindings import Binding, settled
from .syntax.memo import Clock
from .syntax.module import Module, last_name
from .syntax.names import Names
from .syntax.unpacking import unpacked


class Project(Names):
    """An extension: its names, its manifest, and an index of its calls.

    Attributes:
        clock: the time that is left for the current file.
    """

    def __init__(self, root: Path, sources: Mapping[Path, SourceFile], surface: Surface) -> None:
        super().__init__(root, sources, surface)
        self.clock = Clock()
        self._finders: dict[tuple[ast.AST, str], Reaching] = {}
        self._reaching: dict[ast.Name, list[Binding]] = {}
        self._handed_on: dict[str, bool] = {}
        self._aliases: dict[Module, dict[str, set[str]]] = {}

    def _parse(self, path: Path) -> Module:
        """Parse a file; it knows which of its ``with`` statements swallow exceptions."""
        module = super()._parse(path)
        module.find_swallowing = partial(swallowing, weakref.proxy(self))
        return module

    @cached_property
    def is_extension(self) -> bool:
        """Whether any file names the SDK."""
        return any(names_sdk(source.data) for source in self.sources.values())

    def hands_on(self, name: str) -> bool:
        """Tell whether an attribute of that name is assigned or passed on, and so used otherwise.

        ``load(ctx.cache)`` in one file leads to a use in another that does not name the cache.
        """
        known = self._handed_on.get(name)
        if known is None:
            word = name.encode(errors="replace")
            use = re.compile(_HANDED_ON % re.escape(word))
            texts = (plain_text(source) for source in self.sources.values())
            known = any(use.search(text) for text in texts if word in text)
            self._handed_on[name] = known
        return known

    @cached_property
    def manifest_text(self) -> str:
        """The text of ``imperal.json``; empty if there is none that can be read."""
        try:
            return read_regular(self.root / MANIFEST).decode("utf-8-sig")
        except (OSError, UnicodeDecodeError):
            return ""

    @cached_property
    def manifest(self) -> dict[str, Any] | None:
        """The manifest, or None if there is none or it is no JSON object."""
        try:
            found = json.loads(self.manifest_text)
        except (ValueError, RecursionError):
            return None
        return found if isinstance(found, dict) else None  # pyright: ignore[reportUnknownVariableType]

    @property
    def manifest_is_broken(self) -> bool:
        """Whether there is a manifest that is no JSON object."""
        return bool(self.manifest_text) and self.manifest is None

    @cached_property
    def icons(self) -> Mapping[str, Icon | None]:
        """Name → icon of the files that the code calls an icon; None for one that is not there."""
        if not any(self.root / name in self.sources for name in ENTRIES):
            return {}
        return icons_named(self.root, self.sources.values())

    def listed(self, key: str) -> list[dict[str, Any]]:
        """Return the objects in one of the manifest's lists."""
        found: object = (self.manifest or {}).get(key)
        items: list[Any] = found if isinstance(found, list) else []  # pyright: ignore[reportUnknownVariableType]
        return [item for item in items if isinstance(item, dict)]

    def lookup(self, module: Module, name: ast.Name) -> tuple[ast.AST, list[Binding]]:
        """Return the scope that binds a name in its place and the bindings that may reach it."""
        scope, bindings, crossed = self.bindings(module, name)
        if len(bindings) < 2:
            return scope, bindings
        found = self._reaching.get(name)
        if found is None:
            if crossed:
                found = settled(scope, bindings)
            else:
                key = (scope, name.id)
                if key not in self._finders:
                    # A circle would keep all trees in memory until the garbage is collected.
                    outcome = partial(settled_outcome, weakref.proxy(self), module)
                    self._finders[key] = Reaching(module, scope, bindings, outcome)
                found = self._finders[key].at(name)
            self._reaching[name] = found
        return scope, found

    def registering(self, name: str) -> Iterator[Module]:
        """Yield the parsed modules that may register a function by a call: ``panel("p")(name)``."""
        return self._parsed(self._registered.get(name.encode(), ()))

    @cached_property
    def _registered(self) -> dict[bytes, list[Path]]:
        index: dict[bytes, list[Path]] = {}
        texts = {path: plain_text(self.sources[path]) for path in self.relevant}
        found = [(path, _DECORATING) for path in texts]
        hooked = (path for hook in HOOKS for path in self._words.get(hook.encode(), ()))
        found += [(path, _HOOKING) for path in dict.fromkeys(hooked)]
        for path, pattern in found:
            for word in set(pattern.findall(texts[path])):
                index.setdefault(word, []).append(path)
        return index

    def calls_by_name(self, module: Module, name: str) -> Iterable[ast.Call]:
        """Return the calls whose callee is written ``name`` or ``….name``, or by an alias of it."""
        aliases = self.aliases(module, name)
        if not aliases:
            return module.calls.get(name, ())
        names = sorted({name, *aliases})
        return [call for written in names for call in module.calls.get(written, ())]

    def aliases(self, module: Module, name: str) -> Collection[str]:
        """Return the other names that a module gives to a name."""
        if module not in self._aliases:
            self._aliases[module] = _index_aliases(module)
        return self._aliases[module].get(name, ())


def _index_aliases(module: Module) -> dict[str, set[str]]:
    """Return name → other names that the module gives it, and tables in which it stands."""
    index: dict[str, set[str]] = {}
    for node in (*module.nodes(ast.ImportFrom), *module.nodes(ast.Import)):
        for alias in node.names:
            if alias.asname:
                index.setdefault(alias.name, set()).add(alias.asname)
    given: list[tuple[ast.expr, ast.expr]] = []
    for node in (*module.nodes(ast.Assign), *module.nodes(ast.AnnAssign)):
        given.extend(unpacked(node))
    given += [(node.target, node.iter) for node in module.nodes(ast.For)]
    given += [(node.target, node.iter) for node in module.nodes(ast.comprehension)]
    for target, value in given:
        for held in _held(value) if last_name(target) else ():
            index.setdefault(held, set()).add(last_name(target))
    return index


def _held(value: ast.expr | None) -> Iterator[str]:
    """Yield the name that an expression is, or those of the elements that it writes out."""
    parts: list[ast.expr] = [] if value is None else [value]
    if isinstance(value, ast.Dict):
        parts = value.values
    elif isinstance(value, (ast.Tuple, ast.List, ast.Set)):
        parts = value.elts
    yield from (name for part in parts if (name := last_name(part)))


_HANDED_ON = rb"(?:\.[\s\\]*|[\"'])%s\b(?:(?=[\"'])|(?![ \t]*[.(\w]))"
"""A name that is not used at once: ``.cache`` without a dot or a call behind it, ``"cache"``."""
_GAP = rb"(?:[\s\\]|#[^\n]*\n)*"
_GIVEN = rb"%s\((?:%s\()*%s(?:\w{1,80}(?:\(\w{0,40}\))?\s*\.\s*){0,4}(\w{1,80})%s[,)]" % (
    (_GAP,) * 4
)
_DECORATING = re.compile(rb"\)" + _GIVEN)
_HOOKING = re.compile(rb"\.[\s\\]*(?:on_[a-z]{1,20}|health_check)" + _GIVEN)
"""What is given to a call that may stand for a decorator."""
