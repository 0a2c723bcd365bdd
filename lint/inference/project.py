"""One extension: its files, parsed on demand, and an index of names and calls."""

from __future__ import annotations

import ast
import json
import os
import re
import unicodedata
import weakref
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from ..files.disk import read_regular
from ..files.icons import Icon, icons_named
from ..files.imports import Resolver, reachable
from ..files.source import SourceFile
from ..files.walking import ENTRIES, MANIFEST, names_sdk
from ..sdk.surface import Surface
from .calls.roles import HOOKS
from .flow.reaching import Reaching
from .flow.settled_tests import settled_outcome
from .flow.swallowing import swallowers, swallowing
from .syntax.bindings import Binding, Table, binders_of, bindings_of, in_order, settled
from .syntax.memo import Clock
from .syntax.module import FUNCTIONS, Module, last_name
from .syntax.names import starred
from .syntax.parsing import Unparsable, parse
from .syntax.unpacking import unpacked

_Found = tuple[ast.AST, list[Binding], bool]
"""A scope, what binds a name there, and whether it lies further out than the name."""


class Project:
    """An extension's files.

    Attributes:
        root: the folder of the entry.
        sources: absolute path → file.
        surface: the SDK in the target version.
        clock: the time that is left for the current file.
        problems: path → why it could not be parsed.
        whole: whether files count that the entry does not import.
        named: files that the user named and that count in any case.
    """

    def __init__(self, root: Path, sources: Mapping[Path, SourceFile], surface: Surface) -> None:
        self.root = root
        self.sources = sources
        self.surface = surface
        self.problems: dict[Path, str] = {}
        self.resolver = Resolver(root, sources)
        self.clock = Clock()
        self.whole = False
        self.named: frozenset[Path] = frozenset()
        self._modules: dict[Path, Module | None] = {}
        self._binders: dict[ast.AST, list[ast.AST]] = {}
        self._tables: dict[ast.AST, tuple[Table, frozenset[str]]] = {}
        self._finders: dict[tuple[ast.AST, str], Reaching] = {}
        self._reaching: dict[ast.Name, list[Binding]] = {}
        self._bindings: dict[tuple[ast.AST, str], _Found] = {}
        self._starred: dict[tuple[Module, str], list[Binding]] = {}
        self._of_names: dict[ast.Name, _Found] = {}
        self._handed_on: dict[str, bool] = {}
        self._mentioning: dict[str, tuple[Path, ...]] = {}
        self._aliases: dict[Module, dict[str, set[str]]] = {}

    def module(self, path: Path) -> Module | None:
        """Return a parsed file, or None if it does not parse."""
        if path not in self._modules:
            try:
                module = self._modules[path] = parse(self.sources[path])
                module.find_swallowing = partial(swallowing, weakref.proxy(self))
                self._binders.update(binders_of(module))
            except Unparsable as error:
                self.problems[path] = str(error)
                self._modules[path] = None
        return self._modules[path]

    @cached_property
    def swallowers(self) -> frozenset[str]:
        """The last names of what makes contexts that may swallow an exception."""
        return swallowers(self)

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

    def table(self, scope: ast.AST) -> Table:
        """Return the bindings of a scope."""
        return self._scope(scope)[0]

    def _scope(self, scope: ast.AST) -> tuple[Table, frozenset[str]]:
        if scope not in self._tables:
            self._tables[scope] = bindings_of(scope, self._binders.get(scope, ()))
        return self._tables[scope]

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
            self._starred[key] = in_order([*own, *starred(self, module, stars, name)])
        return self._starred[key] if stars else own

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
            for word in set(plain_text(self.sources[path]).translate(_NO_WORD).split()):
                index.setdefault(word, []).append(path)
        return index

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

    def holding(self, identifiers: Iterable[str]) -> list[SourceFile]:
        """Return the files that count in which one of some ASCII identifiers stands."""
        paths = (path for name in identifiers for path in self._words.get(name.encode(), ()))
        return [self.sources[path] for path in dict.fromkeys(paths)]

    def _parsed(self, paths: Iterable[Path]) -> Iterator[Module]:
        for path in paths:
            module = self.module(path)
            if module is not None:
                yield module

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
_NO_WORD = bytes(
    char if char >= 0x80 or chr(char).isalnum() or char == ord("_") else ord(" ")
    for char in range(256)
)
"""Translates what no identifier holds into spaces; an index of words is made at once with it."""
_PLAIN = frozenset({"utf-8", "utf-8-sig", "ascii", "us-ascii", "iso-8859-1", "latin-1", "cp1251"})


def plain_text(source: SourceFile) -> bytes:
    """Return the bytes with identifiers normalised as the parser does.

    Identifiers are compared in NFKC, so a file with other spellings is normalised first.
    """
    cached = source.__dict__.get("plain_text")
    if cached is None:
        cached = source.__dict__["plain_text"] = _plain_text(source)
    return cached


def _plain_text(source: SourceFile) -> bytes:
    data = source.data
    if data.isascii() and b"coding" not in data[:400]:
        return data
    try:
        if source.encoding not in _PLAIN:
            return source.text.encode("utf-8", "replace")
        text = source.text
    except (SyntaxError, UnicodeDecodeError, LookupError):
        return data
    if text.isascii() or unicodedata.is_normalized("NFKC", text):
        return data
    return data + b"\n" + unicodedata.normalize("NFKC", text).encode("utf-8", "replace")


def has_code(source: SourceFile) -> bool:
    """Tell whether a file can hold an object of the SDK: it imports one or is given one."""
    text = plain_text(source)
    return any(word in text for word in (b"import", b"def", b"lambda"))


def mentions(source: SourceFile, name: str) -> bool:
    """Tell whether a text stands in a file."""
    wanted, text = name.encode(errors="replace"), plain_text(source)
    is_other = text is not source.data and not source.data.isascii()
    return wanted in source.data or (is_other and wanted in text)


def whole_words(names: Sequence[str]) -> re.Pattern[bytes]:
    """Return what finds one of some names as a whole word."""
    start = os.path.commonprefix(names).encode()  # noqa: RUF071 - characters are meant
    rest = b"|".join(name.encode()[len(start) :] for name in names)
    return re.compile(rb"%s(?<!\w%s)(?:%s)\b" % (start, start, rest))
